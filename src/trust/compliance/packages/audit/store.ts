import { packageCitation } from '../../../../../db/trust/packages.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ packageCitation });

/** Finds up to 100 citations whose checkpoint does not exist. */
export const citationsWithoutCheckpoint = wrongRows(
  'package_citation',
  'the checkpoint that a package cites is missing',
  sql.reported()`SELECT checkpoint_seq, 'a checkpoint' AS expected, 'none' AS found FROM package_citation
    WHERE NOT EXISTS (
      SELECT 1 FROM checkpoint WHERE checkpoint.checkpoint_seq = package_citation.checkpoint_seq
    ) LIMIT 100`,
);

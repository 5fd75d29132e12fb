import { wrongRows } from '../../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

const WITHOUT_CHECKPOINT = `
  SELECT checkpoint_seq, 'a checkpoint' AS expected, 'none' AS found FROM package_citation
  WHERE NOT EXISTS (SELECT 1 FROM checkpoint WHERE checkpoint.checkpoint_seq = package_citation.checkpoint_seq) LIMIT 100`;

/** Returns up to 100 problems of citations whose checkpoint does not exist. */
export function wrongCitations(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(
    snapshot,
    'package_citation',
    'the checkpoint that a package cites is missing',
    WITHOUT_CHECKPOINT,
  );
}

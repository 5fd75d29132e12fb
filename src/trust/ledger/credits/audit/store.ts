import { accessOverride } from '../../../../../db/trust/credits.ts';
import { TIERS } from '../../../../../db/trust/ledger-enums.ts';
import { numberingCheck, wrongRows } from '../../../../platform/audit/counts.ts';
import { textList } from '../../../../platform/store/columns.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ accessOverride });

/** The numbers of overrides count up from 1, and none is ever deleted. */
const missingOverrides = numberingCheck(
  'access_override',
  'override_seq',
  'rows are missing: their numbers have gaps',
);

const unknownTier = wrongRows(
  'access_override',
  'tier is not a tier',
  sql.reported()`SELECT override_seq, 'a tier' AS expected, tier AS found
    FROM access_override WHERE tier NOT IN (${sql.verbatim(textList(TIERS))}) LIMIT 100`,
);

/** The checks of overrides. Foreign keys are checked for every table. */
export const overrideChecks = [missingOverrides, unknownTier];

import { accessOverride } from '../../../../../db/trust/credits.ts';
import { TIERS } from '../../../../../db/trust/ledger-enums.ts';
import { numberingCheck, wrongRows } from '../../../../platform/audit/counts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
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

/** What keys with a limit over time spent in all. */
export const spending = derived({
  table: 'key_spending',
  key: ['api_key_seq'],
  columns: { credits: 'credits is not the sum of its hours' },
  derives: 'rows',
  query: sql.part`SELECT api_key_seq, sum(credits) AS credits FROM key_spending_hour GROUP BY api_key_seq`,
});

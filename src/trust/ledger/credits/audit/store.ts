import { TIERS } from '../../../../../db/trust/ledger-enums.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

/** A gap in the numbers of overrides: they count up from 1, and none is ever deleted. */
const GAP = `
  SELECT max(override_seq) AS override_seq, max(override_seq) AS expected, count(*) AS found
  FROM access_override HAVING expected <> found`;

const UNKNOWN_TIER = `
  SELECT override_seq, 'a tier' AS expected, tier AS found
  FROM access_override WHERE tier NOT IN (${TIERS.map((tier) => `'${tier}'`).join(', ')}) LIMIT 100`;

/**
 * Returns up to 100 problems of overrides with an unknown tier, and one if overrides are missing. Foreign
 * keys are checked for every table.
 */
export async function wrongOverrides(snapshot: Snapshot): Promise<Problem[]> {
  const wrong = (what: string, sql: string) => wrongRows(snapshot, 'access_override', what, sql);
  return [
    ...(await wrong('rows are missing: their numbers have gaps', GAP)),
    ...(await wrong('tier is not a tier', UNKNOWN_TIER)),
  ];
}

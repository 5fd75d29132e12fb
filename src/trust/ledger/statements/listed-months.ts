import type { Snapshot } from '../../../platform/store/transaction.ts';
import { monthOf } from '../../../proof/ledger/account-statement.ts';
import type { JournalAccount } from '../accounts.ts';
import { completeSince } from '../month-sums.ts';

/** The months that a page lists. Earlier ones are read with the API. */
const MOST = 24;

/**
 * Returns the months that an account has statements of, newest first and at most 24: `YYYY-MM`.
 * @param since when the account was made, RFC 3339; null if it is not known
 * @param now milliseconds since 1970
 */
export async function listedMonths(
  snapshot: Snapshot,
  account: JournalAccount,
  since: string | null,
  now: number,
): Promise<string[]> {
  const complete = (await completeSince(snapshot, account)) ?? 0;
  const first = monthOf(Math.max(since === null ? now : Date.parse(since), complete));
  const date = new Date(now);
  return Array.from({ length: MOST }, (_, index) =>
    monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - index)),
  ).filter((month) => month >= first);
}

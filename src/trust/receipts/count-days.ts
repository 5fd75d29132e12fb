import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { countIssued } from './store.ts';

/** The most receipts that are counted for one answer: about 10 ms. */
const MOST_COUNTED = 40_000;

/**
 * Returns how many receipts an operator issued in periods. The newest periods are counted first; null for
 * those that are not counted, as the later ones have too many.
 * @param starts when the periods begin, in milliseconds since 1970, oldest first; each ends with the next one
 * @param end of the last period
 */
export async function countIssuedIn(
  snapshot: Snapshot,
  operatorSeq: number,
  starts: readonly number[],
  end: number,
  most = MOST_COUNTED,
): Promise<(number | null)[]> {
  const counts: (number | null)[] = [];
  let left = most;
  let to = end;
  for (const from of starts.toReversed()) {
    const count =
      left < 0
        ? 0
        : ((await countIssued(snapshot, {
            operatorSeq,
            from: timestampOf(from),
            to: timestampOf(to),
            limit: left + 1,
          })) ?? 0);
    left -= count;
    counts.push(left < 0 ? null : count);
    to = from;
  }
  return counts.toReversed();
}

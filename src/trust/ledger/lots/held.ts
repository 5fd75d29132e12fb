import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { Account } from '../accounts.ts';
import { unlockedLots } from './move.ts';
import { unmatureLots } from './store.ts';

/** Credits that cannot be withdrawn yet. */
export interface Held {
  amount: number;
  /** RFC 3339. */
  until: string;
}

/** The times that are listed one by one. The credits of later ones are in the last. */
const MOST = 200;

/**
 * Returns the paid credits of an account that cannot be withdrawn yet, the earliest first.
 * @param now milliseconds since 1970
 */
export async function heldIn(
  snapshot: Snapshot,
  account: Pick<Account, 'kind' | 'ownerSeq'>,
  now: number,
): Promise<Held[]> {
  const lots = await unmatureLots(snapshot, { ...unlockedLots(account, 'paid'), now });
  const held = lots.slice(0, MOST);
  const rest = lots.slice(MOST).reduce((sum, { amount }) => sum + amount, 0);
  const last = lots.at(-1);
  return held.map(({ amount, maturesAt }, index) => {
    const isLast = index === MOST - 1 && last !== undefined && rest > 0;
    return {
      amount: isLast ? amount + rest : amount,
      until: timestampOf(isLast ? last.maturesAt : maturesAt),
    };
  });
}

/** Returns the sum of held credits. */
export function heldAmount(held: readonly Held[]): number {
  return held.reduce((sum, { amount }) => sum + amount, 0);
}

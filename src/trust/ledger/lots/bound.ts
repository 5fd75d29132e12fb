import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { Account } from '../accounts.ts';
import { NEVER } from './maturity.ts';
import { unlockedLots } from './move.ts';
import { boundLots } from './store.ts';

/** Promotional credits of an account that others cannot be paid with. */
export interface Bound {
  amount: number;
  /** Why, as a sentence; empty for none. */
  reason: string;
}

const NONE: Bound = { amount: 0, reason: '' };

/**
 * Returns the promotional credits of a purchase that the payee cannot be paid with yet. Until they mature,
 * they stay with the operator that bought them, and its agents.
 * @param lots how many promotional credits of the account have lots
 * @param now milliseconds since 1970
 */
export async function boundIn(
  snapshot: Snapshot,
  { from, payee, lots }: { from: Account; payee: Account; lots: number },
  now: number,
): Promise<Bound> {
  if (lots === 0 || payee.kind !== 'agent') return NONE;
  const bound = await boundLots(snapshot, {
    ...unlockedLots(from, 'promotional'),
    payeeSeq: payee.ownerSeq,
    now,
  });
  if (bound === null || bound.foreign === 0) return NONE;
  const until = bound.until >= NEVER ? '' : ` until ${timestampOf(bound.until)}`;
  return {
    amount: bound.amount,
    reason: ` Another ${bound.amount} promotional credits of a purchase can be paid only to agents of the operator that bought them${until}.`,
  };
}

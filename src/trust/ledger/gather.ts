import type { Transaction } from '../../platform/store/transaction.ts';
import { type Account, type Asset, creditsOf } from './accounts.ts';
import { changeMaturityIn } from './lots/change.ts';
import { NEVER } from './lots/maturity.ts';
import { lockedLotsOfPayment, lotsOfAgents } from './lots/store.ts';
import { type LedgerContext, postIn } from './post.ts';

/** The most lots that one refund takes back or binds: about 100 ms. */
const MOST_LOTS = 1000;

/** Credits of a payment. */
interface Gathered {
  paymentSeq: number;
  /** The pool of the operator that made it. */
  pool: Account;
  asset: Asset;
  amount: number;
}

/**
 * Moves credits that a payment bought from what agents can spend back to the pool: from the agents of the
 * operator that paid, and from others as far as `takesOf` says so.
 * @returns how many
 */
export async function gatherIn(
  tx: Transaction,
  ledger: LedgerContext,
  { paymentSeq, pool, asset, amount }: Gathered,
  reference: string,
  takesOf: (lot: { isOwn: boolean; maturesAt: number }) => boolean,
): Promise<number> {
  let left = amount;
  if (left === 0) return 0;
  for (const lot of await lotsOfAgents(tx, { paymentSeq, asset, limit: MOST_LOTS })) {
    if (left === 0) break;
    if (!takesOf(lot)) continue;
    const part = Math.min(left, lot.amount);
    await postIn(tx, ledger, {
      kind: 'ADJUSTMENT',
      from: creditsOf(lot),
      to: pool,
      portions: { [asset]: part },
      reference,
      ofPayment: paymentSeq,
    });
    left -= part;
  }
  return amount - left;
}

/** Binds locked promotional credits that were refunded to the operator that bought them, and its agents. */
export async function bindLockedIn(tx: Transaction, paymentSeq: number, amount: number): Promise<void> {
  if (amount === 0) return;
  let left = amount;
  for (const lot of await lockedLotsOfPayment(tx, { paymentSeq, asset: 'promotional', limit: MOST_LOTS })) {
    if (left === 0) return;
    if (lot.maturesAt === NEVER) continue;
    const part = Math.min(left, lot.amount);
    await changeMaturityIn(tx, lot, part, NEVER);
    left -= part;
  }
}

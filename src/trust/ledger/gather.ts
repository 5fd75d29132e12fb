import type { Transaction } from '../../platform/store/transaction.ts';
import { type Account, type Asset, creditsOf } from './accounts.ts';
import { changeMaturityIn } from './lots/change.ts';
import { NEVER } from './lots/maturity.ts';
import { NO_PAYMENT, unlockedLots } from './lots/move.ts';
import { lotPaymentIn } from './lots/payments.ts';
import { boundLotsOfPayment, lotsOfOwnAgents, lotsOfPayment, lotsSum, lotsUntil } from './lots/store.ts';
import { type LedgerContext, postIn } from './post.ts';

/** The most lots that are bound or freed at once: about 50 ms. */
const MOST_LOTS = 1000;
/** The most agents from which one transaction takes credits back: about 5 ms. */
const MOST_AGENTS = 50;

/** Credits of a payment. */
interface Gathered {
  paymentSeq: number;
  /** The pool of the operator that made it. */
  pool: Account;
  asset: Asset;
  amount: number;
}

/**
 * Thrown by a transaction that needs the credits of many agents in the pool. After it, `gatherIn` runs in
 * transactions of its own, and the transaction is repeated.
 */
export class NeedsGathering extends Error {
  constructor(
    readonly credits: Gathered,
    readonly reference: string,
  ) {
    super('the credits of many agents are needed in the pool');
  }
}

/** Moves credits like `gatherIn`. @throws NeedsGathering if they are with too many agents */
export async function gatherAllIn(
  tx: Transaction,
  ledger: LedgerContext,
  credits: Gathered,
  reference: string,
): Promise<number> {
  const lots = await lotsOfOwnAgents(tx, { ...credits, limit: MOST_AGENTS + 1 });
  const sum = lots.slice(0, MOST_AGENTS).reduce((total, { amount }) => total + amount, 0);
  if (lots.length > MOST_AGENTS && sum < credits.amount) throw new NeedsGathering(credits, reference);
  return gatherIn(tx, ledger, credits, reference);
}

/**
 * Moves credits that a payment bought back to the pool, from what up to 50 agents of the operator that paid
 * can spend.
 * @returns how many
 */
export async function gatherIn(
  tx: Transaction,
  ledger: LedgerContext,
  { paymentSeq, pool, asset, amount }: Gathered,
  reference: string,
): Promise<number> {
  let left = amount;
  if (left === 0) return 0;
  for (const lot of await lotsOfOwnAgents(tx, { paymentSeq, asset, limit: MOST_AGENTS })) {
    if (left === 0) break;
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

/**
 * Binds promotional credits that were refunded, and that are out of reach, to the operator that bought them
 * and its agents: locked ones, and those that left with an agent that has another sponsor now. Those of its
 * pool are not out of reach.
 * @param now milliseconds since 1970
 */
export async function bindRestIn(
  tx: Transaction,
  { paymentSeq, pool, amount, now }: Pick<Gathered, 'paymentSeq' | 'pool' | 'amount'> & { now: number },
): Promise<void> {
  if (amount === 0) return;
  let left = amount;
  const rest = { paymentSeq, poolSeq: pool.ownerSeq, asset: 'promotional', now, limit: MOST_LOTS } as const;
  const lots = await boundLotsOfPayment(tx, rest);
  for (const lot of lots) {
    if (left === 0) return;
    if (lot.maturesAt === NEVER) continue;
    const part = Math.min(left, lot.amount);
    await changeMaturityIn(tx, lot, part, NEVER);
    left -= part;
  }
}

/** Takes the bond from promotional credits of a payment again. They mature as the payment does. */
export async function unbindIn(tx: Transaction, paymentSeq: number): Promise<void> {
  const bound = await lotsUntil(tx, { paymentSeq, maturesAt: NEVER, limit: MOST_LOTS });
  if (bound.length === 0) return;
  const { maturesAt } = await lotPaymentIn(tx, paymentSeq);
  for (const lot of bound) await changeMaturityIn(tx, lot, lot.amount, maturesAt);
}

/**
 * Takes the name of a payment from credits of an account, as far as there are more with this name than the
 * payment bought. They keep their time.
 */
export async function unnameIn(
  tx: Transaction,
  { paymentSeq, account, asset, most }: { paymentSeq: number; account: Account; asset: Asset; most: number },
): Promise<void> {
  let excess = ((await lotsSum(tx, { paymentSeq, asset })) ?? 0) - most;
  if (excess <= 0) return;
  for (const lot of await lotsOfPayment(tx, { ...unlockedLots(account, asset), paymentSeq })) {
    const part = Math.min(excess, lot.amount);
    if (part > 0) await changeMaturityIn(tx, lot, part, lot.maturesAt, NO_PAYMENT.paymentSeq);
    excess -= part;
  }
}

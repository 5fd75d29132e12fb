import type { Transaction } from '../../platform/store/transaction.ts';
import { type Account, type Asset, creditsOf } from './accounts.ts';
import type { OpenWithdrawals } from './hold.ts';
import { changeMaturityIn } from './lots/change.ts';
import { NEVER } from './lots/maturity.ts';
import { NO_PAYMENT, unlockedLots } from './lots/move.ts';
import { lotPaymentIn } from './lots/payments.ts';
import {
  boundLotsOfPayment,
  lockedLotsOfOwnAgents,
  lotsOfOwnAgents,
  lotsOfPayment,
  lotsSum,
  lotsUntil,
} from './lots/store.ts';
import { type LedgerContext, postIn } from './post.ts';

/** The most lots that are bound, freed or looked through at once: about 50 ms. */
const MOST_LOTS = 1000;
/** The most agents and withdrawals from which one transaction takes credits back: about 5 ms. */
const MOST_SOURCES = 50;

/** Credits of a payment. */
export interface Gathered {
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

/** Moves credits like `gatherIn`. @throws NeedsGathering if they are in too many places */
export async function gatherAllIn(
  tx: Transaction,
  ledger: LedgerContext,
  withdrawals: OpenWithdrawals,
  credits: Gathered,
  reference: string,
): Promise<number> {
  const sources = await sourcesIn(tx, withdrawals, credits);
  const sum = sources.slice(0, MOST_SOURCES).reduce((total, { amount }) => total + amount, 0);
  if (sources.length > MOST_SOURCES && sum < credits.amount) throw new NeedsGathering(credits, reference);
  return gatherFrom(tx, ledger, withdrawals, credits, reference, sources);
}

/**
 * Moves credits that a payment bought back to the pool: from what agents of the operator that paid can spend,
 * then from their queued withdrawals, up to 50 of both.
 * @returns how many
 */
export async function gatherIn(
  tx: Transaction,
  ledger: LedgerContext,
  withdrawals: OpenWithdrawals,
  credits: Gathered,
  reference: string,
): Promise<number> {
  const sources = await sourcesIn(tx, withdrawals, credits);
  return gatherFrom(tx, ledger, withdrawals, credits, reference, sources);
}

/** Credits of a payment with an agent of the operator that paid. */
interface Source {
  agentSeq: number;
  subjectCommitment: string;
  amount: number;
  /** The lock of the queued withdrawal that has them; null for credits that the agent can spend. */
  lock: string | null;
}

/** Returns where enough credits of a payment are, but no more than one place above the limit. */
async function sourcesIn(
  tx: Transaction,
  withdrawals: OpenWithdrawals,
  { paymentSeq, asset, amount }: Gathered,
): Promise<Source[]> {
  const credits = { paymentSeq, asset };
  const spendable = await lotsOfOwnAgents(tx, { ...credits, limit: MOST_SOURCES + 1 });
  const sources: Source[] = spendable.map((lot) => ({ ...lot, lock: null }));
  let there = sources.reduce((sum, source) => sum + source.amount, 0);
  // Only paid credits are withdrawn.
  if (asset !== 'paid' || there >= amount) return sources;
  for (const lot of await lockedLotsOfOwnAgents(tx, { ...credits, limit: MOST_LOTS })) {
    if (there >= amount || sources.length > MOST_SOURCES) break;
    if ((await withdrawals.stateIn(tx, lot.lock)) !== 'queued') continue;
    sources.push(lot);
    there += lot.amount;
  }
  return sources;
}

async function gatherFrom(
  tx: Transaction,
  ledger: LedgerContext,
  withdrawals: OpenWithdrawals,
  { paymentSeq, pool, asset, amount }: Gathered,
  reference: string,
  sources: readonly Source[],
): Promise<number> {
  let left = amount;
  for (const source of sources.slice(0, MOST_SOURCES)) {
    if (left === 0) break;
    const part = Math.min(left, source.amount);
    if (source.lock !== null) await withdrawals.cutIn(tx, ledger, source.lock, part, paymentSeq);
    await postIn(tx, ledger, {
      kind: 'ADJUSTMENT',
      from: creditsOf(source),
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

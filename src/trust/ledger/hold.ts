import type { Transaction } from '../../platform/store/transaction.ts';
import type { Asset } from './accounts.ts';
import { changeMaturityIn } from './lots/change.ts';
import { type PlacedLot, type PlannedLot, plannedHold, type Tier } from './lots/hold-plan.ts';
import { unlockedLots } from './lots/move.ts';
import {
  addToLot,
  type LotPaymentRow,
  type LotRow,
  lotAt,
  placedLots,
  removeLot,
  takeFromLot,
  unnamedLots,
} from './lots/store.ts';
import type { LedgerContext } from './post.ts';

/** Open withdrawals, which the room of payments has. */
export interface OpenWithdrawals {
  /** Returns the state of the withdrawal that locked credits; null if they are in escrow. */
  stateIn(tx: Transaction, lock: string): Promise<'queued' | 'begun' | null>;
  /**
   * Returns a part of the credits of a queued withdrawal to its agent. The rest is paid.
   * @param lock the transaction that locked them @param paymentSeq the payment that bought them
   */
  cutIn(
    tx: Transaction,
    ledger: LedgerContext,
    lock: string,
    amount: number,
    paymentSeq: number,
  ): Promise<void>;
}

/** The most lots of a payment that are looked at: about 20 ms. */
const MOST_LOTS = 10_000;
/** The most lots that one transaction changes: about 5 ms. */
const SLICE = 50;

/** A payment whose credits are held or released. */
interface Holding {
  payment: LotPaymentRow;
  asset: Asset;
  /** What is held, the latest end first; empty to release all. */
  tiers: readonly Tier[];
}

/**
 * Holds or releases credits of a payment: sets when its lots mature, so that what is held is not withdrawn
 * wherever it goes. It changes a bounded number of lots.
 * @returns whether nothing is left to do; else the caller repeats it in a further transaction
 */
export async function holdLotsIn(
  tx: Transaction,
  ledger: LedgerContext,
  withdrawals: OpenWithdrawals,
  { payment, asset, tiers }: Holding,
): Promise<boolean> {
  const now = ledger.clock.now();
  const { paymentSeq, operatorSeq, maturesAt } = payment;
  let lots = await placedLots(tx, { paymentSeq, asset, operatorSeq, limit: MOST_LOTS });
  const naming = payment.unnamed ? await nameLotsIn(tx, payment, asset, tiers, lots, now) : 'nothing';
  if (naming !== 'nothing') lots = await placedLots(tx, { paymentSeq, asset, operatorSeq, limit: MOST_LOTS });
  const placed: PlacedLot[] = [];
  for (const { lot, isOwn } of lots) {
    const state = lot.kind === 'locked' ? await withdrawals.stateIn(tx, lot.lock) : null;
    if (state !== 'begun') placed.push({ lot, isOwn, isQueued: state === 'queued' });
  }
  const changed = plannedHold(placed, tiers, maturesAt, now).filter(isChanged);
  // Withdrawals first: they could be paid before the next transaction.
  changed.sort((one, other) => Number(other.isQueued) - Number(one.isQueued));
  const slice = changed.slice(0, SLICE);
  for (const one of slice.filter(({ isQueued }) => isQueued))
    await cutIn(tx, ledger, withdrawals, one, payment);
  await setMaturitiesIn(
    tx,
    slice.filter(({ isQueued }) => !isQueued),
  );
  return slice.length === changed.length && naming !== 'some';
}

function isChanged({ lot, parts }: PlannedLot): boolean {
  return parts.some(({ until }) => until !== lot.maturesAt);
}

/** Returns the held part of a queued withdrawal to its agent, and holds it there. */
async function cutIn(
  tx: Transaction,
  ledger: LedgerContext,
  withdrawals: OpenWithdrawals,
  { lot, parts }: PlannedLot,
  { paymentSeq }: LotPaymentRow,
): Promise<void> {
  for (const { amount, until } of parts) {
    if (until === lot.maturesAt) continue;
    await withdrawals.cutIn(tx, ledger, lot.lock, amount, paymentSeq);
    const { asset, maturesAt } = lot;
    const key = unlockedLots({ kind: 'agent', ownerSeq: lot.ownerSeq }, asset);
    const returned = await lotAt(tx, { ...key, maturesAt, paymentSeq });
    if (returned === null) throw new Error(`the lot of a cut withdrawal of ${lot.ownerSeq} is gone`);
    await changeMaturityIn(tx, returned, amount, until);
  }
}

/** Sets when lots mature. Those of one account are counted together, because they flow into each other. */
async function setMaturitiesIn(tx: Transaction, lots: readonly PlannedLot[]): Promise<void> {
  const changes = new Map<string, { lot: LotRow; change: number }>();
  const add = (lot: LotRow, maturesAt: number, change: number): void => {
    const key = `${lot.kind} ${lot.ownerSeq} ${lot.lock} ${maturesAt}`;
    const before = changes.get(key);
    // The row as it was read has the amount that is there.
    const row = before?.lot ?? { ...lot, maturesAt };
    changes.set(key, {
      lot: lot.maturesAt === maturesAt ? lot : row,
      change: (before?.change ?? 0) + change,
    });
  };
  for (const { lot, parts } of lots) {
    for (const { amount, until } of parts) {
      if (until === lot.maturesAt) continue;
      add(lot, lot.maturesAt, -amount);
      add(lot, until, amount);
    }
  }
  for (const { lot, change } of changes.values()) {
    if (change > 0) await addToLot(tx, { ...lot, amount: change });
    else if (change < 0 && -change === lot.amount) await removeLot(tx, lot);
    else if (change < 0) await takeFromLot(tx, { ...lot, taken: -change });
  }
}

/**
 * Names mature credits of the operator and its agents as those of a payment from before there were lots, as
 * far as credits are to be held and it has not enough.
 * @returns what it named: `some` if there may be more
 */
async function nameLotsIn(
  tx: Transaction,
  { paymentSeq, operatorSeq, maturesAt }: LotPaymentRow,
  asset: Asset,
  tiers: readonly Tier[],
  known: readonly { lot: LotRow }[],
  now: number,
): Promise<'nothing' | 'some' | 'all'> {
  const there = known.reduce((sum, { lot }) => sum + lot.amount, 0);
  let missing = tiers.reduce((sum, { amount }) => sum + amount, 0) - there;
  if (asset !== 'paid' || missing <= 0) return 'nothing';
  const found = await unnamedLots(tx, { operatorSeq, now, limit: SLICE });
  for (const { lot } of found) {
    if (missing <= 0) break;
    const part = Math.min(missing, lot.amount);
    await changeMaturityIn(tx, lot, part, maturesAt, paymentSeq);
    missing -= part;
  }
  if (found.length === 0) return 'nothing';
  return missing > 0 && found.length === SLICE ? 'some' : 'all';
}

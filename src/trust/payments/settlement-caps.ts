import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { firstHourBefore, hourOf } from '../ledger/day-by-hours.ts';
import type { PaymentsPolicy, SettlementRail } from './settings.ts';
import { addSettled, settledSince, settlementsFrom } from './store.ts';

/** The parts of the service that the caps of settlements use. */
export interface CapsContext {
  policy: PaymentsPolicy;
}

/** What rails settle in a transaction. All its units share it. */
interface Settling {
  /** `Transaction.reads` under which `sums` were read: a unit that was rolled back ends them. */
  reads: object;
  /** The first of the 24 hours of `sums`. */
  hour: number;
  /** What each rail settled in these hours, in this transaction too. */
  sums: Map<SettlementRail, number>;
  /** The number of the first settlement of the transaction; null before it. */
  first: number | null;
}

/** By `Transaction.shared`. */
const settling = new WeakMap<object, Settling>();

/**
 * Returns the cap that a settlement exceeds, in words; null if it may be booked.
 * @param now milliseconds since 1970
 */
export async function exceededCap(
  tx: Transaction,
  { policy }: CapsContext,
  { rail, credits }: { rail: SettlementRail; credits: number },
  now: number,
): Promise<string | null> {
  const { maxCredits, maxCreditsPerDay } = policy.settlementRails[rail];
  if (credits > maxCredits) return `one settlement of the rail ${rail} has at most ${maxCredits} credits`;
  const hour = firstHourBefore(now);
  const known = settling.get(tx.shared);
  const isRead = known !== undefined && known.reads === tx.reads && known.hour === hour;
  const sums = isRead ? known.sums : await readSumsIn(tx, hour, known?.first ?? null);
  if ((sums.get(rail) ?? 0) + credits > maxCreditsPerDay)
    return `the rail ${rail} settles at most ${maxCreditsPerDay} credits in 24 hours`;
  if ([...sums.values()].reduce((total, sum) => total + sum, credits) > policy.settlementsPerDay)
    return `all rails together settle at most ${policy.settlementsPerDay} credits in 24 hours`;
  return null;
}

/**
 * Counts a booked settlement. Those of all units of the transaction are added to their hours before the
 * commit, from the rows that are there by then, so those of a unit that was rolled back do not count.
 */
export function countSettled(
  tx: Transaction,
  { settlementSeq, rail, credits }: { settlementSeq: number; rail: SettlementRail; credits: number },
): void {
  const known = settling.get(tx.shared);
  const sums = known?.reads === tx.reads ? known.sums : null;
  sums?.set(rail, (sums.get(rail) ?? 0) + credits);
  if (known !== undefined && known.first !== null) return;
  // The number of a settlement that was rolled back is that of the next one, so none of this transaction is
  // smaller.
  const first = settlementSeq;
  // Without sums the next unit reads them.
  if (known === undefined) settling.set(tx.shared, { reads: {}, hour: 0, sums: new Map(), first });
  else known.first = first;
  tx.beforeCommit((last) => addFrom(last, first));
}

/** Adds the settlements from a number on to what their rails settled in their hours. */
async function addFrom(last: Snapshot, first: number): Promise<void> {
  const hours = new Map<string, { hour: number; rail: SettlementRail; credits: number }>();
  for (const { rail, credits, createdAt } of await settlementsFrom(last, first)) {
    const hour = hourOf(Date.parse(createdAt));
    const before = hours.get(`${hour} ${rail}`)?.credits ?? 0;
    hours.set(`${hour} ${rail}`, { hour, rail, credits: before + credits });
  }
  for (const sum of hours.values()) await addSettled(last, sum);
}

/** @param first the number of the first settlement of the transaction, whose rows are in no hour yet */
async function readSumsIn(
  tx: Transaction,
  hour: number,
  first: number | null,
): Promise<Map<SettlementRail, number>> {
  const { reads } = tx;
  const sums = new Map<SettlementRail, number>();
  const counted = await settledSince(tx, hour);
  const uncounted = first === null ? [] : await settlementsFrom(tx, first);
  for (const { rail, credits } of [...counted, ...uncounted]) sums.set(rail, (sums.get(rail) ?? 0) + credits);
  settling.set(tx.shared, { reads, hour, sums, first });
  return sums;
}

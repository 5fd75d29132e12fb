import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { firstHourBefore, hourOf } from '../ledger/day-by-hours.ts';
import type { PaymentsPolicy, SettlementRail } from './settings.ts';
import { addSettled, settledSince } from './store.ts';

/** The parts of the service that the caps of settlements use. */
export interface CapsContext {
  policy: PaymentsPolicy;
}

/**
 * Returns the cap that a settlement exceeds, in words; null if it may be booked.
 * @param now milliseconds since 1970
 */
export async function exceededCap(
  snapshot: Snapshot,
  { policy }: CapsContext,
  { rail, credits }: { rail: SettlementRail; credits: number },
  now: number,
): Promise<string | null> {
  const { maxCredits, maxCreditsPerDay } = policy.settlementRails[rail];
  if (credits > maxCredits) return `one settlement of the rail ${rail} has at most ${maxCredits} credits`;
  const hours = await settledSince(snapshot, firstHourBefore(now));
  const sum = (of: typeof hours) => of.reduce((total, { credits }) => total + credits, 0);
  if (sum(hours.filter((hour) => hour.rail === rail)) + credits > maxCreditsPerDay)
    return `the rail ${rail} settles at most ${maxCreditsPerDay} credits in 24 hours`;
  if (sum(hours) + credits > policy.settlementsPerDay)
    return `all rails together settle at most ${policy.settlementsPerDay} credits in 24 hours`;
  return null;
}

/** Counts a booked settlement. @param at RFC 3339 */
export function countSettled(
  tx: Transaction,
  { rail, credits }: { rail: SettlementRail; credits: number },
  at: string,
): Promise<unknown> {
  return addSettled(tx, { hour: hourOf(Date.parse(at)), rail, credits });
}

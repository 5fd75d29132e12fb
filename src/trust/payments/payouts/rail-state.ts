import type { PayoutRailName } from '../../../../db/trust/payouts-enums.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { railState, setRailState } from './rail-state-store.ts';

/** After so many final failures in a row a rail stops: a fault, or nodes that lie, would go on. */
const MOST_FAILURES = 2;

/** Returns since when a rail is stopped, in milliseconds since 1970; null while it is not. */
export async function stoppedSince(snapshot: Snapshot, rail: PayoutRailName): Promise<number | null> {
  return (await railState(snapshot, rail))?.stoppedAt ?? null;
}

/** Returns a stopped rail, for the administrator; null for one that is not. */
export async function stoppedRail(snapshot: Snapshot, rail: PayoutRailName) {
  const since = await stoppedSince(snapshot, rail);
  return since === null ? null : { rail, since: timestampOf(since) };
}

/** Counts a final failure of a payout, and stops the rail after the second in a row. */
export async function countFailureIn(
  tx: Transaction,
  { clock }: { clock: Clock },
  rail: PayoutRailName,
): Promise<void> {
  const state = await railState(tx, rail);
  const failures = (state?.failures ?? 0) + 1;
  const stoppedAt = state?.stoppedAt ?? (failures >= MOST_FAILURES ? clock.now() : null);
  await setRailState(tx, { rail, failures, stoppedAt });
}

/** Ends the count of failures after a payout was paid. A stopped rail stays stopped. */
export async function countPaidIn(tx: Transaction, rail: PayoutRailName): Promise<void> {
  const state = await railState(tx, rail);
  if (state !== null && state.failures > 0 && state.stoppedAt === null)
    await setRailState(tx, { ...state, failures: 0 });
}

/** Lets a stopped rail begin payouts again. @returns whether it was stopped */
export async function resumeIn(tx: Transaction, rail: PayoutRailName): Promise<boolean> {
  const state = await railState(tx, rail);
  if (state === null || state.stoppedAt === null) return false;
  await setRailState(tx, { rail, failures: 0, stoppedAt: null });
  return true;
}

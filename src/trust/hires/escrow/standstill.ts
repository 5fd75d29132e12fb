import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { standsStillSince, stoodStillBefore, stoodStillMs } from '../../agents/standstill.ts';
import { type EscrowState, escrowBySeq, setDueAt } from './store.ts';

/** Returns since when open escrow stands still, in milliseconds since 1970; null if it does not. */
export function stillSince({ escrow: { status }, hirerStandstill }: EscrowState): number | null {
  return status === 'HELD' || status === 'DELIVERED' ? standsStillSince(hirerStandstill) : null;
}

/** Returns what the hirer stood still until now, as escrow stores it when its status begins. */
export function stillMark({ hirerStandstill }: EscrowState, now: number): number {
  return stoodStillMs(hirerStandstill, now);
}

/**
 * Returns by how much the time of open escrow moved since its status began, in milliseconds: by the
 * standstills that have ended.
 */
export function movedMs({ escrow, hirerStandstill }: EscrowState): number {
  return Math.max(0, stoodStillBefore(hirerStandstill) - escrow.stillMark);
}

/** Returns the deadline and accept_by of escrow, with the time by which they have moved. */
export function movedTimes(state: EscrowState) {
  const { status, deadline, acceptBy, deadlineMovedMs, acceptMovedMs } = state.escrow;
  const inHeld = deadlineMovedMs + (status === 'HELD' ? movedMs(state) : 0);
  const inDelivered = acceptMovedMs + (status === 'DELIVERED' ? movedMs(state) : 0);
  return {
    deadline: deadline === null ? null : deadline + inHeld,
    acceptBy: acceptBy === null ? null : acceptBy + inDelivered,
    deadlineMovedMs: deadline === null ? 0 : inHeld,
  };
}

/**
 * Returns when time ends open escrow if it stands still no longer from `now` on: a HELD one at its deadline,
 * a DELIVERED one at accept_by; null for never.
 */
export function dueTime({ escrow, hirerStandstill }: EscrowState, now: number): number | null {
  const isHeld = escrow.status === 'HELD';
  const time = isHeld ? escrow.deadline : escrow.acceptBy;
  if (time === null) return null;
  const moved = isHeld ? escrow.deadlineMovedMs : escrow.acceptMovedMs;
  return time + moved + Math.max(0, stoodStillMs(hirerStandstill, now) - escrow.stillMark);
}

/**
 * Returns whether time ends open escrow now. If it does not, this stores when the scheduler looks at it
 * again: not before its hirer can act again, while it stands still.
 */
export async function isDueIn(
  tx: Transaction,
  { clock }: { clock: Clock },
  state: EscrowState,
): Promise<boolean> {
  const now = clock.now();
  const { escrowSeq } = state.escrow;
  const due = dueTime(state, now);
  const isStill = stillSince(state) !== null;
  if (due !== null && due <= now && !isStill) return true;
  await setDueAt(tx, { escrowSeq, dueAt: isStill ? null : due });
  return false;
}

/** Lets the scheduler look again at open escrow that stood still when its time was over. */
export async function resumeIn(
  tx: Transaction,
  { clock }: { clock: Clock },
  escrowSeq: number,
): Promise<void> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state === null || state.escrow.endTransactionId !== null || state.escrow.dueAt !== null) return;
  if (stillSince(state) === null) await setDueAt(tx, { escrowSeq, dueAt: dueTime(state, clock.now()) });
}

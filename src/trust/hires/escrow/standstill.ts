import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { standsStillSince, stoodStillBefore, stoodStillMs } from '../../agents/standstill.ts';
import { type EscrowRow, type EscrowState, escrowBySeq, setDueAt } from './store.ts';

/** Returns whether credits are still locked in a status. */
const isOpen = (status: EscrowStatus): boolean =>
  status === 'HELD' || status === 'DELIVERED' || status === 'DISPUTED';

/** Returns since when open escrow stands still, in milliseconds since 1970; null if it does not. */
export function stillSince({ escrow: { status }, hirerStandstill }: EscrowState): number | null {
  return isOpen(status) ? standsStillSince(hirerStandstill) : null;
}

/** Returns what the hirer stood still until now, as escrow stores it when its status begins. */
export function stillMark({ hirerStandstill }: EscrowState, now: number): number {
  return stoodStillMs(hirerStandstill, now);
}

/**
 * Returns by how much the time of open escrow moved since its status began, in milliseconds: by the
 * standstills that have ended.
 */
function movedMs({ escrow, hirerStandstill }: EscrowState): number {
  return Math.max(0, stoodStillBefore(hirerStandstill) - escrow.stillMark);
}

/** Returns by how much the times of escrow moved in its statuses, as it stores them when it leaves one. */
export function movedInStatuses(state: EscrowState) {
  const { status, deadlineMovedMs, acceptMovedMs, disputeMovedMs } = state.escrow;
  const moved = isOpen(status) ? movedMs(state) : 0;
  return {
    deadlineMovedMs: deadlineMovedMs + (status === 'HELD' ? moved : 0),
    acceptMovedMs: acceptMovedMs + (status === 'DELIVERED' ? moved : 0),
    disputeMovedMs: disputeMovedMs + (status === 'DISPUTED' ? moved : 0),
  };
}

/** Returns the times by which statuses of escrow end, with the time by which they have moved. */
export function movedTimes(state: EscrowState) {
  const { deadline, acceptBy, disputeUntil } = state.escrow;
  const { deadlineMovedMs, acceptMovedMs, disputeMovedMs } = movedInStatuses(state);
  return {
    deadline: deadline === null ? null : deadline + deadlineMovedMs,
    acceptBy: acceptBy === null ? null : acceptBy + acceptMovedMs,
    disputeUntil: disputeUntil === null ? null : disputeUntil + disputeMovedMs,
    deadlineMovedMs: deadline === null ? 0 : deadlineMovedMs,
  };
}

/**
 * Returns when time ends open escrow if it stands still no longer from `now` on: a HELD one at its deadline,
 * a DELIVERED one at accept_by, a DISPUTED one at dispute_until; null for never.
 */
export function dueTime(state: EscrowState, now: number): number | null {
  const { escrow } = state;
  const { time, moved } = endOf(escrow);
  return time === null ? null : time + moved + stillSinceStatusMs(state, now);
}

/** Returns for how long open escrow has stood still in its status, in milliseconds. */
export function stillSinceStatusMs({ escrow, hirerStandstill }: EscrowState, now: number): number {
  return Math.max(0, stoodStillMs(hirerStandstill, now) - escrow.stillMark);
}

/** Returns the time that ends a status, and by how much it moved in former ones. */
function endOf(escrow: EscrowRow): { time: number | null; moved: number } {
  if (escrow.status === 'HELD') return { time: escrow.deadline, moved: escrow.deadlineMovedMs };
  if (escrow.status === 'DISPUTED') return { time: escrow.disputeUntil, moved: escrow.disputeMovedMs };
  return { time: escrow.acceptBy, moved: escrow.acceptMovedMs };
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

import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { commonErrors } from '../../http/errors.ts';
import { isLate } from './conditions.ts';
import { escrowView } from './representation.ts';
import type { EscrowPolicy } from './settings.ts';
import { movedInStatuses, stillMark } from './standstill.ts';
import { type ChangeContext, changedIn, requireMoving, requireStatus } from './state.ts';
import { type EscrowState, insertRefusal, setDisputed } from './store.ts';

/** Why a hirer does not agree, and whether it refuses the arbiter that the worker named. */
export interface Objection {
  reason: string;
  refusesArbiter: boolean;
}

/**
 * Disputes a DELIVERED task: it is not paid at accept_by, but when it is decided, or after the time of a
 * dispute. An arbiter that the hirer refuses here decides nothing.
 * @throws ApiError invalid_state, also after accept_by and while the hire stands still; validation_error for
 * the refusal of an arbiter that is not named
 */
export async function disputeIn(
  tx: Transaction,
  trust: ChangeContext & { clock: Clock; clockWatch: ClockWatch; policy: EscrowPolicy },
  state: EscrowState,
  { reason, refusesArbiter }: Objection,
): Promise<EscrowState> {
  requireStatus(state, ['DELIVERED'], 'disputed');
  requireMoving(state);
  if (isLate(trust, state)) {
    throw commonErrors.invalid_state({
      message: 'The time to dispute this delivery ended at accept_by: it is being paid.',
      members: { engagement: escrowView(state) },
    });
  }
  if (refusesArbiter && state.arbiter === null) {
    throw commonErrors.validation_error({
      issues: {
        refuse_arbiter: ['must be absent: the delivery names no arbiter, so an administrator decides'],
      },
    });
  }
  const now = trust.clock.now();
  const disputed = await setDisputed(tx, state, {
    disputeReason: reason,
    // With a wrong clock, there would be too little or too much time for a decision.
    disputeUntil: trust.clockWatch.look() === null ? now + trust.policy.disputeMs : null,
    stillMark: stillMark(state, now),
    acceptMovedMs: movedInStatuses(state).acceptMovedMs,
    updatedAt: now,
  });
  if (refusesArbiter) await insertRefusal(tx, { escrowSeq: state.escrow.escrowSeq });
  return changedIn(tx, trust, { ...disputed, isArbiterRefused: refusesArbiter });
}

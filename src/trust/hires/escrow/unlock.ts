import type { Transaction } from '../../../platform/store/transaction.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { returnPortionsIn } from './move-credits.ts';
import type { EscrowPolicy } from './settings.ts';
import { isDueIn, movedInStatuses, stillSince } from './standstill.ts';
import {
  type ChangeContext,
  changedIn,
  DELIVERED_STATUSES,
  type Ended,
  heldPortions,
  requireStatus,
} from './state.ts';
import { type EscrowEnder, type EscrowState, escrowBySeq, setEnded } from './store.ts';

/** Returns the credits of a HELD task to its hirer. @throws ApiError invalid_state */
export function cancelIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  requireStatus(state, ['HELD'], 'cancelled');
  return unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy });
}

/**
 * Returns the credits of a HELD task to its hirer: the worker does not want it.
 * @throws ApiError invalid_state
 */
export function declineIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  requireStatus(state, ['HELD'], 'declined');
  return unlockIn(tx, trust, state, { status: 'DECLINED', endedBy });
}

/**
 * Returns the credits of a DELIVERED or DISPUTED task to its hirer: the worker gives up its pay.
 * @throws ApiError invalid_state
 */
export function refundIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  requireStatus(state, DELIVERED_STATUSES, 'refunded');
  return unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy });
}

/**
 * Returns the credits of a HELD task to its hirer if its deadline is over. Does nothing for other tasks.
 * @returns null if it did nothing
 */
export async function expireIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext & { clockWatch: ClockWatch },
  escrowSeq: number,
): Promise<Ended | null> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state?.escrow.status !== 'HELD' || trust.clockWatch.look() !== null) return null;
  if (!(await isDueIn(tx, trust, state))) return null;
  return unlockIn(tx, trust, state, { status: 'EXPIRED', endedBy: 'service' });
}

/**
 * Returns the credits of a HELD task to its hirer if a party was revoked. Does nothing for other tasks.
 * @returns null if it did nothing
 */
export async function cancelRevokedIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  escrowSeq: number,
): Promise<Ended | null> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state?.escrow.status !== 'HELD') return null;
  if (state.hirerState !== 'REVOKED' && state.workerState !== 'REVOKED') return null;
  return unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy: 'service' });
}

/**
 * Returns the credits of a HELD task to its hirer if it has stood still for as long as the grace. Does
 * nothing for other tasks.
 * @returns null if it did nothing
 */
export async function cancelStillIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext & { policy: EscrowPolicy },
  escrowSeq: number,
): Promise<Ended | null> {
  const state = await escrowBySeq(tx, escrowSeq);
  const since = state === null ? null : stillSince(state);
  if (state?.escrow.status !== 'HELD' || since === null) return null;
  if (since + trust.policy.standstillGraceMs > trust.clock.now()) return null;
  return unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy: 'service' });
}

async function unlockIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  state: EscrowState,
  { status, endedBy }: { status: 'CANCELLED' | 'EXPIRED' | 'DECLINED'; endedBy: EscrowEnder },
): Promise<Ended> {
  const posted = await returnPortionsIn(tx, trust, state, heldPortions(state.escrow));
  const ended = await setEnded(tx, state, {
    ...movedInStatuses(state),
    status,
    endedBy,
    endTransactionId: posted.transactionId,
    receiptSeq: null,
    paidAt: null,
    updatedAt: trust.clock.now(),
  });
  return { state: changedIn(tx, trust, ended), posted };
}

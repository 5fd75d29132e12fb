import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { findAgentIn, isActiveAgent } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { creditsOf, lockedOf } from '../../ledger/accounts.ts';
import { type LedgerContext, type Posted, postIn } from '../../ledger/post.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { escrowView } from './representation.ts';
import {
  type EscrowEnder,
  type EscrowRow,
  type EscrowState,
  escrowBySeq,
  escrowByTask,
  setEnded,
} from './store.ts';

export { type EscrowEnder, type EscrowState, escrowBySeq, escrowByTask } from './store.ts';

/** The parts of the service that moving escrow uses. */
export type EscrowContext = LedgerContext & { principals: Principals; clockWatch: ClockWatch };

/** Escrow that ended, and the transaction of the ledger that moved its credits. */
export interface Ended {
  state: EscrowState;
  posted: Posted;
}

/**
 * Pays a DELIVERED task to its worker.
 * @param receipt the receipt of the payment, issued in this transaction
 * @throws ApiError invalid_state; conflict if the worker cannot hold more credits
 */
export async function releaseIn(
  tx: Transaction,
  trust: LedgerContext,
  state: EscrowState,
  { receipt, endedBy }: { receipt: { receiptSeq: number; receiptId: string }; endedBy: EscrowEnder },
): Promise<Ended> {
  requireStatus(state, 'DELIVERED', 'accepted');
  const { escrow, hirer, worker } = state;
  const posted = await postIn(tx, trust, {
    kind: 'ESCROW_RELEASE',
    from: lockedOf({ agentSeq: escrow.hirerSeq, subjectCommitment: hirer }),
    to: creditsOf({ agentSeq: escrow.workerSeq, subjectCommitment: worker }),
    portions: heldPortions(escrow),
    reference: escrow.taskId,
    receipt,
  });
  const now = trust.clock.now();
  await setEnded(tx, {
    escrowSeq: escrow.escrowSeq,
    status: 'PAID',
    endedBy,
    endTransactionId: posted.transactionId,
    receiptSeq: receipt.receiptSeq,
    paidAt: now,
    updatedAt: now,
  });
  return { state: await requireEscrowIn(tx, escrow.taskId), posted };
}

/** Returns the credits of a HELD task to its hirer. @throws ApiError invalid_state */
export function cancelIn(
  tx: Transaction,
  trust: LedgerContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  requireStatus(state, 'HELD', 'cancelled');
  return unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy });
}

/**
 * Returns the credits of a DELIVERED task to its hirer: the worker gives up its pay.
 * @throws ApiError invalid_state
 */
export function refundIn(
  tx: Transaction,
  trust: LedgerContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  requireStatus(state, 'DELIVERED', 'refunded');
  return unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy });
}

/** Returns the credits of a HELD task to its hirer if its deadline is over. Does nothing for other tasks. */
export async function expireIn(
  tx: Transaction,
  trust: LedgerContext & { clockWatch: ClockWatch },
  escrowSeq: number,
): Promise<void> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state?.escrow.status !== 'HELD' || !isLate(trust, state)) return;
  await unlockIn(tx, trust, state, { status: 'EXPIRED', endedBy: 'service' });
}

/** Returns the credits of a HELD task to its hirer if a party cannot act. Does nothing for other tasks. */
export async function cancelUnableIn(
  tx: Transaction,
  trust: LedgerContext & { principals: Principals },
  escrowSeq: number,
): Promise<void> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state?.escrow.status !== 'HELD' || (await areActiveIn(tx, trust, state))) return;
  await unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy: 'service' });
}

/** Returns whether the deadline of a task is over. No deadline is over while the clock is wrong. */
export function isLate(
  { clock, clockWatch }: { clock: Clock; clockWatch: ClockWatch },
  { escrow: { deadline } }: EscrowState,
): boolean {
  return deadline !== null && deadline <= clock.now() && clockWatch.look() === null;
}

/** Returns whether a delivered task is paid without an acceptance. None is paid while the clock is wrong. */
export function isPayable(
  { clock, clockWatch }: { clock: Clock; clockWatch: ClockWatch },
  { escrow: { acceptBy } }: EscrowState,
): boolean {
  return acceptBy !== null && acceptBy <= clock.now() && clockWatch.look() === null;
}

/** Returns whether both parties can act: neither is revoked, and their sponsors are ACTIVE. */
export async function areActiveIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  { hirer, worker }: EscrowState,
): Promise<boolean> {
  for (const commitment of [hirer, worker]) {
    const agent = await findAgentIn(tx, commitment);
    if (agent === null) return false;
    if (!(await isActiveAgent(agent, (seq) => principals.operatorIn(tx, seq)))) return false;
  }
  return true;
}

async function unlockIn(
  tx: Transaction,
  trust: LedgerContext,
  { escrow, hirer }: EscrowState,
  { status, endedBy }: { status: 'CANCELLED' | 'EXPIRED'; endedBy: EscrowEnder },
): Promise<Ended> {
  const agent = { agentSeq: escrow.hirerSeq, subjectCommitment: hirer };
  const posted = await postIn(tx, trust, {
    kind: 'UNLOCK',
    from: lockedOf(agent),
    to: creditsOf(agent),
    portions: heldPortions(escrow),
    reference: escrow.taskId,
  });
  await setEnded(tx, {
    escrowSeq: escrow.escrowSeq,
    status,
    endedBy,
    endTransactionId: posted.transactionId,
    receiptSeq: null,
    paidAt: null,
    updatedAt: trust.clock.now(),
  });
  return { state: await requireEscrowIn(tx, escrow.taskId), posted };
}

/** Returns the digest of the deliverable of a DELIVERED task. @throws ApiError invalid_state */
export function deliveredDigest(state: EscrowState): string {
  requireStatus(state, 'DELIVERED', 'accepted');
  const { deliverableDigest } = state.escrow;
  if (deliverableDigest === null) throw new Error(`${state.escrow.taskId} was delivered without a digest`);
  return deliverableDigest;
}

/** What is possible in each status, for the error of an operation that needs another one. */
const REMEDIES: Readonly<Record<EscrowStatus, string>> = {
  HELD: 'The worker has not delivered it yet; the hirer can cancel it.',
  DELIVERED: 'The worker has delivered it: the hirer can accept it, and the worker can refund it.',
  PAID: 'It was paid and cannot change.',
  CANCELLED: 'Its credits were returned to the hirer, and it cannot change.',
  EXPIRED: 'Its deadline is over and its credits were returned to the hirer. It cannot change.',
};

/** @throws ApiError invalid_state */
function requireStatus(state: EscrowState, status: EscrowStatus, verb: string): void {
  const { status: current } = state.escrow;
  if (current === status) return;
  throw commonErrors.invalid_state({
    message: `The engagement is ${current}, so it cannot be ${verb}. ${REMEDIES[current]}`,
    members: { engagement: escrowView(state) },
  });
}

function heldPortions({ promotional, paid, sandbox }: EscrowRow) {
  return { promotional, paid, sandbox };
}

export async function requireEscrowIn(tx: Transaction, taskId: string): Promise<EscrowState> {
  const state = await escrowByTask(tx, taskId);
  if (state === null) throw new Error(`the escrow of ${taskId} is not there`);
  return state;
}

import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { digest } from '../../../proof/encoding/digest.ts';
import { type AgentRow, findAgentIn, isActiveAgent } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { creditsOf, lockedOf } from '../../ledger/accounts.ts';
import { type LedgerContext, type Posted, payIn, postIn } from '../../ledger/post.ts';
import type { Principals } from '../../operators/auth/principals.ts';
import { escrowView } from './representation.ts';
import type { EscrowPolicy } from './settings.ts';
import {
  type EscrowEnder,
  type EscrowRow,
  type EscrowState,
  escrowBySeq,
  escrowByTask,
  insertEscrow,
  setDelivered,
  setEnded,
  setFailure,
} from './store.ts';

export { type EscrowEnder, type EscrowState, escrowBySeq, escrowByTask } from './store.ts';

/** The parts of the service that moving escrow uses. */
export type EscrowContext = LedgerContext & { principals: Principals; clockWatch: ClockWatch };

/** An offset can move a time past the year 9999, which RFC 3339 cannot write in UTC. */
const LAST_DEADLINE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What the task_ids of A2A tasks begin with, which the service makes. Nobody else can take one before its task is hired for. */
const A2A_PREFIX = 'a2a_';

/** Credits to lock for a task. */
export interface Hold {
  taskId: string;
  purpose: EscrowRow['purpose'];
  hirer: AgentRow;
  worker: AgentRow;
  /** Credits, at least 1. */
  amount: number;
  description: string | null;
  /** The digest of the request, 64 hexadecimal characters; null for the digest of the terms. */
  inputDigest: string | null;
  /** Milliseconds since 1970; null for no deadline. */
  deadline: number | null;
}

/** What evidence of a worker says about a task. */
export interface Delivery {
  taskId: string;
  /** The digest of the deliverable, 64 hexadecimal characters. */
  digest: string;
  outcome: 'success' | 'failure';
  /** The event hash of the item of evidence. */
  eventHash: string;
}

/** Escrow that ended, and the transaction of the ledger that moved its credits. */
export interface Ended {
  state: EscrowState;
  posted: Posted;
}

/**
 * Locks credits of the hirer for a task. The caller has authorized the debit.
 * @throws ApiError validation_error for a party that hires itself or a deadline in the past; conflict for a used task_id; forbidden while
 * the worker's sponsor is not ACTIVE; insufficient_credits
 */
export async function holdIn(tx: Transaction, trust: EscrowContext, hold: Hold): Promise<EscrowState> {
  const { taskId, purpose, hirer, worker, amount, description, deadline } = hold;
  const now = trust.clock.now();
  const issues: Record<string, string[]> = {};
  if (hirer.agentSeq === worker.agentSeq) issues.worker_commitment = ['must be another agent than the hirer'];
  if (purpose !== 'a2a' && taskId.startsWith(A2A_PREFIX))
    issues.task_id = [`must not begin with ${A2A_PREFIX}, which the ids of A2A tasks begin with`];
  // A path with such a segment is a path without it.
  if (taskId === '.' || taskId === '..') issues.task_id = ['must not be . or .., which no URL can have'];
  if (deadline !== null && deadline <= now) issues.deadline = ['must be in the future'];
  if (deadline !== null && deadline > LAST_DEADLINE)
    issues.deadline = ['must be before the year 10000 in UTC'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  if (!(await isActiveAgent(worker, (seq) => trust.principals.operatorIn(tx, seq)))) {
    throw commonErrors.forbidden({
      message:
        "The account of the worker's sponsor is not active, so the agent cannot be hired. Hire another agent.",
    });
  }
  if ((await escrowByTask(tx, taskId)) !== null) {
    throw commonErrors.conflict({
      message: `The task_id ${taskId} was used before. Send another task_id, which is unique in this installation.`,
    });
  }
  const { portions, transactionId } = await payIn(tx, trust, {
    kind: 'LOCK',
    from: creditsOf(hirer),
    to: lockedOf(hirer),
    amount,
    reference: taskId,
  });
  await insertEscrow(tx, {
    ...portions,
    taskId,
    purpose,
    hirerSeq: hirer.agentSeq,
    workerSeq: worker.agentSeq,
    amount,
    description,
    inputDigest: hold.inputDigest ?? termsDigest(hold),
    deadline,
    createdAt: now,
    updatedAt: now,
    lockTransactionId: transactionId,
  });
  return requireEscrowIn(tx, taskId);
}

/** Returns the digest of the terms of a task, which everybody who knows them can compute again. */
function termsDigest({ hirer, worker, ...terms }: Hold): string {
  return digestOfTerms({ ...terms, hirer: hirer.subjectCommitment, worker: worker.subjectCommitment });
}

/** @param terms the parties are commitments */
export function digestOfTerms({
  taskId,
  hirer,
  worker,
  amount,
  description,
  deadline,
}: Pick<Hold, 'taskId' | 'amount' | 'description' | 'deadline'> & { hirer: string; worker: string }): string {
  return digest(nativePrimitives, {
    amount,
    deadline: deadline === null ? null : timestamp({ now: () => deadline }),
    description,
    hirer_commitment: hirer,
    task_id: taskId,
    worker_commitment: worker,
  });
}

/**
 * Delivers a task with evidence of an agent, in the transaction that anchors it. Changes nothing if no HELD task of this worker has the
 * id, its deadline is over, or a party cannot act. Evidence of a failure is noted, and the task stays HELD.
 * @param isNew false for evidence that was anchored before; it does not replace a failure that was noted
 */
export async function deliverIn(
  tx: Transaction,
  trust: { clock: Clock; clockWatch: ClockWatch; policy: EscrowPolicy; principals: Principals },
  worker: AgentRow,
  delivery: Delivery,
  isNew: boolean,
): Promise<void> {
  const state = await escrowByTask(tx, delivery.taskId);
  if (state === null || state.escrow.workerSeq !== worker.agentSeq || state.escrow.status !== 'HELD') return;
  const { escrowSeq, lastFailureEventHash } = state.escrow;
  const updatedAt = trust.clock.now();
  if (delivery.outcome === 'failure') {
    // Sent again and again, old evidence must not write each time.
    if (isNew || lastFailureEventHash === null)
      await setFailure(tx, { escrowSeq, lastFailureEventHash: delivery.eventHash, updatedAt });
    return;
  }
  if (isLate(trust, state) || !(await areActiveIn(tx, trust, state))) return;
  await setDelivered(tx, {
    escrowSeq,
    deliverableDigest: delivery.digest,
    evidenceEventHash: delivery.eventHash,
    // By a wrong clock the hirer would have too little or too much time.
    acceptBy: trust.clockWatch.look() === null ? updatedAt + trust.policy.acceptMs : null,
    updatedAt,
  });
}

/**
 * Pays a DELIVERED task to its worker.
 * @param receipt the receipt that states it, issued in this transaction
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

/** Returns the credits of a DELIVERED task to its hirer: the worker gives up its pay. @throws ApiError invalid_state */
export function refundIn(
  tx: Transaction,
  trust: LedgerContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  requireStatus(state, 'DELIVERED', 'refunded');
  return unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy });
}

/** Returns the credits of a HELD task whose deadline is over to its hirer. Does nothing for any other task. */
export async function expireIn(
  tx: Transaction,
  trust: LedgerContext & { clockWatch: ClockWatch },
  escrowSeq: number,
): Promise<void> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state?.escrow.status !== 'HELD' || !isLate(trust, state)) return;
  await unlockIn(tx, trust, state, { status: 'EXPIRED', endedBy: 'service' });
}

/** Returns the credits of a HELD task to its hirer if a party cannot act anymore. Does nothing for any other task. */
export async function cancelUnableIn(
  tx: Transaction,
  trust: LedgerContext & { principals: Principals },
  escrowSeq: number,
): Promise<void> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state?.escrow.status !== 'HELD' || (await areActiveIn(tx, trust, state))) return;
  await unlockIn(tx, trust, state, { status: 'CANCELLED', endedBy: 'service' });
}

/** Returns whether the deadline of a task is over. While the clock is known to be wrong, no deadline is. */
export function isLate(
  { clock, clockWatch }: { clock: Clock; clockWatch: ClockWatch },
  { escrow: { deadline } }: EscrowState,
): boolean {
  return deadline !== null && deadline <= clock.now() && clockWatch.look() === null;
}

/** Returns whether a delivered task is paid without an acceptance. While the clock is known to be wrong, none is. */
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
    if (agent === undefined) return false;
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

/** What the states that an operation does not find allow. */
const REMEDIES: Readonly<Record<EscrowStatus, string>> = {
  HELD: 'The worker has not delivered it yet; the hirer can cancel it.',
  DELIVERED: 'The worker has delivered it: the hirer can accept it, and the worker can refund it.',
  PAID: 'It was paid and cannot change.',
  CANCELLED: 'Its credits were returned to the hirer, and it cannot change.',
  EXPIRED: 'Its deadline is over and its credits were returned to the hirer. It cannot change.',
};

/** @throws ApiError invalid_state */
function requireStatus(state: EscrowState, status: EscrowStatus, verb: string): void {
  const found = state.escrow.status;
  if (found === status) return;
  throw commonErrors.invalid_state({
    message: `The engagement is ${found}, so it cannot be ${verb}. ${REMEDIES[found]}`,
    members: { engagement: escrowView(state) },
  });
}

function heldPortions({ promotional, paid, sandbox }: EscrowRow) {
  return { promotional, paid, sandbox };
}

async function requireEscrowIn(tx: Transaction, taskId: string): Promise<EscrowState> {
  const state = await escrowByTask(tx, taskId);
  if (state === null) throw new Error(`the escrow of ${taskId} is not there`);
  return state;
}

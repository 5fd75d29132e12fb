import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { commonErrors } from '../../http/errors.ts';
import type { LedgerContext, Posted } from '../../ledger/post.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import type { Events } from '../../webhooks/events.ts';
import { taskChanges } from './changes.ts';
import { escrowEvents } from './events.ts';
import { escrowView } from './representation.ts';
import type { EscrowPolicy } from './settings.ts';
import { stillSince } from './standstill.ts';
import type { EscrowRow, EscrowState } from './store.ts';

export {
  type EscrowEnder,
  type EscrowState,
  escrowBySeq,
  escrowByTask,
  owedReceipts,
  setReturnReceipt,
} from './store.ts';

/** The parts of the service that moving escrow uses. */
export type EscrowContext = LedgerContext &
  ChangeContext & { principals: Principals; clockWatch: ClockWatch; policy: EscrowPolicy };

/** The part of the service that a change of status uses. */
export type ChangeContext = { events: Pick<Events, 'emitIn'> };

/** Escrow that ended, and the transaction of the ledger that moved its credits. */
export interface Ended {
  state: EscrowState;
  posted: Posted;
}

/** The statuses in which a delivery can be accepted, and given up. */
export const DELIVERED_STATUSES = ['DELIVERED', 'DISPUTED'] as const;

/** Returns the digest of the deliverable of a task that can be paid. @throws ApiError invalid_state */
export function deliveredDigest(state: EscrowState): string {
  requireStatus(state, DELIVERED_STATUSES, 'accepted');
  const { deliverableDigest } = state.escrow;
  if (deliverableDigest === null) throw new Error(`${state.escrow.taskId} was delivered without a digest`);
  return deliverableDigest;
}

/** What is possible in each status, for the error of an operation that needs another one. */
const REMEDIES: Readonly<Record<EscrowStatus, string>> = {
  HELD: 'The worker has not delivered it yet; the hirer can cancel it, and the worker can decline it.',
  DELIVERED: 'The worker has delivered it: the hirer can accept or dispute it, and the worker can refund it.',
  DISPUTED:
    'The hirer can accept it, the worker can refund it, and the arbiter or an administrator can resolve it.',
  PAID: 'It was paid and cannot change.',
  CANCELLED: 'Its credits were returned to the hirer, and it cannot change.',
  DECLINED: 'The worker declined it, its credits were returned to the hirer, and it cannot change.',
  RESOLVED: 'The dispute was decided, and it cannot change.',
  EXPIRED: 'Its deadline is over and its credits were returned to the hirer. It cannot change.',
};

/** @throws ApiError invalid_state */
export function requireStatus(state: EscrowState, statuses: readonly EscrowStatus[], verb: string): void {
  const { status: current } = state.escrow;
  if (statuses.includes(current)) return;
  throw commonErrors.invalid_state({
    message: `The engagement is ${current}, so it cannot be ${verb}. ${REMEDIES[current]}`,
    members: { engagement: escrowView(state) },
  });
}

/** @throws ApiError invalid_state for escrow that stands still */
export function requireMoving(state: EscrowState): void {
  const since = stillSince(state);
  if (since === null) return;
  throw commonErrors.invalid_state({
    message:
      `The engagement has stood still since ${timestampOf(since)}: its hirer is frozen, or the account of the hirer's ` +
      'sponsor is not active. Only an administrator can end it meanwhile.',
    members: { engagement: escrowView(state) },
  });
}

export function heldPortions({ promotional, paid, sandbox }: EscrowRow) {
  return { promotional, paid, sandbox };
}

/** The event that says that escrow has a status now. */
const EVENT_OF = {
  HELD: 'engagement.held',
  DELIVERED: 'engagement.delivered',
  PAID: 'engagement.paid',
  CANCELLED: 'engagement.cancelled',
  DECLINED: 'engagement.declined',
  DISPUTED: 'engagement.disputed',
  RESOLVED: 'engagement.resolved',
  EXPIRED: 'engagement.expired',
} as const satisfies Record<EscrowStatus, keyof typeof escrowEvents>;

/**
 * Tells the sponsors of both sides that escrow has another status, when the transaction is committed. Every
 * change of a status ends with this call.
 * @returns the changed escrow
 */
export function changedIn(tx: Transaction, { events }: ChangeContext, state: EscrowState): EscrowState {
  const { escrow, hirer, worker, hirerSponsor, workerSponsor } = state;
  const { taskId, amount, status, updatedAt } = escrow;
  taskChanges.changedIn(tx, taskId);
  events.emitIn(tx, escrowEvents, {
    event: EVENT_OF[status],
    data: {
      task_id: taskId,
      hirer_commitment: hirer,
      worker_commitment: worker,
      amount,
      status,
    },
    timestamp: timestampOf(updatedAt),
    operators: [hirerSponsor, workerSponsor].filter((sponsor) => sponsor !== null),
    isPrivate: true,
  });
  return state;
}

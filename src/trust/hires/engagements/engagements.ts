import { Type } from '@sinclair/typebox';
import { ESCROW_STATUSES } from '../../../../db/trust/escrow-enums.ts';
import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';
import { actsForAgent, findAgentIn, requireAgentIn, requireEnrolledAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import {
  type AgentCaller,
  authorizeAgentIn,
  authorizeDebitIn,
  type DebitContext,
} from '../../ledger/credits/authorization.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import {
  cancelIn,
  type Ended,
  type EscrowContext,
  type EscrowState,
  escrowByTask,
  type Hold,
  holdIn,
  refundIn,
} from '../escrow/escrow.ts';
import { escrowsOfAgent } from '../escrow/list.ts';
import { escrowView } from '../escrow/representation.ts';
import { type PaymentContext, payWorkerIn } from './payment.ts';
import type { EngagementListQuery } from './schema.ts';

/** The parts of the service that hiring uses. */
export type HireContext = EscrowContext & DebitContext & { store: Store };

/** The list of an agent's engagements, ordered by number. */
const ENGAGEMENTS = { name: 'engagements', position: Type.Tuple([positionNumber]) };

/** The terms of a new engagement or ACP task. */
export interface Terms {
  /** A unique name; null for one that the service makes. */
  taskId: string | null;
  purpose: Hold['purpose'];
  hirer: string;
  worker: string;
  /** Credits, at least 1. */
  amount: number;
  description: string | null;
  /** 64 hexadecimal characters; null for the digest of the terms. */
  inputDigest: string | null;
  /** RFC 3339; null for none. */
  deadline: string | null;
}

/**
 * Hires an agent: locks the amount of the hirer's credits until the task ends. The caller must be allowed to debit the hirer.
 * @returns what `view` shows of the engagement
 * @throws ApiError of authorizeDebitIn and holdIn; agent_not_enrolled for an unknown or revoked worker
 */
export async function hire<View extends object>(
  trust: HireContext,
  caller: AgentCaller,
  terms: Terms,
  once: Once,
  view: (state: EscrowState) => View,
): Promise<View> {
  return trust.store.write(caller.authority, (tx) =>
    once(tx, async () => view(await hireIn(tx, trust, caller, terms))),
  );
}

/** Hires an agent in a transaction that the caller's authority writes. @throws ApiError as `hire` */
export async function hireIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  terms: Terms,
): Promise<EscrowState> {
  const hirer = await authorizeDebitIn(tx, trust, caller, terms.hirer, terms.amount);
  return holdIn(tx, trust, await holdOf(tx, trust, terms, hirer));
}

/** Returns escrow for terms. @throws ApiError agent_not_enrolled for an unknown or revoked worker */
export async function holdOf(
  tx: Transaction,
  { ids }: { ids: Ids },
  { taskId, worker, deadline, ...terms }: Terms,
  hirer: Hold['hirer'],
): Promise<Hold> {
  return {
    ...terms,
    taskId: taskId ?? ids.newId('eng_'),
    hirer,
    worker: await requireEnrolledAgentIn(tx, worker),
    deadline: deadline === null ? null : parseTimestamp(deadline),
  };
}

/** Returns an engagement of an agent that the key may act for. @throws ApiError not_found, also for an engagement of others */
export async function readEngagement({ store }: { store: Store }, principal: Principal, taskId: string) {
  return store.read(async (snapshot) => {
    const state = await requireTask(snapshot, taskId);
    if (!(await isParty(snapshot, principal, state))) throw unknownTask();
    return { engagement: escrowView(state) };
  });
}

/**
 * Returns a page of an agent's engagements, newest first, to those who act for the agent.
 * @throws ApiError validation_error for an invalid cursor; not_found; forbidden
 */
export async function listEngagements(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: Principal,
  query: EngagementListQuery,
) {
  const { subject_commitment: commitment, role, status } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(ENGAGEMENTS, [commitment, role, status]));
  const found = await store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!actsForAgent(principal, agent)) {
      throw commonErrors.forbidden({
        message: "Only keys of the agent's sponsor can list its engagements. Use one of these keys.",
      });
    }
    const filter = {
      roles: role === undefined ? (['hirer', 'worker'] as const) : [role],
      statuses: status === undefined ? ESCROW_STATUSES : [status],
    };
    return escrowsOfAgent(snapshot, agent, filter, after?.[0], limit + 1);
  });
  const { page, next_cursor } = takePage(found, ({ escrow }) => [escrow.escrowSeq]);
  return { engagements: page.map(escrowView), next_cursor };
}

/**
 * Accepts a delivered engagement: pays its worker and issues the receipt, in one transaction. Needs the hirer's side.
 * @returns what `view` shows of the payment @throws ApiError of authorizeAgentIn; not_found, invalid_state, conflict
 */
export function accept<View extends object>(
  trust: PaymentContext & DebitContext & { store: Store },
  caller: AgentCaller,
  taskId: string,
  once: Once,
  view: (ended: Ended) => View,
): Promise<View> {
  return end(trust, caller, once, async (tx) => view(await acceptTaskIn(tx, trust, caller, taskId)));
}

/** Accepts a delivered engagement in a transaction that the caller's authority writes. @throws ApiError as `accept` */
export async function acceptTaskIn(
  tx: Transaction,
  trust: PaymentContext & DebitContext,
  caller: AgentCaller,
  taskId: string,
): Promise<Ended> {
  return payWorkerIn(tx, trust, await taskForIn(tx, trust, caller, taskId, 'hirer'), 'hirer');
}

/** Cancels an engagement that is HELD. Needs the hirer's side. @throws ApiError of authorizeAgentIn; not_found, invalid_state */
export function cancel(trust: HireContext, caller: AgentCaller, taskId: string, once: Once) {
  return end(trust, caller, once, async (tx) => endedView(await cancelTaskIn(tx, trust, caller, taskId)));
}

/** Cancels an engagement in a transaction that the caller's authority writes. @throws ApiError as `cancel` */
export async function cancelTaskIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  taskId: string,
): Promise<Ended> {
  return cancelIn(tx, trust, await taskForIn(tx, trust, caller, taskId, 'hirer'), 'hirer');
}

/** Refunds an engagement that is DELIVERED. Needs the worker's side. @throws ApiError of authorizeAgentIn; not_found, invalid_state */
export function refund(trust: HireContext, caller: AgentCaller, taskId: string, once: Once) {
  return end(trust, caller, once, async (tx) => endedView(await refundTaskIn(tx, trust, caller, taskId)));
}

/** Refunds an engagement in a transaction that the caller's authority writes. @throws ApiError as `refund` */
export async function refundTaskIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  taskId: string,
): Promise<Ended> {
  return refundIn(tx, trust, await taskForIn(tx, trust, caller, taskId, 'worker'), 'worker');
}

const endedView = ({ state }: Ended) => ({ engagement: escrowView(state) });

/** Returns the view of a payment. */
export function paymentView({ state, posted }: Ended) {
  const { receiptId, escrow } = state;
  if (receiptId === null) throw new Error(`${escrow.taskId} was paid without a receipt`);
  return {
    engagement: escrowView(state),
    payout: {
      transaction_id: posted.transactionId,
      kind: 'ESCROW_RELEASE' as const,
      amount: escrow.amount,
      to_commitment: state.worker,
      created_at: posted.createdAt,
    },
    receipt_id: receiptId,
  };
}

async function end<View extends object>(
  { store }: { store: Store },
  caller: AgentCaller,
  once: Once,
  act: (tx: Transaction) => Promise<View>,
): Promise<View> {
  return store.write(caller.authority, (tx) => once(tx, () => act(tx)));
}

/** Returns the escrow of a task, for a caller that may act for a side. @throws ApiError not_found; as authorizePartyIn */
async function taskForIn(
  tx: Transaction,
  trust: DebitContext,
  caller: AgentCaller,
  taskId: string,
  side: 'hirer' | 'worker',
): Promise<EscrowState> {
  const state = await requireTask(tx, taskId);
  await authorizePartyIn(tx, trust, caller, state, side);
  return state;
}

/**
 * Checks that the caller may act for a side. A stranger learns nothing of the engagement: a signature is verified as that of the agent that
 * it names, before the parties are looked at, so it does not show who they are.
 * @throws ApiError of authorizeAgentIn; not_found for strangers; forbidden for the signature of the other side
 */
async function authorizePartyIn(
  tx: Transaction,
  trust: DebitContext,
  caller: AgentCaller,
  state: EscrowState,
  side: 'hirer' | 'worker',
): Promise<void> {
  const { principal, auth } = caller;
  if (auth === undefined && principal !== null && !(await isParty(tx, principal, state))) throw unknownTask();
  const signer = auth?.commitment ?? state[side];
  await authorizeAgentIn(tx, trust, caller, signer);
  if (signer === state[side]) return;
  if (signer !== state.hirer && signer !== state.worker) throw unknownTask();
  throw commonErrors.forbidden({
    message: `Only the ${side}'s side can do this, and the request is signed by the other side. Let the ${side} sign it.`,
  });
}

/** Returns whether a key may act for the hirer or the worker. */
async function isParty(
  snapshot: Snapshot,
  principal: Principal,
  { hirer, worker }: EscrowState,
): Promise<boolean> {
  for (const commitment of [hirer, worker]) {
    const agent = await findAgentIn(snapshot, commitment);
    if (agent !== undefined && actsForAgent(principal, agent)) return true;
  }
  return false;
}

/** Returns the escrow of a task. @throws ApiError not_found */
export async function requireTask(snapshot: Snapshot, taskId: string): Promise<EscrowState> {
  const state = await escrowByTask(snapshot, taskId);
  if (state === null) throw unknownTask();
  return state;
}

function unknownTask() {
  return commonErrors.not_found({
    message: 'No engagement of yours has this task_id. Check the id, and the key that you use.',
  });
}

import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { AgentCaller, DebitContext } from '../../ledger/credits/authorization.ts';
import type { Ended } from '../escrow/state.ts';
import { endedBy, taskForIn } from './authorize-party.ts';
import { end } from './engagement.ts';
import { type PaymentContext, payWorkerIn } from './pay-worker.ts';

/** The parts of the service that accepting a delivery uses. */
export type AcceptContext = PaymentContext & DebitContext & { store: Store };

/**
 * Accepts a delivered engagement: pays its worker and issues the receipt in one transaction. For the hirer.
 * @returns what `view` shows of the payment
 * @throws ApiError of authorizeAgentIn; not_found, invalid_state, conflict
 */
export function accept<View extends object>(
  trust: AcceptContext,
  caller: AgentCaller,
  taskId: string,
  once: Once,
  view: (ended: Ended) => View,
): Promise<View> {
  return end(trust, caller, once, async (tx) => view(await acceptTaskIn(tx, trust, caller, taskId)));
}

/**
 * Accepts a delivered engagement in a transaction that the caller's authority writes.
 * @throws ApiError as `accept`
 */
export async function acceptTaskIn(
  tx: Transaction,
  trust: PaymentContext & DebitContext,
  caller: AgentCaller,
  taskId: string,
): Promise<Ended> {
  const state = await taskForIn(tx, trust, caller, taskId, 'hirer');
  return payWorkerIn(tx, trust, state, endedBy(caller, state, 'hirer'));
}

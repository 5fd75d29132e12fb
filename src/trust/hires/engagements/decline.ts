import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import type { Ended } from '../escrow/state.ts';
import { declineIn } from '../escrow/unlock.ts';
import { endedBy, taskForIn } from './authorize-party.ts';
import { end, endedView, type HireContext } from './engagement.ts';
import { withReturnReceiptIn } from './return-receipt.ts';

/**
 * Declines an engagement that is HELD. For the worker.
 * @throws ApiError of authorizeAgentIn; not_found, invalid_state
 */
export function decline(trust: HireContext, caller: AgentCaller, taskId: string, once: Once) {
  return end(trust, caller, once, async (tx) =>
    endedView((await declineTaskIn(tx, trust, caller, taskId)).state),
  );
}

/**
 * Declines an engagement in a transaction that the caller's authority writes.
 * @throws ApiError as `decline`
 */
export async function declineTaskIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  taskId: string,
): Promise<Ended> {
  const state = await taskForIn(tx, trust, caller, taskId, 'worker');
  return withReturnReceiptIn(tx, trust, await declineIn(tx, trust, state, endedBy(caller, state, 'worker')));
}

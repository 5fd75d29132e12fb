import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import type { Ended } from '../escrow/state.ts';
import { refundIn } from '../escrow/unlock.ts';
import { endedBy, taskForIn } from './authorize-party.ts';
import { end, endedView, type HireContext } from './engagement.ts';
import { withReturnReceiptIn } from './return-receipt.ts';

/**
 * Refunds an engagement that is DELIVERED or DISPUTED. For the worker.
 * @throws ApiError of authorizeAgentIn; not_found, invalid_state
 */
export function refund(trust: HireContext, caller: AgentCaller, taskId: string, once: Once) {
  return end(trust, caller, once, async (tx) =>
    endedView((await refundTaskIn(tx, trust, caller, taskId)).state),
  );
}

/** Refunds an engagement in a transaction that the caller's authority writes. @throws ApiError as `refund` */
export async function refundTaskIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  taskId: string,
): Promise<Ended> {
  const state = await taskForIn(tx, trust, caller, taskId, 'worker');
  return withReturnReceiptIn(tx, trust, await refundIn(tx, trust, state, endedBy(caller, state, 'worker')));
}

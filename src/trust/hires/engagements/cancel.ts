import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import type { Ended } from '../escrow/state.ts';
import { cancelIn } from '../escrow/unlock.ts';
import { endedBy, taskForIn } from './authorize-party.ts';
import { end, endedView, type HireContext } from './engagement.ts';
import { withReturnReceiptIn } from './return-receipt.ts';

/**
 * Cancels an engagement that is HELD. For the hirer.
 * @throws ApiError of authorizeAgentIn; not_found, invalid_state
 */
export function cancel(trust: HireContext, caller: AgentCaller, taskId: string, once: Once) {
  return end(trust, caller, once, async (tx) =>
    endedView((await cancelTaskIn(tx, trust, caller, taskId)).state),
  );
}

/** Cancels an engagement in a transaction that the caller's authority writes. @throws ApiError as `cancel` */
export async function cancelTaskIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  taskId: string,
): Promise<Ended> {
  const state = await taskForIn(tx, trust, caller, taskId, 'hirer');
  return withReturnReceiptIn(tx, trust, await cancelIn(tx, trust, state, endedBy(caller, state, 'hirer')));
}

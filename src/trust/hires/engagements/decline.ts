import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import { declineIn } from '../escrow/unlock.ts';
import { endedBy, taskForIn } from './authorize-party.ts';
import { end, endedView, type HireContext } from './engagement.ts';

/**
 * Declines an engagement that is HELD. For the worker.
 * @throws ApiError of authorizeAgentIn; not_found, invalid_state
 */
export function decline(trust: HireContext, caller: AgentCaller, taskId: string, once: Once) {
  return end(trust, caller, once, async (tx) => {
    const state = await taskForIn(tx, trust, caller, taskId, 'worker');
    return endedView(await declineIn(tx, trust, state, endedBy(caller, state, 'worker')));
  });
}

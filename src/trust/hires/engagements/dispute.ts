import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import { disputeIn } from '../escrow/dispute.ts';
import { escrowView } from '../escrow/representation.ts';
import { taskForIn } from './authorize-party.ts';
import { end, type HireContext } from './engagement.ts';

/**
 * Disputes an engagement that is DELIVERED, until accept_by. For the hirer.
 * @throws ApiError of authorizeAgentIn; not_found, invalid_state, validation_error
 */
export function dispute(
  trust: HireContext,
  caller: AgentCaller,
  taskId: string,
  { reason, refuse_arbiter: refusesArbiter = false }: { reason: string; refuse_arbiter?: boolean },
  once: Once,
) {
  return end(trust, caller, once, async (tx) => {
    const state = await taskForIn(tx, trust, caller, taskId, 'hirer');
    return { engagement: escrowView(await disputeIn(tx, trust, state, { reason, refusesArbiter })) };
  });
}

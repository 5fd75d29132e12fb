import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import { disputeIn, type Objection } from '../escrow/dispute.ts';
import { escrowView } from '../escrow/representation.ts';
import type { EscrowState } from '../escrow/state.ts';
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
  return end(trust, caller, once, async (tx) => ({
    engagement: escrowView(await disputeTaskIn(tx, trust, caller, taskId, { reason, refusesArbiter })),
  }));
}

/**
 * Disputes an engagement in a transaction that the caller's authority writes.
 * @throws ApiError as `dispute`
 */
export async function disputeTaskIn(
  tx: Transaction,
  trust: HireContext,
  caller: AgentCaller,
  taskId: string,
  objection: Objection,
): Promise<EscrowState> {
  const state = await taskForIn(tx, trust, caller, taskId, 'hirer');
  return disputeIn(tx, trust, state, objection);
}

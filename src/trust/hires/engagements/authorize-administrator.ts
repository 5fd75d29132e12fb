import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { type AgentRow, requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { EscrowContext, EscrowState } from '../escrow/escrow.ts';
import { requireTask } from './engagement.ts';

/** The parts of the service that administering engagements uses. */
export type Administration = EscrowContext & { store: Store };

/** Returns the escrow of a task whose hirer has no sponsor. @throws ApiError not_found, forbidden */
export async function requireAdministered(tx: Transaction, taskId: string): Promise<EscrowState> {
  const state = await requireTask(tx, taskId);
  requireUnsponsored(await requireAgentIn(tx, state.hirer));
  return state;
}

/** Returns the agent if it has no sponsor. @throws ApiError forbidden for an agent with a sponsor */
export function requireUnsponsored(agent: AgentRow): AgentRow {
  if (agent.sponsorSeq === null) return agent;
  throw commonErrors.forbidden({
    message:
      'The hirer has a sponsor. Use a key of the sponsor and the API under /api/v1/passport/engagements, or let the agent sign the request.',
  });
}

import type { Transaction } from '../../../platform/store/transaction.ts';
import type { TrustContext } from '../../context.ts';
import { createOperatorIn } from '../../operators/administration.ts';
import type { OperatorRow } from '../../operators/status.ts';
import type { AgentRow } from '../store.ts';
import { type AgentIdentity, createAgentIn } from './create-agent.ts';

/**
 * Enrolls an agent that nobody sponsors. Nothing else does: this is where a stranger gets an agent for free, so many a day.
 * @param address of the caller, as limits count addresses @throws ApiError rate_limit_exceeded, quota_exceeded
 */
export async function enrollUnsponsoredIn(
  tx: Transaction,
  trust: Pick<TrustContext, 'clock' | 'events' | 'quotas'>,
  identity: AgentIdentity,
  address: string,
): Promise<AgentRow> {
  await trust.quotas.provisionIn(tx, address);
  return createAgentIn(tx, trust, { ...identity, sponsorSeq: null });
}

/**
 * Makes an agent's own operator, on plan FREE with an empty pool, so that the quota of FREE holds for it. Nothing else makes one for an agent: this is where a stranger gets
 * an operator for free.
 */
export function createOwnOperatorIn(
  tx: Transaction,
  context: Pick<TrustContext, 'clock' | 'ids'>,
  commitment: string,
  agentName: string | null,
): Promise<OperatorRow> {
  return createOperatorIn(tx, context, { name: agentName, credits: 0, provisionedFor: commitment });
}

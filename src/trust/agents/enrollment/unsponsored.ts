import type { Ids } from '../../../platform/ids.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { createOperatorIn } from '../../operators/create-operator.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import type { OperatorRow } from '../../operators/status.ts';
import type { Events } from '../../webhooks/events.ts';
import type { AgentRow } from '../store.ts';
import { type AgentIdentity, createAgentIn } from './create-agent.ts';

/**
 * Enrolls an agent without a sponsor, within the daily limit of its address. No other function does, so the limit holds everywhere.
 * @param address of the caller, as the rate limits see it @throws ApiError rate_limit_exceeded, quota_exceeded
 */
export async function enrollUnsponsoredIn(
  tx: Transaction,
  trust: { clock: Clock; events: Events; quotas: Quotas },
  identity: AgentIdentity,
  address: string,
): Promise<AgentRow> {
  await trust.quotas.provisionIn(tx, address);
  return createAgentIn(tx, trust, { ...identity, sponsorSeq: null });
}

/**
 * Creates an operator for one agent, on plan FREE with no credits, so that the quota of FREE applies. No other function creates an
 * operator for an agent.
 */
export function createOwnOperatorIn(
  tx: Transaction,
  context: { clock: Clock; ids: Ids },
  commitment: string,
  agentName: string | null,
): Promise<OperatorRow> {
  return createOperatorIn(tx, context, { name: agentName, provisionedFor: commitment });
}

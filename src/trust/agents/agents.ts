import type { Snapshot } from '../../platform/store/transaction.ts';
import { isHex } from '../../proof/encoding/hex.ts';
import { trustError } from '../http/dialect.ts';
import type { Principal } from '../operators/auth/principals.ts';
import { type AgentRow, agentByCommitment } from './store.ts';

export type { AgentRow } from './store.ts';

/** An agent that enrolled once, revoked or not; undefined for any other text. */
export function findAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow | undefined> {
  return isHex(commitment, 32) ? agentByCommitment(snapshot, commitment) : Promise.resolve(undefined);
}

/** For those who look at an agent. @throws ApiError not_found for one that never enrolled */
export async function requireAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow> {
  const agent = await findAgentIn(snapshot, commitment);
  if (agent === undefined)
    throw trustError('not_found', { message: 'There is no agent with this commitment.' });
  return agent;
}

/** For those who do something with an agent. @throws ApiError agent_not_enrolled, for one that was revoked too */
export async function requireEnrolledAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow> {
  return requireEnrolled(await findAgentIn(snapshot, commitment));
}

/** @throws ApiError agent_not_enrolled, for one that was revoked too */
export function requireEnrolled(agent: AgentRow | undefined): AgentRow {
  if (agent === undefined) throw trustError('agent_not_enrolled');
  if (agent.state !== 'REVOKED') return agent;
  throw trustError('agent_not_enrolled', { message: `The agent was revoked at ${agent.revokedAt}.` });
}

/**
 * Whether a key speaks for an agent: its sponsor's, a holder key of the agent that belongs to its sponsor, and, while it has no
 * sponsor, any admin key.
 */
export function actsForAgent(principal: Principal, { sponsorSeq, subjectCommitment }: AgentRow): boolean {
  if (sponsorSeq === null) return principal.admin;
  if (sponsorSeq !== principal.operatorSeq) return false;
  return principal.role === 'issuer' || principal.subjectCommitment === subjectCommitment;
}

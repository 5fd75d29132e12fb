import type { ACCOUNT_STATUSES } from '../../../db/trust/operators-enums.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { isHex } from '../../proof/encoding/hex.ts';
import { commonErrors } from '../http/errors.ts';
import type { Actor } from '../operators/auth/actor.ts';
import { type AgentRow, agentByCommitment } from './store.ts';

export type { AgentRow } from './store.ts';

/** Returns the agent with a subject commitment, even if it was revoked; null if there is none. */
export function findAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow | null> {
  return isHex(commitment, 32) ? agentByCommitment(snapshot, commitment) : Promise.resolve(null);
}

/** Returns an agent for reading. @throws ApiError not_found for one that never enrolled */
export async function requireAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow> {
  const agent = await findAgentIn(snapshot, commitment);
  if (agent === null) throw noSuchAgent();
  return agent;
}

/** Returns the error for a commitment that no agent has. */
export function noSuchAgent() {
  return commonErrors.not_found({ message: 'No agent has this commitment. Check the subject_commitment.' });
}

/** Returns an agent that may act. @throws ApiError agent_not_enrolled, including for a revoked agent */
export async function requireEnrolledAgentIn(snapshot: Snapshot, commitment: string): Promise<AgentRow> {
  return requireEnrolled(await findAgentIn(snapshot, commitment), commitment);
}

/** Returns the agent if it may act. @throws ApiError agent_not_enrolled, including for a revoked agent */
export function requireEnrolled(agent: AgentRow | null, commitment: string): AgentRow {
  if (agent === null) {
    throw commonErrors.agent_not_enrolled({
      message: `The agent ${commitment} has not completed enrollment. Enroll it first.`,
    });
  }
  if (agent.state !== 'REVOKED') return agent;
  throw commonErrors.agent_not_enrolled({
    message: `The agent ${commitment} was revoked at ${agent.revokedAt}. It cannot act again.`,
  });
}

/**
 * Returns whether an agent can use its credits and be hired: it is neither revoked nor frozen, and its
 * sponsor, if it has one, is ACTIVE.
 * @param operatorOf reads an operator as of the same time: from a cache in a transaction, else by a query
 */
export async function isActiveAgent(
  { state, frozenSince, sponsorSeq }: Pick<AgentRow, 'state' | 'frozenSince' | 'sponsorSeq'>,
  operatorOf: (operatorSeq: number) => Account | null | Promise<Account | null>,
): Promise<boolean> {
  if (state === 'REVOKED' || frozenSince !== null) return false;
  return sponsorSeq === null || (await operatorOf(sponsorSeq))?.accountStatus === 'ACTIVE';
}

/** What decides whether an operator is active. */
interface Account {
  accountStatus: (typeof ACCOUNT_STATUSES)[number];
}

/**
 * Returns whether a key may act for an agent. An issuer key of its sponsor may, and a holder key of the agent
 * that belongs to the sponsor. Any admin key may while the agent has no sponsor.
 */
export function actsForAgent(
  principal: Pick<Actor, 'operatorSeq' | 'admin' | 'role' | 'subjectCommitment'>,
  { sponsorSeq, subjectCommitment }: Pick<AgentRow, 'sponsorSeq' | 'subjectCommitment'>,
): boolean {
  if (sponsorSeq === null) return principal.admin;
  if (sponsorSeq !== principal.operatorSeq) return false;
  return principal.role === 'issuer' || principal.subjectCommitment === subjectCommitment;
}

/** Returns whether a key sees all that belongs to an agent: one that acts for it, or an admin key. */
export function seesAll<Caller extends Parameters<typeof actsForAgent>[0]>(
  principal: Caller | null,
  agent: Pick<AgentRow, 'sponsorSeq' | 'subjectCommitment'>,
): principal is Caller {
  return principal !== null && (principal.admin || actsForAgent(principal, agent));
}

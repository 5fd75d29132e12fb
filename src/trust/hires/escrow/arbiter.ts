import type { Transaction } from '../../../platform/store/transaction.ts';
import { type AgentRow, findAgentIn, isActiveAgent } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import type { EscrowState } from './store.ts';

/**
 * Returns the number of the agent that a delivery names as arbiter; null if it names none.
 * @param commitment null for none
 * @throws ApiError validation_error for an agent that cannot decide this task
 */
export async function requireArbiterIn(
  tx: Transaction,
  trust: { principals: Principals },
  state: EscrowState,
  commitment: string | null,
): Promise<number | null> {
  if (commitment === null) return null;
  const arbiter = await findAgentIn(tx, commitment);
  const problem = arbiter === null ? 'is not enrolled' : await dependenceIn(tx, trust, state, arbiter);
  if (arbiter !== null && problem === null) return arbiter.agentSeq;
  throw commonErrors.validation_error({
    issues: { 'payload.arbiter_commitment': [`${problem}; name another agent`] },
  });
}

/**
 * Returns why an agent cannot decide about a task now; null if it can. Checked when the worker names it, when
 * it consents and when it decides: sponsors change. Its sponsor answers for it, and is neither side's.
 */
export async function dependenceIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  { hirer, worker }: EscrowState,
  arbiter: AgentRow,
): Promise<string | null> {
  if (arbiter.state === 'REVOKED') return 'was revoked';
  if ([hirer, worker].includes(arbiter.subjectCommitment)) return 'is a party of the task';
  if (arbiter.sponsorSeq === null) return 'has no sponsor, so nobody answers for it';
  if (!(await isActiveAgent(arbiter, (seq) => principals.operatorIn(tx, seq))))
    return 'is frozen, or the account of its sponsor is not active';
  for (const party of [hirer, worker]) {
    const agent = await findAgentIn(tx, party);
    if (agent?.sponsorSeq === arbiter.sponsorSeq) return 'has the sponsor of a party';
  }
  return null;
}

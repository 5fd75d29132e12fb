import { type AgentCaller, agentCaller } from '../../../ledger/credits/authorization.ts';
import type { SkillCall } from '../skill.ts';

/** Returns the caller of a skill as one that debits an agent or a pool over REST with the same key. */
export function callerOf({ trust, principal }: SkillCall): AgentCaller {
  // A call has no agent's signature, which would cover this line.
  const line = { method: 'POST', path: '/api/v1/a2a/tasks', search: '' };
  return agentCaller(trust, principal, line, {});
}

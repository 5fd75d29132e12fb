import { commonErrors } from '../http/errors.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';

/** Refuses a holder key for another agent's receipts. @throws ApiError forbidden */
export function requireOwnAgent({ role, subjectCommitment }: OperatorActor, agentId: string): void {
  if (role === 'issuer' || agentId === subjectCommitment) return;
  throw commonErrors.forbidden({
    message: 'A holder key can only use the receipts of its own agent. Use an issuer key for other agents.',
  });
}

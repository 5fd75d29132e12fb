import { trustError } from '../http/dialect.ts';
import type { Principal } from '../operators/auth/principals.ts';

/** A holder key stands for one agent. @throws ApiError forbidden for another's */
export function requireOwnAgent({ role, subjectCommitment }: Principal, agentId: string): void {
  if (role === 'issuer' || agentId === subjectCommitment) return;
  throw trustError('forbidden', {
    message: 'A holder key can only use the receipts of its own agent. Use an issuer key for other agents.',
  });
}

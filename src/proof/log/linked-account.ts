import { textDigest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/**
 * Returns the `account` of an operator in the log of accounts: 64 lower-case hexadecimal characters. Whoever
 * knows the id can compute it.
 * @param operatorId `op_cus_…`
 */
export function accountOf(primitives: Primitives, operatorId: string): string {
  return textDigest(primitives, `linked-account:${operatorId}`);
}

/**
 * Returns the `agent` of an operator's receipts about an agent: 64 lower-case hexadecimal characters. Another
 * operator's receipts about the same agent have another. Ids of operators have one length and no colon, so no
 * two pairs have the same text.
 */
export function linkedAgentOf(primitives: Primitives, operatorId: string, agentId: string): string {
  return textDigest(primitives, `linked-agent:${operatorId}:${agentId}`);
}

import { textDigest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/** Of an agent that names none. */
export const DEFAULT_CONTEXT = 'passport-v1';

/**
 * An agent's subject commitment, by which it is known: SHA-256 of `agent-id:<public key>:<context>`, 64 hexadecimal characters.
 * @param publicKey 64 lower-case hexadecimal characters
 */
export function subjectCommitment(
  primitives: Primitives,
  publicKey: string,
  context: string = DEFAULT_CONTEXT,
): string {
  return textDigest(primitives, `agent-id:${publicKey}:${context}`);
}

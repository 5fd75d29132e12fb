import { textDigest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/** The context of an agent that gives none. */
export const DEFAULT_CONTEXT = 'passport-v1';

/**
 * Returns an agent's subject commitment, which identifies it: SHA-256 of `agent-id:<public key>:<context>`,
 * 64 hexadecimal characters.
 * @param publicKey 64 lower-case hexadecimal characters
 */
export function subjectCommitment(
  primitives: Primitives,
  publicKey: string,
  context: string = DEFAULT_CONTEXT,
): string {
  return textDigest(primitives, `agent-id:${publicKey}:${context}`);
}

import { textDigest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/** The algorithm's name in challenges. */
export const POW_ALGORITHM = 'sha256-leading-hex-zeros' as const;

/**
 * Returns whether the SHA-256 of `<challenge nonce>:<proof-of-work nonce>` begins with `difficulty`
 * hexadecimal zeros. A client needs 16^difficulty hashes on average to find a nonce.
 */
export function isWorkDone(
  primitives: Primitives,
  { challengeNonce, powNonce, difficulty }: { challengeNonce: string; powNonce: string; difficulty: number },
): boolean {
  return textDigest(primitives, `${challengeNonce}:${powNonce}`).startsWith('0'.repeat(difficulty));
}

/**
 * Returns the digest that an autonomous agent signs: SHA-256 of `<challenge nonce>:<proof-of-work
 * nonce>:<public key>`, 64 characters.
 */
export function provisionDigest(
  primitives: Primitives,
  { challengeNonce, powNonce, publicKey }: { challengeNonce: string; powNonce: string; publicKey: string },
): string {
  return textDigest(primitives, `${challengeNonce}:${powNonce}:${publicKey}`);
}

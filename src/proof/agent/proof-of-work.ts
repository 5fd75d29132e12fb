import { textDigest } from '../encoding/digest.ts';
import type { Primitives } from '../primitives.ts';

/** As challenges name it. */
export const POW_ALGORITHM = 'sha256-leading-hex-zeros' as const;

/**
 * Whether the SHA-256 of `<challenge nonce>:<proof-of-work nonce>` begins with `difficulty` zero hexadecimal digits: 16^difficulty
 * hashes on average to find.
 */
export function isWorkDone(
  primitives: Primitives,
  { challengeNonce, powNonce, difficulty }: { challengeNonce: string; powNonce: string; difficulty: number },
): boolean {
  return textDigest(primitives, `${challengeNonce}:${powNonce}`).startsWith('0'.repeat(difficulty));
}

/** The digest that an agent signs who provisions itself: SHA-256 of challenge nonce, proof-of-work nonce and key, 64 characters. */
export function provisionDigest(
  primitives: Primitives,
  { challengeNonce, powNonce, publicKey }: { challengeNonce: string; powNonce: string; publicKey: string },
): string {
  return textDigest(primitives, `${challengeNonce}:${powNonce}:${publicKey}`);
}

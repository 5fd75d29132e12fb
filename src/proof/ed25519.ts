import { hexToBytes } from './hex.ts';
import type { Primitives } from './primitives.ts';

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The field's prime 2^255 − 19 and the order of the group, little-endian (RFC 8032 section 5.1). */
const PRIME = hexToBytes(`ed${'ff'.repeat(30)}7f`);
const ORDER = hexToBytes(`edd3f55c1a631258d69cf7a2def9de14${'00'.repeat(15)}10`);

/** The seven y coordinates that encode points of small order; with either sign bit, the 14 small-order encodings. */
const SMALL_ORDER_Y = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
].map(hexToBytes);

/**
 * Whether 32 bytes are a public key that this program trusts to speak for one holder alone: a canonical encoding
 * (y below the prime, RFC 8032 section 5.1.3) that is none of the 14 of small order, under which one signature fits
 * many messages.
 */
export function isStrictPublicKey(publicKey: Uint8Array): boolean {
  return publicKey.length === PUBLIC_KEY_BYTES && isStrictPoint(publicKey);
}

/**
 * Strict, cofactorless Ed25519 verification (RFC 8032 section 5.1.7): canonical S, R and key, and neither R nor the
 * key of small order, which some libraries let pass.
 *
 * @returns false, never an error, for whatever is no such signature.
 */
export function verifyStrict(
  primitives: Primitives,
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  return (
    signature.length === SIGNATURE_BYTES &&
    isStrictPublicKey(publicKey) &&
    isStrictPoint(signature.subarray(0, 32)) &&
    isBelow(signature.subarray(32), ORDER) &&
    primitives.ed25519Verify(signature, message, publicKey)
  );
}

function isStrictPoint(encoding: Uint8Array): boolean {
  const y = encoding.slice();
  y[31] = (y[31] ?? 0) & 0x7f;
  return isBelow(y, PRIME) && !SMALL_ORDER_Y.some((small) => small.every((byte, index) => byte === y[index]));
}

/** Whether one 32-byte little-endian number is below another. Not constant-time: everything here is public. */
function isBelow(left: Uint8Array, right: Uint8Array): boolean {
  for (let index = 31; index >= 0; index--) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

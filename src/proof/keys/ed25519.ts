import { hexToBytes } from '../encoding/hex.ts';
import type { Primitives } from '../primitives.ts';

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The field's prime 2^255 − 19 and the order of the group, little-endian (RFC 8032 section 5.1). */
const PRIME = hexToBytes(`ed${'ff'.repeat(30)}7f`);
const ORDER = hexToBytes(`edd3f55c1a631258d69cf7a2def9de14${'00'.repeat(15)}10`);

/**
 * The y coordinates of the points of small order: 0, 1, −1 and the two of order 8. With both sign bits they
 * give ten of the 14 small-order encodings. The other four write 0 and 1 as p and p + 1, so they are not
 * canonical. The points with x = 0, for which the sign bit must be clear, have y = 1 and y = −1; the list
 * therefore covers them too.
 */
const SMALL_ORDER_Y = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
].map(hexToBytes);

/**
 * Returns whether bytes have the strict form of an Ed25519 public key: 32 bytes, a canonical encoding (y
 * below the prime, RFC 8032 section 5.1.3), and not of small order, because under a small-order key one
 * signature is valid for many messages. It does not check that the point is on the curve: verification fails
 * for a point that is not.
 */
export function isStrictPublicKey(publicKey: Uint8Array): boolean {
  return publicKey.length === PUBLIC_KEY_BYTES && isStrictPoint(publicKey);
}

/**
 * Verifies an Ed25519 signature strictly and without cofactor (RFC 8032 section 5.1.7, with libsodium's
 * rules): 64 bytes, S below the group's order, R and the key canonical and not of small order. Many libraries
 * accept signatures that break these rules.
 *
 * @returns false for any invalid input; never throws
 */
export function verifyStrict(
  primitives: Primitives,
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  return isStrictForm(signature, publicKey) && primitives.ed25519Verify(signature, message, publicKey);
}

/**
 * Returns whether a signature and a key have the strict form: every check of `verifyStrict` except the
 * equation.
 */
export function isStrictForm(signature: Uint8Array, publicKey: Uint8Array): boolean {
  return (
    signature.length === SIGNATURE_BYTES &&
    isStrictPublicKey(publicKey) &&
    isStrictPoint(signature) &&
    isBelow(signature, 32, ORDER)
  );
}

/**
 * Returns whether the first 32 bytes are a canonical point, not of small order. Making a view of them would
 * cost more than the check.
 */
function isStrictPoint(encoding: Uint8Array): boolean {
  return isBelow(encoding, 0, PRIME, 0x7f) && !SMALL_ORDER_Y.some((small) => hasY(encoding, small));
}

function hasY(encoding: Uint8Array, y: Uint8Array): boolean {
  for (let index = 0; index < 31; index++) if (encoding[index] !== y[index]) return false;
  return ((encoding[31] ?? 0) & 0x7f) === y[31];
}

/**
 * Returns whether the 32-byte little-endian number at `offset` is below `limit`; `topMask` can clear the sign
 * bit. It need not run in constant time: all inputs are public.
 */
function isBelow(bytes: Uint8Array, offset: number, limit: Uint8Array, topMask = 0xff): boolean {
  for (let index = 31; index >= 0; index--) {
    const byte = (bytes[offset + index] ?? 0) & (index === 31 ? topMask : 0xff);
    const difference = byte - (limit[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

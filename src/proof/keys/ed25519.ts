import { hexToBytes } from '../encoding/hex.ts';
import type { Primitives } from '../primitives.ts';

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The field's prime 2^255 − 19 and the order of the group, little-endian (RFC 8032 section 5.1). */
const PRIME = hexToBytes(`ed${'ff'.repeat(30)}7f`);
const ORDER = hexToBytes(`edd3f55c1a631258d69cf7a2def9de14${'00'.repeat(15)}10`);

/**
 * The y coordinates of the points of small order: 0, 1, −1 and the two of order 8. With either sign bit they make
 * ten of the 14 small-order encodings; the other four spell 0 and 1 as p and p + 1 and are not canonical. The two
 * canonical y of which x is 0, for which the sign bit must be clear, are 1 and −1 and so are refused as well.
 */
const SMALL_ORDER_Y = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
].map(hexToBytes);

/**
 * Whether bytes are an Ed25519 public key that can speak for one holder alone: 32 bytes, a canonical encoding (y
 * below the prime, RFC 8032 section 5.1.3), none of the 14 of small order, under which one signature fits many
 * messages. That the point lies on the curve is left to the verification, which fails for one that does not.
 */
export function isStrictPublicKey(publicKey: Uint8Array): boolean {
  return publicKey.length === PUBLIC_KEY_BYTES && isStrictPoint(publicKey);
}

/**
 * Strict, cofactorless Ed25519 verification (RFC 8032 section 5.1.7, by libsodium's rules): a 64-byte signature with
 * S below the group's order, R and key canonical and neither of small order. Many libraries let some of these pass.
 *
 * @returns false, never an error, for whatever is no such signature.
 */
export function verifyStrict(
  primitives: Primitives,
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  return isStrictForm(signature, publicKey) && primitives.ed25519Verify(signature, message, publicKey);
}

/** Whether a signature and a key have the form that strict verification asks for: all of it but the equation itself. */
export function isStrictForm(signature: Uint8Array, publicKey: Uint8Array): boolean {
  return (
    signature.length === SIGNATURE_BYTES &&
    isStrictPublicKey(publicKey) &&
    isStrictPoint(signature) &&
    isBelow(signature, 32, ORDER)
  );
}

/** Whether the first 32 bytes spell such a point. They are not cut out: a view costs more than looking at them. */
function isStrictPoint(encoding: Uint8Array): boolean {
  return isBelow(encoding, 0, PRIME, 0x7f) && !SMALL_ORDER_Y.some((small) => hasY(encoding, small));
}

function hasY(encoding: Uint8Array, y: Uint8Array): boolean {
  for (let index = 0; index < 31; index++) if (encoding[index] !== y[index]) return false;
  return ((encoding[31] ?? 0) & 0x7f) === y[31];
}

/**
 * Whether the 32-byte little-endian number at `offset` is below `limit`; `topMask` leaves the sign bit out. Not in
 * constant time: everything here is public.
 */
function isBelow(bytes: Uint8Array, offset: number, limit: Uint8Array, topMask = 0xff): boolean {
  for (let index = 31; index >= 0; index--) {
    const byte = (bytes[offset + index] ?? 0) & (index === 31 ? topMask : 0xff);
    const difference = byte - (limit[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

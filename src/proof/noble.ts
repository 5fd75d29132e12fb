import { etc, Point } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { Primitives } from './primitives.ts';

/** The order of the group that the base point generates (RFC 8032 section 5.1). */
const ORDER = Point.CURVE().n;

/** The primitives in pure JavaScript (@noble): for the browser, and as the second opinion of the command line. */
export const noblePrimitives: Primitives = {
  sha256,
  ed25519Verify(signature, message, publicKey) {
    try {
      return verifyCofactorless(signature, message, publicKey);
    } catch {
      return false;
    }
  },
};

/**
 * Whether 32 bytes encode a point of the group that the base point generates, other than its identity: every key that was made
 * from a seed is one (RFC 8032 section 5.1.5). False also off the curve, for an encoding that is not canonical, and for a point
 * of mixed order, that is with a small-order component: verifiers that multiply by the cofactor and verifiers that do not would
 * disagree about its signatures. Takes about 0.6 ms.
 */
export function isPrimeOrderPoint(encoding: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(encoding, false);
    return !point.is0() && point.isTorsionFree();
  } catch {
    return false;
  }
}

/**
 * The check of RFC 8032 section 5.1.7 without the cofactor: encode(S·B − k·A) = R. @noble's own `verify` multiplies
 * both sides by 8, and so accepts signatures with a small-order component that native libraries refuse; the two
 * primitives must never differ. Throws for points off the curve and S out of range.
 */
function verifyCofactorless(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const claimed = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  const k = etc.mod(littleEndian(sha512(etc.concatBytes(claimed, publicKey, message))), ORDER);
  const key = Point.fromBytes(publicKey, false);
  const expected = Point.BASE.multiply(s, false).subtract(key.multiply(k, false)).toBytes();
  return signature.length === 64 && expected.every((byte, index) => byte === claimed[index]);
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${etc.bytesToHex(bytes.toReversed())}`);
}

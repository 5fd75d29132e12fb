import { createHash } from 'node:crypto';
import { bytesToHex, hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { TestKey } from './small-log.ts';

/**
 * Ed25519 signatures for which the equation of the signature holds, but that break a rule of
 * docs/verification/rules.md#ed25519. Many libraries accept some of them.
 */

/** The order of the group. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The neutral point, which has small order: y = 1, and the same y written as p + 1. */
export const NEUTRAL = `01${'00'.repeat(31)}`;
export const NEUTRAL_BEYOND_PRIME = `ee${'ff'.repeat(30)}7f`;

/**
 * With the neutral point as the key, this is a signature of every message: S is 1 and R is the base point.
 */
export const SIGNATURE_OF_ALL = `58${'66'.repeat(31)}01${'00'.repeat(31)}`;

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(bytes.toReversed())}`);
const hexOf = (number: bigint): string =>
  bytesToHex(hexToBytes(number.toString(16).padStart(64, '0')).toReversed());
const sha512 = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash('sha512').update(Buffer.concat(parts)).digest());

/**
 * Returns a signature with the order of the group added to S: the same number modulo the order. Anyone can do
 * so.
 */
export function beyondOrder(signature: string): string {
  return signature.slice(0, 64) + hexOf(numberOf(hexToBytes(signature.slice(64))) + ORDER);
}

/** Signs a message with the neutral point as R. @param encodedR the point in one of its forms */
export function signedWithNeutral(key: TestKey, message: string, encodedR: string): string {
  const seed = Buffer.from(key.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  const scalar = sha512(seed).subarray(0, 32);
  scalar[0] = (scalar[0] ?? 0) & 248;
  scalar[31] = ((scalar[31] ?? 0) & 63) | 64;
  const k = numberOf(sha512(hexToBytes(encodedR), hexToBytes(key.public_key), Buffer.from(message)));
  return encodedR + hexOf((k * numberOf(scalar)) % ORDER);
}

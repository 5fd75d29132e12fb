import { describe, expect, test } from 'bun:test';
import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { bytesToHex, hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { signedObjectDigest } from '../../../../src/proof/keys/signed-object.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import {
  beyondOrder,
  NEUTRAL,
  NEUTRAL_BEYOND_PRIME,
  SIGNATURE_OF_ALL,
  signedWithNeutral,
} from '../../../support/lax-signatures.ts';
import { signedStatement } from '../../../support/signed-statement.ts';
import { testKey } from '../../../support/small-log.ts';

const { n: ORDER } = Point.CURVE();
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(bytes.toReversed())}`) % ORDER;

/** Verifies without any rule on forms: S·B = R + k·A, where both points are decoded and S is any number. */
function isLaxlySigned(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  const k = numberOf(sha512(Buffer.concat([signature.subarray(0, 32), key, message])));
  const right = Point.fromBytes(signature.slice(0, 32), true).add(
    Point.fromBytes(key, true).multiply(k, false),
  );
  return Point.BASE.multiply(numberOf(signature.subarray(32)), false).equals(right);
}

const key = testKey(3);
const document = { type: 'agent-profile', name: 'Clerk' };
const hash = signedObjectDigest(nativePrimitives, document);
const genuine = String(signedStatement(document, key).signature);

describe('a signature that is good but for its form', () => {
  test.each([
    ['with the order added to S', beyondOrder(genuine), key.public_key],
    ['with an R of small order', signedWithNeutral(key, hash, NEUTRAL), key.public_key],
    ['with an R beyond the prime', signedWithNeutral(key, hash, NEUTRAL_BEYOND_PRIME), key.public_key],
    ['by a key of small order', SIGNATURE_OF_ALL, NEUTRAL],
  ])('%s is refused', (_, signature, publicKey) => {
    const given = [hexToBytes(signature), Buffer.from(hash), hexToBytes(publicKey)] as const;
    expect(isLaxlySigned(...given)).toBe(true);
    expect(verifyStrict(nativePrimitives, ...given)).toBe(false);
    expect(verifyStrict(noblePrimitives, ...given)).toBe(false);
  });
});

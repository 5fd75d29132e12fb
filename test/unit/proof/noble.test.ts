import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { nativePrimitives } from '../../../src/platform/crypto/crypto.ts';
import { bytesToHex, hexToBytes } from '../../../src/proof/encoding/hex.ts';
import { isStrictPublicKey } from '../../../src/proof/keys/ed25519.ts';
import { isPrimeOrderPoint, noblePrimitives } from '../../../src/proof/noble.ts';
import { mixedOrderKeys } from '../../support/mixed-order.ts';

const encoded = (key: KeyObject): Uint8Array =>
  new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-32));
const newKey = (): Uint8Array => encoded(generateKeyPairSync('ed25519').publicKey);

describe('a point of the prime-order group', () => {
  test('is every key that is made from a seed', () => {
    for (let count = 0; count < 20; count++) expect(isPrimeOrderPoint(newKey())).toBe(true);
  });

  test('is no key with a component of order 2, 4 or 8, though its encoding is strict', () => {
    for (const { order, key } of mixedOrderKeys(bytesToHex(newKey()))) {
      const bytes = hexToBytes(key);
      expect([order, isStrictPublicKey(bytes), isPrimeOrderPoint(bytes)]).toEqual([order, true, false]);
    }
  });

  test.each([
    ['the identity', `01${'00'.repeat(31)}`],
    ['a point of order 4', '00'.repeat(32)],
    ['no point of the curve', `02${'00'.repeat(31)}`],
    ['an encoding that is not canonical', `ee${'ff'.repeat(30)}7f`],
    ['31 bytes', '58'.repeat(31)],
  ])('is not %s', (_what, encoding) => {
    expect(isPrimeOrderPoint(hexToBytes(encoding))).toBe(false);
  });
});

describe('a signature is accepted exactly where the native implementation accepts it', () => {
  /** Returns whether both accept a signature, and one in which a bit is flipped. */
  const answers = (pair: { publicKey: KeyObject; privateKey: KeyObject }, bit: number) => {
    const message = crypto.getRandomValues(new Uint8Array(40));
    const signature = new Uint8Array(sign(null, message, pair.privateKey));
    const damaged = signature.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    return [signature, damaged].map((one) =>
      [noblePrimitives, nativePrimitives].map(({ ed25519Verify }) =>
        ed25519Verify(one, message, encoded(pair.publicKey)),
      ),
    );
  };
  const BOTH = [true, true];
  const NEITHER = [false, false];

  test('by a key that is used again and again', () => {
    const pair = generateKeyPairSync('ed25519');
    for (let bit = 0; bit < 512; bit += 5) expect([bit, ...answers(pair, bit)]).toEqual([bit, BOTH, NEITHER]);
  });

  test('by more keys than are held, in turn', () => {
    const pairs = Array.from({ length: 20 }, () => generateKeyPairSync('ed25519'));
    for (const pair of [...pairs, ...pairs, ...pairs.slice(-3), ...pairs.slice(-3)])
      expect(answers(pair, 7)).toEqual([BOTH, NEITHER]);
  });

  test('by no key off the curve, however often it is tried', () => {
    const key = hexToBytes(`02${'00'.repeat(31)}`);
    for (let count = 0; count < 3; count++)
      expect(noblePrimitives.ed25519Verify(new Uint8Array(64), new Uint8Array(), key)).toBe(false);
  });
});

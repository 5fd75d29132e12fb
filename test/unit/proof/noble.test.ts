import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { bytesToHex, hexToBytes } from '../../../src/proof/encoding/hex.ts';
import { isStrictPublicKey } from '../../../src/proof/keys/ed25519.ts';
import { isPrimeOrderPoint } from '../../../src/proof/noble.ts';
import { mixedOrderKeys } from '../../support/mixed-order.ts';

const newKey = (): Uint8Array =>
  new Uint8Array(
    generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  );

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

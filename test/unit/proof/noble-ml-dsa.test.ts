import { expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { nativePrimitives, signMlDsa44 } from '../../../src/platform/crypto/crypto.ts';
import { browserPrimitives } from '../../../src/proof/noble-ml-dsa.ts';

test('ML-DSA-44 in JavaScript says of each signature what the runtime says', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ml-dsa-44');
  const key = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-1312));
  const message = new TextEncoder().encode('cosignature/v1\ntime 1\n');
  const signature = new Uint8Array(signMlDsa44(privateKey, message));
  const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
    Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 1 : byte));
  const rows: [signature: Uint8Array, message: Uint8Array, key: Uint8Array][] = [
    [signature, message, key],
    [signature.subarray(1), message, key],
    [signature, message, key.subarray(1)],
    [signature, new Uint8Array(), key],
    ...[0, 31, 32, 1000, 2335, 2336, 2400, 2419].map((at): [Uint8Array, Uint8Array, Uint8Array] => [
      flipped(signature, at),
      message,
      key,
    ]),
    ...[0, 31, 32, 1311].map((at): [Uint8Array, Uint8Array, Uint8Array] => [
      signature,
      message,
      flipped(key, at),
    ]),
  ];
  const said = rows.map((row) => [
    browserPrimitives.mlDsa44Verify?.(...row),
    nativePrimitives.mlDsa44Verify?.(...row),
  ]);
  expect(said[0]).toEqual([true, true]);
  expect(said.slice(1)).toEqual(said.slice(1).map(() => [false, false]));
});

import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { digest, textDigest } from '../../../../src/proof/encoding/digest.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';

test.each([
  ['native', nativePrimitives],
  ['noble', noblePrimitives],
])('digests are SHA-256 of UTF-8 in lower-case hexadecimal (%s)', (_, primitives) => {
  // FIPS 180-4 example.
  expect(textDigest(primitives, 'abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(digest(primitives, { b: 'é', a: 1 })).toBe(textDigest(primitives, '{"a":1,"b":"é"}'));
  expect(digest(primitives, { b: 'é', a: 1 })).toBe(
    new Bun.CryptoHasher('sha256').update('{"a":1,"b":"é"}').digest('hex'),
  );
});

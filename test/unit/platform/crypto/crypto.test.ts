import { describe, expect, test } from 'bun:test';
import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  nativePrimitives,
  sha256Hex,
  signEd25519,
  signMlDsa44,
} from '../../../../src/platform/crypto/crypto.ts';
import { bytesToHex, hexToBytes } from '../../../../src/proof/encoding/hex.ts';

describe('the native hash', () => {
  test.each([
    ['nothing', ''],
    ['ASCII', 'abc'],
    ['characters of several bytes', 'é🙂'],
    ['100,000 characters', 'a'.repeat(100_000)],
  ])('of a text of %s is SHA-256 of its UTF-8', (_what, text) => {
    const expected = createHash('sha256').update(text).digest('hex');
    expect(sha256Hex(text)).toBe(expected);
    expect(nativePrimitives.sha256(new TextEncoder().encode(text))).toEqual(hexToBytes(expected));
  });

  test('is an array of its own each time', () => {
    const first = nativePrimitives.sha256(new Uint8Array([1]));
    const second = nativePrimitives.sha256(new Uint8Array([2]));
    expect(first).not.toEqual(second);
  });
});

describe('native signing', () => {
  /** RFC 8032 section 7.1, test 2. */
  const secret = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
  const publicKey = hexToBytes('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
  const message = new Uint8Array([0x72]);
  const signature = hexToBytes(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );

  test('is that of RFC 8032 section 7.1', () => {
    const pkcs8 = Buffer.from(`302e020100300506032b657004220420${secret}`, 'hex');
    const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    expect(bytesToHex(signEd25519(privateKey, message))).toBe(bytesToHex(signature));
    expect(nativePrimitives.ed25519Verify(signature, message, publicKey)).toBe(true);
    expect(nativePrimitives.ed25519Verify(signature, new Uint8Array([0x73]), publicKey)).toBe(false);
  });

  test('with a key of another kind is refused', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => signEd25519(privateKey, message)).toThrow(TypeError);
  });

  test('more keys than are kept imported still verify', () => {
    for (let index = 0; index < 1100; index++) {
      const other = new Uint8Array(32).fill(index & 0xff, 0, 16).fill(index >> 8, 16);
      expect(nativePrimitives.ed25519Verify(signature, message, other)).toBe(false);
    }
    expect(nativePrimitives.ed25519Verify(signature, message, publicKey)).toBe(true);
  });
});

describe('native ML-DSA-44', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ml-dsa-44');
  const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-1312));
  const message = new TextEncoder().encode('a message');
  const signature = signMlDsa44(privateKey, message);
  const verify = nativePrimitives.mlDsa44Verify ?? (() => null);

  test('verifies signatures by the raw public key, and no other', () => {
    expect(signature).toHaveLength(2420);
    expect(verify(signature, message, key)).toBe(true);
    expect(verify(signature, message.with(0, 0), key)).toBe(false);
    expect(verify(signature.with(7, (signature[7] ?? 0) ^ 1), message, key)).toBe(false);
    expect(verify(signature, message, key.with(7, (key[7] ?? 0) ^ 1))).toBe(false);
    expect(signMlDsa44(privateKey, message)).not.toEqual(signature);
  });

  test('returns false for an invalid signature or key', () => {
    expect(verify(signature.subarray(1), message, key)).toBe(false);
    expect(verify(new Uint8Array(), message, key)).toBe(false);
    expect(verify(signature, message, key.subarray(1))).toBe(false);
    expect(verify(signature, message, new Uint8Array(1313))).toBe(false);
  });

  test('with a key of another kind is refused', () => {
    expect(() => signMlDsa44(generateKeyPairSync('ed25519').privateKey, message)).toThrow(TypeError);
  });
});

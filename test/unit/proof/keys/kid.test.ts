import { expect, test } from 'bun:test';
import { base58 } from '@scure/base';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { kidOf, publicKeyJwk, publicKeyMultibase, thumbprintOf } from '../../../../src/proof/keys/kid.ts';

/** RFC 8037 appendix A.2; RFC 8032 section 7.1 test 1 in hexadecimal. */
const PUBLIC_KEY = hexToBytes('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');

test('a key as JWK is that of RFC 8037 appendix A.2', () => {
  expect(publicKeyJwk(PUBLIC_KEY)).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  });
});

test('the kid is the thumbprint of RFC 8037 appendix A.3', () => {
  expect(kidOf(nativePrimitives, PUBLIC_KEY)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test('a Multikey is the prefixed key in base58btc and begins with z6Mk', () => {
  const multibase = publicKeyMultibase(PUBLIC_KEY);
  expect(multibase).toMatch(/^z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/);
  expect(base58.decode(multibase.slice(1))).toEqual(new Uint8Array([0xed, 0x01, ...PUBLIC_KEY]));
});

test('the kid of an ML-DSA-44 key is the thumbprint of its JWK', () => {
  const { kid, publicKey } = generateKeyPair('ML-DSA-44');
  const raw = Buffer.from(publicKey, 'hex');
  const jwk = JSON.stringify({ alg: 'ML-DSA-44', kty: 'AKP', pub: raw.toString('base64url') });
  expect(thumbprintOf(nativePrimitives, 'ML-DSA-44', raw)).toBe(
    new Bun.CryptoHasher('sha256').update(jwk).digest('base64url'),
  );
  expect(kid).toBe(thumbprintOf(nativePrimitives, 'ML-DSA-44', raw));
});

import { describe, expect, test } from 'bun:test';
import { base58 } from '@scure/base';
import {
  didKeyMethod,
  publicKeyOfDidKey,
  publicKeyOfMultibase,
} from '../../../../src/proof/credential/multikey.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { didKey } from '../../../../src/proof/keys/did-key.ts';
import { publicKeyMultibase } from '../../../../src/proof/keys/kid.ts';

/** RFC 8032 section 7.1 test 1. */
const PUBLIC_KEY = hexToBytes('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');

const prefixed = (prefix: number[], key: Uint8Array) =>
  `z${base58.encode(new Uint8Array([...prefix, ...key]))}`;

test('a Multikey and a did:key decode to the key that they were made of', () => {
  expect(publicKeyOfMultibase(publicKeyMultibase(PUBLIC_KEY))).toEqual(PUBLIC_KEY);
  expect(publicKeyOfDidKey(didKey(PUBLIC_KEY))).toEqual(PUBLIC_KEY);
});

test('the method of a did:key repeats its Multikey as fragment', () => {
  expect(didKeyMethod('did:key:z6Mkr')).toBe('did:key:z6Mkr#z6Mkr');
});

describe('is refused as Multikey of an Ed25519 key', () => {
  const multibase = publicKeyMultibase(PUBLIC_KEY);
  const rows: [what: string, text: string][] = [
    ['an empty text', ''],
    ['no key after the z', 'z'],
    ['another base', `u${multibase.slice(1)}`],
    ['a key without its base', multibase.slice(1)],
    ['a character that base58 does not have', `${multibase.slice(0, -1)}0`],
    ['a key of another algorithm (secp256k1)', prefixed([0xe7, 0x01], PUBLIC_KEY)],
    ['a key that is too short', prefixed([0xed, 0x01], PUBLIC_KEY.subarray(1))],
    ['a key that is too long', prefixed([0xed, 0x01], new Uint8Array([...PUBLIC_KEY, 1]))],
    ['a key of small order', prefixed([0xed, 0x01], new Uint8Array(32))],
    ['a text of a million characters', `z${'6'.repeat(1_000_000)}`],
  ];
  test.each(rows)('%s', (_, text) => {
    expect(publicKeyOfMultibase(text)).toBeNull();
    expect(publicKeyOfDidKey(`did:key:${text}`)).toBeNull();
  });
});

test.each(['did:web:example.com', 'did:key', 'z6Mk', `DID:KEY:${publicKeyMultibase(PUBLIC_KEY)}`])(
  '%s is not a did:key',
  (did) => {
    expect(publicKeyOfDidKey(did)).toBeNull();
  },
);

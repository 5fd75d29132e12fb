import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { kidOf, publicKeyJwk, publicKeyMultibase } from '../../../../src/proof/keys/kid.ts';
import {
  readTrustedKeys,
  type TrustedKey,
  TrustedKeysError,
} from '../../../../src/proof/keys/trusted-keys.ts';
import { newSigner, without } from '../receipt/signed-receipts.ts';

const current = newSigner().key;
const previous = newSigner({ status: 'retired', valid_until: '2026-03-01T00:00:00.000Z' }).key;
const row = (key: TrustedKey): JsonObject => ({ ...key, algorithm: 'Ed25519', log_index: 0 });
const publicKeyAnswer: JsonObject = {
  kid: current.kid,
  algorithm: 'Ed25519',
  public_key: current.public_key,
  public_key_multibase: publicKeyMultibase(hexToBytes(current.public_key)),
  public_key_jwk: { ...publicKeyJwk(hexToBytes(current.public_key)) },
  purpose: 'receipts',
  valid_from: current.valid_from,
  rotation: {
    next_kid: null,
    next_valid_from: null,
    previous: [
      {
        kid: previous.kid,
        public_key: previous.public_key,
        valid_from: previous.valid_from,
        valid_until: previous.valid_until,
      },
    ],
  },
};
const read = (value: JsonValue) => readTrustedKeys(nativePrimitives, value);

describe('the keys of transparency/keys', () => {
  test('are read with their purpose and status', () => {
    const next = newSigner({ status: 'next', purpose: 'receipts-log' }).key;
    const broken = newSigner({ status: 'compromised' }).key;
    const keys = [current, previous, next, broken];
    expect(read({ keys: keys.map(row), log: { origin: 'x' } })).toEqual(keys);
  });

  test('that are compromised for one purpose are for all that they have', () => {
    const broken = { ...current, purpose: 'receipts-log', status: 'compromised' } as const;
    const asLater = { ...current, purpose: 'of-a-later-version' };
    expect(read({ keys: [current, previous, broken, asLater].map(row) })).toEqual([
      ...[current, previous, broken, asLater],
      { ...broken, purpose: 'receipts' },
    ]);
    expect(read({ keys: [previous, broken].map(row) })).toEqual([previous, broken]);
  });

  test('may state where their time ended in the log of receipts', () => {
    const place = { receipts_logs: ['a.example/receipts', 'a.example-2/receipts'], receipts_tree_size: 7 };
    const ended = newSigner({ status: 'compromised', ...place }).key;
    expect(read({ keys: [row(ended)] })).toEqual([ended]);
    const older = without(without(row(previous), 'receipts_logs'), 'receipts_tree_size');
    expect(read({ keys: [older] })).toEqual([previous]);
  });

  test('of another algorithm are ignored', () => {
    const other = { ...row(current), algorithm: 'ML-DSA-44', kid: 'x', public_key: '00'.repeat(1312) };
    expect(read({ keys: [other, row(current)] })).toEqual([current]);
  });

  test('an unknown member is ignored', () => {
    expect(read({ keys: [{ ...row(current), note: 'new' }] })).toEqual([current]);
  });

  const smallOrder = '00'.repeat(32);
  test.each<[string, JsonValue, string]>([
    ['keys that are no array', {}, 'keys is missing or not an array'],
    ['a key that is no object', ['x'], 'a key is not a JSON object'],
    ['no algorithm', [without(row(current), 'algorithm')], 'algorithm is missing or not a string'],
    [
      'a log that is no text',
      [{ ...row(previous), receipts_logs: [7] }],
      'receipts_logs is not an array of strings',
    ],
    ['half a size', [{ ...row(previous), receipts_tree_size: 0.5 }], 'is not a whole number'],
    ['less than none', [{ ...row(previous), receipts_tree_size: -1 }], 'is not a whole number'],
    ['a size that is text', [{ ...row(previous), receipts_tree_size: '7' }], 'is not a whole number'],
    ['no kid', [without(row(current), 'kid')], 'kid is missing or not a string'],
    ['the kid of another key', [{ ...row(current), kid: previous.kid }], 'is not the thumbprint'],
    ['upper case', [{ ...row(current), public_key: current.public_key.toUpperCase() }], 'hexadecimal'],
    ['half a key', [{ ...row(current), public_key: 'ab'.repeat(16) }], 'hexadecimal'],
    [
      'a small-order key under its own kid',
      [{ ...row(current), public_key: smallOrder, kid: kidOf(nativePrimitives, hexToBytes(smallOrder)) }],
      'is not a canonical key of full order',
    ],
    ['no purpose', [without(row(current), 'purpose')], 'purpose is missing or not a string'],
    ['an unknown status', [{ ...row(current), status: 'ok' }], 'is not one of next, active, retired'],
    ['no valid_from', [without(row(current), 'valid_from')], 'valid_from is missing or not a string'],
    ['a false valid_from', [{ ...row(current), valid_from: '2026' }], 'valid_from is not an RFC 3339'],
    ['no valid_until', [without(row(current), 'valid_until')], 'valid_until is missing or not a string'],
    ['a false valid_until', [{ ...row(current), valid_until: 'never' }], 'valid_until is not an RFC 3339'],
    [
      'retired without an end',
      [{ ...row(previous), valid_until: null }],
      'is retired and has no valid_until',
    ],
  ])('are refused: %s', (_, keys, message) => {
    expect(() => read({ keys })).toThrow(TrustedKeysError);
    expect(() => read({ keys })).toThrow(message);
  });
});

describe('the keys of public-key', () => {
  test('are the current one and, as retired ones of the same purpose, its predecessors', () => {
    expect(read(publicKeyAnswer)).toEqual([current, previous]);
  });

  test('a predecessor cannot change its own status', () => {
    const rotation = { previous: [{ ...row(previous), status: 'active', purpose: 'receipts-log' }] };
    expect(read({ ...publicKeyAnswer, rotation })).toEqual([current, previous]);
  });

  test('of another algorithm are ignored', () => {
    expect(read({ ...publicKeyAnswer, algorithm: 'ML-DSA-44' })).toEqual([]);
  });

  test.each<[string, JsonValue, string]>([
    ['no object', [], 'the document is not a JSON object'],
    ['something else', { a: 1 }, 'it has no member keys, so it is no list of keys'],
    ['a key without algorithm', without(publicKeyAnswer, 'algorithm'), 'algorithm is missing'],
    ['no rotation', without(publicKeyAnswer, 'rotation'), 'rotation is not a JSON object'],
    ['no predecessors', { ...publicKeyAnswer, rotation: {} }, 'previous is missing or not an array'],
    [
      'a predecessor that is no object',
      { ...publicKeyAnswer, rotation: { previous: [1] } },
      'a key is not a JSON object',
    ],
    ['the kid of another key', { ...publicKeyAnswer, kid: previous.kid }, 'is not the thumbprint'],
  ])('are refused: %s', (_, document, message) => {
    expect(() => read(document)).toThrow(TrustedKeysError);
    expect(() => read(document)).toThrow(message);
  });
});

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys, type TrustedKey } from '../../../../src/proof/keys/trusted-keys.ts';
import { checkStatus, STATUS_CHECKS } from '../../../../src/proof/receipt/receipt-status.ts';
import { signedObject, testKey } from '../../../support/small-log.ts';
import { example, KEYS } from '../../../support/worked-example.ts';
import { without } from './signed-receipts.ts';

const keys = readTrustedKeys(nativePrimitives, example.keys);
const now = Date.parse(example.at);
const { receipt, status } = example;
const { signature: _, kid: __, ...said } = status;
const check = (document: JsonValue, options: { keys?: TrustedKey[]; now?: number } = {}, of = receipt) =>
  checkStatus(nativePrimitives, of, document, { keys, now, ...options });
const changed = (changes: JsonObject, key = KEYS.credentials) => signedObject(key, { ...said, ...changes });
const keyed = (changes: Partial<TrustedKey>) => ({
  keys: keys.map((key) => (key.purpose === 'credentials' ? { ...key, ...changes } : key)),
});

describe('a signed status', () => {
  test('is taken when it is good', () => {
    expect(check(status)).toBe('ok');
    expect(check(Object.fromEntries(Object.entries(status).reverse()))).toBe('ok');
  });

  test('with any character of any member changed is never good', () => {
    for (const [member, value] of Object.entries(status)) {
      const characters = [...String(value)];
      for (const [index, was] of characters.entries()) {
        for (const is of ['0', 'a', 'Z', ''].filter((character) => character !== was)) {
          expect(check({ ...status, [member]: characters.with(index, is).join('') })).not.toBe('ok');
        }
      }
    }
  });

  test.each<[string, JsonValue]>([
    ['no object', 'ok'],
    ['none', null],
    ['a list', [status]],
    ['another type', changed({ type: 'passport' })],
    ['no number', changed({ content_hash: 7 })],
    ['a lone surrogate', { ...status, kid: '\ud800' }],
    ['an empty kid', { ...status, kid: '' }],
    ['a member more', changed({ note: '' })],
    ['no calendar', changed({ valid_until: '2026-02-30T00:00:00Z' })],
    ['a status that is none', changed({ status: 'done' })],
    ...Object.keys(status).map((member): [string, JsonValue] => [`no ${member}`, without(status, member)]),
    ['an inherited member', { ...without(status, 'type'), toString: 'receipt-status' }],
  ])('that is malformed: %s', (_name, document) => {
    expect(check(document)).toBe('malformed');
  });

  test('is signed by a trusted key for credentials', () => {
    expect(check(status, { keys: [] })).toBe('key_unknown');
    expect(check(changed({}, testKey(9)))).toBe('key_unknown');
    expect(check(changed({}, KEYS.receipts))).toBe('key_unknown');
    expect(check({ ...changed({}, testKey(9)), kid: KEYS.credentials.kid })).toBe('bad_signature');
    expect(check(status, keyed({ public_key: 'none' }))).toBe('bad_signature');
  });

  test('is taken by a key that was good when it was made', () => {
    const ended = (valid_until: string | null) => keyed({ status: 'retired', valid_until });
    expect(check(status, ended('2026-06-01T12:00:00.000Z'))).toBe('ok');
    expect(check(status, ended('2026-06-01T11:59:59.999Z'))).toBe('key_retired');
    expect(check(status, ended(null))).toBe('key_retired');
    expect(check(status, ended('soon'))).toBe('key_retired');
    expect(check(status, keyed({ status: 'compromised' }))).toBe('key_compromised');
  });

  test('is of this receipt, of this version, and of now', () => {
    expect(check(changed({ receipt_id: `rcpt_${'0'.repeat(32)}` }))).toBe('mismatch');
    expect(check(changed({ content_hash: 'ab'.repeat(32) }))).toBe('superseded');
    const until = Date.parse(String(status.valid_until));
    expect(check(status, { now: until })).toBe('ok');
    expect(check(status, { now: until + 1 })).toBe('expired');
    expect(check(status, { now: Number.NaN })).toBe('expired');
  });

  test('that is dated more than a minute ahead is not taken: the clock that dated it was wrong', () => {
    const checked = Date.parse(String(status.checked_at));
    expect(check(status, { now: checked - 60_000 })).toBe('ok');
    expect(check(status, { now: checked - 60_001 })).toBe('future');
    const ahead = changed({
      checked_at: '2036-06-01T12:00:00.000Z',
      valid_until: '2036-06-01T12:05:00.000Z',
    });
    expect(check(ahead)).toBe('future');
    expect(check(changed({ checked_at: '2036-06-01T12:00:00.000Z', revocation_status: 'revoked' }))).toBe(
      'revoked',
    );
  });

  test('that says revoked says so for ever, of whichever version', () => {
    const revoked = changed({ revocation_status: 'revoked', content_hash: 'ab'.repeat(32) });
    expect(check(revoked)).toBe('revoked');
    expect(check(revoked, { now: Date.UTC(2030, 0) })).toBe('revoked');
    expect(check(revoked, keyed({ status: 'compromised' }))).toBe('key_compromised');
  });

  test('with any byte changed is never good', () => {
    const bytes = Buffer.from(JSON.stringify(status));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        fc.pre(bytes[at] !== value);
        const changed = Uint8Array.from(bytes).with(at, value);
        let document: JsonValue;
        try {
          document = parseJson(new TextDecoder().decode(changed));
        } catch {
          return;
        }
        expect(check(document)).not.toBe('ok');
      }),
      { numRuns: 1000 },
    );
  });

  test('never makes the check throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(check(JSON.parse(JSON.stringify(value)))).toBe('malformed');
      }),
    );
  });
});

test('every check about a status has its words', () => {
  for (const words of Object.values(STATUS_CHECKS)) expect(words).toMatch(/^[a-z].*[a-z]$/);
});

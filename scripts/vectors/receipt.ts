import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { textDigest } from '../../src/proof/encoding/digest.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import type { ReceiptPayload } from '../../src/proof/receipt/receipt.ts';
import { packageKeys } from '../../test/support/compliance-package.ts';
import { patchOf } from '../../test/support/json-patch.ts';
import { signedReceipt, type TestKey, testKey } from '../../test/support/small-log.ts';
import { payload } from '../../test/support/worked-example.ts';

const AT = '2026-06-01T12:01:00.000Z';
const SALT = '5a'.repeat(32);

const signed = (changes: Partial<ReceiptPayload> = {}, less: string[] = [], key: TestKey = testKey(1)) => {
  const chosen: ReceiptPayload = { ...payload(1), ...changes };
  for (const name of less) Reflect.deleteProperty(chosen, name);
  const receipt: JsonObject = JSON.parse(JSON.stringify(signedReceipt(key, chosen)));
  return receipt;
};
const commitment = textDigest(nativePrimitives, `CODE_GENERATION${SALT}`);
const genuine: Readonly<Record<string, JsonObject>> = {
  success: signed(),
  refusal: signed({ status: 'refusal', refusal_reason: 'The amount — €5 — is too high' }, ['output_hash']),
  timeout: signed({ status: 'timeout', terminal_reason: 'No answer', error_tranche: 'COMPUTE_TIMEOUT' }, [
    'output_hash',
  ]),
  pending: signed({ status: 'pending' }, ['output_hash', 'error_tranche']),
  chained: signed({ prev_receipt_hash: 'ab'.repeat(32) }),
  blind: { ...signed({ domain_commitment: commitment }, ['domain']), blind_salt: SALT },
};

type Row = [
  name: string,
  file: string,
  document: JsonObject,
  verdict: string,
  more?: { at?: string; key?: JsonObject; asCredentials?: JsonObject },
];

const { success = {}, blind = {}, pending = {} } = genuine;
const without = (document: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name !== member));
/**
 * Forms of members, and whether a receipt can have them. A character is a code point, however many code units
 * it has.
 */
const FORMS: readonly (readonly [
  member: 'agent_id' | 'authority_scope' | 'issued_at' | 'expiry',
  name: string,
  value: string,
  isValid: boolean,
])[] = [
  ['agent_id', '256 characters beyond U+FFFF', '😀'.repeat(256), true],
  ['agent_id', '257 characters', '😀'.repeat(257), false],
  ['agent_id', 'no character', '', false],
  ['agent_id', 'a line end', 'agent\n7', false],
  ['agent_id', 'the control character U+007F', 'agent\u007f', false],
  ['agent_id', 'the control character U+009F', 'agent\u009f', false],
  ['agent_id', 'the character U+00A0, which controls nothing', 'agent\u00a0', true],
  ['agent_id', 'two code points that look like one', 'ag\u0065\u0301nt', true],
  ['authority_scope', 'a tab', 'payments\tread', false],
  ['issued_at', 'an offset and nine digits', '2026-05-01T23:59:59.123456789+23:59', true],
  ['issued_at', 'an unknown offset', '2026-05-01T12:00:00-00:00', true],
  ['issued_at', 'the year 0', '0000-02-29T12:00:00Z', true],
  ['issued_at', 'ten digits', '2026-05-01T12:00:00.1234567890Z', false],
  ['issued_at', 'no digit after the point', '2026-05-01T12:00:00.Z', false],
  ['issued_at', 'no offset', '2026-05-01T12:00:00', false],
  ['issued_at', 'a space for the T', '2026-05-01 12:00:00Z', false],
  ['issued_at', 'a small z', '2026-05-01T12:00:00z', false],
  ['issued_at', 'the hour 24', '2026-05-01T24:00:00Z', false],
  ['issued_at', 'the second 60', '2016-12-31T23:59:60Z', false],
  ['issued_at', 'a day that 1900 did not have', '1900-02-29T12:00:00Z', false],
  ['issued_at', 'an offset of 24 hours', '2026-05-01T12:00:00+24:00', false],
  ['issued_at', 'an offset without a colon', '2026-05-01T12:00:00+0200', false],
  ['issued_at', 'no seconds', '2026-05-01T12:00Z', false],
  ['issued_at', 'a line end after it', '2026-05-01T12:00:00Z\n', false],
  ['expiry', 'later only in UTC', '2026-06-01T08:01:01-04:00', true],
];

const rows: Row[] = [
  ...Object.entries(genuine).map(([file, document]): Row => [file, file, document, 'valid']),
  ['another scope', 'success', { ...success, authority_scope: 'payments:write' }, 'hash_mismatch'],
  ['another hash', 'success', { ...success, content_hash: '00'.repeat(32) }, 'hash_mismatch'],
  ['another signature', 'success', { ...success, signature: '00'.repeat(64) }, 'bad_signature'],
  ['the kid of a key for credentials', 'success', { ...success, kid: testKey(3).kid }, 'key_unknown'],
  ['signed by a key for credentials', 'success', signed({}, [], testKey(3)), 'key_unknown'],
  ['no kid', 'success', without(success, 'kid'), 'valid'],
  ['a member that its status does not allow', 'success', { ...success, refusal_reason: 'x' }, 'malformed'],
  ['a member that nobody knows', 'success', { ...success, note: 'x' }, 'malformed'],
  ['a type', 'success', { ...success, type: 'receipt' }, 'malformed'],
  ['no operator', 'success', without(success, 'operator_id'), 'malformed'],
  ['a hash in upper case', 'success', { ...success, input_digest: 'AB'.repeat(32) }, 'malformed'],
  ['an error beside success, signed', 'success', signed({ error_tranche: 'SLA_BREACH' }), 'malformed'],
  ['no error_tranche, signed', 'success', signed({}, ['error_tranche']), 'malformed'],
  ['an error beside pending', 'pending', { ...pending, error_tranche: 'NONE' }, 'malformed'],
  ['no output_hash, signed', 'success', signed({}, ['output_hash']), 'malformed'],
  ['neither a domain nor its commitment, signed', 'success', signed({}, ['domain']), 'malformed'],
  ['a domain and a commitment, signed', 'success', signed({ domain_commitment: commitment }), 'malformed'],
  ['a salt without a commitment', 'success', { ...success, blind_salt: SALT }, 'malformed'],
  ...FORMS.map(
    ([member, name, value, isValid]): Row => [
      `${member}: ${name}, signed`,
      'success',
      signed({ [member]: value }),
      isValid ? 'valid' : 'malformed',
    ],
  ),
  ['half of a character', 'success', { ...success, agent_id: '\ud83d' }, 'malformed'],
  ['the salt of another domain', 'blind', { ...blind, blind_salt: '00'.repeat(32) }, 'hash_mismatch'],
  ['no salt', 'blind', without(blind, 'blind_salt'), 'valid'],
  ['null for the salt', 'blind', { ...blind, blind_salt: null }, 'valid'],
  ['null for another member', 'success', { ...success, agent_id: null }, 'malformed'],
  ['revoked', 'success', signed({ revocation_status: 'revoked' }), 'revoked'],
  ['revoked by nobody', 'success', { ...success, revocation_status: 'revoked' }, 'revoked'],
  ['60 s before it was issued', 'success', success, 'valid', { at: '2026-05-01T11:59:00.000Z' }],
  ['more than 60 s before it was issued', 'success', success, 'future', { at: '2026-05-01T11:58:59.999Z' }],
  [
    'more than 60 s before it was issued, by a stolen key',
    'success',
    success,
    'key_compromised',
    { at: '2026-05-01T11:58:59.999Z', key: { status: 'compromised' } },
  ],
  ['at its expiry', 'success', success, 'expired', { at: '2036-05-01T12:00:00.000Z' }],
  ['at its expiry, in another offset', 'success', signed({ expiry: '2026-06-01T14:01:00+02:00' }), 'expired'],
  ['before its expiry', 'success', success, 'valid', { at: '2036-05-01T11:59:59.999Z' }],
  ['a stolen key', 'success', success, 'key_compromised', { key: { status: 'compromised' } }],
  [
    'a key that was stolen as another key',
    'success',
    success,
    'key_compromised',
    { asCredentials: { status: 'compromised' } },
  ],
  [
    'a key that was retired before',
    'success',
    success,
    'key_retired',
    { key: { status: 'retired', valid_until: '2026-05-01T11:59:59.999Z' } },
  ],
  [
    'a key that was retired at that time',
    'success',
    success,
    'valid',
    { key: { status: 'retired', valid_until: '2026-05-01T12:00:00.000Z' } },
  ],
];

/**
 * Returns the list with a change of the key for receipts, and if asked with the same key in the place of that
 * for credentials.
 */
function keysWith(change: JsonObject, asCredentials: JsonObject | null): JsonValue {
  const keys: JsonObject[] = JSON.parse(JSON.stringify(packageKeys.keys));
  const own = keys.find(({ purpose }) => purpose === 'receipts');
  return {
    keys: keys.map((row) => {
      if (row === own) return { ...row, ...change };
      return asCredentials !== null && row.purpose === 'credentials'
        ? { ...own, purpose: 'credentials', ...asCredentials }
        : row;
    }),
  };
}

/** The parts that no signature covers. */
const UNSIGNED = [
  { path: 'kid removed', page: 'receipts.md', says: 'Without a `kid`, any of these keys counts.' },
  { path: 'blind_salt removed', page: 'receipts.md', says: 'nobody needs the salt but to learn the domain' },
  { path: 'blind_salt of another type', page: 'receipts.md', says: 'The salt may be null' },
];

/** Returns the text of each file of test/vectors/receipt, by its name. */
export function receiptVectors(): ReadonlyMap<string, string> {
  const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const cases = rows.map(
    ([name, file, document, verdict, { at = AT, key = {}, asCredentials = null } = {}]) => ({
      ...{ name, file: `${file}.json`, patch: patchOf(genuine[file] ?? null, document) },
      ...{ keys_patch: patchOf(packageKeys, keysWith(key, asCredentials)), at, verdict, problem: null },
    }),
  );
  const twice = pretty(success).replace('{', '{"kid":"x",');
  const whole = {
    name: 'a member twice',
    file: 'duplicate.json',
    at: AT,
    verdict: 'malformed',
    problem: null,
  };
  return new Map([
    ['keys.json', pretty(packageKeys)],
    ['unsigned.json', pretty(UNSIGNED)],
    ['duplicate.json', twice],
    ...Object.entries(genuine).map(([name, document]) => [`${name}.json`, pretty(document)] as const),
    ['cases.json', `[\n${[...cases, whole].map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
  ]);
}

import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { kidOf } from '../../src/proof/keys/kid.ts';
import { mixedOrderKeys } from '../../test/support/mixed-order.ts';
import { keyRow, testKey } from '../../test/support/small-log.ts';
import { example, KEYS } from '../../test/support/worked-example.ts';

/** When the receipt was issued. */
const ISSUED = '2026-05-01T12:00:00.000Z';
const BEFORE = '2026-05-01T11:59:59.999Z';

/** A list of trusted keys, and the verdict on the receipt: null where the verifier stops with an error. */
export interface TrustedKeyCase {
  name: string;
  list: string;
  verdict: string | null;
}

const own = keyRow(KEYS.receipts, 'receipts');
const postQuantum = testKey(2, 'ML-DSA-44');
const listOf = (...keys: JsonValue[]): string => JSON.stringify({ keys });
const without = (member: string): JsonObject =>
  Object.fromEntries(Object.entries(own).filter(([name]) => name !== member));
const list = (name: string, verdict: string | null, ...keys: JsonValue[]): TrustedKeyCase => ({
  name,
  list: listOf(...keys),
  verdict,
});
const beside = (name: string, verdict: string | null, row: JsonValue) => list(name, verdict, own, row);
const text = (name: string, verdict: string | null, whole: string): TrustedKeyCase => ({
  name,
  list: whole,
  verdict,
});
/** A closed log. */
const CLOSED: JsonObject = {
  ...{ log: 'receipts', origin: 'former.example/receipts', tree_size: 3 },
  ...{ root_hash: 'c'.repeat(64), certain: true },
};
const closing = (verdict: string | null, closed_logs: JsonValue): TrustedKeyCase =>
  text(`closed_logs: ${JSON.stringify(closed_logs)}`, verdict, JSON.stringify({ keys: [own], closed_logs }));
const ofKey = (public_key: string): JsonObject => ({
  ...keyRow(KEYS.credentials, 'credentials'),
  ...{ public_key, kid: kidOf(nativePrimitives, hexToBytes(public_key)) },
});
/** Returns the encoding of a y-coordinate, perhaps with the highest bit set. */
const encoded = (y: bigint, sign = 0n): string =>
  (y + (sign << 255n)).toString(16).padStart(64, '0').match(/../g)?.toReversed().join('') ?? '';
const P = 2n ** 255n - 19n;
const ofSmallOrder = (hexadecimal: string): bigint =>
  BigInt(`0x${hexadecimal.match(/../g)?.toReversed().join('')}`);
const SMALL = [
  0n,
  1n,
  P - 1n,
  ofSmallOrder('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
  ofSmallOrder('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
];
const [mixed = { key: '' }] = mixedOrderKeys(KEYS.credentials.public_key);
const nested = (levels: number): string =>
  listOf(own).replace('"keys"', `"x":${'['.repeat(levels)}${']'.repeat(levels)},"keys"`);

const CASES: readonly TrustedKeyCase[] = [
  list('one key', 'valid', own),
  list('no key', 'key_unknown'),
  list('only keys of other purposes', 'key_unknown', keyRow(KEYS.receipts, 'credentials')),
  text('no object', null, `[${JSON.stringify(own)}]`),
  text('keys is no array', null, JSON.stringify({ keys: own })),
  beside('a key that is no object', null, 'x'),
  // The form of a key.
  ...['kid', 'public_key', 'algorithm', 'purpose', 'status', 'valid_until', 'valid_from'].map((member) =>
    list(`no ${member}`, null, without(member)),
  ),
  ...['receipts_logs', 'receipts_tree_size', 'log_index'].flatMap((member) => [
    list(`no ${member}`, 'valid', without(member)),
    list(`${member}: null`, 'valid', { ...own, [member]: null }),
  ]),
  ...['kid', 'public_key', 'algorithm', 'purpose', 'status', 'valid_from'].map((member) =>
    list(`${member}: null`, null, { ...own, [member]: null }),
  ),
  list('a member that nobody knows', 'valid', { ...own, note: 'x' }),
  list('an unknown status', null, { ...own, status: 'current' }),
  list('the kid of another key', null, { ...own, kid: KEYS.log.kid }),
  list('a public key in upper case', null, { ...own, public_key: KEYS.receipts.public_key.toUpperCase() }),
  list('valid_until: a day', null, { ...own, valid_until: '2027-01-01' }),
  list('valid_until: an offset', 'valid', { ...own, valid_until: '2026-05-01T14:00:00+02:00' }),
  list('valid_from: a day', null, { ...own, valid_from: '2026-01-01' }),
  list('valid_from after the receipt', 'valid', { ...own, valid_from: '2026-05-02T00:00:00Z' }),
  list('receipts_logs: a text', null, { ...own, receipts_logs: 'receipts.example/receipts' }),
  list('receipts_logs: an empty text', 'valid', { ...own, receipts_logs: [''] }),
  list('receipts_logs: no texts', null, { ...own, receipts_logs: [7] }),
  ...[0.5, -1, 2 ** 53, '3'].map((size) =>
    list(`receipts_tree_size: ${JSON.stringify(size)}`, null, { ...own, receipts_tree_size: size }),
  ),
  // A receipt without a proof.
  list('receipts_tree_size, but no end', 'key_retired', { ...own, receipts_tree_size: 3 }),
  // Other keys than that of the receipt.
  beside('an algorithm that is no text', null, { algorithm: 7 }),
  beside('another algorithm, and nothing else', 'valid', { algorithm: 'SLH-DSA-128s' }),
  beside('another algorithm, and the same key as compromised', 'valid', {
    ...own,
    ...{ algorithm: 'ed25519', status: 'compromised' },
  }),
  beside('another purpose', 'valid', {
    ...ofKey(KEYS.credentials.public_key),
    purpose: 'of-a-later-version',
  }),
  beside('an empty purpose', 'valid', { ...ofKey(KEYS.credentials.public_key), purpose: '' }),
  beside('another purpose, and no key', null, { ...own, purpose: 'of-a-later-version', public_key: 'x' }),
  beside('an ML-DSA-44 key', 'valid', keyRow(postQuantum, 'receipts-log')),
  beside('an ML-DSA-44 key with an empty kid', 'valid', keyRow(postQuantum, 'receipts-log', { kid: '' })),
  beside('an ML-DSA-44 key without a kid', null, keyRow(postQuantum, 'receipts-log', { kid: null })),
  beside('a short ML-DSA-44 key', null, keyRow(postQuantum, 'receipts-log', { public_key: '00' })),
  beside('a short ML-DSA-44 key of no log', 'valid', keyRow(postQuantum, 'receipts', { public_key: '00' })),
  beside('a key of mixed order', 'valid', ofKey(mixed.key)),
  // 2 is the y-coordinate of no point: no signature fits, but the form is that of a key.
  beside('a key that is no point', 'valid', ofKey(encoded(2n))),
  ...SMALL.flatMap((y, index) =>
    [0n, 1n].map((sign) =>
      beside(`a key of small order, ${index}, sign ${sign}`, null, ofKey(encoded(y, sign))),
    ),
  ),
  ...[P, P + 1n, P + 3n, 2n ** 255n - 1n].flatMap((y) =>
    [0n, 1n].map((sign) =>
      beside(`a key that is not canonical, p + ${y - P}, sign ${sign}`, null, ofKey(encoded(y, sign))),
    ),
  ),
  // When a key counts.
  list('a next key', 'valid', { ...own, status: 'next' }),
  list('retired without an end', null, { ...own, status: 'retired' }),
  list('ended at the date of the receipt', 'valid', { ...own, status: 'retired', valid_until: ISSUED }),
  list('ended before the date of the receipt', 'key_retired', {
    ...own,
    ...{ status: 'retired', valid_until: BEFORE },
  }),
  list('ended and still called active', 'key_retired', { ...own, valid_until: BEFORE }),
  list('compromised later', 'key_compromised', { ...own, status: 'compromised', valid_until: ISSUED }),
  list('compromised without an end', 'key_compromised', { ...own, status: 'compromised' }),
  ...[own, { ...own, valid_until: ISSUED }].flatMap((other) => [
    list('two rows, of which the second ended', 'key_retired', other, { ...own, valid_until: BEFORE }),
    list('two rows, of which the first ended', 'key_retired', { ...own, valid_until: BEFORE }, other),
  ]),
  list('two rows, of which one is compromised', 'key_compromised', own, {
    ...own,
    ...{ status: 'compromised', valid_until: ISSUED },
  }),
  ...['credentials', 'evidence-log', 'of-a-later-version'].map((purpose) =>
    beside(`compromised for ${purpose}`, 'key_compromised', {
      ...own,
      ...{ purpose, status: 'compromised', valid_until: ISSUED },
    }),
  ),
  beside('ended for another purpose', 'valid', { ...own, purpose: 'credentials', valid_until: BEFORE }),
  // The log of keys that the list names.
  ...[null, { origin: 'receipts.example/keys' }, { origin: 'a/keys', note: 'x' }].map((log) =>
    text(`log: ${JSON.stringify(log)}`, 'valid', JSON.stringify({ keys: [own], log })),
  ),
  ...[
    ...['receipts.example/keys', [], {}, 7, { origin: null }, { origin: '' }, { origin: 'keys' }],
    ...[{ origin: '/keys' }, { origin: 'receipts.example/receipts' }, { origin: 'receipts.example/keys/' }],
  ].map((log) => text(`log: ${JSON.stringify(log)}`, null, JSON.stringify({ keys: [own], log }))),
  // The closed logs that the list names.
  ...[null, [], [CLOSED], [{ ...CLOSED, note: 'x' }], [{ ...CLOSED, log: 'later' }], [{ log: 7 }], [{}]].map(
    (closed) => closing('valid', closed),
  ),
  ...[
    ...[{}, 7, 'x', [7], [null], [{ ...CLOSED, origin: 7 }], [{ ...CLOSED, origin: 'x/keys' }]],
    ...[-1, 0.5, '3', null, 2 ** 53].map((tree_size) => [{ ...CLOSED, tree_size }]),
    ...['ab', 'AB'.repeat(32), null].map((root_hash) => [{ ...CLOSED, root_hash }]),
    ...[null, 1, 'true'].map((certain) => [{ ...CLOSED, certain }]),
  ].map((closed) => closing(null, closed)),
  // JSON.
  text('no JSON', null, '{'),
  text('a byte order mark', null, `\ufeff${listOf(own)}`),
  text('a member twice', null, listOf(own).replace('{', '{"note":1,"note":1,')),
  text('64 levels', 'valid', nested(63)),
  text('65 levels', null, nested(64)),
  text('half of a character beside the keys', 'valid', listOf(own).replace('{', '{"note":"\\ud800",')),
  text('a number beyond a double beside the keys', 'valid', listOf(own).replace('{', '{"note":1e999,')),
  text('an integer that no double has', null, listOf(own).replace('{', '{"note":9007199254740993,')),
  text(
    'a size of −0',
    'key_retired',
    listOf(own).replace('"receipts_tree_size":null', '"receipts_tree_size":-0'),
  ),
];

/** Returns the text of each file of test/vectors/trusted-keys, by its name. */
export function trustedKeyVectors(): ReadonlyMap<string, string> {
  return new Map([
    ['receipt.json', `${JSON.stringify(example.receipt, null, 2)}\n`],
    ['lists.json', `[\n${CASES.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
  ]);
}

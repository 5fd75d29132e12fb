import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import {
  leafOf,
  signedObject,
  signedReceipt,
  smallLog,
  testKey,
  verifierOf,
} from '../../test/support/small-log.ts';
import { example, KEYS, payload } from '../../test/support/worked-example.ts';
import { otherForms } from './entry-forms.ts';

const AT = '2026-06-01T12:01:00.000Z';
const { log, index: INDEX, status, receipt } = example;
const FINALIZED = '2026-05-01T12:00:01.000Z';
const entry = log.entries[INDEX] ?? '';
const { signature: _, kid: __, ...unsignedStatus } = status;

/** Returns the proof of another entry in the place of the receipt's. */
const proofOf = (text: string, origin = log.origin, key = KEYS.log): string =>
  smallLog(origin, log.entries.with(INDEX, text), [key]).proof(INDEX);
/** Returns the status with other members, signed. */
const statusOf = (changes: JsonObject, key = KEYS.credentials): JsonObject =>
  signedObject(key, { ...unsignedStatus, ...changes });
const pretty = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;
const { kid: ___, ...anonymous } = receipt;
const asJson = (value: object): JsonValue => JSON.parse(JSON.stringify(value));

const FORMS = otherForms(entry);
const PROOFS: Readonly<Record<string, string>> = {
  genuine: example.proof,
  empty: '',
  cut: example.proof.split('\n\n')[0] ?? '',
  'other-receipt': log.proof(0),
  'other-key': proofOf(entry, log.origin, testKey(7)),
  'of-evidence': proofOf(entry, 'receipts.example/evidence'),
  'other-log': proofOf(entry, 'receipts-2.example/receipts'),
  'closed-log': proofOf(entry, 'receipts.example-1/receipts'),
  'other-log-and-key': proofOf(entry, 'receipts-2.example/receipts', testKey(7)),
  'other-log-and-path': proofOf(entry, 'receipts-2.example/receipts').replace(/\nindex 1\n/, '\nindex 0\n'),
  'other-path': example.proof.replace(/\nindex 1\n/, '\nindex 0\n'),
  'other-version': proofOf(
    leafOf(signedReceipt(KEYS.receipts, { ...payload(INDEX), authority_scope: 'payments:write' }), FINALIZED),
  ),
  'other-signature': proofOf(leafOf({ ...receipt, signature: '00'.repeat(64) }, FINALIZED)),
  'sixty-seconds-before-issue': proofOf(leafOf(receipt, '2026-05-01T11:59:00.000Z')),
  'before-issue': proofOf(leafOf(receipt, '2026-05-01T11:58:59.999Z')),
  'other-kid': proofOf(leafOf({ ...receipt, kid: KEYS.log.kid }, FINALIZED)),
  ...Object.fromEntries(FORMS.map(({ key, text }) => [`entry-${key}`, proofOf(text)])),
};

/** Public manifests with the proof, and with another value in it. */
const manifest = log.manifest(INDEX);
const changedPath = (changes: JsonObject): JsonObject => ({
  inclusion_path: { ...Object(manifest.inclusion_path), ...changes },
});
const MANIFESTS: Readonly<Record<string, JsonValue>> = {
  manifest,
  'manifest-with-more': { ...changedPath({ note: 'x' }), note: 'x' },
  'manifest-other-log': changedPath({ log: 'receipts-2.example/receipts' }),
  'manifest-other-size': changedPath({ tree_size: 4 }),
  'manifest-other-leaf': changedPath({ leaf_hash: '00'.repeat(32) }),
  'manifest-other-index': changedPath({ leaf_index: 0 }),
  'manifest-half-index': changedPath({ leaf_index: 0.5 }),
  'manifest-hexadecimal': changedPath({ hashes: ['00'.repeat(32)] }),
  'manifest-surrogate': changedPath({ checkpoint: `${log.checkpoint}\u2014 \ud800.example AAAAAAA=\n` }),
  'manifest-without-path': { inclusion_path: null, inclusion_reason: 'not_finalized' },
};

const REVOKED = { revocation_status: 'revoked', content_hash: 'ab'.repeat(32) };
const STATUSES: Readonly<Record<string, JsonValue>> = {
  genuine: status,
  'other-receipt': statusOf({ receipt_id: payload(0).receipt_id }),
  'other-version': statusOf({ content_hash: 'ab'.repeat(32) }),
  revoked: statusOf({ ...REVOKED, valid_until: '2026-05-31T12:00:00.000Z' }),
  'other-outcome': statusOf({ status: 'refusal' }),
  'other-outcome-of-another-version': statusOf({ status: 'refusal', content_hash: 'ab'.repeat(32) }),
  'eleven-minutes': statusOf({ valid_until: '2026-06-01T12:11:00.000Z' }),
  'more-than-eleven-minutes': statusOf({ valid_until: '2026-06-01T12:11:00.001Z' }),
  'sixty-seconds-before-issue': statusOf({
    ...{ checked_at: '2026-05-01T11:59:00.000Z', valid_until: '2026-05-01T12:05:00.000Z' },
  }),
  'before-issue': statusOf({
    ...{ checked_at: '2026-05-01T11:58:59.999Z', valid_until: '2026-05-01T12:05:00.000Z' },
  }),
  'revoked-other-receipt': statusOf({ ...REVOKED, receipt_id: payload(0).receipt_id }),
  'revoked-unsigned': { ...status, revocation_status: 'revoked' },
  'other-key': statusOf(REVOKED, testKey(7)),
  'key-of-receipts': statusOf(REVOKED, KEYS.receipts),
  forged: { ...statusOf(REVOKED, testKey(7)), kid: KEYS.credentials.kid },
  'other-type': statusOf({ type: 'gate-decision' }),
  'other-member': statusOf({ note: 'x' }),
  // A character is a code point, however many code units it has.
  'longest-kid': { ...status, kid: '😀'.repeat(128) },
  'too-long-kid': { ...status, kid: '😀'.repeat(129) },
  'no-end': asJson({ ...status, valid_until: undefined }),
};

/** The key of the log, for the other log. */
const OTHER_LOG_KEY = formatVerifierKey(verifierOf(KEYS.log, 'receipts-2.example/receipts'));
const WITHOUT_LOG: Operation[] = [{ op: 'remove', path: '/log' }];

type Checks = Record<string, string>;
const one = (name: string, verdict: string, checks: Checks, others: object = {}) => {
  const [failed] = Object.entries(checks).filter(([, check]) => check !== 'ok');
  const problem = failed === undefined ? null : `${failed[0]}: `;
  const whole = { name, file: 'receipt.json', at: AT, verdict, problem, checks, ...others };
  return { ...whole, revocation: revocationOf(whole.file, checks) };
};
/** Without a status that counts, only the receipt itself can say that it is revoked. */
function revocationOf(file: string, { status = 'not_checked' }: Checks): string {
  if (file === 'revoked.json') return 'revoked';
  return status === 'ok' || status === 'revoked' ? status : 'not_checked';
}
const proven = (name: string, check: string, file: string, others: object = {}, verdict = 'valid') =>
  one(name, verdict, { proof: check }, { proof: `${file}.tlog-proof`, ...others });
const current = (
  name: string,
  check: string,
  file: string,
  {
    verdict = 'valid',
    ...others
  }: { verdict?: string; at?: string; keys_patch?: Operation[]; file?: string } = {},
) => one(name, verdict, { status: check }, { status: `${file}.status.json`, ...others });
const keyOf = (row: number, changes: JsonObject): Operation[] =>
  Object.entries(changes).map(([member, value]) => ({
    op: 'replace',
    path: `/keys/${row}/${member}`,
    value,
  }));

/** How a key ended, with the verdict for a proof, for a proof from another log, and without a proof. */
const ENDS: readonly (readonly [
  name: string,
  changes: JsonObject,
  proven: string,
  elsewhere: string,
  unproven: string,
])[] = (
  [
    [
      'a compromised key',
      { status: 'compromised', valid_until: FINALIZED },
      'key_compromised',
      'key_compromised',
    ],
    [
      'a key that was retired before the receipt',
      { status: 'retired', valid_until: '2026-05-01T11:59:59.999Z' },
      'key_retired',
      'key_retired',
    ],
    // The size decides, not the date, and not the status.
    [
      'a key that was retired later',
      { status: 'retired', valid_until: '2026-05-02T00:00:00.000Z' },
      'key_retired',
      'valid',
    ],
    [
      'an active key that has ended',
      { status: 'active', valid_until: '2026-05-02T00:00:00.000Z' },
      'key_retired',
      'valid',
    ],
  ] as const
).flatMap(([name, changes, beyond, elsewhere]) => [
  [
    `${name}, when the log had the receipt`,
    { ...changes, receipts_logs: [log.origin], receipts_tree_size: INDEX + 1 },
    'valid',
    elsewhere,
    elsewhere,
  ] as const,
  [
    `${name}, before the log had the receipt`,
    { ...changes, receipts_logs: ['receipts-2.example/receipts', log.origin], receipts_tree_size: INDEX },
    beyond,
    beyond,
    elsewhere,
  ] as const,
  [
    `${name}, with the size of another log`,
    { ...changes, receipts_logs: ['receipts-3.example/receipts'], receipts_tree_size: 100 },
    elsewhere,
    elsewhere,
    elsewhere,
  ] as const,
]);

const CASES = [
  proven('a receipt with its proof', 'ok', 'genuine'),
  proven('no kid, with the proof', 'ok', 'genuine', { patch: [{ op: 'remove', path: '/kid' }] }),
  proven('the proof of another receipt', 'mismatch', 'other-receipt'),
  proven('a proof by a key that is not trusted', 'bad', 'other-key'),
  proven('a proof of the log of evidence', 'bad', 'of-evidence'),
  // The log that is meant.
  proven('a proof of another log of the key', 'wrong_log', 'other-log'),
  proven('a proof of another log of the key, which is called closed', 'wrong_log', 'closed-log'),
  proven('a proof of another log of the key, by a key that is not trusted', 'bad', 'other-log-and-key'),
  proven('a proof of another log of the key, with another index', 'wrong_log', 'other-log-and-path'),
  proven('another log of the key, and any log where none is named', 'wrong_log', 'other-log', {
    any_log: true,
  }),
  proven('the other log, which the list names', 'ok', 'other-log', {
    keys_patch: [{ op: 'replace', path: '/log/origin', value: 'receipts-2.example/keys' }],
  }),
  proven('the other log, which --log-key names', 'ok', 'other-log', { log_key: [OTHER_LOG_KEY] }),
  proven('the log of the list, where --log-key names the other', 'wrong_log', 'genuine', {
    log_key: [OTHER_LOG_KEY],
  }),
  proven('both logs, which --log-key names', 'ok', 'genuine', {
    log_key: [OTHER_LOG_KEY, example.logKey],
  }),
  proven('the key of the log of evidence in --log-key', 'bad', 'genuine', {
    log_key: [formatVerifierKey(verifierOf(KEYS.log, 'receipts.example/evidence'))],
  }),
  proven('a list without log', 'log_not_named', 'genuine', { keys_patch: WITHOUT_LOG }),
  proven('a list without log, and any log', 'ok', 'genuine', { keys_patch: WITHOUT_LOG, any_log: true }),
  proven('a list without log, and any log, of another log', 'ok', 'other-log', {
    keys_patch: WITHOUT_LOG,
    any_log: true,
  }),
  proven('a list without log, and --log-key', 'ok', 'genuine', {
    keys_patch: WITHOUT_LOG,
    log_key: [example.logKey],
  }),
  proven('a list without log, and a key that is not trusted', 'bad', 'other-key', {
    keys_patch: WITHOUT_LOG,
  }),
  proven('a list without log, and the proof of another receipt', 'log_not_named', 'other-receipt', {
    keys_patch: WITHOUT_LOG,
  }),
  one('a list without log, and no proof', 'valid', {}, { keys_patch: WITHOUT_LOG }),
  ...(['wrong_log', 'log_not_named'] as const).map((check) =>
    one(
      `a COSE receipt, ${check}`,
      'valid',
      { proof: check },
      {
        ...{ proof: 'receipt.cose', entry: 'entry.json' },
        ...(check === 'wrong_log' ? { log_key: [OTHER_LOG_KEY] } : { keys_patch: WITHOUT_LOG }),
      },
    ),
  ),
  proven('a proof with another index', 'bad', 'other-path'),
  proven('the proof of another version', 'mismatch', 'other-version'),
  proven('the proof of another signature', 'mismatch', 'other-signature'),
  proven('the proof of another kid', 'mismatch', 'other-kid'),
  proven('the proof of another kid, of a receipt without one', 'ok', 'other-kid', { file: 'anonymous.json' }),
  proven(
    'a revoked receipt, with the proof of its finalization',
    'ok',
    'genuine',
    { file: 'revoked.json' },
    'revoked',
  ),
  ...Object.keys(MANIFESTS).map((name, index) =>
    one(name, 'valid', { proof: index < 2 ? 'ok' : 'bad' }, { proof: `${name}.json` }),
  ),
  proven('finalized 60 s before it was issued', 'ok', 'sixty-seconds-before-issue'),
  proven('finalized more than 60 s before it was issued', 'misdated', 'before-issue'),
  proven(
    ...(['finalized before it was issued, and revoked', 'misdated', 'before-issue'] as const),
    ...([{ file: 'revoked.json' }, 'revoked'] as const),
  ),
  proven('60 s before it was finalized', 'ok', 'genuine', { at: '2026-05-01T11:59:01.000Z' }),
  proven('more than 60 s before it was finalized', 'future', 'genuine', { at: '2026-05-01T11:59:00.999Z' }),
  one(
    'more than 60 s before it was finalized, by its COSE receipt',
    'valid',
    { proof: 'future' },
    { proof: 'receipt.cose', entry: 'entry.json', at: '2026-05-01T11:59:00.999Z' },
  ),
  proven(
    ...(['more than 60 s before it was issued', 'future', 'genuine'] as const),
    ...([
      {
        at: '2026-05-01T11:58:59.999Z',
        problem: 'issued_at is 2026-05-01T12:00:00.000Z, more than 60 s after the clock',
      },
      'future',
    ] as const),
  ),
  proven('an empty proof', 'bad', 'empty'),
  proven('a proof without its checkpoint', 'bad', 'cut'),
  ...FORMS.map(({ key, name }) => proven(`the proof of an entry, ${name}`, 'bad', `entry-${key}`)),
  ...ENDS.flatMap(([name, changes, inLog, elsewhere, unproven]) => [
    proven(`${name}, with the proof`, 'ok', 'genuine', { keys_patch: keyOf(0, changes) }, inLog),
    proven(
      `${name}, with a proof from another log`,
      'wrong_log',
      'other-log',
      { keys_patch: keyOf(0, changes) },
      unproven,
    ),
    proven(
      `${name}, with a proof from another log that is named`,
      'ok',
      'other-log',
      { keys_patch: keyOf(0, changes), log_key: [OTHER_LOG_KEY] },
      elsewhere,
    ),
    proven(`${name}, with a forged proof`, 'bad', 'other-key', { keys_patch: keyOf(0, changes) }, unproven),
    proven(
      `${name}, with the proof of another receipt`,
      'mismatch',
      'other-receipt',
      { keys_patch: keyOf(0, changes) },
      unproven,
    ),
    one(`${name}, without a proof`, unproven, {}, { keys_patch: keyOf(0, changes) }),
    // Nothing signs its index.
    one(
      `${name}, with a COSE receipt`,
      unproven,
      { proof: 'ok' },
      {
        proof: 'receipt.cose',
        entry: 'entry.json',
        keys_patch: keyOf(0, changes),
      },
    ),
  ]),
  current('a receipt with its status', 'ok', 'genuine'),
  current('a status of another receipt', 'mismatch', 'other-receipt'),
  current('a status of another version', 'superseded', 'other-version'),
  current('a status with another outcome of the same content', 'malformed', 'other-outcome'),
  current(
    'a status with another outcome of another version',
    'superseded',
    'other-outcome-of-another-version',
  ),
  current('a status that is valid for eleven minutes', 'ok', 'eleven-minutes'),
  current('a status that is valid for longer', 'misdated', 'more-than-eleven-minutes'),
  current('a status of 60 s before the issue', 'ok', 'sixty-seconds-before-issue', {
    at: '2026-05-01T12:01:00.000Z',
  }),
  current('a status of more than 60 s before the issue', 'misdated', 'before-issue', {
    at: '2026-05-01T12:01:00.000Z',
  }),
  current('a revocation, whatever its end and its version are', 'revoked', 'revoked', { verdict: 'revoked' }),
  current('a revocation of another receipt', 'mismatch', 'revoked-other-receipt'),
  current('a revocation that was added', 'bad_signature', 'revoked-unsigned'),
  current('a revocation by a key that is not trusted', 'key_unknown', 'other-key'),
  current('a revocation by a key for receipts', 'key_unknown', 'key-of-receipts'),
  current('a revocation in the name of the right key', 'bad_signature', 'forged'),
  current('another type', 'malformed', 'other-type'),
  current('another member, signed', 'malformed', 'other-member'),
  current('a status without an end', 'malformed', 'no-end'),
  current('a status with a kid of 128 characters', 'key_unknown', 'longest-kid'),
  current('a status with a kid of 129 characters', 'malformed', 'too-long-kid'),
  current('a status that is no JSON', 'malformed', 'cut'),
  current('a status at its end', 'ok', 'genuine', { at: '2026-06-01T12:05:00.000Z' }),
  current('a status after its end', 'expired', 'genuine', { at: '2026-06-01T12:05:00.001Z' }),
  current('60 seconds before the date of the status', 'ok', 'genuine', { at: '2026-06-01T11:59:00.000Z' }),
  current('more than 60 seconds before its date', 'future', 'genuine', { at: '2026-06-01T11:58:59.999Z' }),
  current('a status by a key that ended at its date', 'ok', 'genuine', {
    keys_patch: keyOf(3, { status: 'retired', valid_until: '2026-06-01T12:00:00.000Z' }),
  }),
  current('a status by a key that ended before it', 'key_retired', 'genuine', {
    keys_patch: keyOf(3, { status: 'retired', valid_until: '2026-06-01T11:59:59.999Z' }),
  }),
  current('a revocation by a key that was stolen', 'key_compromised', 'revoked', {
    keys_patch: keyOf(3, { status: 'compromised', valid_until: '2026-06-01T12:00:00.000Z' }),
  }),
  current('a revocation by a key that was stolen and had ended', 'key_compromised', 'revoked', {
    keys_patch: keyOf(3, { status: 'compromised', valid_until: '2026-05-31T12:00:00.000Z' }),
  }),
  current('a revocation from the future', 'revoked', 'revoked', {
    verdict: 'revoked',
    at: '2026-05-02T12:00:00.000Z',
  }),
  current('changed, with its status', 'ok', 'genuine', { verdict: 'hash_mismatch', file: 'changed.json' }),
  one(
    'with its proof and its status',
    'valid',
    { proof: 'ok', status: 'ok' },
    {
      proof: 'genuine.tlog-proof',
      status: 'genuine.status.json',
    },
  ),
];

const UNSIGNED = [
  { path: 'kid removed', page: 'receipts.md', says: 'Without a `kid`, any of these keys counts.' },
];

/** Returns the content of each file of test/vectors/receipt-proof, by its name. */
export function receiptProofVectors(): ReadonlyMap<string, string | Uint8Array> {
  return new Map<string, string | Uint8Array>([
    ['keys.json', pretty(example.keys)],
    ['cases.json', `[\n${CASES.map((case_) => JSON.stringify(case_)).join(',\n')}\n]\n`],
    ['unsigned.json', pretty(UNSIGNED)],
    ['receipt.json', pretty(asJson(receipt))],
    ['anonymous.json', pretty(asJson(anonymous))],
    ['changed.json', pretty(asJson({ ...receipt, agent_id: 'agent-8' }))],
    [
      'revoked.json',
      pretty(asJson(signedReceipt(KEYS.receipts, { ...payload(INDEX), revocation_status: 'revoked' }))),
    ],
    ['receipt.cose', new Uint8Array(example.cose.receipt)],
    ['entry.json', `${entry}\n`],
    ...Object.entries(PROOFS).map(([name, text]): [string, string] => [`${name}.tlog-proof`, text]),
    ['cut.status.json', pretty(status).slice(0, -3)],
    ...Object.entries(MANIFESTS).map(([name, value]): [string, string] => [`${name}.json`, pretty(value)]),
    ...Object.entries(STATUSES).map(([name, value]): [string, string] => [
      `${name}.status.json`,
      pretty(value),
    ]),
  ]);
}

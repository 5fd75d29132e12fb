import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import type { JsonValue } from '../../src/proof/encoding/json.ts';
import { eventHash } from '../../src/proof/evidence/event.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import {
  bundleOf,
  entries,
  first,
  type Item,
  LOG,
  log,
  OTHER,
  ofOther,
  second,
  TEXTS,
  third,
  withContext,
} from '../../test/support/evidence-items.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { keyRow, smallLog, testKey, verifierOf } from '../../test/support/small-log.ts';
import { example } from '../../test/support/worked-example.ts';
import { otherForms } from './entry-forms.ts';

const AT = '2026-06-01T12:00:00.000Z';

const pretty = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;
const { 9: nine = null, ...attributes } = JSON.parse(TEXTS.third).attributes;

/** Leaves that say the same as the entry of the second item. */
const FORMS = otherForms(entries[1] ?? '');
const otherLog = smallLog(
  'receipts.example/evidence',
  FORMS.map(({ text }) => text),
  [LOG],
);

/** Another log of the same key. */
const shadow = smallLog('shadow.example/evidence', entries, [LOG]);
const WITHOUT_LOG: Operation[] = [{ op: 'remove', path: '/log' }];

const FILES: Readonly<Record<string, string>> = {
  'keys.json': pretty({
    keys: [keyRow(testKey(1), 'receipts'), keyRow(testKey(2), 'receipts-log'), keyRow(LOG, 'evidence-log')],
    log: { origin: 'receipts.example/keys' },
  }),
  'first.json': pretty(first),
  'second.json': pretty(second),
  'third.json': pretty(third),
  'context.json': pretty(withContext),
  'other.json': pretty(ofOther),
  'reordered.json': pretty({
    ...third,
    payload: { name: 'chat', attributes: { a: attributes.a, 'gen_ai.system': 'example', 10: -0.5, 9: nine } },
  }),
  'duplicate.json': pretty(first).replace('{', '{"payload":{},'),
  'surrogate.json': pretty(first).replace('Ada Ø', '\\ud800'),
  'first.tlog-proof': log.proof(0),
  'second.tlog-proof': log.proof(1),
  'third.tlog-proof': log.proof(2),
  'context.tlog-proof': log.proof(3),
  'receipts.tlog-proof': example.proof,
  'other-key.tlog-proof': smallLog('receipts.example/evidence', entries, [testKey(7)]).proof(1),
  'other-log.tlog-proof': shadow.proof(1),
  'manifest.tlog-proof': pretty(log.manifest(1)),
  'bundle.json': pretty(bundleOf(second, log.manifest(1))),
  'unproven.json': pretty({ ...bundleOf(second, null), inclusion_reason: 'no checkpoint covers it yet' }),
  'text.tlog-proof': 'no proof\n',
  'empty.tlog-proof': '',
  ...Object.fromEntries(FORMS.map(({ key }, index) => [`entry-${key}.tlog-proof`, otherLog.proof(index)])),
};

const one = (name: string, file: string, verdict: string, others: object = {}) => ({
  name,
  file: `${file}.json`,
  at: AT,
  verdict,
  problem: null,
  ...others,
});
const proven = (file: string): object => ({ proof: `${file}.tlog-proof` });
const set = (path: string, value: JsonValue): Operation => ({ op: 'add', path: `/${path}`, value });
const changed = (problem: string | null, ...patch: Operation[]): object => ({ problem, patch });

/** Returns the changes of an item that has another member of the four, and their hash. */
function rehashed(item: Item, member: 'source_type' | 'prev_event_hash', value: string): Operation[] {
  return [
    set(member, value),
    set('event_commitment_hash', eventHash(nativePrimitives, { ...item, [member]: value })),
  ];
}
const presentation = {
  subject_commitment: null,
  photo_url: null,
  photo_content_sha256: null,
  photo_mime_type: null,
};

const CASES = [
  one('the first item of an agent, with its proof', 'first', 'valid', proven('first')),
  one('the first item of an agent', 'first', 'valid'),
  one('signed over the 32 bytes, with its proof', 'second', 'valid', proven('second')),
  one('signed with only the topmost members sorted, with its proof', 'third', 'valid', proven('third')),
  one('an agent with a context, with its proof', 'context', 'valid', proven('context')),
  one('another agent, without a proof', 'other', 'valid'),
  one('another log of the key', 'second', 'wrong_log', {
    ...{
      ...proven('other-log'),
      problem: 'proof: the checkpoint: wrong_log',
      checks: { proof: 'wrong_log' },
    },
  }),
  one('another log of the key, with the proof of another item', 'first', 'wrong_log', proven('other-log')),
  one('another log, which --log-key names', 'second', 'valid', {
    ...{ ...proven('other-log'), log_key: [formatVerifierKey(verifierOf(LOG, shadow.origin))] },
  }),
  one('a list without log', 'second', 'log_not_named', { ...proven('second'), keys_patch: WITHOUT_LOG }),
  one('a list without log, and any log', 'second', 'valid', {
    ...{ ...proven('second'), keys_patch: WITHOUT_LOG, any_log: true },
  }),
  one('a list without log, and the proof of a receipt', 'second', 'bad_proof', {
    ...{ ...proven('receipts'), keys_patch: WITHOUT_LOG },
  }),
  one('60 s before its date', 'second', 'valid', { ...proven('second'), at: '2026-05-01T11:59:01.000Z' }),
  one('more than 60 s before its date', 'second', 'future', {
    ...{ ...proven('second'), at: '2026-05-01T11:59:00.999Z', checks: { proof: 'future' } },
    problem: 'proof: the entry: future: ',
  }),
  one('a list without log, and no proof', 'second', 'valid', { keys_patch: WITHOUT_LOG }),
  one('another payload', 'first', 'bad_signature', changed('signature is not', set('payload/sha', 'ab'))),
  one(
    'another payload with its own digests',
    'second',
    'bad_signature',
    changed(
      'signature is not',
      set('payload', withContext.payload),
      set('payload_digest', withContext.payload_digest),
      set(
        'event_commitment_hash',
        eventHash(nativePrimitives, { ...second, payload_digest: withContext.payload_digest }),
      ),
    ),
  ),
  one('the nested members in another order', 'reordered', 'bad_signature', { problem: 'signature is not' }),
  one(
    'another format than the one that was signed',
    'first',
    'bad_signature',
    changed('signature is not', set('reading', 'raw')),
  ),
  one(
    'the format shallow where it is the format digest',
    'first',
    'bad_signature',
    changed('signature is not', set('reading', 'shallow')),
  ),
  one(
    'the key of another agent',
    'first',
    'inconsistent',
    changed('subject_commitment is not', set('public_key', OTHER.public_key)),
  ),
  one(
    'the commitment of another agent',
    'first',
    'inconsistent',
    changed('subject_commitment is not', set('subject_commitment', ofOther.subject_commitment)),
  ),
  one(
    'another context',
    'context',
    'inconsistent',
    changed('subject_commitment is not', set('context', 'clinic-8')),
  ),
  one(
    'the context that is meant without one',
    'first',
    'valid',
    changed(null, set('context', 'passport-v1')),
  ),
  one(
    'a key of small order',
    'first',
    'inconsistent',
    changed('subject_commitment is not', set('public_key', '00'.repeat(32))),
  ),
  one(
    'another payload_digest',
    'first',
    'hash_mismatch',
    changed('payload_digest is not', set('payload_digest', second.payload_digest)),
  ),
  one(
    'another event_commitment_hash',
    'first',
    'hash_mismatch',
    changed('event_commitment_hash is not', set('event_commitment_hash', second.event_commitment_hash)),
  ),
  one(
    'an index above 0 without an item before',
    'first',
    'hash_mismatch',
    changed('prev_event_hash is null', set('index', 1)),
  ),
  one('another source_type and its hash, with the proof', 'second', 'mismatch', {
    ...proven('second'),
    ...changed('proof: the entry has another', ...rehashed(second, 'source_type', 'otel_genai_trace')),
  }),
  one(
    'another source_type and its hash, without a proof',
    'second',
    'valid',
    changed(null, ...rehashed(second, 'source_type', 'otel_genai_trace')),
  ),
  one('another item before it and its hash, with the proof', 'second', 'mismatch', {
    ...proven('second'),
    ...changed(
      'proof: the entry has another',
      ...rehashed(second, 'prev_event_hash', third.event_commitment_hash),
    ),
  }),
  one(
    'another item before it and its hash, without a proof',
    'second',
    'valid',
    changed(null, ...rehashed(second, 'prev_event_hash', third.event_commitment_hash)),
  ),
  one('another index, with the proof', 'second', 'mismatch', {
    ...proven('second'),
    ...changed('proof: the entry has another index', set('index', 2)),
  }),
  one('another time, with the proof', 'second', 'mismatch', {
    ...proven('second'),
    ...changed('proof: the entry has another created_at', set('created_at', '2026-05-01T12:00:02.000Z')),
  }),
  one(
    'another time, without a proof',
    'second',
    'valid',
    changed(null, set('created_at', '2026-05-01T12:00:02.000Z')),
  ),
  one('another outcome, which nobody signed', 'second', 'valid', {
    ...proven('second'),
    ...changed(null, set('outcome', 'failure')),
  }),
  one('the proof of another item', 'second', 'mismatch', {
    ...proven('third'),
    problem: 'proof: the entry has another',
  }),
  one('the proof of a receipt', 'second', 'bad_proof', {
    ...proven('receipts'),
    problem: 'proof: receipts.example/receipts is not a log of evidence',
  }),
  one('a proof by a key that is not trusted', 'second', 'bad_proof', {
    ...proven('other-key'),
    problem: 'proof: the checkpoint: no trusted key',
  }),
  one('a text that is no proof', 'second', 'bad_proof', { ...proven('text'), problem: 'proof: ' }),
  one('the proof as JSON', 'second', 'valid', proven('manifest')),
  one('its bundle as the proof', 'second', 'valid', { proof: 'bundle.json', checks: { proof: 'ok' } }),
  one('the bundle of another item as the proof', 'third', 'mismatch', {
    ...{ proof: 'bundle.json', problem: 'proof: the entry has another' },
  }),
  one('a bundle that has no proof', 'second', 'bad_proof', {
    ...{ proof: 'unproven.json', problem: 'proof: no checkpoint covers it yet' },
  }),
  one('an empty file instead of a proof', 'second', 'bad_proof', { ...proven('empty'), problem: 'proof: ' }),
  ...FORMS.map(({ key, name }) =>
    one(`the proof of an entry, ${name}`, 'second', 'bad_proof', {
      ...proven(`entry-${key}`),
      problem: 'proof: the entry: ',
    }),
  ),
  one('a compromised key of the log', 'second', 'bad_proof', {
    ...proven('second'),
    problem: 'proof: the checkpoint: no trusted key',
    keys_patch: [{ op: 'replace', path: '/keys/2/status', value: 'compromised' }],
  }),
  one('another agent that signs the same, without its own proof', 'other', 'mismatch', {
    ...proven('context'),
    problem: 'proof: the entry has another subject_commitment',
  }),
  one('no payload', 'first', 'malformed', {
    problem: 'payload is missing',
    patch: [{ op: 'remove', path: '/payload' }],
  }),
  one('no signature', 'first', 'malformed', {
    problem: 'signature is missing',
    patch: [{ op: 'remove', path: '/signature' }],
  }),
  one(
    'a member that nobody signed',
    'first',
    'malformed',
    changed('the item has other members', set('note', 'x')),
  ),
  one(
    'the payload of an authorization',
    'first',
    'malformed',
    changed('payload is signed as agent-auth', set('payload/type', 'agent-auth')),
  ),
  one(
    'the payload of a presentation',
    'first',
    'malformed',
    changed('payload is signed as presentation', set('payload', presentation)),
  ),
  one(
    'an upper-case hash',
    'first',
    'malformed',
    changed('payload_digest is', set('payload_digest', 'AB'.repeat(32))),
  ),
  one(
    'a time without milliseconds',
    'first',
    'malformed',
    changed('created_at is', set('created_at', '2026-05-01T12:00:00Z')),
  ),
  one('an unknown format', 'first', 'malformed', changed('reading is', set('reading', 'deep'))),
  one('a malformed item with a proof', 'second', 'malformed', {
    ...proven('second'),
    ...changed('index is not', set('index', 0.5)),
  }),
  one('a member twice', 'duplicate', 'malformed'),
  one('half of a character', 'surrogate', 'malformed', { problem: 'payload has a number' }),
];

const SAYS = 'Without a proof, the time and the place in the chain are what the file says';
const UNSIGNED = [
  ...['first.json', 'other.json'].map((file) => ({
    file,
    path: 'created_at changed',
    page: 'evidence.md',
    says: SAYS,
  })),
  {
    path: 'outcome changed to the other word',
    page: 'evidence.md',
    says: 'no signature covers it, and an [attestation]',
  },
  { path: 'context added as passport-v1', page: 'evidence.md', says: 'absent means `passport-v1`' },
];

/** Returns the text of each file of test/vectors/evidence, by its name. */
export function evidenceVectors(): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(FILES),
    ['cases.json', `[\n${CASES.map((case_) => JSON.stringify(case_)).join(',\n')}\n]\n`],
    ['unsigned.json', pretty(UNSIGNED)],
  ]);
}

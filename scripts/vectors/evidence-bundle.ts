import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { eventHash } from '../../src/proof/evidence/event.ts';
import { formatVerifierKey, parseNote, signatureLine } from '../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../src/proof/log/note-signature.ts';
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
  third,
  withContext,
} from '../../test/support/evidence-items.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { keyRow, type SmallLog, smallLog, testKey, verifierOf } from '../../test/support/small-log.ts';
import { otherForms } from './entry-forms.ts';
import { north } from './witness.ts';

const AT = '2026-06-01T12:00:00.000Z';
const pretty = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;

/** Leaves that say the same as the entry of the second item. */
const FORMS = otherForms(entries[1] ?? '');
const otherForm = smallLog(
  log.origin,
  FORMS.map(({ text }) => text),
  [LOG],
);
/** Another log of the same key, of the same installation by its name. */
const shadow = smallLog('shadow.example/evidence', entries, [LOG]);
/** Logs of other keys: the second is of another installation. */
const byOther = smallLog(log.origin, entries, [testKey(7)]);
const foreign = smallLog('bank.example/evidence', entries, [testKey(7)]);
const ofReceipts = smallLog('receipts.example/receipts', entries, [testKey(2)]);
const LATE = '2026-05-29T00:00:00.000Z';
/** The same log, in which the second entry is dated after its checkpoint was cosigned. */
const late = smallLog(
  log.origin,
  entries.map((entry) => entry.replaceAll(second.created_at, LATE)),
  [LOG],
);

/** Returns the bundle of the second item in a log whose checkpoint a witness cosigned. */
function cosigned({ checkpoint, manifest }: SmallLog, at: string, item: Item = second): JsonObject {
  const seconds = Date.parse(at) / 1000;
  const { key, privateKey } = north;
  const message = signedMessage(key.type, parseNote(Buffer.from(checkpoint)).text, key.name, seconds);
  const signature = cosignatureBytes(seconds, signEd25519(privateKey, message));
  const proof = {
    ...Object(manifest(1).inclusion_path),
    checkpoint: checkpoint + signatureLine({ ...key, signature }),
  };
  return bundleOf(item, { inclusion_path: proof });
}

const unproven: JsonObject = {
  ...bundleOf(second, null),
  inclusion_reason:
    'The evidence is in the log, but no checkpoint covers it yet. Repeat the request after a second.',
};

const LOG_LINE = `log ${formatVerifierKey(verifierOf(LOG, log.origin))}\n`;

const FILES: Readonly<Record<string, string>> = {
  'keys.json': pretty({
    keys: [keyRow(testKey(1), 'receipts'), keyRow(testKey(2), 'receipts-log'), keyRow(LOG, 'evidence-log')],
    log: { origin: 'receipts.example/keys' },
  }),
  policy: `${LOG_LINE}quorum none\n`,
  'policy-north': `${LOG_LINE}witness north ${formatVerifierKey(north.key)}\nquorum north\n`,
  'first.json': pretty(bundleOf(first, log.manifest(0))),
  'second.json': pretty(bundleOf(second, log.manifest(1))),
  'context.json': pretty(bundleOf(withContext, log.manifest(3))),
  'without-proof.json': pretty(unproven),
  'other-form.json': pretty(bundleOf(second, otherForm.manifest(0))),
  'late.json': pretty(cosigned(late, '2026-05-28T00:00:00.000Z', { ...second, created_at: LATE })),
  'cosigned.json': pretty(cosigned(log, '2026-05-28T00:00:00.000Z')),
  'duplicate.json': pretty(bundleOf(first, log.manifest(0))).replace('{', '{"proof":null,'),
  'line-first.json': `\n${pretty(bundleOf(second, log.manifest(1)))}`,
};

const hashes: JsonValue[] = Object(log.manifest(1).inclusion_path).hashes;
const proofIn = (manifest: JsonObject): JsonValue => manifest.inclusion_path ?? null;
const one = (name: string, file: string, verdict: string, others: object = {}) => ({
  name,
  file: `${file}.json`,
  at: AT,
  verdict,
  problem: null,
  ...others,
});
const set = (path: string, value: JsonValue): Operation => ({ op: 'add', path: `/${path}`, value });
const drop = (path: string): Operation => ({ op: 'remove', path: `/${path}` });
const changed = (problem: string | null, ...patch: Operation[]): object => ({ problem, patch });
const shown = (manifest: JsonObject): Operation => set('proof', proofIn(manifest));

/** Returns the changes of an item that has another member of the four, and their hash. */
function rehashed(item: Item, member: 'source_type' | 'payload_digest', value: string): Operation[] {
  return [
    set(`item/${member}`, value),
    set('item/event_commitment_hash', eventHash(nativePrimitives, { ...item, [member]: value })),
  ];
}

const WITHOUT_LOG: Operation[] = [{ op: 'remove', path: '/log' }];

const CASES = [
  one('the first item of an agent', 'first', 'valid', { checks: { agent: 'ok', hashes: 'ok', proof: 'ok' } }),
  one('another item of it', 'second', 'valid'),
  one('an agent with a context', 'context', 'valid'),
  one('with a policy', 'second', 'valid', { policy: 'policy', checks: { quorum: 'none' } }),
  one('with the cosignature that the policy demands', 'cosigned', 'valid', {
    ...{ policy: 'policy-north', checks: { quorum: 'ok' } },
  }),
  one('without the cosignature that the policy demands', 'second', 'valid', {
    ...{ policy: 'policy-north', problem: 'proof: quorum: ', checks: { proof: 'ok', quorum: 'missing' } },
  }),
  one('white space before it', 'line-first', 'valid'),
  one('without an outcome, as of an item that only the log has', 'second', 'valid', {
    ...changed(null, drop('item/outcome')),
  }),
  one('another outcome, which nobody signed', 'second', 'valid', {
    ...changed(null, set('item/outcome', 'failure')),
  }),
  one('no proof yet', 'without-proof', 'not_proven', {
    ...{ problem: 'proof: the bundle has none (The evidence is in the log', checks: { proof: 'missing' } },
  }),
  one('no proof yet, with a policy', 'without-proof', 'not_proven', {
    ...{ policy: 'policy', problem: 'proof: the bundle has none', checks: { quorum: 'unchecked' } },
  }),
  one('the proof taken out', 'second', 'not_proven', {
    ...changed('proof: the bundle has none (it does not say why)', set('proof', null)),
  }),
  one('cut: no proof member', 'second', 'malformed', changed('proof is missing', drop('proof'))),
  one('cut: no item', 'second', 'malformed', changed('item is missing', drop('item'))),
  one('cut: no public key', 'second', 'malformed', {
    ...changed('item.public_key is missing', drop('item/public_key')),
  }),
  one('cut: no checkpoint', 'second', 'malformed', {
    ...changed('proof has not the members of a proof', drop('proof/checkpoint')),
  }),
  one('cut: a hash of the proof less', 'second', 'bad_proof', {
    ...changed('proof: the hashes do not lead', set('proof/hashes', hashes.slice(1))),
  }),
  one('more hashes than any tree has', 'second', 'malformed', {
    ...changed(
      'proof has not the members of a proof, or more than 63 hashes',
      set('proof/hashes', Array(64).fill(`${'A'.repeat(43)}=`)),
    ),
    ...{ policy: 'policy', checks: { quorum: 'unchecked' } },
  }),
  one('swapped: the proof of another item of the agent', 'second', 'mismatch', {
    ...changed('proof: the entry has another index', shown(log.manifest(2))),
  }),
  one('swapped: the item of another position', 'second', 'mismatch', {
    ...changed('proof: the entry has another', set('item', Object(bundleOf(third, log.manifest(2))).item)),
  }),
  one('of another agent: the item', 'second', 'mismatch', {
    ...changed('proof: the entry has another', set('item', Object(bundleOf(ofOther, null)).item)),
  }),
  one('of another agent: the key', 'second', 'inconsistent', {
    ...changed('subject_commitment is not', set('item/public_key', OTHER.public_key)),
  }),
  one('of another agent: the commitment', 'second', 'inconsistent', {
    ...changed('subject_commitment is not', set('item/subject_commitment', ofOther.subject_commitment)),
  }),
  one('of another agent: the proof', 'second', 'mismatch', {
    ...changed('proof: the entry has another subject_commitment', shown(log.manifest(3))),
  }),
  one('another context', 'context', 'inconsistent', {
    ...changed('subject_commitment is not', set('item/context', 'clinic-8')),
  }),
  one('the context that is meant without one', 'second', 'valid', {
    ...changed(null, set('item/context', 'passport-v1')),
  }),
  one('another payload_digest', 'second', 'hash_mismatch', {
    ...changed('event_commitment_hash is not', set('item/payload_digest', first.payload_digest)),
  }),
  one('another payload_digest and its hash', 'second', 'mismatch', {
    ...changed(
      'proof: the entry has another event_commitment_hash',
      ...rehashed(second, 'payload_digest', first.payload_digest),
    ),
  }),
  one('another source_type and its hash', 'second', 'mismatch', {
    ...changed('proof: the entry has another', ...rehashed(second, 'source_type', 'otel_genai_trace')),
  }),
  one('an index above 0 without an item before', 'first', 'hash_mismatch', {
    ...changed('prev_event_hash is null', set('item/index', 1)),
  }),
  one('another index', 'second', 'mismatch', {
    ...changed('proof: the entry has another index', set('item/index', 2)),
  }),
  one('another time', 'second', 'mismatch', {
    ...changed('proof: the entry has another created_at', set('item/created_at', '2026-05-01T12:00:02.000Z')),
  }),
  one('another log of the key', 'second', 'wrong_log', {
    ...changed('proof: the checkpoint: wrong_log', shown(shadow.manifest(1))),
    checks: { proof: 'wrong_log' },
  }),
  one('another log, which --log-key names', 'second', 'valid', {
    ...changed(null, shown(shadow.manifest(1))),
    log_key: [formatVerifierKey(verifierOf(LOG, shadow.origin))],
  }),
  one('the log of receipts', 'second', 'bad_proof', {
    ...changed('proof: the checkpoint', shown(ofReceipts.manifest(1))),
    problem: 'proof: receipts.example/receipts is not a log of evidence',
  }),
  one('another installation', 'second', 'bad_proof', {
    ...changed('proof: the checkpoint: no trusted key', shown(foreign.manifest(1))),
  }),
  one('a log of the name by a key that is not trusted', 'second', 'bad_proof', {
    ...changed('proof: the checkpoint: no trusted key', shown(byOther.manifest(1))),
  }),
  one('a compromised key of the log', 'second', 'bad_proof', {
    problem: 'proof: the checkpoint: no trusted key',
    keys_patch: [{ op: 'replace', path: '/keys/2/status', value: 'compromised' }],
  }),
  one('a list without log', 'second', 'log_not_named', { keys_patch: WITHOUT_LOG }),
  one('a list without log, and any log', 'second', 'valid', { keys_patch: WITHOUT_LOG, any_log: true }),
  one('another form of the entry', 'other-form', 'bad_proof', { problem: 'proof: the entry: ' }),
  one('an entry that is dated after its checkpoint was cosigned', 'late', 'misdated', {
    ...{ policy: 'policy-north', problem: 'proof: the entry: misdated', checks: { proof: 'misdated' } },
  }),
  one('60 s before its date', 'second', 'valid', { at: '2026-05-01T11:59:01.000Z' }),
  one('more than 60 s before its date', 'second', 'future', {
    ...{ at: '2026-05-01T11:59:00.999Z', problem: 'proof: the entry: future: ', checks: { proof: 'future' } },
  }),
  one('a reason although there is a proof', 'second', 'malformed', {
    ...changed('inclusion_reason is there', set('inclusion_reason', 'soon')),
  }),
  one('a payload in the item', 'second', 'malformed', {
    ...changed('item has other members', set('item/payload', second.payload)),
  }),
  one('another member of the bundle', 'second', 'malformed', {
    ...changed('the bundle has other members', set('note', 'checked')),
  }),
  one('another member of the proof', 'second', 'malformed', {
    ...changed('proof has not the members of a proof', set('proof/note', 'checked')),
  }),
  one('an upper-case hash', 'second', 'malformed', {
    ...changed('item.payload_digest is', set('item/payload_digest', 'AB'.repeat(32))),
  }),
  one('an index that is none', 'second', 'malformed', {
    ...changed('item.index is not', set('item/index', 0.5)),
  }),
  one('a malformed bundle with a policy', 'second', 'malformed', {
    ...changed('item.index is not', set('item/index', -1)),
    ...{ policy: 'policy', checks: { quorum: 'unchecked' } },
  }),
  one('a leaf hash that is not of the entry', 'second', 'malformed', {
    ...changed('log, tree_size or leaf_hash of proof', set('proof/leaf_hash', '0'.repeat(64))),
  }),
  one('half of a character in the checkpoint', 'second', 'malformed', {
    ...changed('proof has no valid checkpoint', set('proof/checkpoint', `${log.checkpoint}\ud800`)),
  }),
  one(
    'a proof that is a text',
    'second',
    'malformed',
    changed('proof has not the members of a proof', set('proof', log.proof(1))),
  ),
  one('a member twice', 'duplicate', 'malformed', { problem: null }),
];

const PAGE = 'evidence.md';
const UNSIGNED = [
  {
    path: 'item.outcome changed to the other word',
    page: PAGE,
    says: 'Nothing signs `outcome`, which may be absent',
  },
  { path: 'item.outcome removed', page: PAGE, says: 'Nothing signs `outcome`, which may be absent' },
  { path: 'proof.cosigned changed', page: PAGE, says: '`cosigned` is what the service says' },
  { path: 'proof.cosigned removed', page: PAGE, says: '`cosigned` is what the service says' },
  { path: 'item.context added as passport-v1', page: PAGE, says: 'absent means `passport-v1`' },
];

/** Returns the text of each file of test/vectors/evidence-bundle, by its name. */
export function evidenceBundleVectors(): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(FILES),
    ['cases.json', `[\n${CASES.map((case_) => JSON.stringify(case_)).join(',\n')}\n]\n`],
    ['unsigned.json', pretty(UNSIGNED)],
  ]);
}

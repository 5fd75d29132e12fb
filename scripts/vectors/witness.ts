import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519, signMlDsa44 } from '../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import {
  formatVerifierKey,
  keyIdOf,
  type NoteSignature,
  parseNote,
  SIGNATURE_TYPES,
  signatureLine,
  type VerifierKey,
} from '../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../src/proof/log/note-signature.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { keyRow, type TestKey, testKey, verifierOf } from '../../test/support/small-log.ts';
import { VECTORS } from '../../test/support/vectors.ts';
import { example, KEYS } from '../../test/support/worked-example.ts';
import { POLICY_CASES } from './witness-policies.ts';

export const WITNESS_VECTORS = join(VECTORS, 'witness');
const AT = '2026-06-01T12:01:00.000Z';
/** When the witnesses signed, in seconds: a minute before AT. */
export const TIME = Date.parse(AT) / 1000 - 60;
const { log, receipt } = example;
/** When the receipt was finalized, in seconds. */
const FINALIZED = Date.parse('2026-05-01T12:00:01.000Z') / 1000;
const { text } = parseNote(Buffer.from(log.checkpoint));

/** A witness of the policies. */
export interface TestWitness {
  key: VerifierKey;
  privateKey: TestKey['privateKey'];
}

function witness(name: string, seed: number, algorithm: TestKey['algorithm'] = 'Ed25519'): TestWitness {
  const key = testKey(seed, algorithm);
  const type = algorithm === 'Ed25519' ? SIGNATURE_TYPES.cosignature : SIGNATURE_TYPES.mlDsa44;
  return { key: asWitness(key, name, type), privateKey: key.privateKey };
}

function asWitness({ public_key }: TestKey, name: string, type: number): VerifierKey {
  const publicKey = new Uint8Array(Buffer.from(public_key, 'hex'));
  return { name, type, publicKey, keyId: keyIdOf(nativePrimitives, name, type, publicKey) };
}

export const north = witness('north.example/w1', 0x0b);
const south = witness('south.example/w1', 0x0c);
export const west = witness('west.example/w1', 0x0d, 'ML-DSA-44');
const stranger = witness('stranger.example/w1', 0x0e);

/**
 * Returns a cosignature of a text. Each by ML-DSA-44 is another one, so that the stored one is taken again.
 */
function cosignature({ key, privateKey }: TestWitness, seconds = TIME, of = text): NoteSignature {
  const message = signedMessage(key.type, of, key.name, seconds);
  if (key.type !== SIGNATURE_TYPES.mlDsa44)
    return { ...key, signature: cosignatureBytes(seconds, signEd25519(privateKey, message)) };
  const path = join(WITNESS_VECTORS, 'all.checkpoint');
  const stored = existsSync(path) ? parseNote(readFileSync(path)).signatures : [];
  const found = stored.find(({ keyId }) => keyId === key.keyId)?.signature ?? new Uint8Array();
  const isRight = nativePrimitives.mlDsa44Verify?.(found.subarray(8), message, key.publicKey) === true;
  return { ...key, signature: isRight ? found : cosignatureBytes(seconds, signMlDsa44(privateKey, message)) };
}

const lines = (...signatures: readonly NoteSignature[]): string => signatures.map(signatureLine).join('');
const defined = (...names: readonly string[]): string =>
  Object.entries({ north, south, west })
    .filter(([name]) => names.includes(name))
    .map(([name, { key }]) => `witness ${name} ${formatVerifierKey(key)}\n`)
    .join('');
const ALL = ['north', 'south', 'west'] as const;
const ofAll = (rest: string): string => defined(...ALL) + rest;
const logLine = (key: TestKey, origin = log.origin): string =>
  `log ${formatVerifierKey(verifierOf(key, origin))}\n`;

/** Returns lines that put a witness into so many groups, each in the next one. */
const nestedIn = (witness: string, depth: number): string => {
  const groups = Array.from(
    { length: depth },
    (_, at) => `group in-${at + 1} all ${at === 0 ? witness : `in-${at}`}\n`,
  );
  return `${groups.join('')}quorum in-${depth}\n`;
};

/** The policies by the names of their files. */
const POLICIES: Readonly<Record<string, string>> = {
  two: `# Two of three.\n\n${ofAll('group two-of-three 2 north south west\nquorum two-of-three\n')}`,
  all: ofAll('group everybody all north south west\nquorum everybody\n'),
  any: ofAll('group somebody any north south west\nquorum somebody\n'),
  one: ofAll('quorum south\n'),
  none: ofAll('quorum none\n'),
  nested: ofAll('group coast 1 south west\n\tgroup  both 2 north\tcoast\nquorum both\n'),
  deep: defined('north') + nestedIn('north', 1000),
  logs: logLine(KEYS.log) + ofAll('group two-of-three 2 north south west\nquorum two-of-three\n'),
  'other-log': logLine(testKey(7)) + ofAll('quorum none\n'),
  'other-name': logLine(KEYS.log, 'shadow.example/receipts') + ofAll('quorum none\n'),
};

type Row = [
  name: string,
  file: string,
  policy: string,
  quorum: string,
  others?: { at?: string; verdict?: string; keys_patch?: Operation[] },
];

const signed = (...signatures: readonly NoteSignature[]): string => log.checkpoint + lines(...signatures);
const altered = ({ signature, ...line }: NoteSignature): NoteSignature => ({
  ...line,
  signature: signature.with(-1, (signature.at(-1) ?? 0) ^ 1),
});
const ofOther = (of: TestWitness): NoteSignature => cosignature(of, TIME, text.replace(/\n3\n/, '\n4\n'));
const early = cosignature(north, TIME - 100);
const undated = cosignature(south, 0);
const ahead = (seconds: number): NoteSignature => cosignature(south, TIME + 60 + seconds);
/** A signature of the type of logs by the key of a witness. */
const plain: NoteSignature = {
  name: north.key.name,
  keyId: keyIdOf(nativePrimitives, north.key.name, SIGNATURE_TYPES.ed25519, north.key.publicKey),
  signature: new Uint8Array(signEd25519(north.privateKey, Buffer.from(text))),
};
const BEYOND = 2n ** 53n;
const { signature } = cosignature(north);
const beyond = new Uint8Array(signature);
new DataView(beyond.buffer).setBigUint64(0, BEYOND);

const CHECKPOINTS: Readonly<Record<string, string>> = {
  bare: log.checkpoint,
  north: signed(cosignature(north)),
  both: signed(cosignature(north), cosignature(south)),
  'north-and-west': signed(cosignature(north), cosignature(west)),
  all: signed(cosignature(north), cosignature(south), cosignature(west)),
  twice: signed(early, cosignature(north)),
  undated: signed(cosignature(north), undated),
  'sixty-seconds': signed(cosignature(north), ahead(60)),
  ahead: signed(cosignature(north), ahead(61)),
  'ahead-and-now': signed(cosignature(north), ahead(61), cosignature(south)),
  altered: signed(cosignature(north), altered(cosignature(south))),
  'altered-beside': signed(cosignature(north), cosignature(south), altered(cosignature(south))),
  'of-another-size': signed(cosignature(north), ofOther(south)),
  'altered-west': signed(cosignature(north), cosignature(south), altered(cosignature(west))),
  short: signed(cosignature(south), { ...cosignature(north), signature: signature.subarray(0, -1) }),
  'only-time': signed(cosignature(south), { ...cosignature(north), signature: signature.subarray(0, 7) }),
  beyond: signed(cosignature(south), { ...cosignature(north), signature: beyond }),
  'of-a-stranger': signed(cosignature(north), altered(cosignature(stranger))),
  'other-name': signed(cosignature(north), { ...altered(cosignature(south)), name: 'south.example' }),
  'type-of-logs': signed(plain),
  'not-by-the-log': `${text}\n${lines(cosignature(north), cosignature(south))}`,
  'sixty-seconds-early': signed(cosignature(north, FINALIZED - 60), cosignature(south, FINALIZED - 60)),
  early: signed(cosignature(north, FINALIZED - 61), cosignature(south, FINALIZED - 61)),
  'one-a-day-early': signed(cosignature(north, TIME - 86_400), cosignature(south)),
  'broken-line': `${signed(cosignature(north), cosignature(south))}— south.example/w1\n`,
};

/** The proof of the receipt with other checkpoints. */
const proofWith = (checkpoint: string): string =>
  `${example.proof.split('\n\n')[0]}\n\n${CHECKPOINTS[checkpoint] ?? ''}`;
const PROOFS = {
  'both.tlog-proof': proofWith('both'),
  'north.tlog-proof': proofWith('north'),
  'not-by-the-log.tlog-proof': proofWith('not-by-the-log'),
  'sixty-seconds-early.tlog-proof': proofWith('sixty-seconds-early'),
  'early.tlog-proof': proofWith('early'),
  'one-a-day-early.tlog-proof': proofWith('one-a-day-early'),
};

const WITHOUT_LOG: Operation[] = [{ op: 'remove', path: '/log' }];
const OTHER_LIST: Operation[] = [{ op: 'replace', path: '/log/origin', value: 'shadow.example/keys' }];
const bad = (name: string, file: string, policy = 'any'): Row => [name, file, policy, 'bad'];
const rows: readonly Row[] = [
  ['two of three', 'both', 'two', 'ok'],
  ['two of three, one of them with ML-DSA-44', 'north-and-west', 'two', 'ok'],
  ['one of the two', 'north', 'two', 'missing'],
  ['no cosignature', 'bare', 'two', 'missing'],
  ['no cosignature, and none demanded', 'bare', 'none', 'none'],
  ['no cosignature, and one demanded', 'bare', 'any', 'missing'],
  ['one of three', 'north', 'any', 'ok'],
  ['all of three', 'all', 'all', 'ok'],
  ['two of all', 'both', 'all', 'missing'],
  ['the only one that counts', 'both', 'one', 'ok'],
  ['another one than the only one that counts', 'north', 'one', 'missing'],
  ['a group in a group', 'north-and-west', 'nested', 'ok'],
  ['only one of two groups', 'north', 'nested', 'missing'],
  ['a thousand groups in groups', 'both', 'deep', 'ok'],
  ['one witness twice', 'twice', 'two', 'missing'],
  ['a cosignature without a time', 'undated', 'two', 'missing'],
  ['60 seconds ahead', 'sixty-seconds', 'two', 'ok'],
  ['more than 60 seconds ahead', 'ahead', 'two', 'future'],
  ['more than 60 seconds ahead, with too few of them', 'ahead', 'all', 'missing'],
  ['more than 60 seconds ahead, where the others suffice', 'ahead', 'any', 'ok'],
  ['more than 60 seconds ahead, and now', 'ahead-and-now', 'two', 'ok'],
  ['of old, which is long ago', 'both', 'two', 'ok', { at: '2036-06-01T12:01:00.000Z' }],
  bad('an altered cosignature, where the others suffice', 'altered'),
  bad('an altered cosignature, and none demanded', 'altered', 'none'),
  bad('an altered cosignature beside the right one', 'altered-beside'),
  bad('an altered cosignature by ML-DSA-44', 'altered-west'),
  bad('a cosignature of another checkpoint', 'of-another-size'),
  bad('a cosignature that is too short', 'short'),
  bad('a cosignature that ends within its time', 'only-time'),
  bad('a time beyond 2^53 − 1', 'beyond'),
  ['a wrong cosignature by nobody that the policy knows', 'of-a-stranger', 'any', 'ok'],
  ['a wrong cosignature under another name', 'other-name', 'any', 'ok'],
  ['a signature of the type of logs, by a witness', 'type-of-logs', 'any', 'missing'],
  ['a policy with the key of the log', 'both', 'logs', 'ok'],
  [
    'a policy with the key of the log, which no list has',
    'both',
    'logs',
    'ok',
    { keys_patch: [{ op: 'replace', path: '/keys/1', value: keyRow(testKey(7), 'receipts-log') }] },
  ],
  ['a policy with another key of the log', 'both', 'other-log', 'unchecked', { verdict: 'bad_checkpoint' }],
  [
    'a policy with the key of the log for another log',
    ...(['both', 'other-name', 'unchecked', { verdict: 'wrong_log' }] as const),
  ],
  [
    'a list of another log, and a policy without one',
    ...(['both', 'two', 'unchecked', { verdict: 'wrong_log', keys_patch: OTHER_LIST }] as const),
  ],
  [
    'a list of another log, and a policy with the key of the log',
    ...(['both', 'logs', 'ok', { keys_patch: OTHER_LIST }] as const),
  ],
  [
    'a list without log, and a policy without one',
    ...(['both', 'two', 'unchecked', { verdict: 'log_not_named', keys_patch: WITHOUT_LOG }] as const),
  ],
  [
    'a list without log, and a policy with the key of the log',
    ...(['both', 'logs', 'ok', { keys_patch: WITHOUT_LOG }] as const),
  ],
  [
    'cosigned, but not signed by the log',
    'not-by-the-log',
    'two',
    'unchecked',
    { verdict: 'bad_checkpoint' },
  ],
  ['a line that is no signature', 'broken-line', 'two', 'unchecked', { verdict: 'malformed' }],
  ['cosigned a month ahead', 'both', 'two', 'future', { at: '2026-05-01T12:00:00.000Z' }],
];

/** Returns the key of the receipt ended at a time, when the log had so many entries. */
const endedAt = (time: string, size: number, status = 'retired'): Operation[] =>
  [
    ['status', status],
    ['valid_until', time],
    ['receipts_logs', [log.origin]],
    ['receipts_tree_size', size],
  ].map(([member, value]) => ({ op: 'replace', path: `/keys/0/${member}`, value: value ?? null }));

/** The key of the receipt, which ended when the log had the receipt. */
const ENDED = endedAt('2026-04-01T00:00:00.000Z', 2);
const ofReceipt = (
  name: string,
  proof: string,
  quorum: string,
  verdict = 'valid',
  keys_patch: readonly Operation[] = ENDED,
) => ({
  ...{ name, file: 'receipt.json', proof: `${proof}.tlog-proof`, policy: 'two.policy', keys_patch, at: AT },
  ...{
    verdict,
    problem: isMet(quorum) ? null : quorum === 'unchecked' ? 'proof: ' : 'quorum: ',
    checks: { quorum },
  },
});
const isMet = (quorum: string): boolean => quorum === 'ok' || quorum === 'none';

/**
 * A change that matters nowhere: only the first case says that the file is genuine as a whole, with each of
 * its lines.
 */
const OTHER_KEYS: Operation[] = [
  { op: 'replace', path: '/keys/0/valid_from', value: '2026-01-01T00:00:01.000Z' },
];

function casesOf(): object[] {
  return [
    ...rows.map(([name, file, policy, quorum, { verdict = 'valid', ...others } = {}], index) => ({
      ...{ name, file: `${file}.checkpoint`, policy: `${policy}.policy`, at: AT, verdict },
      ...(index === 0 ? {} : { keys_patch: OTHER_KEYS }),
      ...others,
      problem: verdict !== 'valid' || isMet(quorum) ? null : 'quorum: ',
      checks: { quorum },
    })),
    ofReceipt('a receipt whose proof the witnesses cosigned', 'both', 'ok', 'valid', []),
    ofReceipt('a receipt by a key that ended later, cosigned', 'both', 'ok'),
    ofReceipt(
      ...(['a receipt that was finalized 60 s after the cosignatures', 'sixty-seconds-early', 'ok'] as const),
      ...(['valid', OTHER_KEYS] as const),
    ),
    {
      ...ofReceipt(
        'a receipt that was finalized more than 60 s after the cosignatures',
        'early',
        'ok',
        'valid',
        [],
      ),
      ...{ problem: 'proof: misdated: it was finalized', checks: { proof: 'misdated', quorum: 'ok' } },
    },
    {
      ...ofReceipt('a receipt by a key that ended later, which was finalized too late', 'early', 'ok'),
      ...{ problem: 'proof: misdated: it was finalized', checks: { proof: 'misdated', quorum: 'ok' } },
    },
    {
      ...{ name: 'an entry of 60 s after the cosignatures', file: 'sixty-seconds-early.tlog-proof', at: AT },
      ...{ policy: 'two.policy', verdict: 'valid', problem: null, keys_patch: OTHER_KEYS },
      checks: { entry: 'ok', quorum: 'ok' },
    },
    {
      ...{ name: 'an entry of more than 60 s after the cosignatures', file: 'early.tlog-proof', at: AT },
      ...{ policy: 'two.policy', verdict: 'misdated', problem: 'the entry: misdated: it was made' },
      checks: { entry: 'misdated', quorum: 'ok' },
    },
    // The list says that the log had fewer entries when the key ended than a tree that was signed before that.
    ofReceipt(
      ...(['a key whose end states a size that is too small', 'both', 'ok', 'valid'] as const),
      endedAt('2026-06-01T12:01:00.001Z', 0),
    ),
    ofReceipt(
      ...(['a stolen key whose end states a size that is too small', 'both', 'ok', 'valid'] as const),
      endedAt('2026-06-01T12:01:00.001Z', 0, 'compromised'),
    ),
    ofReceipt(
      'a stolen key whose end states a size that only one of two cosignatures contradicts',
      ...(['one-a-day-early', 'ok', 'key_compromised'] as const),
      endedAt('2026-06-01T00:00:00.000Z', 0, 'compromised'),
    ),
    ofReceipt(
      ...([
        'a stolen key that ended 60 s after the cosignatures, with a smaller size',
        'both',
        'ok',
      ] as const),
      ...(['key_compromised', endedAt('2026-06-01T12:01:00.000Z', 0, 'compromised')] as const),
    ),
    // Witnesses cosign an old tree again: that it is small shows nothing.
    ofReceipt(
      ...(['a key that ended before the cosignatures, with a larger size', 'both', 'ok'] as const),
      ...(['valid', endedAt('2026-05-31T12:00:00.000Z', 1000)] as const),
    ),
    // The checkpoint may be shown to nobody else.
    ofReceipt('a receipt by a key that ended later, without the quorum', 'north', 'missing', 'key_retired'),
    {
      ...ofReceipt(
        'a receipt by a key that ended later, in another log',
        'both',
        'unchecked',
        'key_retired',
        [...ENDED, ...OTHER_LIST],
      ),
      checks: { proof: 'wrong_log', quorum: 'unchecked' },
    },
    ofReceipt(
      'a receipt with a proof that only the witnesses signed',
      'not-by-the-log',
      'unchecked',
      'key_retired',
    ),
  ];
}

/** What nothing signs: the list of signatures. */
const LIST = { page: 'logs.md', says: 'Nothing signs the list of signatures' };
const UNSIGNED = [
  ...[5, 6, 7].map((line) => ({
    path: `line ${line} doubled`,
    page: 'logs.md',
    says: 'A line may stand twice',
  })),
  ...[5, 6].map((line) => ({ path: `line ${line} swapped with the next`, ...LIST })),
  { path: 'kid removed', page: 'receipts.md', says: 'Without a `kid`, any of these keys counts.' },
];

const pretty = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the text of each file of test/vectors/witness, by its name. */
export function witnessVectors(): ReadonlyMap<string, string> {
  const document: JsonObject = JSON.parse(JSON.stringify(receipt));
  return new Map([
    ['keys.json', pretty(example.keys)],
    [
      'cases.json',
      `[\n${casesOf()
        .map((one) => JSON.stringify(one))
        .join(',\n')}\n]\n`,
    ],
    ['unsigned.json', pretty(UNSIGNED)],
    ['receipt.json', pretty(document)],
    ['policies.json', `[\n${POLICY_CASES.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
    ...Object.entries(POLICIES).map(([name, policy]): [string, string] => [`${name}.policy`, policy]),
    ...Object.entries(CHECKPOINTS).map(([name, note]): [string, string] => [`${name}.checkpoint`, note]),
    ...Object.entries(PROOFS),
  ]);
}

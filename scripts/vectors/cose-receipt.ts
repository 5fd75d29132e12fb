import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import {
  CBOR_NULL,
  type CborItem,
  cborArray,
  cborBytes,
  cborInteger,
  cborMap,
  cborTagged,
  cborText,
} from '../../src/proof/encoding/cbor.ts';
import { coseMessage } from '../../src/proof/log/cose-receipt.ts';
import { inclusionPath } from '../../src/proof/log/merkle.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import {
  keyRow,
  type SmallLog,
  smallLog,
  type TestKey,
  testKey,
  verifierOf,
} from '../../test/support/small-log.ts';
import { example, KEYS } from '../../test/support/worked-example.ts';
import { otherForms } from './entry-forms.ts';

const AT = '2026-06-01T12:00:00.000Z';
const { log, index: INDEX, cose } = example;
const OTHER = testKey(7);
const OF_EVIDENCE = testKey(6);
const utf8 = new TextEncoder();
const int = cborInteger;

/** What a COSE receipt says, and who signs it. */
interface Said {
  of?: SmallLog;
  key?: TestKey;
  kid?: Uint8Array;
  alg?: number;
  vds?: number;
  issuer?: string;
  subject?: string;
  /** More members of the protected header. */
  more?: [CborItem, CborItem][];
  size?: number;
  index?: number;
  path?: Uint8Array[];
  payload?: CborItem;
  tag?: number;
  proofs?: number;
}

/**
 * Makes a COSE receipt of the log of the example, with some things different, all of which are signed that
 * can be.
 */
export function coseReceipt(said: Said = {}): Uint8Array {
  const { of = log, key = KEYS.log, issuer = 'receipts.example', subject = log.origin, more = [] } = said;
  const { kid = utf8.encode(key.kid), alg = -8, vds = 1, size = of.entries.length, index = INDEX } = said;
  const { payload = CBOR_NULL, tag = 18, proofs = 1 } = said;
  const path = said.path ?? inclusionPath(nativePrimitives, INDEX, of.entries.length, of.node);
  const header = cborMap([
    [int(1), int(alg)],
    [int(4), cborBytes(kid)],
    [
      int(15),
      cborMap([
        [int(1), cborText(issuer)],
        [int(2), cborText(subject)],
      ]),
    ],
    [int(395), int(vds)],
    ...more,
  ]).encoded;
  const proof = cborArray([int(size), int(index), cborArray(path.map(cborBytes))]).encoded;
  const vdp = cborMap([[int(-1), cborArray(Array.from({ length: proofs }, () => cborBytes(proof)))]]);
  const signature = cborBytes(signEd25519(key.privateKey, coseMessage(header, of.root)));
  const items = [cborBytes(header), cborMap([[int(396), vdp]]), payload, signature];
  return cborTagged(tag, cborArray(items)).encoded;
}

const path = inclusionPath(nativePrimitives, INDEX, log.entries.length, log.node);
const withText = smallLog(log.origin, ['first', 'no entry', 'third'], [KEYS.log]);
const genuine = cose.receipt;
/** Leaves that say the same as an entry, each in a tree of its own in its place. */
const FORMS = otherForms(log.entries[INDEX] ?? '').map((form) => ({
  ...form,
  of: smallLog(log.origin, log.entries.with(INDEX, form.text), [KEYS.log]),
}));

/** Returns the receipt with a length in another than its shortest encoding. */
function lengthened(): Uint8Array {
  const at = genuine.length - 64;
  // The head of the signature, 0x58 0x40, as 0x59 0x0040.
  return Buffer.concat([genuine.subarray(0, at - 2), Buffer.of(0x59, 0, 0x40), genuine.subarray(at)]);
}

const RECEIPTS: readonly [
  file: string,
  name: string,
  content: Uint8Array,
  verdict: string,
  problem: string | null,
][] = [
  ['receipt', 'genuine', genuine, 'valid', null],
  [
    'other-size',
    'another size with the same path: the size is not signed',
    coseReceipt({ size: 4 }),
    'valid',
    null,
  ],
  [
    'other-index',
    'another index with the same path',
    coseReceipt({ index: 0 }),
    'bad_signature',
    'the signature',
  ],
  ['beyond', 'an index beyond the tree', coseReceipt({ index: 3 }), 'bad_proof', 'a tree of 3 leaves'],
  [
    'long',
    'a hash too many',
    coseReceipt({ path: [...path, ...path.slice(0, 1)] }),
    'bad_proof',
    'a tree of 3 leaves',
  ],
  ['short', 'a hash too few', coseReceipt({ path: path.slice(0, 1) }), 'bad_proof', 'a tree of 3 leaves'],
  [
    'swapped',
    'two hashes swapped',
    coseReceipt({ path: path.toReversed() }),
    'bad_signature',
    'the signature',
  ],
  ['empty', 'no hashes', coseReceipt({ path: [] }), 'malformed', 'a proof has 1 to 63'],
  [
    'short-hash',
    'a hash of 31 bytes',
    coseReceipt({ path: path.map((hash) => hash.subarray(1)) }),
    'malformed',
    'a hash does not have',
  ],
  ['other-key', 'a key that is not trusted', coseReceipt({ key: OTHER }), 'key_unknown', 'no trusted key'],
  [
    'of-evidence',
    'the key of another log',
    coseReceipt({ key: OF_EVIDENCE }),
    'key_unknown',
    'no trusted key',
  ],
  [
    'forged',
    'another key than it names',
    coseReceipt({ key: OTHER, kid: utf8.encode(KEYS.log.kid) }),
    'bad_signature',
    'the signature',
  ],
  [
    'kid',
    'a kid of 42 characters',
    coseReceipt({ kid: utf8.encode('a'.repeat(42)) }),
    'malformed',
    'its kid',
  ],
  [
    'kid-bytes',
    'a kid that is no text',
    coseReceipt({ kid: new Uint8Array(43).fill(0xff) }),
    'malformed',
    'its kid',
  ],
  [
    'log-of-evidence',
    'a log that is not of receipts, signed',
    coseReceipt({ subject: 'receipts.example/evidence' }),
    'malformed',
    'its log (sub)',
  ],
  [
    'issuer',
    'another service than its log, signed',
    coseReceipt({ issuer: 'other.example' }),
    'malformed',
    'its log (sub)',
  ],
  ['alg', 'another number of the algorithm, signed', coseReceipt({ alg: -19 }), 'malformed', 'a number is'],
  ['vds', 'another kind of tree, signed', coseReceipt({ vds: 2 }), 'malformed', 'a number is'],
  [
    'crit',
    'a member that must be understood, signed',
    coseReceipt({ more: [[int(2), cborArray([int(395)])]] }),
    'malformed',
    'a map has not',
  ],
  [
    'attached',
    'the root as payload',
    coseReceipt({ payload: cborBytes(log.root) }),
    'malformed',
    'something is not null',
  ],
  ['proofs', 'two proofs', coseReceipt({ proofs: 2 }), 'malformed', 'an array has not'],
  ['lengthened', 'a length that could be shorter', lengthened(), 'malformed', 'a number could be shorter'],
  [
    'followed',
    'a byte after the end',
    Buffer.concat([genuine, Buffer.of(0)]),
    'malformed',
    'there are bytes after',
  ],
  ['cut', 'the last byte cut off', genuine.subarray(0, -1), 'malformed', 'the bytes end'],
  ['tag', 'another tag', coseReceipt({ tag: 17 }), 'malformed', null],
];

const one = (name: string, file: string, entry: string, verdict: string, others: object = {}) => ({
  name,
  file: `${file}.cose`,
  entry: `${entry}.json`,
  at: AT,
  verdict,
  problem: null,
  ...others,
});
const keyPatch = (...members: [string, string][]) =>
  members.map(([member, value]) => ({ op: 'replace', path: `/keys/1/${member}`, value }));

const CASES = [
  ...RECEIPTS.map(([file, name, , verdict, problem]) =>
    // With another tag it is no COSE receipt, and so needs no entry.
    one(name, file, 'entry', verdict, { problem, ...(file === 'tag' && { entry: undefined }) }),
  ),
  one('the entry from a public manifest', 'receipt', 'manifest', 'valid'),
  one('60 s before the date of the entry', 'receipt', 'entry', 'valid', { at: '2026-05-01T11:59:01.000Z' }),
  one('more than 60 s before the date of the entry', 'receipt', 'entry', 'future', {
    ...{ at: '2026-05-01T11:59:00.999Z', problem: 'the entry: future: ', checks: { entry: 'future' } },
  }),
  one('another entry', 'receipt', 'other-entry', 'bad_signature', { problem: 'the signature' }),
  one('the manifest of another receipt', 'receipt', 'other-manifest', 'bad_signature', {
    problem: 'the signature',
  }),
  one('a line that is no entry, in the log', 'no-entry', 'no-entry', 'bad_entry', { problem: 'the entry: ' }),
  ...FORMS.map(({ key, name }) =>
    one(`an entry, ${name}`, `entry-${key}`, `entry-${key}`, 'bad_entry', { problem: 'the entry: ' }),
  ),
  one('another log of the key', 'other-log-of-key', 'entry', 'wrong_log', { problem: 'wrong_log: ' }),
  one('another log, which --log-key names', 'other-log-of-key', 'entry', 'valid', {
    log_key: [formatVerifierKey(verifierOf(KEYS.log, 'shadow.example/receipts'))],
  }),
  one('another log than --log-key names', 'receipt', 'entry', 'wrong_log', {
    problem: 'wrong_log: ',
    log_key: [formatVerifierKey(verifierOf(KEYS.log, 'shadow.example/receipts'))],
  }),
  one('another log of a key that is not trusted', 'other-log-and-key', 'entry', 'key_unknown', {
    problem: 'no trusted key',
  }),
  one('a list without log', 'receipt', 'entry', 'log_not_named', {
    ...{ problem: 'log_not_named: ', keys_patch: [{ op: 'remove', path: '/log' }] },
  }),
  one('a list without log, and any log', 'receipt', 'entry', 'valid', {
    ...{ any_log: true, keys_patch: [{ op: 'remove', path: '/log' }] },
  }),
  one('a retired key', 'receipt', 'entry', 'key_retired', {
    problem: 'the key',
    keys_patch: keyPatch(['status', 'retired'], ['valid_until', '2026-07-01T00:00:00.000Z']),
  }),
  one('a compromised key', 'receipt', 'entry', 'key_unknown', {
    problem: 'no trusted key',
    keys_patch: keyPatch(['status', 'compromised']),
  }),
];

const OF_SHADOW = { issuer: 'shadow.example', subject: 'shadow.example/receipts' };
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const FILES: readonly (readonly [string, string | Uint8Array])[] = [
  [
    'keys.json',
    json({
      keys: [
        keyRow(KEYS.receipts, 'receipts'),
        keyRow(KEYS.log, 'receipts-log'),
        keyRow(OF_EVIDENCE, 'evidence-log'),
      ],
      log: { origin: 'receipts.example/keys' },
    }),
  ],
  ['entry.json', `${log.entries[INDEX]}\n`],
  ['other-entry.json', `${log.entries[0]}\n`],
  ['manifest.json', json(log.manifest(INDEX))],
  ['other-manifest.json', json(log.manifest(0))],
  ['other-log-of-key.cose', coseReceipt(OF_SHADOW)],
  ['other-log-and-key.cose', coseReceipt({ ...OF_SHADOW, key: OTHER })],
  ['no-entry.json', 'no entry\n'],
  ['no-entry.cose', coseReceipt({ of: withText })],
  ...FORMS.flatMap(({ key, text, of }): [string, string | Uint8Array][] => [
    [`entry-${key}.json`, `${text}\n`],
    [
      `entry-${key}.cose`,
      coseReceipt({ of, path: inclusionPath(nativePrimitives, INDEX, of.entries.length, of.node) }),
    ],
  ]),
  ...RECEIPTS.map(([file, , content]) => [`${file}.cose`, content] as const),
];

/** Returns the content of each file of test/vectors/cose-receipt, by its name. */
export function coseVectors(): ReadonlyMap<string, Uint8Array> {
  const cases = `[\n${CASES.map((case_) => JSON.stringify(case_)).join(',\n')}\n]\n`;
  return new Map(
    [...FILES, ['cases.json', cases] as const].map(([name, content]) => [
      name,
      typeof content === 'string' ? utf8.encode(content) : new Uint8Array(content),
    ]),
  );
}

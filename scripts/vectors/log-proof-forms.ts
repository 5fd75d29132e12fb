import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../src/proof/encoding/base64.ts';
import { checkpointText } from '../../src/proof/log/checkpoint.ts';
import { keyIdOf, parseNote, SIGNATURE_TYPES } from '../../src/proof/log/note.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { smallLog, testKey, verifierOf } from '../../test/support/small-log.ts';
import { example } from '../../test/support/worked-example.ts';

interface FormCase {
  name: string;
  file: string;
  content: string;
  verdict: string;
  problem: null;
  keys_patch?: Operation[];
}

const KEY = testKey(2);
const ORIGIN = 'receipts.example/receipts';
const { checkpoint } = smallLog(ORIGIN, example.log.entries, [KEY]);
const { text } = parseNote(Buffer.from(checkpoint));
const proof = example.log.proof(1);
const evidence: Record<string, unknown> = JSON.parse(example.evidenceEntry);

/** Returns a signature line by the key of the log, for a text with any origin. */
function lineOf(whole: string, name: string): string {
  const { publicKey } = verifierOf(KEY, name);
  const keyId = Buffer.alloc(4);
  keyId.writeUInt32BE(keyIdOf(nativePrimitives, name, SIGNATURE_TYPES.ed25519, publicKey));
  const signature = signEd25519(KEY.privateKey, Buffer.from(whole));
  return `— ${name} ${encodeBase64(Buffer.concat([keyId, signature]))}\n`;
}
const signed = (whole: string, name = whole.split('\n')[0] ?? ''): string =>
  `${whole}\n${lineOf(whole, name)}`;
const sized = (size: number, root: Uint8Array, origin = ORIGIN): string =>
  signed(checkpointText({ origin, size, root }));

/** A change that matters nowhere: it says that the file is not genuine as a whole. */
const OTHER_KEYS: Operation[] = [
  { op: 'replace', path: '/keys/4/valid_from', value: '2026-01-01T00:00:01.000Z' },
];
let count = 0;
const one = (kind: string, name: string, content: string, verdict: string): FormCase => ({
  ...{ name, file: `form-${++count}.${kind}`, content, verdict, problem: null },
  ...(verdict === 'valid' ? { keys_patch: OTHER_KEYS } : {}),
});
const note = (name: string, content: string, verdict: string): FormCase =>
  one('checkpoint', name, content, verdict);
const ofProof = (name: string, content: string, verdict: string): FormCase =>
  one('tlog-proof', name, content, verdict);
const named = (name: string, of: string, verdict: string): FormCase =>
  note(`another line by ${name}`, `${checkpoint}— ${of} ${encodeBase64(Buffer.alloc(5))}\n`, verdict);
const ofEvidence = (name: string, changes: object): FormCase => {
  const entry = JSON.stringify({ ...evidence, ...changes });
  return ofProof(name, smallLog('receipts.example/evidence', [entry], [testKey(6)]).proof(0), 'bad_entry');
};

/** Checkpoints and proofs at the limits of their forms. */
export const FORM_CASES: readonly FormCase[] = [
  named('a name beyond U+FFFF', 'é\u200b😀\ufeff', 'valid'),
  named('a name with a plus sign', 'a+b', 'malformed'),
  named('a name with a no-break space', 'a\u00a0b', 'malformed'),
  named('a name with U+0085, which is white space', 'a\u0085b', 'malformed'),
  named('a name with an ideographic space', '\u3000', 'malformed'),
  named('a name with a tab', 'a\tb', 'malformed'),
  named('nobody', '', 'malformed'),
  note('a signature of no bytes', `${checkpoint}— x ${encodeBase64(Buffer.alloc(4))}\n`, 'malformed'),
  note('base64 without its padding', checkpoint.trimEnd().replace(/=+$/, '').concat('\n'), 'malformed'),
  note('64 signatures', `${text}\n${lineOf(text, ORIGIN).repeat(64)}`, 'valid'),
  note('carriage returns', checkpoint.replaceAll('\n', '\r\n'), 'malformed'),
  note('U+007F in a fourth line', signed(`${text}\u007f\n`, ORIGIN), 'valid'),
  note('a byte order mark, which is then of the origin', `\ufeff${checkpoint}`, 'bad_checkpoint'),
  note('no text but an empty line', `\n\n${lineOf('\n', ORIGIN)}`, 'bad_checkpoint'),
  note('no origin', signed(text.slice(ORIGIN.length), ORIGIN), 'bad_checkpoint'),
  note('two lines', signed(text.split('\n').slice(0, 2).join('\n').concat('\n')), 'bad_checkpoint'),
  note('an origin without a slash', sized(3, example.log.root, 'receipts'), 'bad_checkpoint'),
  note('an origin of nothing but the log', sized(3, example.log.root, '/receipts'), 'wrong_log'),
  note('a size with a sign', signed(text.replace('\n3\n', '\n+3\n')), 'bad_checkpoint'),
  note('a size of 2^53 − 1', sized(2 ** 53 - 1, example.log.root), 'valid'),
  note('a size of 2^53', signed(text.replace('\n3\n', `\n${2 ** 53}\n`)), 'bad_checkpoint'),
  note('the root of another tree, of no entry', sized(0, example.log.root), 'valid'),
  note(
    'a root of 31 bytes',
    signed(text.replace(/\n\S+\n$/, `\n${encodeBase64(Buffer.alloc(31))}\n`)),
    'bad_checkpoint',
  ),
  note('a root that is not canonical', signed(text.replace(/s=\n$/, 't=\n')), 'bad_checkpoint'),
  // Without hashes nothing but the bound refuses the index.
  ofProof(
    'an index at the size of a tree of one entry',
    smallLog(ORIGIN, example.log.entries.slice(0, 1), [KEY]).proof(0).replace('index 0', 'index 1'),
    'bad_proof',
  ),
  ofProof('an index of 2^53', proof.replace('index 1', `index ${2 ** 53}`), 'malformed'),
  ofProof('an empty entry', proof.replace(/^extra .*$/m, 'extra '), 'malformed'),
  ofProof(
    'a hash of 31 bytes',
    proof.replace(/\n\S+\n\n/, `\n${encodeBase64(Buffer.alloc(31))}\n\n`),
    'malformed',
  ),
  ofProof(
    '63 hashes',
    proof.replace('\n\n', `\n${`${encodeBase64(Buffer.alloc(32))}\n`.repeat(61)}\n`),
    'bad_proof',
  ),
  ofProof(
    '64 hashes',
    proof.replace('\n\n', `\n${`${encodeBase64(Buffer.alloc(32))}\n`.repeat(62)}\n`),
    'malformed',
  ),
  ofProof('two empty lines before the checkpoint', proof.replace('\n\n', '\n\n\n'), 'bad_checkpoint'),
  ofProof('no checkpoint', proof.slice(0, proof.indexOf('\n\n') + 2), 'malformed'),
  ofProof('another version', proof.replace('@v1', '@v2'), 'malformed'),
  ofEvidence('the first item of evidence after another one', { index: 0 }),
  ofEvidence('the second item of evidence after none', { prev_event_hash: null }),
];

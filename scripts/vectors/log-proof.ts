import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { accountEntryText, NO_RECEIPT } from '../../src/proof/log/log-entry.ts';
import type { LogName } from '../../src/proof/log/log-names.ts';
import {
  formatVerifierKey,
  keyIdOf,
  parseNote,
  SIGNATURE_TYPES,
  signatureLine,
} from '../../src/proof/log/note.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { storedEntries } from '../../test/support/key-log-page.ts';
import { keyRow, smallLog, testKey, verifierOf } from '../../test/support/small-log.ts';
import { example } from '../../test/support/worked-example.ts';
import { otherForms } from './entry-forms.ts';
import { closedCases } from './log-proof-closed.ts';
import { FORM_CASES } from './log-proof-forms.ts';
import { meantCases, type ProofCase } from './log-proof-origins.ts';
import { TIMED_KEY, timedCases } from './log-proof-times.ts';

const AT = '2026-06-01T12:00:00.000Z';
const ORIGIN = 'receipts.example';
const SEEDS: Readonly<Record<LogName, number>> = {
  receipts: 2,
  keys: 4,
  revocations: 5,
  evidence: 6,
  accounts: 8,
};
const evidence = JSON.parse(example.evidenceEntry);

/** Entries of each log. */
const ENTRIES: Readonly<Record<LogName, readonly string[]>> = {
  receipts: example.log.entries,
  keys: storedEntries('small').map((entry) => Buffer.from(entry).toString()),
  revocations: [example.revocationEntry, example.agentRevocationEntry],
  evidence: [
    example.evidenceEntry,
    example.evidenceEntry.replace(evidence.event_commitment_hash, evidence.payload_digest),
    'no entry',
  ],
  accounts: [
    accountEntryText({
      ...NO_RECEIPT,
      event: 'linked',
      account: evidence.subject_commitment,
      sequence: 1,
      at: '2026-05-01T12:00:00.000Z',
    }),
  ],
};

const keys: JsonObject = {
  keys: [...Object.entries(SEEDS).map(([name, seed]) => keyRow(testKey(seed), `${name}-log`)), TIMED_KEY],
  log: { origin: `${ORIGIN}/keys` },
};

const log = (name: LogName, seed = SEEDS[name], origin = `${ORIGIN}/${name}`) =>
  smallLog(origin, ENTRIES[name], [testKey(seed)]);

interface Case extends ProofCase {
  /** When to verify, if not at the time of the others. */
  at?: string;
}

const NAMES = ['receipts', 'keys', 'revocations', 'evidence', 'accounts'] as const;
const SIGNER = 'the checkpoint: no trusted key';
const other = log('receipts', 5);
const receipts = log('receipts');

/** Returns the line of a signature by the key of the log of receipts. */
function line(signature: Uint8Array, name = `${ORIGIN}/receipts`): string {
  const raw = hexToBytes(testKey(SEEDS.receipts).public_key);
  const keyId = keyIdOf(nativePrimitives, `${ORIGIN}/receipts`, SIGNATURE_TYPES.ed25519, raw);
  return signatureLine({ name, keyId, signature });
}

const { text } = parseNote(Buffer.from(receipts.checkpoint));
const signed = (whole: string): Uint8Array =>
  signEd25519(testKey(SEEDS.receipts).privateKey, Buffer.from(whole));
const zeros = new Uint8Array(64);
const replaced = (path: string, value: JsonValue): Operation => ({ op: 'replace', path, value });
const bad = (name: string, file: string, content: string, problem: string): Case => ({
  name,
  file,
  content,
  verdict: 'bad_checkpoint',
  problem,
});
const WRONG = 'the checkpoint: the signature';

/** What decides whether a checkpoint counts. */
const COUNTING: readonly Case[] = [
  {
    name: 'a key that has ended, and no time in the signature',
    file: 'receipts.checkpoint',
    content: receipts.checkpoint,
    keys_patch: [
      replaced('/keys/0/status', 'retired'),
      replaced('/keys/0/valid_until', '2026-01-02T00:00:00.000Z'),
    ],
    verdict: 'valid',
    problem: null,
  },
  {
    ...bad('a compromised key', 'receipts.checkpoint', receipts.checkpoint, SIGNER),
    keys_patch: [replaced('/keys/0/status', 'compromised')],
  },
  {
    ...bad('a key that is compromised for another log', 'receipts.checkpoint', receipts.checkpoint, SIGNER),
    keys_patch: [replaced('/keys/4', keyRow(testKey(SEEDS.receipts), 'keys-log', { status: 'compromised' }))],
  },
  ...['receipts', 'of-a-later-version'].map((purpose) => ({
    ...bad(`a key that is compromised for ${purpose}`, 'receipts.checkpoint', receipts.checkpoint, SIGNER),
    keys_patch: [replaced('/keys/4', keyRow(testKey(SEEDS.receipts), purpose, { status: 'compromised' }))],
  })),
  {
    name: 'more lines than three, all signed',
    file: 'four-lines.checkpoint',
    content: `${text}x\n\n${line(signed(`${text}x\n`))}`,
    verdict: 'valid',
    problem: null,
  },
  bad(
    'only three of four lines signed',
    'not-all-lines.checkpoint',
    `${text}x\n\n${line(signed(text))}`,
    WRONG,
  ),
  bad('a wrong signature beside the right one', 'two.checkpoint', receipts.checkpoint + line(zeros), WRONG),
  bad(
    'a signature of another length beside the right one',
    'short.checkpoint',
    receipts.checkpoint + line(zeros.subarray(1)),
    WRONG,
  ),
  bad(
    'another name in the signature line',
    'name.checkpoint',
    `${text}\n${line(signed(text), 'other')}`,
    SIGNER,
  ),
  {
    name: 'a wrong signature under another name beside the right one',
    file: 'other-name.checkpoint',
    content: receipts.checkpoint + line(zeros, 'other'),
    // Not genuine as a whole: the line that nobody knows may change.
    keys_patch: [replaced('/keys/4/valid_from', '2026-01-01T00:00:01.000Z')],
    verdict: 'valid',
    problem: null,
  },
  {
    name: '65 signatures',
    file: 'many.checkpoint',
    content: `${text}\n${line(signed(text)).repeat(65)}`,
    verdict: 'malformed',
    problem: 'a note has at most',
  },
];

/** Leaves that say the same as an entry, in a tree that the log signed. */
const OTHER_FORMS: readonly Case[] = NAMES.flatMap((name) =>
  // Of the log of revocations, the entries of receipts and of agents.
  ENTRIES[name].slice(0, name === 'revocations' ? 2 : 1).flatMap((entry, index) => {
    const forms = otherForms(entry);
    const texts = forms.map(({ text }) => text);
    const tree = smallLog(`${ORIGIN}/${name}`, texts, [testKey(SEEDS[name])]);
    const of = index === 0 ? name : 'agent';
    return forms.map(
      (form, leaf): Case => ({
        name: `an entry of ${index === 0 ? name : 'a revoked agent'}, ${form.name}`,
        file: `${of}-${form.key}.tlog-proof`,
        content: tree.proof(leaf),
        verdict: 'bad_entry',
        problem: 'the entry: ',
      }),
    );
  }),
);

const CASES: readonly Case[] = [
  ...NAMES.map(
    (name): Case => ({
      name: `an entry of ${name}`,
      file: `${name}.tlog-proof`,
      content: log(name).proof(0),
      verdict: 'valid',
      problem: null,
    }),
  ),
  ...NAMES.map(
    (name): Case => ({
      name: `a checkpoint of ${name}`,
      file: `${name}.checkpoint`,
      content: log(name).checkpoint,
      verdict: 'valid',
      problem: null,
    }),
  ),
  {
    name: '60 seconds before the date of the entry',
    file: 'receipts.tlog-proof',
    content: receipts.proof(0),
    at: '2026-05-01T11:59:00.000Z',
    verdict: 'valid',
    problem: null,
  },
  {
    name: 'more than 60 seconds before the date of the entry',
    file: 'receipts.tlog-proof',
    content: receipts.proof(0),
    at: '2026-05-01T11:58:59.999Z',
    verdict: 'future',
    problem: 'the entry: future: it is dated 2026-05-01T12:00:00.000Z, more than 60 s after the clock',
  },
  {
    name: 'a proof by the key of another log',
    file: 'other-log.tlog-proof',
    content: other.proof(0),
    verdict: 'bad_checkpoint',
    problem: SIGNER,
  },
  {
    name: 'a checkpoint by the key of another log',
    file: 'other-log.checkpoint',
    content: other.checkpoint,
    verdict: 'bad_checkpoint',
    problem: SIGNER,
  },
  {
    name: 'a name that is not a log',
    file: 'no-log.checkpoint',
    content: log('receipts', 2, `${ORIGIN}/other`).checkpoint,
    verdict: 'bad_checkpoint',
    problem: SIGNER,
  },
  {
    name: 'the index of another entry',
    file: 'other-index.tlog-proof',
    content: receipts.proof(0).replace('\nindex 0\n', '\nindex 1\n'),
    verdict: 'bad_proof',
    problem: 'the hashes',
  },
  {
    name: 'an index beyond the tree',
    file: 'beyond.tlog-proof',
    content: receipts.proof(0).replace('\nindex 0\n', '\nindex 3\n'),
    verdict: 'bad_proof',
    problem: 'the hashes',
  },
  {
    name: 'an index with a leading zero',
    file: 'leading-zero.tlog-proof',
    content: receipts.proof(0).replace('\nindex 0\n', '\nindex 00\n'),
    verdict: 'malformed',
    problem: 'the index',
  },
  {
    name: 'no entry',
    file: 'no-entry.tlog-proof',
    content: receipts.proof(0).replace(/^extra .*\n/m, ''),
    verdict: 'malformed',
    problem: 'the proof has no entry',
  },
  {
    name: 'a wrong event_commitment_hash, in the log',
    file: 'wrong-event.tlog-proof',
    content: log('evidence').proof(1),
    verdict: 'bad_entry',
    problem: 'the entry: event_commitment_hash',
  },
  {
    name: 'a text that is no entry, in the log',
    file: 'text.tlog-proof',
    content: log('evidence').proof(2),
    verdict: 'bad_entry',
    problem: 'the entry',
  },
  {
    name: 'a size with a leading zero',
    file: 'leading-zero.checkpoint',
    content: receipts.checkpoint.replace('\n3\n', '\n03\n'),
    verdict: 'bad_checkpoint',
    problem: 'the checkpoint: the size',
  },
  {
    name: 'another size',
    file: 'other-size.checkpoint',
    content: receipts.checkpoint.replace('\n3\n', '\n4\n'),
    verdict: 'bad_checkpoint',
    problem: 'the checkpoint: the signature',
  },
  {
    name: 'an extension line that nobody signed',
    file: 'extended.checkpoint',
    content: receipts.checkpoint.replace('\n\n', '\nx\n\n'),
    verdict: 'bad_checkpoint',
    problem: 'the checkpoint: the signature',
  },
  ...COUNTING,
  ...meantCases(
    (name, { seed = SEEDS[name], common = ORIGIN } = {}) => log(name, seed, `${common}/${name}`),
    SEEDS,
  ),
  ...closedCases(
    (name, common) => log(name, SEEDS[name], `${common}/${name}`),
    formatVerifierKey(verifierOf(testKey(SEEDS.receipts), `${ORIGIN}/receipts`)),
  ),
  ...OTHER_FORMS,
  ...FORM_CASES,
  ...timedCases(receipts.checkpoint, `${text}x\n\n${line(signed(`${text}x\n`))}`),
  {
    name: 'no line end',
    file: 'no-line-end.checkpoint',
    content: receipts.checkpoint.trimEnd(),
    verdict: 'malformed',
    problem: 'the note does not end',
  },
];

const SAYS = 'A line may stand twice';
const unsigned = CASES.filter(
  ({ verdict, keys_patch = [] }) => verdict === 'valid' && keys_patch.length === 0,
).map(({ content }) => ({
  path: `line ${content.trimEnd().split('\n').length} doubled`,
  page: 'logs.md',
  says: SAYS,
}));

/** Returns the text of each file of test/vectors/log-proof, by its name. */
export function logProofVectors(): ReadonlyMap<string, string> {
  const cases = CASES.map(({ content: _, ...one }) => JSON.stringify({ ...one, at: one.at ?? AT }));
  const paths = new Map(unsigned.map((part) => [part.path, part]));
  return new Map([
    ['keys.json', `${JSON.stringify(keys, null, 2)}\n`],
    ['cases.json', `[\n${cases.join(',\n')}\n]\n`],
    ['unsigned.json', `${JSON.stringify([...paths.values()], null, 2)}\n`],
    ...CASES.map(({ file, content }) => [file, content] as const),
  ]);
}

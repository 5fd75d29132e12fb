import type { KindInputs } from '../../../proof/verifier/kinds/kind.ts';
import { type AdditionalCheck, KIND_WORDS, type WordKind } from '../../../proof/words/kinds.ts';
import { IN_ORDER, OPEN } from '../../../proof/words/summary.ts';

/** The checks whose names say too little. */
const CHECKS: Readonly<Record<string, string>> = {
  agent: 'The agent is that of the public key',
  attribution: 'The sampled receipts are those of its subject',
  copy: 'The copy of the log agrees',
  domain: 'The domain',
  hash: 'The content hash',
  hashes: 'The hashes of the item',
  issuer: 'The issuer is the trusted one',
  key: 'The key that signed is trusted',
  key_events: 'The log of keys has its keys',
  linked: 'The log of accounts has a leaf for each act',
  log: 'A trusted key signed the log',
  proof: 'The proof',
  quorum: 'Witnesses cosigned the log',
  revocation: 'It is not revoked',
  rules: 'The statuses follow from the counts',
  sample: 'The sampled references are in the log',
  shape: 'It has the form of its kind',
  signature: 'The signature',
  status: 'The signed status',
  time: 'The dates',
  validity: 'It is valid at this time',
};

/** Returns what a check is about. */
export function checkInWords(name: string): string {
  if (Object.hasOwn(CHECKS, name)) return CHECKS[name] ?? name;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How a check ended: `good` and `bad`, or `open` where nothing was looked at or demanded. */
export type CheckEnd = 'good' | 'bad' | 'open';

/** Where a document is not even read, its checks are not made either. */
const NOT_MADE: readonly unknown[] = [...OPEN, 'unchecked', 'not_checked'];

/** Returns the result of a check in words, and how it ended. */
export function resultInWords(result: unknown): { words: string; end: CheckEnd } {
  const end = IN_ORDER.includes(result) ? 'good' : NOT_MADE.includes(result) ? 'open' : 'bad';
  if (result === true) return { words: 'ok', end };
  if (result === false) return { words: 'failed', end };
  if (result === null) return { words: 'not checked', end };
  return { words: String(result).replaceAll('_', ' '), end };
}

/** Returns what nobody has looked at where a check of a document was not made. */
export function openInWords(kind: WordKind, check: string): string {
  const rows: readonly AdditionalCheck[] = KIND_WORDS[kind].additional;
  return rows.find((row) => row.check === check)?.open ?? checkInWords(check);
}

const OF_SIGNED = 'That what the document says is true: a signature shows who said it.';
const OF_RECEIPT = [
  'That the agent did what the receipt says: it is the word of the service.',
  'That there are no other receipts.',
];
const OF_EVIDENCE = [
  'That the payload is true: it is the word of the agent.',
  'That there is no other evidence about the agent.',
];
const OF_ACCOUNT = ['That the movements were meant: the statement adds up what the journal has.'];
const OF_DATED = [OF_SIGNED, 'That it is still so: the document has a date.'];

/** What no verdict proves, by the kind of document. */
const UNPROVEN: Readonly<Record<KindInputs, readonly string[]>> = {
  receipt: OF_RECEIPT,
  bundle: OF_RECEIPT,
  evidence: OF_EVIDENCE,
  evidenceBundle: OF_EVIDENCE,
  headProof: [
    'That the entries of the journal are true: it is the word of the service.',
    'That the journal still has the head: only the journal itself shows that.',
  ],
  package: [
    'That the controls work: the package counts records.',
    'That the records are all there are, and true.',
  ],
  credential: [OF_SIGNED, 'That who shows it is its subject.'],
  accountStatement: OF_ACCOUNT,
  citesLogs: [
    'That what an entry of the log says is true.',
    'That others see the same log, unless witnesses cosigned it.',
  ],
  cose: ['That what the entry of the log says is true.', 'That others see the same log.'],
  keyList: [OF_SIGNED],
  statement: OF_DATED,
  issued: OF_DATED,
  selfContained: [OF_SIGNED, 'Who owns the key of the agent.'],
};

/** Returns what a valid document of a kind does not prove, a clause each. */
export const unprovenBy = (inputs: KindInputs): readonly string[] => UNPROVEN[inputs];

import { Failure } from '../../../platform/failure.ts';

/** The options of the command line. */
export interface CommandOptions {
  keys?: string | undefined;
  at?: number;
  domain?: string;
  issuer?: string;
  proof?: string;
  logKey?: string[];
  anyLog?: boolean;
  status?: string;
  fresh?: boolean;
  revocations?: string;
  policy?: string;
  log?: string;
  entry?: string;
  journal?: string;
  ndjson?: boolean;
  /** Of a journal: the hash of its newest entry. */
  head?: string;
  complete?: boolean;
  operator?: string;
  allowUnlinked?: boolean;
  from?: number;
  predecessor?: string[];
  linked?: boolean;
  page?: boolean;
  trust?: string;
  /** Not an option of `verify`: the document is judged as a credential, even if it is something else. */
  as?: 'credential';
}

type Option = Exclude<keyof CommandOptions, 'as'>;

/** What a message says: what happened, and what to do. */
type Words = readonly [message: string, hint: string];

/**
 * What an option is for a subject: allowed, needed, needed unless there is one of other options, only useful
 * with one of other options, or refused with a reason of the subject. An option without an entry is refused
 * with the reason of `REASONS`.
 */
type Use =
  | 'allowed'
  | { needed: Words }
  | { unless: readonly Option[]; else: Words }
  | { with: readonly Option[]; else: Words }
  | { refused: Words };

type Row = Partial<Record<Option, Use>>;

const allowed = (...options: readonly Option[]): Row =>
  Object.fromEntries(options.map((option) => [option, 'allowed'] as const));

const OF_LOGS = ['policy', 'logKey', 'anyLog'] as const;
/** Returns the row of the options that concern logs. */
const ofLogs = (use: (flag: string) => Use): Row => ({
  policy: use('policy'),
  logKey: use('log-key'),
  anyLog: use('any-log'),
});
const onlyWith =
  (options: readonly Option[], hint: string) =>
  (flag: string): Use => ({ with: options, else: [`--${flag} has nothing to verify`, hint] });

const KEYS: Row = {
  keys: { needed: ["required option '--keys <file|url>' not specified", 'see countersign verify --help'] },
};
const ENTRY_HINT =
  'add --entry with a file that has the entry of the log, or with the public manifest of the receipt';
const ONE_RECEIPT: Use = {
  refused: [
    '--proof and --status are of one receipt, but the input has many',
    'verify that receipt separately, or check all of them with --revocations',
  ],
};
const byItself = (hint: string): Use => ({ needed: ['$SUBJECT cannot be verified by itself', hint] });
const completeNeeds = (flag: string, content: string): Use => ({
  needed: [`--complete needs --${flag}`, `specify ${content}`],
});

const IN_BUNDLE = (name: 'proof' | 'status'): Use => ({
  refused: [`the bundle has its ${name}`, `omit --${name}`],
});
const OF_REVOCATIONS = onlyWith(['revocations'], 'add --revocations or --complete')('predecessor');
const NOTHING_TO_COMPARE: Words = ['--log has nothing to compare', 'add --proof'];

/** Which options each subject has. */
const ROWS = {
  /** Every document and list, before it is read. */
  input: {
    ...allowed('keys', 'at', 'ndjson', 'domain', 'issuer', 'proof', 'status', 'revocations', 'log', 'entry'),
    ...allowed('linked', 'fresh', 'predecessor', 'head', 'journal', ...OF_LOGS),
  },
  receipt: {
    ...KEYS,
    ...allowed('at', 'domain', 'proof', 'status', 'revocations'),
    entry: { with: ['proof'], else: ['--entry is for COSE receipts', 'omit --entry'] },
    log: { with: ['proof'], else: NOTHING_TO_COMPARE },
    ...ofLogs(onlyWith(['proof', 'revocations'], 'add --proof or --revocations')),
    predecessor: OF_REVOCATIONS,
  },
  'receipt with a proof': {
    ...allowed('keys', 'at', 'domain', 'proof', 'status', 'revocations', 'log'),
    ...allowed(...OF_LOGS),
    predecessor: OF_REVOCATIONS,
  },
  'receipt with a COSE receipt': {
    ...allowed('keys', 'at', 'domain', 'proof', 'status', 'revocations', 'logKey', 'anyLog'),
    predecessor: OF_REVOCATIONS,
    policy: {
      refused: [
        'a COSE receipt has no cosignatures, which --policy demands',
        'omit --policy, or specify the proof in text form',
      ],
    },
    entry: {
      needed: ['a COSE receipt does not have the entry of the log', ENTRY_HINT],
    },
  },
  /** A bundle of a receipt. Its key events name the keys if a policy says which log of keys counts. */
  bundle: {
    keys: {
      unless: ['policy'],
      else: [
        "required option '--keys <file|url>' not specified",
        'specify the trusted keys, or --policy with a log line for each log of the installation',
      ],
    },
    ...allowed('at', 'domain', 'fresh', 'revocations', 'log', ...OF_LOGS),
    proof: IN_BUNDLE('proof'),
    status: IN_BUNDLE('status'),
    predecessor: OF_REVOCATIONS,
  },
  /** A list that begins with a bundle. */
  bundles: {
    ...KEYS,
    ...allowed('at', 'ndjson', 'domain', 'fresh', 'revocations', ...OF_LOGS),
    proof: IN_BUNDLE('proof'),
    status: IN_BUNDLE('status'),
    log: {
      refused: ['--log compares one bundle, but the input has many', 'verify that bundle separately'],
    },
    predecessor: OF_REVOCATIONS,
  },
  receipts: {
    ...KEYS,
    ...allowed('at', 'ndjson', 'domain', 'revocations'),
    proof: ONE_RECEIPT,
    status: ONE_RECEIPT,
    ...ofLogs(onlyWith(['revocations'], 'add --revocations')),
    predecessor: OF_REVOCATIONS,
  },
  /** A journal of credits, which nobody signs. */
  journal: allowed('ndjson', 'head'),
  /** A signed document that cites no log. */
  statement: { ...KEYS, ...allowed('at') },
  /** The statement of an account, which its journal can confirm. */
  accountStatement: { ...KEYS, ...allowed('at', 'journal') },
  /** A signed document that cites no log and names its issuer. */
  issued: { ...KEYS, ...allowed('at', 'issuer') },
  /** A document that proves itself: it names the agents that signed it by their keys. */
  selfContained: allowed('keys', 'at'),
  /** A document that has its proofs of logs in it. */
  citesLogs: { ...KEYS, ...allowed('at', 'log'), ...allowed(...OF_LOGS) },
  /** The same of a document that names its issuer. */
  package: { ...KEYS, ...allowed('at', 'log', 'issuer'), ...allowed(...OF_LOGS) },
  /** The same of a bundle. */
  evidenceBundle: { ...KEYS, ...allowed('at', 'log'), ...allowed(...OF_LOGS), proof: IN_BUNDLE('proof') },
  /** A proof of the head of a journal. */
  headProof: { ...KEYS, ...allowed('at', 'log', 'journal'), ...allowed(...OF_LOGS) },
  keyList: {
    ...KEYS,
    ...allowed('at'),
    log: byItself('add --log with a directory that has a copy of the logs, or the URL of the service'),
    ...allowed('predecessor', ...OF_LOGS),
  },
  cose: {
    ...KEYS,
    ...allowed('at', 'logKey', 'anyLog'),
    entry: byItself(ENTRY_HINT),
    policy: { refused: ['$SUBJECT has no cosignatures', 'omit --policy'] },
  },
  credential: { ...KEYS, ...allowed('at', 'status', 'issuer') },
  'status list': {
    ...allowed('keys', 'at', 'issuer'),
    status: { refused: ['--status is for credentials, but this is a status list', 'omit --status'] },
  },
  evidence: {
    ...KEYS,
    ...allowed('at', 'proof'),
    log: { with: ['proof'], else: NOTHING_TO_COMPARE },
    ...ofLogs(onlyWith(['proof'], 'add --proof')),
  },
  /** --complete. Without --keys, those of the service at --log are trusted. */
  account: {
    ...allowed('complete', 'keys', 'logKey', 'anyLog', 'allowUnlinked', 'from', 'predecessor', 'ndjson'),
    operator: completeNeeds('operator', 'the id of the operator whose receipts they are'),
    log: completeNeeds('log', 'the URL of the service, or a directory with a copy of the logs'),
    policy: completeNeeds('policy', 'the witnesses that must have cosigned the log'),
  },
  /** --page, which verifies nothing. */
  page: allowed('page', 'trust', 'policy'),
  /** --linked. */
  linked: {
    ...KEYS,
    ...allowed('linked'),
    proof: {
      needed: ['--linked needs --proof', 'specify the public manifest, or the URL of the service'],
    },
    ...allowed(...OF_LOGS),
  },
} as const satisfies Record<string, Row>;

/** A row of the table of options. */
export type OptionsRow = keyof typeof ROWS;

/**
 * Why an option is refused that the row of a subject does not have. `$SUBJECT` is the kind of the document
 * with its article.
 */
const REASONS: Readonly<Record<Option, Words>> = {
  keys: ['--keys has no use here', 'omit --keys'],
  at: ['--at has no use here', 'omit --at'],
  proof: ['--proof is for receipts, but this is $SUBJECT', 'omit --proof'],
  status: ['--status is for receipts, but this is $SUBJECT', 'omit --status'],
  revocations: ['--revocations is for receipts, but this is $SUBJECT', 'omit --revocations'],
  fresh: ['--fresh is for bundles, but this is $SUBJECT', 'omit --fresh'],
  domain: ['--domain is for receipts, but this is $SUBJECT', 'omit --domain'],
  issuer: ['--issuer is for documents that name an issuer, but this is $SUBJECT', 'omit --issuer'],
  log: ['$SUBJECT has no checkpoint that --log could be compared with', 'omit --log'],
  entry: ['--entry is for COSE receipts', 'omit --entry'],
  journal: [
    '--journal is for proofs of journal heads and statements of accounts, but this is $SUBJECT',
    'omit --journal',
  ],
  policy: ['$SUBJECT cites no log', 'omit --policy, --log-key and --any-log'],
  logKey: ['$SUBJECT cites no log', 'omit --policy, --log-key and --any-log'],
  anyLog: ['$SUBJECT cites no log', 'omit --policy, --log-key and --any-log'],
  ndjson: ['--ndjson is for receipts', 'omit --ndjson'],
  head: ['--head is for journals, but this is $SUBJECT', 'omit --head'],
  operator: ['--operator is for --complete', 'add --complete, or omit --operator'],
  allowUnlinked: ['--allow-unlinked is for --complete', 'add --complete, or omit --allow-unlinked'],
  from: ['--from is for --complete', 'add --complete, or omit --from'],
  predecessor: ['--predecessor is for --revocations, --complete and lists of keys', 'omit --predecessor'],
  complete: ['--complete is for a list of receipts', 'omit --complete'],
  linked: ['--linked is for a receipt', 'omit --linked'],
  page: ['--page writes a page, and verifies nothing', 'omit --page'],
  trust: ['--trust is for --page', 'omit --trust, or use --keys'],
};

/** In the order in which their problems are reported. */
const OPTIONS: readonly Option[] = [
  ...([
    'keys',
    'operator',
    'allowUnlinked',
    'from',
    'predecessor',
    'proof',
    'status',
    'fresh',
    'revocations',
    'domain',
    'issuer',
  ] as const),
  ...(['at', 'linked', 'log', 'entry', 'policy', 'logKey', 'anyLog', 'ndjson', 'head', 'complete'] as const),
  'journal',
  ...(['page', 'trust'] as const),
];

/** Why --complete, --linked and --page refuse an option that their rows do not have. */
const WORDS_OF_MODES: Partial<Record<OptionsRow, (flag: string) => Words>> = {
  account: (flag) => [`--${flag} makes no sense with --complete`, `omit --${flag}`],
  page: (flag) => [`--${flag} makes no sense with --page`, `omit --${flag}`],
  linked: (flag) => [
    `--${flag} is not checked together with --linked`,
    `run countersign verify a second time, with --${flag} and without --linked`,
  ],
};

/**
 * Checks the options for a subject: refuses those that it has no use for, and then those that are missing.
 * @param name the kind of the document in messages, such as "scorecard"
 * @throws Failure
 */
export function requireOptions(row: OptionsRow, commandOptions: CommandOptions, name = 'receipt'): void {
  const uses: Row = ROWS[row];
  const isGiven = (option: Option): boolean => commandOptions[option] !== undefined;
  const problems = [
    ...OPTIONS.filter(isGiven).map((option) => {
      const use = uses[option];
      if (use === undefined) return WORDS_OF_MODES[row]?.(flagOf(option)) ?? REASONS[option];
      if (use === 'allowed' || 'needed' in use || 'unless' in use) return null;
      if ('refused' in use) return use.refused;
      return use.with.some(isGiven) ? null : use.else;
    }),
    ...OPTIONS.filter((option) => !isGiven(option)).map((option) => {
      const use = uses[option];
      if (typeof use !== 'object') return null;
      if ('needed' in use) return use.needed;
      return 'unless' in use && !use.unless.some(isGiven) ? use.else : null;
    }),
  ];
  const first = problems.find((problem) => problem !== null);
  if (first === undefined) return;
  const [message, hint] = first;
  throw new Failure(message.replace('$SUBJECT', withArticle(name)), hint, 2);
}

/** Returns the name of a kind of document with its article. */
export const withArticle = (name: string): string => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;

const flagOf = (option: Option): string => option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

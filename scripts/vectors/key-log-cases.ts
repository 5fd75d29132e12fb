import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import { keyRow, type TestKey, testKey, verifierOf } from '../../test/support/small-log.ts';
import { KEY_VECTORS_AT, type KeyLogStory, keyFor } from './key-log-maker.ts';

/** A key that nobody trusts. */
const EVIL = testKey(0xee);

/** Returns a case of one of the logs in test/vectors/keys as it is. */
export const story = (name: string, { verdict, problem, predecessor }: Omit<KeyLogStory, 'log'>) => ({
  name,
  file: `${name}.json`,
  log: name,
  ...(predecessor !== undefined && { predecessor: [...predecessor] }),
  at: KEY_VECTORS_AT,
  verdict,
  problem,
});
const small15 = story('small', { verdict: 'valid', problem: null });
/** The time from which the key in the third row is valid, which was activated at 12:00. */
const validFrom = (value: JsonValue, verdict: string): object => ({
  ...small15,
  name: `valid_from: ${JSON.stringify(value)}`,
  patch: [{ op: 'replace', path: '/keys/2/valid_from', value }],
  verdict,
  problem: verdict === 'valid' ? null : 'keys[2].valid_from is',
});
const replaced = (path: string, value: JsonValue, problem = path.slice(1)) => ({
  ...small15,
  name: `${path} changed`,
  patch: [{ op: 'replace', path: `/keys/2${path}`, value }],
  verdict: 'mismatch',
  problem: `keys[2].${problem}`,
});

/** Adds a row of a key that has ended to the trusted keys. */
const endedRow = (key: TestKey): object => ({
  op: 'add',
  path: '/keys/4',
  value: keyRow(key, 'keys-log', { valid_until: '2026-06-01T11:59:59.999Z' }),
});

const namesClosedLogs = ({ closed_logs: closed }: JsonObject): boolean =>
  Array.isArray(closed) && closed.length > 0;

/** Returns what the key log does not say of the lists that are valid as they are, by their names. */
export function unsignedIn(lists: readonly (readonly [string, JsonObject])[]): JsonObject[] {
  const page = 'key-log.md';
  return lists.flatMap(([name, document]) => {
    const rows: JsonObject[] = Object(document.keys);
    const parts = rows.flatMap((row, index) => [
      { path: `keys[${index}].valid_from changed`, says: '`valid_from` may be earlier' },
      ...(row.valid_until === null || namesClosedLogs(document)
        ? []
        : [{ path: `keys[${index}].receipts_logs lengthened`, says: 'More names in `receipts_logs`' }]),
    ]);
    return [{ path: 'keys changed', says: 'The order of `keys` means nothing' }, ...parts].map((part) => ({
      file: `${name}.json`,
      ...part,
      page,
    }));
  });
}

const logLine = (seed: number): string =>
  `log ${formatVerifierKey(verifierOf(keyFor('keys-log', seed), 'receipts.example/keys'))}\n`;
/** Policies with keys of the log of keys. */
export const KEY_POLICIES: readonly [file: string, text: string][] = [
  ['old.policy', `${logLine(4)}quorum none\n`],
  ['both.policy', `${logLine(4)}${logLine(0x34)}quorum none\n`],
];

/**
 * Returns the cases of changed lists, and of lists with other logs and keys.
 * @param small the list of the small log
 */
export function listCases(small: JsonObject): object[] {
  return [
    {
      ...small15,
      name: 'a log that is newer than the document',
      file: 'begun.json',
      verdict: 'mismatch',
      problem: 'keys[2].status',
    },
    {
      ...small15,
      name: 'a log that is older than the document',
      log: 'begun',
      verdict: 'bad_checkpoint',
      problem: 'the key log has 6 entries',
    },
    replaced('/status', 'active'),
    replaced('/valid_until', '2026-05-01T14:00:00.001Z'),
    replaced('/receipts_tree_size', 21),
    { ...replaced('/public_key', EVIL.public_key), verdict: 'malformed', problem: 'kid' },
    replaced('/log_index', 5),
    replaced('/purpose', 'credentials'),
    replaced('/receipts_logs', []),
    replaced('/receipts_logs', ['receipts-2.example/receipts']),
    replaced('/receipts_logs', ['receipts.example/receipts', 'receipts.example/evidence']),
    {
      ...replaced('/receipts_logs', ['receipts-2.example/receipts', 'receipts.example/receipts']),
      ...{ name: '/receipts_logs with a closed log', verdict: 'valid', problem: null },
    },
    // The trusted list says which log is meant.
    ...[
      [
        'of another service',
        [{ op: 'replace', path: '/log/origin', value: 'shadow.example/keys' }],
        'wrong_log',
      ],
      [
        'that was saved before the log was closed',
        [{ op: 'replace', path: '/log/origin', value: 'receipts.example-0/keys' }],
        'wrong_log',
      ],
      ['without log', [{ op: 'remove', path: '/log' }], 'log_not_named'],
    ].flatMap(([name, keys_patch, verdict]) => [
      {
        ...small15,
        name: `a trusted list ${name}`,
        ...{ keys_patch, verdict, problem: `log.checkpoint: ${verdict}: receipts.example/keys` },
      },
      {
        ...story('followed', { verdict: String(verdict), problem: `log.checkpoint: ${verdict}: ` }),
        ...{ name: `a trusted list ${name}, and a log with another key`, keys_patch },
      },
    ]),
    ...['small', 'followed'].map((name) => ({
      ...story(name, { verdict: 'valid', problem: null }),
      ...{ name: `${name}, a trusted list without log, and any log`, any_log: true },
      keys_patch: [{ op: 'remove', path: '/log' }],
    })),
    // At its end it still brings keys.
    ...[
      [KEY_VECTORS_AT, 'valid', null],
      ['2026-06-01T11:59:59.999Z', 'bad_checkpoint', 'log.checkpoint: no trusted key'],
    ].map(([value, verdict, problem]) => ({
      ...story('followed', { verdict: verdict ?? '', problem: problem ?? null }),
      name: `a key that brings another one and ended at ${value}`,
      keys_patch: [{ op: 'replace', path: '/keys/0/valid_until', value }],
    })),
    // Two rows of one key: the earliest end counts. An entry does not prolong a trusted key that has ended.
    {
      ...story('followed', { verdict: 'bad_checkpoint', problem: 'log.checkpoint: no trusted key' }),
      name: 'a key that brings another one and has ended in one of its rows',
      keys_patch: [endedRow(keyFor('keys-log', 4))],
    },
    {
      ...story('followed-twice', { verdict: 'bad_checkpoint', problem: 'log.checkpoint: no trusted key' }),
      name: 'a trusted key that has ended, brought by another one, brings none',
      keys_patch: [endedRow(keyFor('keys-log', 0x34))],
    },
    // Who names the keys of a log means only these.
    ...[
      ['old', 'bad_checkpoint', 'log.checkpoint: no trusted key'],
      ['both', 'valid', null],
    ].map(([name, verdict, problem]) => ({
      ...story('followed', { verdict: verdict ?? '', problem: problem ?? null }),
      ...{
        name: `a key that another one brings, with a policy that has the ${name} key`,
        policy: `${name}.policy`,
      },
    })),
    validFrom('2026-05-01T12:00:00.001Z', 'mismatch'),
    validFrom('2026-05-01T11:59:59.999Z', 'valid'),
    validFrom('0000-01-01T00:00:00.000Z', 'valid'),
    ...[null, '', 0, '2026-05-01', '2026-05-01T12:00:00Z', '2026-05-01T12:00:00.000+00:00'].map((value) =>
      validFrom(value, 'malformed'),
    ),
    ...['2026-04-31T12:00:00.000Z', '2026-05-01T24:00:00.000Z', '2026-05-01T11:59:60.000Z'].map((value) =>
      validFrom(value, 'malformed'),
    ),
    {
      ...small15,
      name: 'valid_from missing',
      patch: [{ op: 'remove', path: '/keys/2/valid_from' }],
      verdict: 'malformed',
      problem: 'keys[2].valid_from is missing',
    },
    {
      ...story('compromises', { verdict: 'valid', problem: null }),
      name: 'valid_from of a key that was never activated',
      patch: [{ op: 'replace', path: '/keys/14/valid_from', value: '2030-01-01T00:00:00.000Z' }],
    },
    {
      ...small15,
      name: 'valid_from of a trusted key, after everything that it signed',
      keys_patch: [{ op: 'replace', path: '/keys/0/valid_from', value: '2030-01-01T00:00:00.000Z' }],
    },
    {
      ...small15,
      name: 'a row twice',
      patch: [{ op: 'add', path: '/keys/6', value: Object(small.keys)[2] }],
      verdict: 'mismatch',
      problem: 'keys[6].kid: two rows',
    },
    {
      ...small15,
      name: 'a key removed',
      patch: [{ op: 'replace', path: '/keys', value: [] }],
      verdict: 'mismatch',
      problem: 'keys: the key',
    },
    {
      ...small15,
      name: 'a trusted key that was stolen',
      keys_patch: [{ op: 'replace', path: '/keys/0/status', value: 'compromised' }],
      verdict: 'bad_checkpoint',
      problem: 'log.checkpoint: no trusted key',
    },
    {
      ...small15,
      name: 'a trusted key that was stolen as a key for receipts',
      keys_patch: [
        {
          op: 'replace',
          path: '/keys/3',
          value: keyRow(keyFor('keys-log', 4), 'receipts', { status: 'compromised' }),
        },
      ],
      verdict: 'bad_checkpoint',
      problem: 'log.checkpoint: no trusted key',
    },
  ];
}

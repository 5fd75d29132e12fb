import type { JsonValue } from '../../src/proof/encoding/json.ts';
import { bundleRanges, encodeEntries } from '../../src/proof/log/tiles.ts';
import { BEGINNINGS, OTHER_FORMS } from './key-log-beginnings.ts';
import { KEY_POLICIES, listCases, story, unsignedIn } from './key-log-cases.ts';
import { CLOSINGS } from './key-log-closings.ts';
import { CLOSED_COPIES, LOSSES } from './key-log-losses.ts';
import {
  KeyLogMaker,
  type KeyLogStory,
  keyFor,
  keyLogOf,
  remember,
  type StoredKeyLog,
} from './key-log-maker.ts';
import { RULES } from './key-log-rules.ts';

/** The keys of the small log, all Ed25519. Those of the same purpose come one after the other. */
const K = keyFor('keys-log', 4);
const L = keyFor('receipts-log', 2);
const L2 = keyFor('receipts-log', 0x22);
const R = keyFor('receipts', 1);
const R2 = keyFor('receipts', 0x21);
const R3 = keyFor('receipts', 0x31);
const EVIL = keyFor('receipts', 0xee);

remember('compromises');
remember('compromised-key');

const begun = new KeyLogMaker().begin(K, L, R);
/** A rotation of a key and of a log's key, and the compromise of the new key. */
const small = begun
  .copy()
  .later()
  .event('added', R2, R, R2)
  .event('added', L2, L, L2)
  .later()
  .event('retired', R, R, R2)
  .event('activated', R2, R, R2)
  .event('retired', L, L, L2)
  .event('activated', L2, L, L2)
  .later()
  .event('added', R3, K, R3)
  .event('compromised', R2, K)
  .event('activated', R3, K, R3);

const C = keyFor('credentials', 3);
const LOG_SEEDS = [
  ['receipts-log', 2],
  ['keys-log', 4],
  ['revocations-log', 5],
  ['evidence-log', 6],
  ['accounts-log', 8],
] as const;
const logKeys = LOG_SEEDS.flatMap(([purpose, seed]) => [
  keyFor(purpose, seed),
  keyFor(purpose, seed, 'ML-DSA-44'),
]);
const T = keyFor('keys-log', 4, 'ML-DSA-44');
const T2 = keyFor('keys-log', 0x24, 'ML-DSA-44');
const K2 = keyFor('keys-log', 0x34);
const E = keyFor('evidence-log', 6);
const E2 = keyFor('evidence-log', 0x26);
const N = keyFor('credentials', 0x23);

/** The first keys of a service, and the compromise of a key of each kind. */
const compromises = new KeyLogMaker()
  .begin(R, C, ...logKeys)
  // A key of receipts in use: its successor is added, the key reported, the successor activated.
  .later()
  .event('added', R2, K, R2)
  .event('compromised', R, K)
  .event('activated', R2, K, R2)
  // A key of another log.
  .later()
  .event('added', E2, K, E2)
  .event('compromised', E, K)
  .event('activated', E2, K, E2)
  // A next key, which nobody succeeds.
  .later()
  .event('added', N, C, N)
  .event('compromised', N, K)
  // The ML-DSA-44 key of the key log.
  .later()
  .event('added', T2, K, T2)
  .event('compromised', T, K)
  .event('activated', T2, K, T2)
  // The Ed25519 key of the key log: the other key of the key log vouches for its successor, which reports it.
  .later()
  .event('added', K2, T2, K2)
  .event('compromised', K, K2)
  .event('activated', K2, T2, K2)
  // A retired key.
  .later()
  .event('added', R3, R2, R3)
  .later()
  .event('retired', R2, R2, R3)
  .event('activated', R3, R2, R3)
  .later()
  .event('compromised', R2, K2);

const withoutEntry = (log: KeyLogMaker, index: number): KeyLogMaker => {
  const copy = log.copy();
  copy.entries.splice(index, 1);
  return copy;
};

function swapped(log: KeyLogMaker, index: number): KeyLogMaker {
  const copy = log.copy();
  copy.entries.splice(index, 0, ...copy.entries.splice(index + 1, 1));
  return copy;
}

/** Returns a log whose entry has the signatures of another one. */
function withSignaturesOf(log: KeyLogMaker, index: number, other: number): KeyLogMaker {
  const copy = log.copy();
  const [entry, from] = [copy.entries[index], copy.entries[other]];
  if (entry !== undefined && from !== undefined)
    copy.entries[index] = { ...entry, signatures: from.signatures };
  return copy;
}

const signedSmall = keyLogOf(small, [K]);

const LK = { ...L, purpose: K.purpose };
/** The key of the key log was stolen and reported. */
const stolenKeyLogKey = new KeyLogMaker()
  .begin(K, T, R)
  .later()
  .event('added', K2, T, K2)
  .event('compromised', K, K2)
  .event('activated', K2, T, K2);

/** Returns the log with another entry under the genuine checkpoint. */
const altered: StoredKeyLog = {
  ...signedSmall,
  entries: signedSmall.entries.map((text, index) =>
    index === 6 ? text.replace('"receipts_tree_size":10', '"receipts_tree_size":11') : text,
  ),
};

/** The logs in test/vectors/keys: a directory each, and a document with what the service would publish. */
const STORIES: Readonly<Record<string, KeyLogStory>> = {
  small: { log: signedSmall, verdict: 'valid', problem: null },
  compromises: { log: keyLogOf(compromises, [K2]), verdict: 'valid', problem: null },
  altered: { log: altered, verdict: 'bad_log', problem: 'the first 15 entries do not have the root' },
  dropped: {
    log: keyLogOf(withoutEntry(small, 7), [K]),
    verdict: 'bad_events',
    problem: 'entry 10: key',
  },
  swapped: {
    log: { ...signedSmall, entries: keyLogOf(swapped(small, 6), [K]).entries },
    verdict: 'bad_log',
    problem: 'the first 15 entries do not have the root',
  },
  'self-signed': {
    log: keyLogOf(small.copy().later().event('added', EVIL, EVIL), [K]),
    verdict: 'bad_events',
    problem: 'entry 15: it adds the key',
  },
  'dated-back': {
    log: keyLogOf(begun.copy().event('added', EVIL, EVIL).event('activated', EVIL, EVIL), [K]),
    verdict: 'bad_events',
    problem: 'entry 6: it adds the key',
  },
  stolen: {
    log: keyLogOf(small.copy().later().event('added', EVIL, R2, EVIL), [K]),
    verdict: 'bad_events',
    problem: 'entry 15: it adds the key',
  },
  'reported-by-itself': {
    log: keyLogOf(small.copy().later().event('compromised', R3, R3), [K]),
    verdict: 'bad_events',
    problem: 'entry 15: it reports the key',
  },
  'reported-by-another-log': {
    log: keyLogOf(small.copy().later().event('compromised', R3, L2), [K]),
    verdict: 'bad_events',
    problem: 'entry 15: it reports the key',
  },
  'copied-signature': {
    log: keyLogOf(withSignaturesOf(small, 9, 7), [K]),
    verdict: 'bad_events',
    problem: 'entry 9: no other key than',
  },
  'unknown-signer': {
    log: keyLogOf(small.copy().later().event('compromised', R3, K, EVIL), [K]),
    verdict: 'bad_events',
    problem: 'entry 15: it is signed by',
  },
  'active-again': {
    log: keyLogOf(small.copy().later().event('activated', R2, K), [K]),
    verdict: 'bad_events',
    problem: 'entry 15: key',
  },
  'other-purpose': {
    log: keyLogOf(
      small
        .copy()
        .later()
        .event('retired', { ...R3, purpose: 'receipts-log' }, L2),
      [K],
    ),
    verdict: 'bad_events',
    problem: 'entry 15: key',
  },
  // Begins with a key that is trusted for another log.
  'begun-by-another-log': {
    log: keyLogOf(new KeyLogMaker().begin(LK, R).later().event('added', K2, LK, K2), [K2]),
    verdict: 'bad_checkpoint',
    problem: 'log.checkpoint: no trusted key',
  },
  'other-key': {
    log: keyLogOf(small, [EVIL]),
    verdict: 'bad_checkpoint',
    problem: 'log.checkpoint: no trusted key',
  },
  'key-of-another-log': {
    log: keyLogOf(small, [L]),
    verdict: 'bad_checkpoint',
    problem: 'log.checkpoint: no trusted key',
  },
  // Whoever reports the public key under another purpose means the same key.
  'compromised-for-receipts': {
    log: keyLogOf(
      small
        .copy()
        .later()
        .event('compromised', { ...K, purpose: 'receipts' }, K),
      [K],
    ),
    verdict: 'bad_checkpoint',
    problem: 'log.checkpoint: no trusted key',
  },
  'compromised-key': {
    log: keyLogOf(stolenKeyLogKey, [K]),
    verdict: 'bad_checkpoint',
    problem: 'log.checkpoint: no trusted key',
  },
  ...BEGINNINGS,
  ...OTHER_FORMS,
  ...RULES,
  ...CLOSINGS,
  ...LOSSES,
};

const json = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the files of a copy of the log, as a service has them. */
function filesOf(name: string, { entries, checkpoint }: StoredKeyLog): [string, string | Uint8Array][] {
  const bytes = entries.map((text) => Buffer.from(text));
  return [
    [`${name}/keys/checkpoint`, checkpoint],
    ...[...bundleRanges(0, bytes.length)].map(({ path, start, width }): [string, Uint8Array] => [
      `${name}/keys/${path}`,
      encodeEntries(bytes.slice(start, start + width)),
    ]),
  ];
}

/** Returns the content of each file of test/vectors/keys, by its name. */
export function keyLogVectors(): ReadonlyMap<string, string | Uint8Array> {
  const begunLog = keyLogOf(begun, [K]);
  const cases = [
    ...Object.entries(STORIES).map(([name, one]) => story(name, one)),
    ...listCases(signedSmall.document),
  ];
  const valid = Object.entries(STORIES).filter(([, { verdict }]) => verdict === 'valid');
  const unsigned = unsignedIn(valid.map(([name, { log }]) => [name, log.document]));
  return new Map([
    // The keys that the verifier saved at the beginning.
    ['keys.json', json(keyLogOf(new KeyLogMaker().begin(K, T, L, R), [K]).document)],
    ['cases.json', `[\n${cases.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
    ['unsigned.json', `[\n${unsigned.map((part) => JSON.stringify(part)).join(',\n')}\n]\n`],
    ...KEY_POLICIES,
    ['begun.json', json(begunLog.document)],
    ...filesOf('begun', begunLog),
    ...Object.entries(CLOSED_COPIES).flatMap(([name, log]) => filesOf(name, log)),
    ...Object.entries(STORIES).flatMap(([name, { log }]): [string, string | Uint8Array][] => [
      [`${name}.json`, json(log.document)],
      ...filesOf(name, log),
    ]),
  ]);
}

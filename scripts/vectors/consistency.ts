import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { consistencyPath } from '../../src/proof/log/merkle.ts';
import {
  keyRow,
  leafOf,
  type SmallLog,
  signedReceipt,
  smallLog,
  testKey,
} from '../../test/support/small-log.ts';
import { KEYS, payload } from '../../test/support/worked-example.ts';

const ORIGIN = 'receipts.example/receipts';
const OTHER = testKey(7);

/**
 * An answer about two sizes of a log, with the checkpoints that it is compared with, and whether it proves
 * their consistency.
 */
export interface ConsistencyCase {
  name: string;
  /** The files of the checkpoints. */
  from: string;
  to: string;
  answer: {
    log: string;
    from: number;
    to: number;
    from_root: string;
    to_root: string;
    hashes: string[];
  };
  verdict: 'valid' | 'invalid';
}

const entries = Array.from({ length: 8 }, (_, digit) =>
  leafOf(signedReceipt(KEYS.receipts, payload(digit)), `2026-05-01T12:00:0${digit}.000Z`),
);
const sized = (size: number): SmallLog => smallLog(ORIGIN, entries.slice(0, size), [KEYS.log]);
const whole = sized(8);
/** A log that has another third entry. */
const forked = smallLog(ORIGIN, entries.toSpliced(2, 1, entries[3] ?? ''), [KEYS.log]);

function answerOf(from: number, to: number, log: SmallLog = whole): ConsistencyCase['answer'] {
  return {
    log: ORIGIN,
    from,
    to,
    from_root: bytesToHex(sized(from).root),
    to_root: bytesToHex(to === 8 ? log.root : sized(to).root),
    hashes: from === 0 ? [] : consistencyPath(nativePrimitives, from, to, log.node).map(encodeBase64),
  };
}

const genuine = answerOf(3, 8);
const [hash = '', ...rest] = genuine.hashes;
const one = (
  name: string,
  changes: Partial<ConsistencyCase['answer']>,
  { from = '3', to = '8', answer = genuine } = {},
): ConsistencyCase => ({
  name,
  from: `${from}.checkpoint`,
  to: `${to}.checkpoint`,
  answer: { ...answer, ...changes },
  verdict: 'invalid',
});

const CASES: readonly ConsistencyCase[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((to) =>
    Array.from({ length: to + 1 }, (_, from) => ({
      ...one(`from ${from} to ${to} leaves`, answerOf(from, to), { from: String(from), to: String(to) }),
      verdict: 'valid' as const,
    })),
  ),
  one('another hash', { hashes: [hash.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), ...rest] }),
  one('a hash too few', { hashes: rest }),
  one('a hash too many', { hashes: [...genuine.hashes, hash] }),
  one('no hashes', { hashes: [] }),
  one('two hashes swapped', { hashes: genuine.hashes.toReversed() }),
  one('hashes from nothing', { hashes: [hash] }, { from: '0', answer: answerOf(0, 8) }),
  one('hashes to the same size', { hashes: [hash] }, { from: '8', answer: answerOf(8, 8) }),
  one('the roots swapped', { from_root: genuine.to_root, to_root: genuine.from_root }),
  one('another from_root than the checkpoint', { from_root: answerOf(2, 8).from_root }),
  one('another to_root than the checkpoint', { to_root: answerOf(3, 7).to_root }),
  one('another size than the checkpoint', { from: 4 }),
  one('the later tree first', {}, { from: '8', to: '3', answer: { ...genuine, from: 8, to: 3 } }),
  one('another log', { log: 'receipts.example/keys' }),
  one('a tree that was forked before', {}, { to: 'forked', answer: answerOf(3, 8, forked) }),
  one('a checkpoint of an untrusted key', {}, { to: 'other-key' }),
];

const pretty = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the text of each file of test/vectors/consistency, by its name. */
export function consistencyVectors(): ReadonlyMap<string, string> {
  return new Map([
    [
      'keys.json',
      pretty({ keys: [keyRow(KEYS.log, 'receipts-log')], log: { origin: 'receipts.example/keys' } }),
    ],
    ...Array.from({ length: 9 }, (_, size) => [`${size}.checkpoint`, sized(size).checkpoint] as const),
    ['forked.checkpoint', forked.checkpoint],
    ['other-key.checkpoint', smallLog(ORIGIN, entries, [OTHER]).checkpoint],
    ['answers.json', pretty(CASES)],
  ]);
}

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { TrustedKeysError } from '../../../../src/proof/keys/trusted-keys.ts';
import { CheckpointError } from '../../../../src/proof/log/checkpoint.ts';
import {
  acceptingAnyLog,
  checkpointProblem,
  type LogKey,
  logKeyOf,
  openTrusted,
  readLogKeys,
  signedTree,
} from '../../../../src/proof/log/log-keys.ts';
import { NoteError, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { keyRow, smallLog, testKey, verifierOf } from '../../../support/small-log.ts';

const ORIGIN = 'a.example/receipts';
const SECONDS = 1_780_000_000;
const classical = testKey(1);
const postQuantum = testKey(2, 'ML-DSA-44');
const other = testKey(3);
const LOG = { origin: 'a.example/keys' };
const read = (...rows: JsonValue[]) => readLogKeys(nativePrimitives, { keys: rows, log: LOG });
const both = read(keyRow(classical, 'receipts-log'), keyRow(postQuantum, 'receipts-log')).trusted;
const note = (...keys: Parameters<typeof smallLog>[2][number][]) =>
  Buffer.from(smallLog(ORIGIN, ['a', 'b', 'c'], keys, SECONDS).checkpoint);
const open = (bytes: Uint8Array, keys: readonly LogKey[], primitives = nativePrimitives) =>
  openTrusted(primitives, bytes, keys);

describe('the keys of logs in a document', () => {
  test('are those of purpose <name>-log, of both algorithms, each for its log', () => {
    expect(both).toEqual([
      {
        log: { name: 'receipts', common: 'a.example', closed: [] },
        type: SIGNATURE_TYPES.ed25519,
        publicKey: verifierOf(classical, '').publicKey,
        until: null,
      },
      {
        log: { name: 'receipts', common: 'a.example', closed: [] },
        type: SIGNATURE_TYPES.mlDsa44,
        publicKey: verifierOf(postQuantum, '').publicKey,
        until: null,
      },
    ]);
    expect(read(keyRow(classical, 'receipts'), keyRow(postQuantum, 'credentials'))).toEqual({
      trusted: [],
      compromised: [],
      keyLog: 'a.example/keys',
      closedLogs: [],
    });
  });

  test('have an end when they are retired', () => {
    const ended = { status: 'retired', valid_until: '2026-06-01T00:00:00.000Z' };
    const { trusted } = read(
      keyRow(classical, 'receipts-log', ended),
      keyRow(postQuantum, 'receipts-log', ended),
    );
    expect(trusted.map(({ until }) => until)).toEqual([Date.UTC(2026, 5), Date.UTC(2026, 5)]);
  });

  test('have the earliest end of several rows for one log, whatever their order is', () => {
    const rows = [null, '2026-06-02T00:00:00Z', '2026-06-01T00:00:00Z', '2026-06-03T00:00:00Z'];
    for (const key of [classical, postQuantum]) {
      const { trusted } = read(
        ...rows.map((valid_until) => keyRow(key, 'receipts-log', { valid_until })),
        keyRow(key, 'keys-log'),
      );
      const end = Date.UTC(2026, 5);
      expect(trusted.map(({ until }) => until)).toEqual([end, end, end, end, null]);
    }
  });

  test('are not trusted once compromised, wherever else they are named', () => {
    const broken = { status: 'compromised', valid_until: '2026-06-01T00:00:00.000Z' };
    const keys = read(
      keyRow(classical, 'receipts-log'),
      keyRow(classical, 'receipts-log', broken),
      keyRow(postQuantum, 'receipts-log', broken),
    );
    expect([keys.trusted, keys.compromised]).toEqual([
      [],
      [verifierOf(classical, '').publicKey, verifierOf(postQuantum, '').publicKey],
    ]);
  });

  test('are not trusted once compromised for another purpose, of a log or not', () => {
    const broken = { status: 'compromised', valid_until: '2026-06-01T00:00:00.000Z' };
    for (const purpose of ['receipts', 'credentials', 'keys-log', 'of-a-later-version']) {
      const keys = read(
        keyRow(classical, 'receipts-log'),
        keyRow(classical, purpose, broken),
        keyRow(postQuantum, 'receipts-log'),
        keyRow(postQuantum, purpose, broken),
        keyRow(postQuantum, 'receipts', { ...broken, public_key: 'ab' }),
        keyRow(other, 'receipts-log'),
      );
      expect(keys.trusted.map(({ publicKey }) => publicKey)).toEqual([verifierOf(other, '').publicKey]);
      expect(keys.compromised).toEqual([
        verifierOf(classical, '').publicKey,
        verifierOf(postQuantum, '').publicKey,
      ]);
    }
  });

  test.each<[string, JsonObject]>([
    ['too short', { public_key: 'ab' }],
    ['no text', { public_key: 7 }],
    ['of no status', { status: 'lost' }],
    ['retired without an end', { status: 'retired' }],
  ])('by ML-DSA-44 are refused when they are %s', (_, change) => {
    expect(() => read(keyRow(postQuantum, 'receipts-log', change))).toThrow(TrustedKeysError);
  });
});

describe('a checkpoint by log keys', () => {
  test('is trusted when a key of its log has signed it, and has the time that ML-DSA states', () => {
    expect(open(note(classical, postQuantum), both)).toMatchObject({
      origin: ORIGIN,
      size: 3,
      time: SECONDS * 1000,
    });
    expect(open(note(classical), both).time).toBeNull();
    expect(open(note(classical, postQuantum), both, noblePrimitives).time).toBeNull();
  });

  test('is not trusted by the keys of others', () => {
    expect(() => open(note(other), both)).toThrow('no trusted key has signed the checkpoint');
    expect(() => open(note(classical), [])).toThrow('no trusted key has signed the checkpoint');
  });

  test('is trusted by no key of another log of the same service, of either algorithm', () => {
    const ofOthers = [
      ...read(keyRow(classical, 'revocations-log'), keyRow(postQuantum, 'keys-log')).trusted,
      logKeyOf(verifierOf(classical, 'a.example/revocations')),
      logKeyOf(verifierOf(postQuantum, 'a.example/keys')),
    ];
    expect(ofOthers).toHaveLength(4);
    expect(() => open(note(classical, postQuantum), ofOthers)).toThrow(
      `no trusted key has signed the checkpoint of ${ORIGIN}; the trusted log keys are for a.example/revocations, a.example/keys`,
    );
    // Beside the keys of its own log they change nothing.
    expect(open(note(classical, postQuantum), [...ofOthers, ...both]).size).toBe(3);
    const revocations = smallLog('a.example/revocations', ['a'], [classical], SECONDS).checkpoint;
    expect(open(Buffer.from(revocations), ofOthers).size).toBe(1);
    expect(() => open(Buffer.from(revocations), both)).toThrow('no trusted key');
  });

  test('is not trusted by a document without a key of its log, nor by keys of an earlier purpose', () => {
    for (const purpose of [
      'keys-log',
      'credentials',
      'log',
      'receipts',
      'unknown-log',
      '-log',
      'receipts-logs',
    ]) {
      const { trusted } = read(keyRow(classical, purpose), keyRow(postQuantum, purpose));
      expect(() => open(note(classical, postQuantum), trusted)).toThrow('no trusted key');
    }
  });

  test('is trusted by a key that was named for this log, and for no other', () => {
    expect(open(note(classical), [logKeyOf(verifierOf(classical, ORIGIN))]).size).toBe(3);
    for (const key of [classical, postQuantum]) {
      const elsewhere = logKeyOf(verifierOf(key, 'b.example/receipts'));
      expect(() => open(note(key), [elsewhere])).toThrow(`wrong_log: ${ORIGIN}`);
      expect(() => open(note(other), [elsewhere])).toThrow('no trusted key');
      // Whatever that log signed, this one has its own key.
      expect(() => open(note(key), [elsewhere, logKeyOf(verifierOf(other, ORIGIN))])).toThrow(
        'no trusted key',
      );
    }
  });

  const trustedBy = (document: JsonObject) =>
    readLogKeys(nativePrimitives, {
      keys: [keyRow(classical, 'receipts-log'), keyRow(postQuantum, 'receipts-log')],
      ...document,
    }).trusted;
  const named = logKeyOf(verifierOf(classical, ORIGIN));

  test.each<[string, readonly LogKey[], string | null]>([
    ['a list that names it', trustedBy({ log: LOG }), null],
    ['a list that names another', trustedBy({ log: { origin: 'a.example-2/keys' } }), 'wrong_log'],
    ['a list that names none', trustedBy({}), 'log_not_named'],
    ['a list that names none, if any is accepted', acceptingAnyLog(trustedBy({})), null],
    [
      'a list that names another, if any is accepted where none is named',
      acceptingAnyLog(trustedBy({ log: { origin: 'b.example/keys' } })),
      'wrong_log',
    ],
    ['a key that names it, if any is accepted where none is named', acceptingAnyLog([named]), null],
  ])('counts by %s', (_, keys, verdict) => {
    const bytes = note(classical, postQuantum);
    const problem = verdict === null ? null : `${verdict}: ${ORIGIN}`;
    if (problem === null) expect(open(bytes, keys).size).toBe(3);
    else expect(() => open(bytes, keys)).toThrow(problem);
    // Of none of them, a signature by another key, or a wrong one, is called that of another log.
    expect(() => open(note(other), keys)).toThrow('no trusted key');
    expect(() => open(Buffer.from(bytes.toString().replace('\n3\n', '\n4\n')), keys)).toThrow('is invalid');
  });

  test.each([
    ['larger', { tree_size: 2, certain: true }, `: ${ORIGIN}, of 3 entries, but closed_logs says 2`],
    [
      'as large',
      { tree_size: 3, certain: true },
      `: ${ORIGIN}, of 3 entries, with another root than closed_logs says`,
    ],
  ])('of a closed log that is %s contradicts closed_logs, with the numbers', (_, end, message) => {
    const closed = { log: 'receipts', origin: ORIGIN, root_hash: '00'.repeat(32), ...end };
    const keys = trustedBy({ log: { origin: 'a.example-2/keys' }, closed_logs: [closed] });
    expect(() => open(note(classical), keys)).toThrow(`closed_size_contradicted${message}`);
  });

  test('of another log is described with its tree', () => {
    const bytes = note(classical, postQuantum);
    try {
      open(bytes, trustedBy({}));
    } catch (error) {
      const { check, message, checkpoint } = checkpointProblem(error) ?? {};
      expect([check, checkpoint && signedTree(checkpoint)]).toEqual([
        'log_not_named',
        { log: ORIGIN, tree_size: 3, signed_at: new Date(SECONDS * 1000).toISOString() },
      ]);
      expect(message).toContain('--any-log');
    }
    expect(checkpointProblem(new NoteError('x'))).toEqual({ check: 'bad', message: 'x', checkpoint: null });
    expect(checkpointProblem(new Error('x'))).toBeNull();
  });

  test('says nothing of time by a signature with the time 0', () => {
    const untimed = smallLog(ORIGIN, ['a'], [postQuantum], 0).checkpoint;
    expect(open(Buffer.from(untimed), both).time).toBeNull();
  });

  test('is not signed by a key after its end, where its time is known', () => {
    const until = SECONDS * 1000;
    const [first, second] = both;
    if (first === undefined || second === undefined) throw new Error('there are two keys');
    const bytes = note(classical, postQuantum);
    const retired = (end: number) =>
      open(bytes, [
        { ...first, until: end },
        { ...second, until: end },
      ]);
    expect(retired(until).time).toBe(until);
    expect(() => retired(until - 1)).toThrow(
      'the keys that signed the checkpoint were retired before its time',
    );
    // The successor of one of them vouches for the tree, and for its time where it states one.
    expect(open(bytes, [{ ...first, until: until - 1 }, second]).time).toBe(until);
    expect(open(bytes, [first, { ...second, until: until - 1 }]).time).toBeNull();
    // A signature without a time does not show whether it precedes the end of the key.
    expect(open(note(classical), [{ ...first, until: 0 }]).time).toBeNull();
  });

  test('says nothing else with any byte changed', () => {
    const bytes = note(classical, postQuantum);
    const { time: _, ...tree } = open(bytes, both);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        fc.pre(bytes[at] !== value);
        const changed = Uint8Array.from(bytes).with(at, value);
        try {
          // One of the two signatures may be lost as that of an unknown key, and the time with it.
          expect(open(changed, both)).toMatchObject(tree);
        } catch (error) {
          expect(error instanceof NoteError || error instanceof CheckpointError).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

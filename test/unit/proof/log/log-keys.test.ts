import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { TrustedKeysError } from '../../../../src/proof/keys/trusted-keys.ts';
import { CheckpointError } from '../../../../src/proof/log/checkpoint.ts';
import { type LogKey, logKeyOf, openTrusted, readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { NoteError, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { keyRow, smallLog, testKey, verifierOf } from '../../../support/small-log.ts';

const ORIGIN = 'a.example/receipts';
const SECONDS = 1_780_000_000;
const classical = testKey(1);
const postQuantum = testKey(2, 'ML-DSA-44');
const other = testKey(3);
const read = (...rows: JsonValue[]) => readLogKeys(nativePrimitives, { keys: rows });
const both = read(keyRow(classical, 'receipts-log'), keyRow(postQuantum, 'receipts-log')).trusted;
const note = (...keys: Parameters<typeof smallLog>[2][number][]) =>
  Buffer.from(smallLog(ORIGIN, ['a', 'b', 'c'], keys, SECONDS).checkpoint);
const open = (bytes: Uint8Array, keys: readonly LogKey[], primitives = nativePrimitives) =>
  openTrusted(primitives, bytes, keys);

describe('the keys of logs in a document', () => {
  test('are those of purpose <name>-log, of both algorithms, each for its log', () => {
    expect(both).toEqual([
      {
        log: { name: 'receipts' },
        type: SIGNATURE_TYPES.ed25519,
        publicKey: verifierOf(classical, '').publicKey,
        until: null,
      },
      {
        log: { name: 'receipts' },
        type: SIGNATURE_TYPES.mlDsa44,
        publicKey: verifierOf(postQuantum, '').publicKey,
        until: null,
      },
    ]);
    expect(read(keyRow(classical, 'receipts'), keyRow(postQuantum, 'credentials'))).toEqual({
      trusted: [],
      compromised: [],
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
      'no trusted key has signed the checkpoint',
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
      expect(() => open(note(key), [elsewhere])).toThrow('no trusted key');
    }
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

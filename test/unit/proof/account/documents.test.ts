import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import {
  type AccountsTrust,
  accountsLogOf,
  closedCheckpoint,
  forkAt,
  judgeNewest,
  keptCheckpoint,
} from '../../../../src/proof/account/account-checkpoint.ts';
import { accountLeafReader, readLeaf } from '../../../../src/proof/account/account-leaf.ts';
import { forgeryIn, listedReceipt } from '../../../../src/proof/account/listed-receipt.ts';
import type { ClosedLog } from '../../../../src/proof/log/closed-log.ts';
import { accountOf } from '../../../../src/proof/log/linked-account.ts';
import {
  type AccountEntry,
  accountEntryText,
  readAccountEntry,
} from '../../../../src/proof/log/log-entry.ts';
import { acceptingAnyLog, type LogKey, readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import { judge } from '../../../../src/proof/receipt/verdict.ts';
import {
  cosigned,
  cosignedNote,
  FINAL,
  KEYS,
  LeafWriter,
  OPERATOR,
  POLICY,
  pendingReceipt,
  REVOKED,
  version,
} from '../../../support/made-account.ts';

const START = Date.parse('2026-06-01T12:00:00.000Z');
const MINUTE = 60_000;
const NOW = START + 600 * MINUTE;
const ACCOUNT = accountOf(nativePrimitives, OPERATOR);
const at = (minutes: number): number => START + minutes * MINUTE;
const HASH = 'ab'.repeat(32);

describe('receipts', () => {
  const keysOf = (changes: object) =>
    Object.assign(JSON.parse(KEYS).keys[0], { valid_from: null, ...changes });

  test('says why a receipt is not authentic', () => {
    const receipt = pendingReceipt(1, START);
    const why = (changes: object, key: object = {}) =>
      forgeryIn(
        judge(nativePrimitives, JSON.parse(JSON.stringify({ ...receipt, ...changes })), {
          keys: [keysOf(key)],
          now: -8.64e15,
        }),
      );
    expect(why({})).toBeNull();
    expect(why({ signature: 5 })).toStartWith('malformed: signature is not');
    expect(why({ input_digest: 'ff'.repeat(32) })).toStartWith('hash_mismatch');
    expect(why({ kid: 'nobody' })).toStartWith('key_unknown');
    expect(why({ signature: 'ff'.repeat(64) })).toStartWith('bad_signature');
    expect(why({}, { status: 'compromised', valid_until: '2026-01-02T00:00:00.000Z' })).toStartWith(
      'key_compromised',
    );
  });

  test('recomputes the versions before', () => {
    const receipt = pendingReceipt(1, START);
    const final = version(receipt, FINAL);
    const versions = (of: Receipt) => {
      const { issued, finalized, revoked } = listedReceipt(nativePrimitives, of);
      return [issued, finalized, revoked];
    };
    const revoked = version(final, REVOKED);
    expect(versions(receipt)).toEqual([receipt.content_hash, null, null]);
    expect(versions(final)).toEqual([receipt.content_hash, final.content_hash, null]);
    expect(versions(revoked)).toEqual([receipt.content_hash, final.content_hash, revoked.content_hash]);
    const early = version(receipt, REVOKED);
    expect(versions(early)).toEqual([receipt.content_hash, null, early.content_hash]);
  });
});

describe('leaves as text', () => {
  const writer = new LeafWriter();
  writer.link('linked', at(0));
  writer.act('issued', pendingReceipt(1, at(1)), at(1));
  const [link, issue] = writer.entries.map((entry) => accountEntryText(entry));

  test('reads the leaves of one account', () => {
    const read = accountLeafReader(ACCOUNT);
    expect(writer.entries.map((entry) => read(Buffer.from(accountEntryText(entry))))).toEqual(writer.entries);
    expect(read(Buffer.from((issue ?? '').replace(ACCOUNT, HASH)))).toBeNull();
    expect(read(new Uint8Array(3))).toBeNull();
    expect(() => read(Buffer.from(`{"account":"${ACCOUNT}"\xff`, 'latin1'))).toThrow('not UTF-8');
  });

  test('reads exactly what the entries of the log are', () => {
    const outcome = (read: () => AccountEntry) => {
      try {
        return JSON.stringify(read());
      } catch (error) {
        return String(error);
      }
    };
    const text = fc.constantFrom(link ?? '', issue ?? '').chain((whole) =>
      fc
        .record({
          start: fc.nat({ max: whole.length }),
          gone: fc.nat({ max: 2 }),
          there: fc.string({ maxLength: 2 }),
        })
        .map(({ start, gone, there }) => whole.slice(0, start) + there + whole.slice(start + gone)),
    );
    fc.assert(
      fc.property(text, (changed) => {
        const canonical = new TextDecoder().decode(Buffer.from(changed));
        expect(outcome(() => readLeaf(Buffer.from(changed)))).toBe(
          outcome(() => readAccountEntry(canonical)),
        );
      }),
      { numRuns: 2000 },
    );
    const impossible = (issue ?? '').replace(/"at":"[^"]*"/, '"at":"2026-02-30T12:00:00.000Z"');
    expect(() => readLeaf(Buffer.from(impossible))).toThrow('at does not have the required format');
  });
});

describe('checkpoints', () => {
  const root = new Uint8Array(32).fill(7);
  const trust: AccountsTrust = {
    log: 'made.example/accounts',
    logKeys: readLogKeys(nativePrimitives, JSON.parse(KEYS)).trusted,
    policy: parseLogPolicy(nativePrimitives, POLICY),
    now: NOW,
  };
  const judged = (note: string, changes: Partial<AccountsTrust> = {}) =>
    judgeNewest(nativePrimitives, Buffer.from(note), { ...trust, ...changes });
  const problem = (note: string, changes: Partial<AccountsTrust> = {}) => {
    const result = judged(note, changes);
    return 'problem' in result ? result.problem : null;
  };
  const newest = judged(cosignedNote(5, root, NOW));

  test('the newest one is signed, and cosigned by the quorum less than 15 minutes ago', () => {
    expect(newest).toMatchObject({ log: 'made.example/accounts', size: 5, root, at: NOW, by: NOW });
    const late = cosigned(cosignedNote(5, root, NOW - 2000, ['one']), NOW, ['two']);
    expect(judged(late)).toMatchObject({ at: NOW - 2000, by: NOW });
    expect(problem(cosignedNote(5, root, NOW - 15 * MINUTE + 1000))).toBeNull();
    expect(problem(cosignedNote(5, root, NOW - 15 * MINUTE))).toContain('at least 15 minutes ago');
    expect(problem(cosignedNote(5, root, NOW), { now: Number.NaN })).not.toBeNull();
    expect(problem(cosignedNote(5, root, NOW + 2 * MINUTE))).toContain('in the future');
    expect(problem(cosignedNote(5, root, NOW, ['one']))).toContain('do not meet the quorum');
    expect(problem(cosignedNote(5, root, NOW), { logKeys: [] })).toContain('no trusted key');
    const endingAt = (until: number) => ({ logKeys: trust.logKeys.map((key) => ({ ...key, until })) });
    expect(problem(cosignedNote(5, root, NOW), endingAt(NOW))).toBeNull();
    expect(problem(cosignedNote(5, root, NOW), endingAt(NOW - 1))).toContain('no trusted key');
    expect(problem('nothing')).not.toBeNull();
    const elsewhere = { log: { origin: 'made.example/accounts' }, type: 1 };
    const foreign = trust.logKeys.map((key) => ({ ...key, ...elsewhere }));
    expect(problem(cosignedNote(5, root, NOW), { logKeys: foreign })).toBeNull();
    expect(
      problem(cosignedNote(5, root, NOW, ['one', 'two'], 'made.example/receipts'), {
        logKeys: [...trust.logKeys.map((key) => ({ ...key, log: { origin: 'made.example/receipts' } }))],
      }),
    ).toBe('it belongs to made.example/receipts, and not to made.example/accounts');
  });

  test('the log is the one that the keys name, else that of the list of keys', () => {
    const unnamed = trust.logKeys;
    const of = (...origins: string[]) =>
      origins.flatMap((origin) => trust.logKeys.map((key) => ({ ...key, log: { origin } })));
    const [own, other, receipts] = [
      'made.example/accounts',
      'other.example/accounts',
      'made.example/receipts',
    ];
    const cases: [readonly LogKey[], string | null, string | null][] = [
      [unnamed, 'made.example/keys', own],
      [unnamed, null, null],
      [unnamed, 'made.example', null],
      [unnamed, 'made.example/accounts', null],
      [of(other), 'made.example/keys', other],
      [of(other, receipts, other), null, other],
      [of(own, other), 'made.example/keys', own],
      [of(own, other), null, null],
      [of(own, other), 'third.example/keys', null],
      [of(receipts), 'made.example/keys', null],
      [of(receipts), null, null],
    ];
    for (const [keys, keyLog, expected] of cases) expect(accountsLogOf(keys, keyLog)).toBe(expected);
    const ofOther = cosignedNote(5, root, NOW, ['one', 'two'], other);
    const wrongLog = 'wrong_log: other.example/accounts was read, and made.example/accounts is meant';
    expect(problem(ofOther)).toBe(wrongLog);
    expect(problem(ofOther, { logKeys: of(own, other) })).toBe(wrongLog);
    const { trusted } = readLogKeys(nativePrimitives, { ...JSON.parse(KEYS), log: null });
    expect(problem(ofOther, { logKeys: trusted, log: null })).toStartWith('log_not_named: ');
    expect(judged(ofOther, { logKeys: acceptingAnyLog(trusted), log: null })).toMatchObject({ log: other });
  });

  test('a kept one is cosigned, of the same log and not larger', () => {
    if ('problem' in newest) throw new Error(newest.problem);
    const kept = (note: string) => keptCheckpoint(nativePrimitives, Buffer.from(note), newest, trust);
    expect(kept(cosignedNote(3, root, at(5)))).toEqual({ size: 3, root, at: at(5), by: at(5) });
    expect(kept(cosignedNote(6, root, NOW - MINUTE + 1000))).toBeNull();
    expect(kept(cosignedNote(6, root, NOW - MINUTE))).toEqual({
      problem: expect.stringContaining('the quorum had cosigned 6 entries by'),
    });
    expect(kept(cosignedNote(6, root, NOW - MINUTE, []))).toBeNull();
    expect(kept(cosignedNote(3, root, at(5), []))).toBeNull();
    expect(kept(cosignedNote(3, root, at(5), ['one', 'two'], 'other.example/accounts'))).toBeNull();
    expect(kept('nothing')).toBeNull();
    expect(forkAt({ size: 3, root, at: 0, by: 0 })).toContain(
      'another tree of 3 entries, with the root 0707',
    );
  });

  test('one of a closed log is cosigned, of that log, and not larger than it was', () => {
    const closed = { log: 'accounts', origin: 'made.example/accounts', tree_size: 3, certain: true } as const;
    const of = (note: string, changes: Partial<ClosedLog> = {}) =>
      closedCheckpoint(
        nativePrimitives,
        Buffer.from(note),
        { ...closed, root_hash: '07'.repeat(32), ...changes },
        trust,
      );
    expect(of(cosignedNote(3, root, at(5)))).toEqual({ size: 3, root, at: at(5), by: at(5) });
    expect(of(cosignedNote(4, root, at(5)))).toEqual({
      problem: expect.stringContaining('closed_size_contradicted: the quorum cosigned 4 entries'),
    });
    expect(of(cosignedNote(4, root, at(5)), { certain: false })).toMatchObject({ size: 4 });
    expect(of(cosignedNote(3, root, at(5), []))).toBeNull();
    expect(of(cosignedNote(3, root, at(5)), { origin: 'other.example/accounts' })).toBeNull();
    expect(of('nothing')).toBeNull();
  });

  test('an error of the code is not a verdict about the checkpoint', () => {
    const fails = (): never => {
      throw new Error('broken');
    };
    const note = Buffer.from(cosignedNote(3, root, at(5)));
    expect(() => judgeNewest({ ...nativePrimitives, sha256: fails }, note, trust)).toThrow('broken');
    if ('problem' in newest) throw new Error(newest.problem);
    const broken = { ...nativePrimitives, ed25519Verify: fails };
    expect(() => keptCheckpoint(broken, note, newest, trust)).toThrow('broken');
    const closed = { log: 'accounts', origin: 'made.example/accounts', tree_size: 3, certain: true } as const;
    expect(() => closedCheckpoint(broken, note, { ...closed, root_hash: '' }, trust)).toThrow('broken');
  });
});

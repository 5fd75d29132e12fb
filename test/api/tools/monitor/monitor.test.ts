import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import type { LogSource } from '../../../../src/platform/tlog/source.ts';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { tilePath, tilesOf } from '../../../../src/proof/log/tiles.ts';
import { Monitor } from '../../../../src/tools/monitor/monitor.ts';
import { FakeLog } from '../../../support/fake-log.ts';

let scratch: string;
let states = 0;
const said: string[] = [];

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-monitor-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const newState = (): string => join(scratch, `state-${states++}`);

/** A monitor as one run of the command has it. */
function watching(
  state: string,
  source: LogSource,
  named: readonly string[] = [],
  now = 1_777_636_800_000,
): Monitor {
  const hearing = { say: (sentence: string) => void said.push(sentence), progress: () => undefined };
  return new Monitor(state, source, named, { now: () => now }, hearing);
}

async function failureOf(act: Promise<unknown>): Promise<Failure> {
  try {
    await act;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

/** Every file below a directory, by its path. */
const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();

describe('the copy of a monitor', () => {
  test('is the static form of the log at every size, without other files', async () => {
    const log = new FakeLog();
    const state = newState();
    for (const more of [0, 1, 1, 3, 250, 1, 1, 255, 300]) {
      log.finalize(more);
      const round = await watching(state, log, [log.vkey]).round();
      expect(round.problems).toEqual([]);
      const size = log.entries.receipts.length;
      expect(round.logs.receipts).toMatchObject({ tree_size: size, new_entries: more });
      const tiles = [...tilesOf(size, { entries: true })].map(({ level, index, width }) =>
        tilePath(level, index, width),
      );
      expect(filesBelow(join(state, 'receipts'))).toEqual(['checkpoint', ...tiles].sort());
      for (const path of ['checkpoint', ...tiles]) {
        expect([
          path,
          readFileSync(join(state, 'receipts', path)).equals(Buffer.from(await log.read(`receipts/${path}`))),
        ]).toEqual([path, true]);
      }
    }
  });

  test('is taken up where a kill at any moment left it', async () => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(200);
    await watching(state, log, [log.vkey]).round();
    log.finalize(700);
    for (let reads = 1; reads < 12; reads++) {
      let left = reads;
      const dying: LogSource = {
        location: log.location,
        read: (path) => (left-- > 0 ? log.read(path) : Promise.reject(new Failure('killed'))),
      };
      await watching(state, dying, [log.vkey])
        .round()
        .catch(() => undefined);
      // What is there is a whole copy of some size that was signed.
      await watching(state, { location: '', read: async () => Promise.reject(new Failure('gone')) })
        .round()
        .catch(() => undefined);
    }
    expect((await watching(state, log).round()).logs.receipts).toMatchObject({ tree_size: 900 });
  });

  test('that was damaged is refused', async () => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(3);
    await watching(state, log, [log.vkey]).round();
    const tile = join(state, 'receipts/tile/0/000.p/3');
    const bytes = readFileSync(tile);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(tile, bytes);
    expect(() => watching(state, log)).toThrow(/is damaged: its tiles do not match its checkpoint/);
    writeFileSync(tile, '');
    expect(() => watching(state, log)).toThrow(/ bytes instead of /);
    rmSync(tile);
    expect(() => watching(state, log)).toThrow(/is damaged/);
  });
});

describe('equivocation that a monitor meets', () => {
  const stories: [string, (log: FakeLog) => FakeLog, RegExp][] = [
    [
      'a smaller tree that the larger does not begin with',
      (log) =>
        Object.assign(log.fork(), {
          entries: { ...log.entries, receipts: log.entries.receipts.slice(1, 5) },
        }),
      /shrank from 300 leaves to 4 and is inconsistent/,
    ],
    [
      'another tree of the same size',
      (log) => {
        const other = log.fork();
        other.entries.receipts.pop();
        other.finalize(1);
        return other;
      },
      /two trees of 300 leaves have different roots/,
    ],
    [
      'a larger tree that differs at its first leaf',
      (log) => {
        const other = log.fork();
        other.entries.receipts.shift();
        other.finalize(400);
        return other;
      },
      /does not extend the tree of 300/,
    ],
    [
      'a larger tree that differs in the last bundle',
      (log) => {
        const other = log.fork();
        other.entries.receipts.pop();
        other.finalize(2);
        return other;
      },
      /does not extend the tree of 300/,
    ],
  ];

  test.each(stories)('%s: both notes are kept', async (_name, story, message) => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(300);
    await watching(state, log, [log.vkey]).round();
    const before = readFileSync(join(state, 'receipts/checkpoint'), 'utf8');
    const other = story(log);
    for (const attempt of [0, 1000]) {
      const failure = await failureOf(watching(state, other, [], 1_777_636_800_000 + attempt).round());
      expect([failure.exitCode, failure.message]).toEqual([2, expect.stringMatching(message)]);
      expect(failure.message).toStartWith(
        'EQUIVOCATION: "fake.example/receipts" signed two checkpoints that contradict each other'.replaceAll(
          '"',
          '',
        ),
      );
    }
    const kept = readdirSync(state).filter((name) => name.startsWith('equivocation-'));
    expect(kept).toHaveLength(2);
    const [first = ''] = kept;
    expect(readFileSync(join(state, first, 'checkpoint-before'), 'utf8')).toBe(before);
    expect(readFileSync(join(state, first, 'checkpoint-after'), 'utf8')).toBe(other.note('receipts'));
    expect(JSON.parse(readFileSync(join(state, first, 'known.json'), 'utf8'))).toMatchObject({
      log: 'receipts',
      before: { tree_size: 300 },
      after: { tree_size: other.entries.receipts.length },
    });
    // The copy is still that of the first story, and goes on with it.
    log.finalize(300);
    expect((await watching(state, log).round()).logs.receipts).toMatchObject({ tree_size: 600 });
  });

  test('is not reported when entries are only unavailable', async () => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(10);
    await watching(state, log, [log.vkey]).round();
    const other = log.fork();
    other.entries.receipts.shift();
    other.finalize(10);
    log.finalize(9);
    // The checkpoint is the log's own, the entries are not.
    const mixed: LogSource = {
      location: log.location,
      read: (path) => (path.endsWith('checkpoint') ? log.read(path) : other.read(path)),
    };
    const failure = await failureOf(watching(state, mixed).round());
    expect([failure.exitCode, failure.message]).toEqual([
      1,
      expect.stringContaining('do not make the tree of its checkpoint'),
    ]);
    expect(readdirSync(state).filter((name) => name.startsWith('equivocation-'))).toEqual([]);
    expect((await watching(state, log).round()).logs.receipts).toMatchObject({
      tree_size: 19,
      new_entries: 9,
    });
  });
});

describe('the trust of a monitor', () => {
  test('ignores a note without a trusted signature', async () => {
    const log = new FakeLog();
    const state = newState();
    await watching(state, log, [log.vkey]).round();
    const stranger = new FakeLog();
    stranger.finalize(3);
    expect(await failureOf(watching(state, stranger).round())).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('is not trusted'),
    });
    const other = new FakeLog('other.example');
    expect(await failureOf(watching(state, other).round())).toMatchObject({
      message: expect.stringContaining('is now "other.example/keys"'),
    });
    expect(await failureOf(watching(state, other, [other.vkey]).round())).toMatchObject({ exitCode: 2 });
  });

  test('follows the key log to a new key, also when no old key signs anymore', async () => {
    const log = new FakeLog();
    const state = newState();
    await watching(state, log, [log.vkey]).round();
    const next = generateKeyPair('Ed25519');
    log.addKey(next, 'keys-log', [log.logKey, next]);
    log.signers.keys = [next];
    log.finalize(2);
    const round = await watching(state, log).round();
    expect([round.problems, round.logs.receipts?.tree_size]).toEqual([[], 2]);
    expect(readFileSync(join(state, 'trusted-log-keys'), 'utf8').trim().split('\n')).toHaveLength(
      LOG_NAMES.length + 1,
    );
    // A key that only signed itself is not trusted.
    const stranger = generateKeyPair('Ed25519');
    log.addKey(stranger, 'keys-log', [stranger]);
    log.signers.keys = [stranger];
    expect(await failureOf(watching(state, log).round())).toMatchObject({
      message: expect.stringContaining('is not trusted'),
    });
    // The old key was reported: what it signs counts for nothing from here on.
    log.signers.keys = [next];
    log.addKey(log.logKey, 'keys-log', [log.logKey, next], 'activated');
    log.addKey(log.logKey, 'keys-log', [next], 'compromised');
    await watching(state, log).round();
    log.signers.keys = [log.logKey];
    expect(await failureOf(watching(state, log).round())).toMatchObject({
      message: expect.stringContaining('is not trusted'),
    });
  });
});

/** Returns another hexadecimal character. */
const otherHex = (character: string): string => (character === '0' ? '1' : '0');

describe('a monitor', () => {
  test('reports entries of another form, of unknown keys, and with wrong signatures', async () => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(1);
    log.finalize(1, generateKeyPair('Ed25519'));
    log.entries.receipts.push(Buffer.from('{"v":2}'), Buffer.from([0xff, 0xfe]), new Uint8Array());
    const forged = Buffer.from(log.entries.receipts[0] ?? '')
      .toString()
      .replace(/(?<="receipt_id":"rcpt_)./, otherHex);
    log.entries.receipts.push(
      Buffer.from(forged),
      Buffer.from(forged.replace(/(?<="content_hash":")./, otherHex)),
    );
    log.entries.revocations.push(Buffer.from(forged));
    log.addKey(log.receiptKey, 'receipts', [generateKeyPair('Ed25519')], 'retired');
    log.entries.keys.push(Buffer.from('none'));
    const at = log.entries.keys.length - 2;
    const { problems } = await watching(state, log, [log.vkey]).round();
    expect(problems).toEqual([
      expect.stringContaining(`entry ${at + 1} of fake.example/keys: `),
      expect.stringMatching(new RegExp(`^entry ${at} of fake.example/keys: .*cannot be retired`)),
      expect.stringMatching(new RegExp(`^entry ${at} of fake.example/keys: no other key than .* signed it`)),
      expect.stringMatching(
        new RegExp(`^entry ${at} of fake.example/keys: .*which the key log does not know`),
      ),
      expect.stringMatching(/^entry 1 of fake.example\/receipts: its key .*is not in the key log/),
      expect.stringMatching(/^entry 2 of .*not an entry of receipts/),
      expect.stringMatching(/^entry 3 of .*not UTF-8/),
      expect.stringMatching(/^entry 4 of .*not an entry of receipts/),
      expect.stringMatching(/^entry 6 of .*its signature was not made by/),
      expect.stringMatching(/^entry 0 of fake.example\/revocations: it is not an entry of revocations/),
    ]);
    expect((await watching(state, log).round()).problems).toEqual([]);
  });

  test('reports an outdated newest checkpoint, by the time in its signature', async () => {
    const log = new FakeLog();
    log.addTimedKeys();
    const state = newState();
    const at = log.now * 1000;
    await watching(state, log, [log.vkey]).round();
    expect((await watching(state, log, [], at + 659_000).round()).problems).toEqual([]);
    const { problems, logs } = await watching(state, log, [], at + 720_000).round();
    expect(problems).toContain('the newest checkpoint of fake.example/receipts is 12 minutes old');
    expect(logs.receipts?.age_seconds).toBe(720);
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['no note', Buffer.from('<html>')],
    ['a note with control characters', Buffer.from('a\u0000\n\n')],
    ['a huge one', Buffer.alloc(2 ** 21, 0x61)],
  ])('a checkpoint that is %s leaves everything as it was', async (_name, bytes) => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(2);
    await watching(state, log, [log.vkey]).round();
    const before = filesBelow(state);
    log.finalize(2);
    log.instead.set('receipts/checkpoint', () => bytes);
    await failureOf(watching(state, log).round());
    expect(filesBelow(state)).toEqual(before);
    log.instead.clear();
    expect((await watching(state, log).round()).logs.receipts).toMatchObject({ tree_size: 4 });
  });

  test.each([
    ['too few entries', (log: FakeLog) => log.tileOf(0, 2)],
    ['too many', (log: FakeLog) => log.tileOf(0, 4)],
    ['half an entry', (log: FakeLog) => log.tileOf(0, 3).slice(0, -1)],
    ['nothing', () => new Uint8Array()],
    ['noise', () => crypto.getRandomValues(new Uint8Array(4096))],
  ])('a bundle of %s is refused', async (_name, bytes) => {
    const log = new FakeLog();
    const state = newState();
    log.finalize(4);
    log.instead.set('receipts/checkpoint', () => Buffer.from(log.note('receipts', 3)));
    log.instead.set('receipts/tile/entries/000.p/3', () => bytes(log));
    await failureOf(watching(state, log, [log.vkey]).round());
    expect(existsSync(join(state, 'receipts/checkpoint'))).toBe(false);
    log.instead.clear();
    expect((await watching(state, log).round()).logs.receipts).toMatchObject({ tree_size: 4 });
  });

  test('takes a name that would lead elsewhere for a name and no path', async () => {
    const outside = newState();
    const state = join(outside, 'state');
    const log = new FakeLog('../../../escaped');
    log.finalize(2);
    await watching(state, log, [log.vkey]).round();
    expect(readdirSync(outside)).toEqual(['state']);
    expect(readdirSync(state).sort()).toEqual(['history.db', 'trusted-log-keys', ...LOG_NAMES].sort());
    expect(
      log.asked.every((path) =>
        /^(?:receipts|keys|revocations|evidence|accounts)\/(?:checkpoint(?:\?cosigned=yes)?|tile\/(?:entries\/)?[\dx/.p]+)$/.test(
          path,
        ),
      ),
    ).toBe(true);
  });
});

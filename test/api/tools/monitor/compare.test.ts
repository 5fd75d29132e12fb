import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import { type LogSource, logSource } from '../../../../src/platform/tlog/source.ts';
import { compareCopies, compareLogs } from '../../../../src/tools/monitor/compare.ts';
import { namedLogKeys } from '../../../../src/tools/monitor/keys/log-keys.ts';
import { Monitor } from '../../../../src/tools/monitor/monitor.ts';
import { FakeLog } from '../../../support/fake-log.ts';

let scratch: string;
let states = 0;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-compare-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** Returns the directory of a monitor that has read a log once. */
async function copyOf(log: FakeLog): Promise<string> {
  const state = join(scratch, `state-${states++}`);
  const listener = { say: () => undefined, progress: () => undefined };
  const monitor = new Monitor(state, log, [log.vkey], { now: () => log.now * 1000 }, listener);
  await monitor.round();
  monitor.close();
  return state;
}

/** Returns the results of comparing a monitor's directory with another copy, and the fork that was found. */
async function compared(state: string, other: LogSource) {
  const { keys } = await namedLogKeys([join(state, 'trusted-log-keys')]);
  const rows = await Array.fromAsync(compareLogs(logSource(state), other, keys));
  return {
    results: rows.map(({ row }) => String(row?.result)),
    forks: rows.flatMap(({ fork }) => (fork === null ? [] : [fork.message])),
  };
}

/** Returns a log with so many receipts. */
function logOf(receipts: number): FakeLog {
  const log = new FakeLog();
  log.addTimedKeys();
  log.finalize(receipts);
  return log;
}

/** Returns what a log shows to others after some of its receipts. */
function forkOf(log: FakeLog, shared: number, others: number): FakeLog {
  const fork = log.fork();
  fork.entries.receipts.length = shared;
  fork.finalize(others);
  return fork;
}

const OK = ['ok', 'ok', 'ok', 'ok', 'ok'];

describe('two copies of one log have no fork', () => {
  test.each([
    [0, 0],
    [0, 3],
    [3, 3],
    [3, 300],
    [256, 700],
  ])('with %p and %p more receipts, in either order', async (before, after) => {
    const log = logOf(before);
    const one = await copyOf(log);
    log.finalize(after - before);
    const two = await copyOf(log);
    for (const [state, other] of [
      [one, two],
      [two, one],
    ] as const)
      expect(await compared(state, logSource(other))).toEqual({ results: OK, forks: [] });
  });

  test('and neither have a copy and the service itself, of which no entry is read', async () => {
    const log = logOf(300);
    const state = await copyOf(log);
    log.finalize(300);
    log.asked.length = 0;
    expect(await compared(state, log)).toEqual({ results: OK, forks: [] });
    expect(log.asked.filter((path) => path.includes('entries'))).toEqual([]);
    expect(log.asked.length).toBeLessThan(15);
  });

  test('where the clock was set back by a minute between them', async () => {
    const log = logOf(3);
    const one = await copyOf(log);
    log.now -= 60;
    log.finalize(2);
    expect(await compared(one, log)).toEqual({ results: OK, forks: [] });
  });
});

describe('a fork between two copies is found:', () => {
  test.each([
    ['other receipts of the same number', 5, 2, 3],
    ['more receipts, of which an early one is another', 5, 1, 300],
    ['fewer receipts, of which the last one is another', 400, 299, 1],
  ])('%s', async (_, receipts, shared, others) => {
    const log = logOf(receipts);
    const [one, two] = [await copyOf(log), await copyOf(forkOf(log, shared, others))];
    for (const [state, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const { results, forks } = await compared(state, logSource(other));
      expect(results).toEqual(['ok', 'forked', 'ok', 'ok', 'ok']);
      expect(forks).toEqual([expect.stringMatching(/have different roots|does not extend/)]);
    }
  });

  test('a smaller tree that was signed later', async () => {
    const log = logOf(5);
    const one = await copyOf(log);
    const rolledBack = forkOf(log, 3, 0);
    rolledBack.now += 600;
    const { forks } = await compared(one, rolledBack);
    expect(forks).toEqual([expect.stringContaining('the log was rolled back: a tree of 3 leaves')]);
  });

  test('both checkpoints are stored as those of an equivocation are, and the exit code is 2', async () => {
    const log = logOf(5);
    const [one, two] = [await copyOf(log), await copyOf(forkOf(log, 2, 9))];
    const failure = await compareCopies(one, two, []).catch((error: unknown) => error);
    if (!(failure instanceof Failure)) throw new Error('no fork was found');
    expect([failure.exitCode, failure.message]).toEqual([2, expect.stringContaining('EQUIVOCATION')]);
    const [evidence = ''] = readdirSync(one).filter((name) => name.startsWith('equivocation-'));
    const read = (name: string): string => readFileSync(join(one, evidence, name), 'utf8');
    expect([read('checkpoint-before'), read('checkpoint-after')]).toEqual([
      readFileSync(join(one, 'receipts/checkpoint'), 'utf8'),
      readFileSync(join(two, 'receipts/checkpoint'), 'utf8'),
    ]);
    expect(JSON.parse(read('known.json'))).toMatchObject({
      log: 'receipts',
      url: two,
      before: { tree_size: 5 },
      after: { tree_size: 11 },
    });
  });
});

describe('nothing is said of a log by a copy', () => {
  const stripped: [string, (state: string) => void, RegExp][] = [
    ['that is not one', (state) => rmSync(join(state, 'receipts/checkpoint')), /cannot be read/],
    [
      'whose checkpoint is no note',
      (state) => writeFileSync(join(state, 'receipts/checkpoint'), 'x'),
      /is not trusted/,
    ],
    [
      'whose tile was cut',
      (state) => truncateSync(join(state, 'receipts/tile/0/000'), 5),
      /has 5 bytes instead of 8192/,
    ],
    [
      'whose tile was changed',
      (state) => writeFileSync(join(state, 'receipts/tile/0/000'), new Uint8Array(8192)),
      /do not hash to the root/,
    ],
  ];
  test.each(stripped)('%s', async (_, damage, message) => {
    const log = logOf(3);
    const one = await copyOf(log);
    log.finalize(300);
    const two = await copyOf(log);
    const damaged = `${two}-damaged`;
    cpSync(two, damaged, { recursive: true });
    damage(damaged);
    expect(compared(one, logSource(damaged))).rejects.toThrow(message);
  });

  test('of another installation, or signed by keys that are not trusted', async () => {
    const one = await copyOf(logOf(3));
    expect(compared(one, new FakeLog())).rejects.toThrow('is not trusted');
    expect(compared(one, new FakeLog('other.example'))).rejects.toThrow(
      '/keys is of other.example/keys, but the first copy is of fake.example/keys',
    );
    const again = logOf(3);
    again.signers.receipts = [generateKeyPair('Ed25519')];
    expect(compared(one, again)).rejects.toThrow('is not trusted');
  });
});

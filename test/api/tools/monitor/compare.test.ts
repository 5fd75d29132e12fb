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

describe('logs that continue those of a copy after a restart', () => {
  const NEXT = 'fake.example-2';

  test.each([0, 3, 300])('have all %p receipts of it', async (receipts) => {
    const log = logOf(receipts);
    const one = await copyOf(log);
    log.finalize(2);
    const next = log.restart(NEXT);
    next.finalize(300);
    const two = await copyOf(next);
    expect(await compared(one, logSource(two))).toEqual({ results: OK, forks: [] });
    expect(await compared(one, next)).toEqual({ results: OK, forks: [] });
    // The older copy comes first.
    expect(compared(two, logSource(one))).rejects.toThrow(
      'does not say that it continues fake.example-2/keys',
    );
  });

  test('lost entries that were published, which is said', async () => {
    const log = logOf(5);
    const one = await copyOf(log);
    const next = log.restart(NEXT, (entries) => entries.receipts.splice(3));
    next.finalize(9);
    const { results, forks } = await compared(one, next);
    expect([results, forks]).toEqual([['ok', 'lost', 'ok', 'ok', 'ok'], []]);
    await compareCopies(one, await copyOf(next), []);
    expect(process.exitCode).toBe(1);
    process.exitCode = 0;
  });

  /** Closes the logs as they never were, and continues that. */
  function rewritten(log: FakeLog, change: (entries: FakeLog['entries']) => void): FakeLog {
    const false_ = log.fork();
    change(false_.entries);
    return false_.restart(NEXT);
  }

  test.each<[string, (entries: FakeLog['entries']) => void, RegExp]>([
    [
      'a receipt was dropped and others were added',
      ({ receipts }) => receipts.splice(2, 1, ...receipts.slice(0, 2)),
      /begins with the 6 entries with which fake.example\/receipts was closed, and a tree of 5/,
    ],
    [
      'a receipt was replaced',
      ({ receipts }) => receipts.splice(2, 1, ...receipts.slice(0, 1)),
      /was closed with 5 entries .* and a tree of 5 with another root was signed/,
    ],
    [
      'the last receipts were cut off',
      ({ receipts }) => receipts.splice(3),
      /was closed with 3 entries .* and a tree of 5 was signed/,
    ],
  ])('contradict it if %s before they were closed', async (_, change, message) => {
    const log = logOf(5);
    const one = await copyOf(log);
    const { results, forks } = await compared(one, rewritten(log, change));
    expect(results).toEqual(['ok', 'forked', 'ok', 'ok', 'ok']);
    expect(forks).toEqual([expect.stringMatching(message)]);
    // A monitor that goes on with the former directory says so too.
    const listener = { say: () => undefined, progress: () => undefined };
    const next = rewritten(log, change);
    const monitor = new Monitor(one, next, [], { now: () => next.now * 1000 }, listener);
    const failure = await monitor.round().catch((error: unknown) => error);
    monitor.close();
    if (!(failure instanceof Failure)) throw new Error('the monitor said nothing');
    expect([failure.exitCode, failure.message]).toEqual([2, expect.stringMatching(message)]);
  });

  test.each([
    [
      'entry of the log of keys was changed',
      (state: string) => {
        const path = join(state, 'keys/tile/entries/000.p/21');
        writeFileSync(path, readFileSync(path, 'latin1').replace('"v":1', '"v":2'), 'latin1');
      },
      'keys do not hash to the root of its checkpoint',
    ],
    [
      'tile was changed',
      (state: string) => writeFileSync(join(state, 'receipts/tile/0/000.p/5'), new Uint8Array(160)),
      'receipts do not hash to the root of its checkpoint',
    ],
  ])('prove nothing if a %s', async (_, damage, message) => {
    const log = logOf(5);
    const one = await copyOf(log);
    const two = await copyOf(log.restart(NEXT));
    damage(two);
    await expect(compared(one, logSource(two))).rejects.toThrow(message);
  });

  test('are named by a monitor that reads them with the former directory', async () => {
    const log = logOf(5);
    const one = await copyOf(log);
    const said = async (next: FakeLog): Promise<string> => {
      const listener = { say: () => undefined, progress: () => undefined };
      const monitor = new Monitor(one, next, [], { now: () => next.now * 1000 }, listener);
      const failure = await monitor.round().catch((error: unknown) => error);
      monitor.close();
      return failure instanceof Failure ? failure.message : 'nothing';
    };
    expect(await said(log.restart(NEXT))).toContain('it continues the copy, with all of its entries');
    expect(await said(log.restart(NEXT, ({ receipts }) => receipts.splice(3)))).toContain(
      'fake.example-2/receipts does not have all 5 entries of fake.example/receipts',
    );
    const other = log.fork(NEXT);
    expect(await said(other)).toContain('does not say that it continues fake.example/keys');
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
    expect(compared(one, new FakeLog('other.example'))).rejects.toThrow('is not trusted');
    const again = logOf(3);
    again.signers.receipts = [generateKeyPair('Ed25519')];
    expect(compared(one, again)).rejects.toThrow('is not trusted');
  });
});

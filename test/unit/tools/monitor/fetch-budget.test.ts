import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../../src/platform/failure.ts';
import { type LogSource, logSource } from '../../../../src/platform/tlog/source.ts';
import { FETCH_LIMITS, FetchBudget, type FetchLimits } from '../../../../src/tools/monitor/fetch-budget.ts';
import { namedLogKeys } from '../../../../src/tools/monitor/keys/log-keys.ts';
import { Monitor } from '../../../../src/tools/monitor/monitor.ts';
import { auditRemote } from '../../../../src/tools/monitor/remote-audit.ts';
import { FakeLog } from '../../../support/fake-log.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'countersign-budget-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const MEBIBYTE = 2 ** 20;
const SMALL: FetchLimits = { mebibytes: 1, seconds: 3600 };
const AT_MS = 1_777_636_800_000;

function watch(log: LogSource, vkey: string, limits: FetchLimits) {
  const hearing = { say: () => undefined, progress: () => undefined };
  return new Monitor(state, log, [vkey], { now: () => AT_MS }, hearing, limits).round();
}

/** What files take of a disk with blocks of 4 KiB. */
function diskBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    .reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
}

const entriesOf = (bytes: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, () => Buffer.alloc(bytes, 'x'));

describe('a hostile log fills no disk of a monitor', () => {
  test.each([
    ['large entries', 2000, 5120],
    ['entries of one byte', 1, 51_200],
  ])('by %s', async (_name, bytes, count) => {
    const log = new FakeLog();
    log.entries.receipts = entriesOf(bytes, count);
    const refused = watch(log, log.vkey, SMALL);
    await expect(refused).rejects.toThrow(Failure);
    await expect(refused).rejects.toThrow(`${log.location} has more than 1 MiB to be fetched`);
    // What was under way when the limit was met is one bundle more.
    expect(diskBytes(state)).toBeLessThan(2 * MEBIBYTE);
    const again = watch(log, log.vkey, SMALL);
    await expect(again).rejects.toThrow('more than 1 MiB');
    expect(diskBytes(state)).toBeLessThan(2 * MEBIBYTE);
  });

  test('by a key log without an end', async () => {
    const log = new FakeLog();
    log.instead.set('keys/checkpoint', () => Buffer.from(log.note('keys', 10_001)));
    await expect(watch(log, log.vkey, FETCH_LIMITS)).rejects.toThrow(
      '"fake.example/keys" has 10,001 entries, and a key log has at most 10,000',
    );
  });

  test('by problems, however many entries are wrong and however long they are', async () => {
    const log = new FakeLog();
    const junk = JSON.stringify({ ['x'.repeat(20_000)]: 1 });
    log.entries.receipts = Array.from({ length: 300 }, () => Buffer.from(junk));
    const { problems } = await watch(log, log.vkey, FETCH_LIMITS);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe('200 more entries of fake.example/receipts are wrong');
    expect(Math.max(...problems.map((problem) => problem.length))).toBeLessThan(600);
    expect(readFileSync(join(state, 'problems.jsonl'), 'utf8').length).toBeLessThan(101 * 700);
  });

  test('by answers larger than what is asked for', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => new Response(Buffer.alloc(url.endsWith('/000') ? 18 * MEBIBYTE : MEBIBYTE, 'x')),
    });
    try {
      const source = logSource(`http://127.0.0.1:${server.port}/log`);
      await expect(source.read('receipts/checkpoint')).rejects.toThrow('checkpoint is larger than 256 KiB');
      await expect(source.read('receipts/tile/0/001')).rejects.toThrow('001 is larger than 256 KiB');
      await expect(source.read('receipts/tile/entries/000')).rejects.toThrow('000 is larger than 17 MiB');
    } finally {
      await server.stop(true);
    }
  });
});

test('an audit of a URL ends where the limit is met', async () => {
  const log = new FakeLog();
  log.entries.receipts = entriesOf(2000, 5120);
  const steps = auditRemote(log, null, await namedLogKeys([log.vkey]), AT_MS, new FetchBudget(SMALL));
  const all = async (): Promise<void> => {
    for await (const _ of steps);
  };
  await expect(all()).rejects.toThrow('has more than 1 MiB to be fetched');
  expect(log.asked.length).toBeLessThan(20);
});

describe('a budget', () => {
  const answer = (bytes: number) => async () => new Uint8Array(bytes);

  test('counts bytes for a day, and begins anew with the first round behind it', async () => {
    let now = 0;
    const budget = new FetchBudget(SMALL, () => now);
    await budget.spend('there', answer(MEBIBYTE));
    now += 23 * 3600_000;
    budget.begin();
    await expect(budget.spend('there', answer(1))).rejects.toThrow('more than 1 MiB');
    now += 3600_000;
    budget.begin();
    expect((await budget.spend('there', answer(1))).length).toBe(1);
  });

  test('ends a round that lasts too long, and not the next', async () => {
    let now = 0;
    const budget = new FetchBudget({ mebibytes: 1, seconds: 60 }, () => now);
    await budget.spend('there', answer(1));
    now += 60_001;
    await expect(budget.spend('there', answer(1))).rejects.toThrow(
      'there is not read to its end within 60 s',
    );
    budget.begin();
    expect((await budget.spend('there', answer(1))).length).toBe(1);
  });
});

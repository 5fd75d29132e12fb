import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import {
  ACTS_FILE,
  compactActs,
  newestLine,
  readActs,
} from '../../../../../src/trust/operators/restored/acts-file.ts';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');
/** So many lines are more than 4 MiB. */
const MANY = 20_000;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-acts-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const path = () => join(directory, ACTS_FILE);
const text = (): string => readFileSync(path(), 'utf8');
const id = (n: number): string => n.toString(16).padStart(32, '0');
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

/** The deletion of a key, as the service writes it. */
const deletion = (n: number, days: number): string =>
  JSON.stringify({
    id: id(n),
    at: daysAgo(days),
    act: 'key_deleted',
    key_hash: id(n).repeat(2),
    operator_id: 'op_cus_1234567890abcdef',
  });
const begin = (days: number): string => JSON.stringify({ act: 'begin', at: daysAgo(days) });

const write = (lines: readonly string[]): void =>
  writeFileSync(path(), [...lines, ''].join('\n'), { mode: 0o600 });

/** A line of a newer version, and one that a crash cut off. */
const FOREIGN = ['{"act":"agent_erased","id":"00","at":"2020-01-01T00:00:00.000Z"}', '{"act":"key_del'];

test('a large file loses only lines of more than 400 days, and keeps all others as they are', async () => {
  const recent = Array.from({ length: MANY }, (_, n) => deletion(n, 400 - (n * 400) / MANY));
  write([
    begin(900),
    deletion(MANY, 800),
    deletion(MANY + 1, 401),
    ...recent.slice(0, 9),
    ...FOREIGN,
    ...recent.slice(9),
  ]);
  expect(statSync(path()).size).toBeGreaterThan(4 * 1024 * 1024);
  await compactActs(directory, NOW);
  const since = Date.parse(JSON.parse(recent.at(-1) ?? '').at) - 400 * DAY_MS;
  expect(text().split('\n')).toEqual([
    JSON.stringify({ act: 'begin', at: new Date(since).toISOString() }),
    ...recent.slice(0, 9),
    ...FOREIGN,
    ...recent.slice(9),
    '',
  ]);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect((await readActs(directory))?.unreadable).toBe(2);
  expect(newestLine(directory)).toEqual(JSON.parse(recent.at(-1) ?? ''));
  // What is left is not old, so another start changes nothing.
  const before = text();
  await compactActs(directory, NOW);
  expect(text()).toBe(before);
});

test('a clock that is years ahead removes no line', async () => {
  write([begin(300), ...Array.from({ length: MANY }, (_, n) => deletion(n, 300 - (n * 300) / MANY))]);
  const before = text();
  await compactActs(directory, NOW + 10 * 365 * DAY_MS);
  expect(text()).toBe(before);
});

test('the newest line stays, even if its time is long before that of others', async () => {
  const old = deletion(MANY, 4000);
  write([begin(500), ...Array.from({ length: MANY }, (_, n) => deletion(n, 1)), old]);
  await compactActs(directory, NOW);
  expect(newestLine(directory)).toEqual(JSON.parse(old));
  expect(text().split('\n').length).toBe(MANY + 3);
});

test('a small file is not changed', async () => {
  write([begin(4000), deletion(1, 3000), deletion(2, 1)]);
  const before = text();
  await compactActs(directory, NOW);
  expect(text()).toBe(before);
});

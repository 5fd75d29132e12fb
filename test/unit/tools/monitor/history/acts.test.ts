import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountActs, actTableIn } from '../../../../../src/tools/monitor/history/acts.ts';
import { Awaited, awaitedTablesIn } from '../../../../../src/tools/monitor/history/awaited.ts';
import { finalizedTableIn } from '../../../../../src/tools/monitor/history/finalized.ts';
import { revokedTablesIn } from '../../../../../src/tools/monitor/history/revoked.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-acts-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

function opened(path: string, batchMax: number) {
  const sqlite = new Database(path, { strict: true });
  for (const tables of [finalizedTableIn, revokedTablesIn, actTableIn, awaitedTablesIn])
    sqlite.exec(tables('main'));
  return { sqlite, acts: new AccountActs(sqlite, new Awaited(sqlite), batchMax) };
}

const randomHex = (): string => crypto.getRandomValues(new Uint8Array(16)).toHex();
const COUNT = 2 ** 16;

test.each<[string, (number: number) => string]>([
  [
    'in the order of their issue',
    (number) =>
      `${(1_780_000_000_000 + 20 * number).toString(16).padStart(12, '0')}7${randomHex().slice(13)}`,
  ],
  ['in random order', randomHex],
])('the receipts of linked accounts take at most 32 bytes each, %s', (name, hexOf) => {
  const path = join(scratch, `${name}.db`);
  const { sqlite, acts } = opened(path, 2 ** 14);
  const ids = Array.from({ length: COUNT }, (_, number) => `rcpt_${hexOf(number)}`);
  let leaf = 0;
  const add = (id: string): void => {
    acts.add('issued', id, leaf++, 0);
    if (acts.isFull) expect(acts.write()).toEqual([]);
  };
  sqlite.run('BEGIN');
  for (const id of ids) add(id);
  acts.write();
  sqlite.run('COMMIT');
  sqlite.close();
  expect(statSync(path).size / COUNT).toBeLessThan(32);
});

test('a second act is found by every digit of the id, in one batch or in two', () => {
  const base = '0123456789abcdef'.repeat(2);
  const others = Array.from({ length: 32 }, (_, at) => {
    const digit = base[at] === 'f' ? 'e' : 'f';
    return `${base.slice(0, at)}${digit}${base.slice(at + 1)}`;
  });
  const ids = [base, ...others].map((hex) => `rcpt_${hex}`);
  for (const batchMax of [33, 40, 66]) {
    const { sqlite, acts } = opened(':memory:', batchMax);
    const found: number[] = [];
    for (const [leaf, id] of [...ids, ...ids].entries()) {
      acts.add('issued', id, leaf, 0);
      if (acts.isFull) found.push(...acts.write().map(({ index }) => index));
    }
    found.push(...acts.write().map(({ index }) => index));
    expect(found).toEqual(ids.map((_, at) => ids.length + at));
    sqlite.close();
  }
});

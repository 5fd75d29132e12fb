import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { statements } from '../../../../src/platform/store/transaction.ts';

test('a statement is prepared when it is first asked for, and once for each connection', () => {
  const prepared: string[] = [];
  const sql = statements(() => ({
    asked: () => prepared.push('asked'),
    unasked: () => prepared.push('unasked'),
  }));
  const connections = [new Database(), new Database()].map((sqlite) => ({
    sqlite,
    orm: drizzle({ client: sqlite }),
  }));
  for (const connection of connections) {
    for (let time = 0; time < 2; time++) sql({ connection }).asked;
    connection.sqlite.close();
  }
  expect(prepared).toEqual(['asked', 'asked']);
});

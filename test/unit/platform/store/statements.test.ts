import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { snapshotOf, statements } from '../../../../src/platform/store/transaction.ts';

test('a statement is prepared when it is first asked for, and once for each connection', async () => {
  const prepared: string[] = [];
  const query = statements(() => ({
    asked: () => prepared.push('asked'),
    unasked: () => prepared.push('unasked'),
  }));
  const connections = [new Database(), new Database()].map((sqlite) => ({
    sqlite,
    orm: drizzle({ client: sqlite }),
  }));
  for (const connection of connections) {
    for (let time = 0; time < 2; time++) await query(snapshotOf(connection), (sql) => sql.asked);
    connection.sqlite.close();
  }
  expect(prepared).toEqual(['asked', 'asked']);
});

import { drizzle } from 'drizzle-orm/bun-sqlite';
import { type Snapshot, snapshotOf } from '../../src/platform/store/transaction.ts';

/** Returns the steps of SQLite's query plans, in order, for every statement that `ask` makes a store run. */
export async function sqlPlan(
  { connection: { sqlite } }: Snapshot,
  ask: (snapshot: Snapshot) => Promise<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  const orm = drizzle({ client: sqlite, logger: { logQuery: (query) => void asked.push(query) } });
  // A new connection object makes the store prepare its statements again, with a drizzle that records them.
  await ask(snapshotOf({ sqlite, orm }));
  return asked.flatMap((query) =>
    sqlite
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => detail),
  );
}

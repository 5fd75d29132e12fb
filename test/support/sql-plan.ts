import { drizzle } from 'drizzle-orm/bun-sqlite';
import { type Snapshot, snapshotOf } from '../../src/platform/store/transaction.ts';

/** Returns the steps of SQLite's plan of every statement that `ask` has a store run, in their order. */
export async function sqlPlan(
  { connection: { sqlite } }: Snapshot,
  ask: (snapshot: Snapshot) => Promise<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  const orm = drizzle({ client: sqlite, logger: { logQuery: (query) => void asked.push(query) } });
  // Another connection object, so that the store prepares its statements anew, by the drizzle that writes them down.
  await ask(snapshotOf({ sqlite, orm }));
  return asked.flatMap((query) =>
    sqlite
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => detail),
  );
}

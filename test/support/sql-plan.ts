import { drizzle } from 'drizzle-orm/bun-sqlite';
import { type Snapshot, snapshotOf } from '../../src/platform/store/transaction.ts';

type Ask = (snapshot: Snapshot) => Promise<unknown>;

/** Returns the steps of SQLite's query plans, in order, for every statement that `ask` makes a store run. */
export async function sqlPlan(snapshot: Snapshot, ask: Ask): Promise<string[]> {
  return (await sqlPlans(snapshot, ask)).flat();
}

/** Returns the same for each statement. */
export async function sqlPlans({ connection: { sqlite } }: Snapshot, ask: Ask): Promise<string[][]> {
  const asked: string[] = [];
  const orm = drizzle({ client: sqlite, logger: { logQuery: (query) => void asked.push(query) } });
  const recorded = new Proxy(sqlite, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'prepare' && name !== 'query') return value.bind(target);
      return (query: string) => {
        asked.push(query);
        return value.call(target, query);
      };
    },
  });
  // A new connection object makes the store prepare its statements again, with functions that record them.
  await ask(snapshotOf({ sqlite: recorded, orm }));
  return asked.map((query) =>
    sqlite
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => detail),
  );
}

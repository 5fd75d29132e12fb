import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection } from './connection.ts';
import { NestedTransaction } from './errors.ts';
import { TrackedPromises } from './tracked-promises.ts';

/** What a `read` body sees: one snapshot of the database. */
export interface Snapshot {
  /** For the SQL of a `store.ts`, and for nobody else. */
  readonly connection: Connection;
  readonly promises: TrackedPromises;
}

/** A view of the database outside any transaction of a store, for whoever has a connection of its own. */
export function snapshotOf(connection: Connection): Snapshot {
  return { connection, promises: new TrackedPromises() };
}

/** What a `write` body works in: one serializable transaction. */
export interface Transaction extends Snapshot {
  /**
   * Runs `effect` once the transaction is durable, and not at all otherwise. For what may be lost (caches, wake-ups);
   * what must arrive is a row that the transaction writes.
   */
  afterCommit(effect: () => void): void;
  /**
   * Runs `effect` in the same transaction, after the last unit that shares it and before the commit, also when this unit fails and
   * others are committed. For what units add up: it is asked for once and written once.
   */
  beforeCommit(effect: (tx: Snapshot) => void | Promise<void>): void;
  /** The same object for all units that share this transaction, and another for each other: what is known of it is known to them. */
  readonly shared: object;
  /** The same object as long as what an earlier unit has read still holds: another after a unit was undone. */
  readonly reads: object;
}

const inside = new AsyncLocalStorage<true>();

/** Runs `body` so that a `read` or `write` inside it is noticed, whatever it awaits. */
export function runInside<T>(body: () => T): T {
  return inside.run(true, body);
}

/** @throws NestedTransaction when called from within a body. */
export function refuseNested(): void {
  if (inside.getStore() === true) {
    throw new NestedTransaction('a transaction was opened inside another: call the …In function instead');
  }
}

type Prepared<S extends Record<string, () => unknown>> = { readonly [Name in keyof S]: ReturnType<S[Name]> };

/** Asks the database something in a snapshot. Rejects with DuplicateRow where a unique index refuses. */
export function runQuery<T>(snapshot: Snapshot, ask: (connection: Connection) => T): Promise<T> {
  return snapshot.promises.to(() => ask(snapshot.connection));
}

/**
 * A capability's SQL, as functions that prepare it. Each statement is prepared once per connection, since that costs nine times what
 * running it does, and not before it is asked for, since a start would wait for all of them. Used in a `store.ts` as
 * `query(tx, (sql) => sql.insertReceipt.run({…}))`, which promises what the function returns and rejects as `answer` does.
 */
export function statements<S extends Record<string, () => unknown>>(
  prepare: (orm: Connection['orm']) => S,
): <T>(snapshot: Snapshot, ask: (sql: Prepared<S>) => T) => Promise<T> {
  const prepared = new WeakMap<Connection, Prepared<S>>();
  return (snapshot, ask) =>
    runQuery(snapshot, (connection) => {
      let sql = prepared.get(connection);
      if (sql === undefined) {
        sql = onDemand(prepare(connection.orm));
        prepared.set(connection, sql);
      }
      return ask(sql);
    });
}

/** The values of functions, each called when its value is first asked for. */
function onDemand<S extends Record<string, () => unknown>>(functions: S): Prepared<S>;
function onDemand(functions: Record<string, () => unknown>): object {
  const values = {};
  for (const [name, make] of Object.entries(functions)) {
    Object.defineProperty(values, name, {
      configurable: true,
      get() {
        const value = make();
        Object.defineProperty(values, name, { value });
        return value;
      },
    });
  }
  return values;
}

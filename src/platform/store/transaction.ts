import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection } from './connection.ts';
import { NestedTransaction } from './errors.ts';
import { TrackedPromises } from './tracked-promises.ts';

/** The input of a `read` body: one snapshot of the database. */
export interface Snapshot {
  /** Only for the SQL of a `store.ts`. */
  readonly connection: Connection;
  readonly promises: TrackedPromises;
}

/** Returns a view of the database outside of the store's transactions, for code with its own connection. */
export function snapshotOf(connection: Connection): Snapshot {
  return { connection, promises: new TrackedPromises() };
}

/** The input of a `write` body: one serializable transaction. */
export interface Transaction extends Snapshot {
  /**
   * Runs `effect` after the commit, and only then. For effects that may be lost (caches, wake-ups); anything
   * else must be a row that the transaction writes.
   */
  afterCommit(effect: () => void): void;
  /**
   * Runs `effect` in the same transaction, after its last unit and before the commit, even when this unit
   * fails and others are committed. For sums over units, which are then read once and written once.
   */
  beforeCommit(effect: (tx: Snapshot) => Promise<void>): void;
  /** One object per transaction, the same for all its units: a key for values that they share. */
  readonly shared: object;
  /** One object as long as the reads of earlier units are valid; a new one after a unit is rolled back. */
  readonly reads: object;
}

const inside = new AsyncLocalStorage<true>();

/** Runs `body` and makes `refuseNested` detect a `read` or `write` inside it. */
export function runInside<T>(body: () => T): T {
  return inside.run(true, body);
}

/** Refuses a call from within a body. @throws NestedTransaction */
export function refuseNested(): void {
  if (inside.getStore() === true) {
    throw new NestedTransaction('a transaction was opened inside another: call the …In function instead');
  }
}

/** Runs a query in a snapshot. Rejects with DuplicateRow when a unique index refuses a row. */
export function runQuery<T>(snapshot: Snapshot, ask: (connection: Connection) => T): Promise<T> {
  return snapshot.promises.to(() => ask(snapshot.connection));
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection } from './connection.ts';
import { NestedTransaction } from './errors.ts';

/** What a `read` body sees: one snapshot of the database. */
export interface Snapshot {
  readonly connection: Connection;
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
  beforeCommit(effect: (tx: Snapshot) => void): void;
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

/**
 * A capability's SQL, as functions that prepare it. Each statement is prepared once per connection, since that costs nine times what
 * running it does, and not before it is asked for, since a start would wait for all of them. Used as `sql(tx).insertReceipt.run({…})`.
 */
export function statements<S extends Record<string, () => unknown>>(
  prepare: (orm: Connection['orm']) => S,
): (snapshot: Snapshot) => Prepared<S> {
  const prepared = new WeakMap<Connection, Prepared<S>>();
  return ({ connection }) => {
    const known = prepared.get(connection);
    if (known !== undefined) return known;
    const fresh = onDemand(prepare(connection.orm));
    prepared.set(connection, fresh);
    return fresh;
  };
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

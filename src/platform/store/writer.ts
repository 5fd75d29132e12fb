import type { Authority } from './authority.ts';
import type { Connection } from './connection.ts';
import { asStoreError, isBusy, Overloaded, StorageUnavailable, UNSETTLED, UnsettledBody } from './errors.ts';
import { Growth } from './growth.ts';
import { TrackedPromises } from './tracked-promises.ts';
import { runInside, type Snapshot, snapshotOf, type Transaction } from './transaction.ts';

/**
 * The maximum number of waiting units, and their maximum wait in milliseconds. Beyond them the disk is too
 * slow, and new units are refused.
 */
const MAX_WAITING = 4096;
const MAX_WAIT_MS = 5000;
/** A unit that has waited this long is withdrawn: its client has gone. */
const REQUEST_LIMIT_MS = 10_000;
/** Limits how long one group blocks the event loop. */
const MAX_GROUP = 256;
/** The maximum wait of a group for further writes of running requests, in milliseconds. */
const GATHER_MS = 2;
/** The milliseconds that a write saves at least by sharing a commit. */
const COMMIT_MS = 0.5;
/** The number of groups that do not wait after a turn of the event loop that was not worth it. */
const MAX_SKIPS = 4;
/** The timeout of a group for another process's write lock, and the retry interval, in milliseconds. */
const LOCK_WAIT_MS = 3000;
const LOCK_POLL_MS = 20;

export interface WriterHooks {
  /** Returns the number of running requests. */
  openRequests(): number;
  /** Called in every transaction before its first unit. If it throws, nothing of the group is written. */
  begun(): void;
  /**
   * Called after every COMMIT, before any unit resolves. If it throws, no unit of the group counts as
   * written.
   */
  committed(): void;
  /** Awaited between two groups, where no transaction is open. */
  betweenGroups(): Promise<void> | undefined;
  /** Called after every group with whether the disk accepted it. */
  storageHealth(healthy: boolean): void;
  /** Called after every group with its number of units and its duration in seconds. */
  group(units: number, seconds: number): void;
  /** Called with the error of every unit that fails. */
  unitFailed(error: unknown): void;
  /** Called with the error of an effect. Its unit is committed nevertheless. */
  effectFailed(error: unknown): void;
}

type Outcome = { failed: false } | { failed: true; error: unknown };

interface Unit {
  authority: Authority;
  /** Runs the body in `tx` and keeps its value for `resolve`. */
  run(tx: Transaction): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
  outcome: Outcome;
  effects: (() => void)[];
  since: number;
  /** True if it needs its own transaction. */
  ownTransaction: boolean;
}

type UnitTransaction = Transaction & { promises: TrackedPromises };

/** The state that the units of one transaction share. */
interface Shared {
  /** Effects before the commit. */
  lastly: ((tx: Snapshot) => Promise<void>)[];
  /** The growth after the last unit, as `Growth` reads it; null when it must be read. */
  growth: number | null;
  /** See `Transaction.reads`. */
  reads: object;
}

/**
 * The statements that begin and end transactions and units. Prepared once, because preparing takes longer
 * than running.
 */
type Bounds = ReturnType<typeof boundsOf>;

function boundsOf({ sqlite }: Connection) {
  return {
    begin: sqlite.prepare('BEGIN IMMEDIATE'),
    commit: sqlite.prepare('COMMIT'),
    rollback: sqlite.prepare('ROLLBACK'),
    savepoint: sqlite.prepare('SAVEPOINT unit'),
    release: sqlite.prepare('RELEASE unit'),
    undo: sqlite.prepare('ROLLBACK TO unit'),
  };
}

/**
 * The only writer. It commits waiting units together: one transaction and one sync for the group. Each unit
 * has its own savepoint, so that a failed one leaves no trace and does not affect the others.
 */
export class Writer {
  /** The waiting units in order of arrival. Only `drain` removes them. */
  private waiting: Unit[] = [];
  private draining = false;
  private closed = false;
  private whenIdle: (() => void)[] = [];
  /** How many groups do not wait for further writes. */
  private skips = 0;
  /**
   * Resolves at the next turn of the event loop. A body that has not settled by then awaits something that it
   * must not.
   */
  private turn: Promise<'turned'> = Promise.resolve('turned');

  private readonly growth: Growth;
  private readonly bounds: Bounds;

  constructor(
    private readonly connection: Connection,
    private readonly hooks: WriterHooks,
  ) {
    this.growth = new Growth(connection);
    this.bounds = boundsOf(connection);
  }

  /** See `Store.write`. */
  write<T>(
    authority: Authority,
    body: (tx: Transaction) => T | Promise<T>,
    ownTransaction = false,
  ): Promise<T> {
    const oldest = this.waiting[0];
    const stuck = oldest !== undefined && performance.now() - oldest.since > MAX_WAIT_MS;
    if (this.closed || stuck || this.waiting.length >= MAX_WAITING) {
      return Promise.reject(
        new Overloaded(this.closed ? 'the store is closed' : 'too many writes are waiting'),
      );
    }
    return new Promise<T>((resolve, reject) => {
      let value: Promise<Awaited<T>> | undefined;
      const unit: Unit = {
        authority,
        async run(tx) {
          value = Promise.resolve(await body(tx));
        },
        resolve: () => (value === undefined ? reject(new UnsettledBody('no value')) : resolve(value)),
        reject,
        outcome: { failed: false },
        effects: [],
        since: performance.now(),
        ownTransaction,
      };
      this.waiting.push(unit);
      if (this.draining) return;
      this.draining = true;
      setImmediate(() => void this.drain());
    });
  }

  /** Waits for the waiting units, then refuses new ones. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.draining) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
    this.growth.close();
    for (const statement of Object.values(this.bounds)) statement.finalize();
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.gather();
      const group = this.nextGroup().filter((unit) => !this.expired(unit));
      if (group.length > 0) await this.commitGroup(group);
      await this.roomBetween();
      // Lets responses be sent and new requests arrive, which then share a group.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.draining = false;
    for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  /**
   * Waits some turns of the event loop while running requests add writes, so that these share the commit: a
   * commit takes far longer than a turn. A single request does not wait, because that would cost a fifth of
   * its rate; nor do the next groups after a turn that was filled by other work.
   */
  private async gather(): Promise<void> {
    if (this.skips > 0) {
      this.skips--;
      return;
    }
    const until = performance.now() + GATHER_MS;
    let before = 0;
    while (
      this.hooks.openRequests() > 1 &&
      this.waiting.length > before &&
      this.waiting.length < MAX_GROUP &&
      performance.now() < until
    ) {
      before = this.waiting.length;
      const since = performance.now();
      await new Promise<void>((resolve) => setImmediate(resolve));
      const worth = COMMIT_MS * Math.max(1, this.waiting.length - before);
      if (performance.now() - since > worth) this.skips = MAX_SKIPS;
    }
  }

  private nextGroup(): Unit[] {
    const [first] = this.waiting;
    if (first?.ownTransaction === true) return this.waiting.splice(0, 1);
    const next = this.waiting.findIndex((unit) => unit.ownTransaction);
    return this.waiting.splice(0, next === -1 ? MAX_GROUP : Math.min(next, MAX_GROUP));
  }

  /** Runs the hook between two groups. Its error affects neither group. */
  private async roomBetween(): Promise<void> {
    try {
      await this.hooks.betweenGroups();
    } catch (error) {
      this.hooks.effectFailed(error);
    }
  }

  /**
   * Rejects a unit that has waited longer than its request may last. A unit that has begun is not
   * interrupted.
   */
  private expired(unit: Unit): boolean {
    const expired = performance.now() - unit.since > REQUEST_LIMIT_MS;
    if (expired) unit.reject(new Overloaded('the write waited for too long and was withdrawn'));
    return expired;
  }

  /**
   * Commits a group. If SQLite ended the transaction or the COMMIT failed, no unit counts, and each is tried
   * in its own transaction.
   */
  private async commitGroup(group: Unit[]): Promise<void> {
    const since = performance.now();
    const outcome = await this.attempt(group);
    const refusals: unknown[] = [];
    for (const unit of group) {
      const isRetried = outcome.failed && group.length > 1 && !isBusy(outcome.error);
      const unitOutcome = isRetried ? await this.attempt([unit]) : outcome;
      if (unitOutcome.failed) unit.outcome = unitOutcome;
      // The effects of a unit must run before the next transaction begins.
      refusals.push(this.settle(unit));
    }
    this.hooks.group(group.length, (performance.now() - since) / 1000);
    this.hooks.storageHealth(!refusals.some((error) => error instanceof StorageUnavailable));
  }

  /** Tries to commit a group. @returns the error, with nothing written */
  private async attempt(group: Unit[]): Promise<Outcome> {
    const { sqlite } = this.connection;
    const shared: Shared = { lastly: [], growth: null, reads: {} };
    try {
      await this.begin();
      this.awaitTurn();
      this.hooks.begun();
      // A single unit is rolled back with its transaction, so it needs no savepoint, which would copy every
      // changed page.
      const isLone = group.length === 1;
      for (const unit of group) {
        await this.runUnit(unit, shared, isLone);
        if (!sqlite.inTransaction) {
          const { outcome } = unit;
          throw outcome.failed ? outcome.error : new Error('SQLite ended the transaction');
        }
      }
      if (isLone && group[0]?.outcome.failed === true) {
        this.bounds.rollback.run();
        return { failed: false };
      }
      for (const effect of shared.lastly) await effect(snapshotOf(this.connection));
      this.bounds.commit.run();
      this.hooks.committed();
    } catch (error) {
      if (sqlite.inTransaction) this.bounds.rollback.run();
      return { failed: true, error };
    }
    return { failed: false };
  }

  /**
   * Begins a transaction. Requests are served while it waits for another process's lock. @throws SQLITE_BUSY
   */
  private async begin(): Promise<void> {
    const until = performance.now() + LOCK_WAIT_MS;
    while (true) {
      try {
        this.bounds.begin.run();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
      }
      await Bun.sleep(LOCK_POLL_MS);
    }
  }

  private async runUnit(unit: Unit, shared: Shared, isLone: boolean): Promise<void> {
    const { connection } = this;
    const { sqlite } = connection;
    let ended = false;
    unit.effects = [];
    unit.outcome = { failed: false };
    if (!isLone) this.bounds.savepoint.run();
    const tx: UnitTransaction = {
      get connection() {
        if (ended) throw new UnsettledBody('this transaction has ended');
        return connection;
      },
      afterCommit: (effect) => unit.effects.push(effect),
      beforeCommit: (effect) => shared.lastly.push(effect),
      promises: new TrackedPromises(),
      shared,
      reads: shared.reads,
    };
    try {
      const running = runInside(() => this.runBody(unit, tx, shared));
      if ((await Promise.race([running, this.turn])) === 'turned') {
        this.awaitTurn();
        running.catch(() => undefined);
        throw new UnsettledBody('a body may await only its transaction');
      }
    } catch (error) {
      unit.outcome = { failed: true, error };
    }
    ended = true;
    if (isLone || !sqlite.inTransaction) return;
    if (unit.outcome.failed) {
      this.bounds.undo.run();
      shared.reads = {};
    }
    this.bounds.release.run();
  }

  /** Checks the authority of a unit, runs its body, and charges the stored bytes. */
  private async runBody({ authority, run }: Unit, tx: UnitTransaction, shared: Shared): Promise<void> {
    const before = authority.chargeIn === undefined ? 0 : (shared.growth ?? this.growth.read());
    shared.growth = null;
    await authority.admitIn(tx);
    await run(tx);
    // After the charge, nothing may refuse the unit.
    if (tx.promises.unawaited > 0) throw new UnsettledBody(UNSETTLED);
    if (authority.chargeIn !== undefined) {
      const after = this.growth.read();
      await authority.chargeIn(tx, Math.max(0, after - before));
      shared.growth = after;
    }
  }

  private awaitTurn(): void {
    this.turn = new Promise((resolve) => setImmediate(resolve, 'turned'));
  }

  /** Resolves or rejects a unit and runs its effects. @returns its error; null for none */
  private settle(unit: Unit): unknown {
    if (unit.outcome.failed) {
      const error = asStoreError(unit.outcome.error);
      unit.reject(error);
      this.hooks.unitFailed(error);
      return error;
    }
    unit.resolve();
    for (const effect of unit.effects) {
      try {
        effect();
      } catch (error) {
        this.hooks.effectFailed(error);
      }
    }
    return null;
  }
}

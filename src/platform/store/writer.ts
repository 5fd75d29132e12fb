import type { Authority } from './authority.ts';
import type { Connection } from './connection.ts';
import { asStoreError, isBusy, Overloaded, StorageUnavailable, UNSETTLED, UnsettledBody } from './errors.ts';
import { Growth } from './growth.ts';
import { TrackedPromises } from './tracked-promises.ts';
import { runInside, type Snapshot, snapshotOf, type Transaction } from './transaction.ts';

/** Units beyond this many, or a wait beyond this long, mean that the disk cannot follow: say so, do not pile up. */
const MAX_WAITING = 4096;
const MAX_WAIT_MS = 5000;
/** A unit that has waited this long is withdrawn: nobody is there for its answer. */
const REQUEST_LIMIT_MS = 10_000;
/** Bounds how long one group keeps the event loop from reading new requests. */
const MAX_GROUP = 256;
/** How long a group may wait for requests that are about to write, in milliseconds. */
const GATHER_MS = 2;
/** How long a group waits for another process's write lock, and how often it tries, in milliseconds. */
const LOCK_WAIT_MS = 3000;
const LOCK_POLL_MS = 20;

export interface WriterHooks {
  /** How many requests are being answered now. */
  openRequests(): number;
  /** Called within every transaction before its first unit; nothing of the group is written when it throws. */
  begun(): void;
  /** Called after every COMMIT, before anybody is told of it; no unit of the group counts as written when it throws. */
  committed(): void;
  /** Awaited between two groups, where no transaction is open. */
  betweenGroups(): Promise<void> | undefined;
  /** Told after every group whether the disk took it. */
  storageHealth(healthy: boolean): void;
  /** Told of every group, how many units it had and how many seconds it took. */
  group(units: number, seconds: number): void;
  /** Called with the error of every unit that fails. */
  unitFailed(error: unknown): void;
  /** Told of an effect that threw: what it belongs to is committed all the same. */
  effectFailed(error: unknown): void;
}

type Outcome = { failed: false } | { failed: true; error: unknown };

interface Unit {
  authority: Authority;
  /** Runs the body in `tx`, keeping its value for `resolve`. */
  run(tx: Transaction): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
  outcome: Outcome;
  effects: (() => void)[];
  since: number;
  /** Shares its transaction with no other. */
  alone: boolean;
}

type UnitTransaction = Transaction & { promises: TrackedPromises };

/** What the units of one transaction share. */
interface Shared {
  /** Run before the commit. */
  lastly: ((tx: Snapshot) => void | Promise<void>)[];
  /** What the last unit left behind, as `Growth` reads it; null when it has to be read. */
  growth: number | null;
  /** See `Transaction.reads`. */
  reads: object;
}

/** The statements that begin and end transactions and units, prepared once, since preparing takes longer than running. */
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
 * The one writer. Units that wait together are committed together: one transaction and one sync for the group, each
 * unit in a savepoint of its own, so that one that fails leaves no trace and takes nobody along.
 */
export class Writer {
  /** In order of arrival; taken from by `drain` alone. */
  private waiting: Unit[] = [];
  private draining = false;
  private closed = false;
  private whenIdle: (() => void)[] = [];
  /** Resolves when the event loop turns: a body that has not settled by then awaits something it must not. */
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
  write<T>(authority: Authority, body: (tx: Transaction) => T | Promise<T>, alone = false): Promise<T> {
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
        alone,
      };
      this.waiting.push(unit);
      if (this.draining) return;
      this.draining = true;
      setImmediate(() => void this.drain());
    });
  }

  /** Waits for what is under way, then takes nothing more. */
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
      // Lets answers leave and the next requests arrive, which then share a group.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.draining = false;
    for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  /**
   * Lets the event loop turn while requests that arrive add their writes, so that these share the commit: a commit costs far more
   * than a turn. A lone request waits for nobody, since turns would cost it a fifth of its rate.
   */
  private async gather(): Promise<void> {
    const until = performance.now() + GATHER_MS;
    let before = 0;
    while (
      this.hooks.openRequests() > 1 &&
      this.waiting.length > before &&
      this.waiting.length < MAX_GROUP &&
      performance.now() < until
    ) {
      before = this.waiting.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  private nextGroup(): Unit[] {
    const [first] = this.waiting;
    if (first?.alone === true) return this.waiting.splice(0, 1);
    const alone = this.waiting.findIndex((unit) => unit.alone);
    return this.waiting.splice(0, alone === -1 ? MAX_GROUP : Math.min(alone, MAX_GROUP));
  }

  /** Whatever goes wrong between two groups concerns neither: the next one is committed all the same. */
  private async roomBetween(): Promise<void> {
    try {
      await this.hooks.betweenGroups();
    } catch (error) {
      this.hooks.effectFailed(error);
    }
  }

  /** Takes out a unit that waited for longer than its request may last; one that has begun runs to its end. */
  private expired(unit: Unit): boolean {
    const expired = performance.now() - unit.since > REQUEST_LIMIT_MS;
    if (expired) unit.reject(new Overloaded('the write waited for too long and was withdrawn'));
    return expired;
  }

  /** When SQLite ended the transaction or COMMIT failed, no unit of the group counts: alone, each learns its fate. */
  private async commitGroup(group: Unit[]): Promise<void> {
    const since = performance.now();
    const outcome = await this.attempt(group);
    const refusals: unknown[] = [];
    for (const unit of group) {
      const isOwn = outcome.failed && group.length > 1 && !isBusy(outcome.error);
      const own = isOwn ? await this.attempt([unit]) : outcome;
      if (own.failed) unit.outcome = own;
      // Its effects run before the next transaction begins, which they concern.
      refusals.push(this.settle(unit));
    }
    this.hooks.group(group.length, (performance.now() - since) / 1000);
    this.hooks.storageHealth(!refusals.some((error) => error instanceof StorageUnavailable));
  }

  /** Commits the group; or writes nothing of it and says why. */
  private async attempt(group: Unit[]): Promise<Outcome> {
    const { sqlite } = this.connection;
    const shared: Shared = { lastly: [], growth: null, reads: {} };
    try {
      await this.begin();
      this.awaitTurn();
      this.hooks.begun();
      // What is undone with the whole transaction needs no savepoint, which would copy every page that it changes.
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

  /** Begins a transaction. Requests are answered while it waits for another process's lock. @throws SQLITE_BUSY */
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

  /** Asks whether the unit may write, runs its body, and charges what that stored. */
  private async runBody({ authority, run }: Unit, tx: UnitTransaction, shared: Shared): Promise<void> {
    const before = authority.chargeIn === undefined ? 0 : (shared.growth ?? this.growth.read());
    shared.growth = null;
    await authority.admitIn(tx);
    await run(tx);
    // Nothing refuses a unit that was charged.
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

  /** Tells a unit how it ended. @returns what it was refused for, if it was. */
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

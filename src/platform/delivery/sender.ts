import type { Logger } from 'pino';
import { newId } from '../ids.ts';
import { LimitedLog } from '../monitoring/log-limit.ts';
import type { Store } from '../store/store.ts';
import type { Snapshot, Transaction } from '../store/transaction.ts';
import { type Clock, signatureTime, type Timers, timestamp } from '../time/clock.ts';
import { withTimeout } from '../time/timeout.ts';
import { timestampOf } from '../time/timestamp.ts';
import { type AttemptOptions, attempt, type Endpoint, type Outcome } from './attempt.ts';
import type { DeliveryUpdate, ListedDelivery, NewDelivery, Outbox, Pending } from './outbox.ts';
import { Queues } from './queues.ts';
import { retryDelay } from './retries.ts';

/** A receiver that takes longer is slow for its next attempts. */
const QUICK_MS = 1000;

/** The wait after an error on this side, such as a full disk. */
const PAUSE_MS = 10_000;

/** The number of rows per write: it takes some milliseconds, while other writes wait. */
const ROWS_AT_ONCE = 500;

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** The outcome of an attempt that is recorded. */
type Ended = Exclude<Outcome, { result: 'interrupted' }>;

export interface SenderOptions {
  store: Store;
  outbox: Outbox;
  /** Returns a receiver; null when it was removed, which ends its deliveries. */
  endpoint(snapshot: Snapshot, name: string): Promise<Endpoint | null>;
  attemptOptions: AttemptOptions;
  clock: Clock;
  timers: Timers;
  log: Logger;
  /** From 0 up to 1, for the jitter of waits. */
  random(): number;
}

/**
 * Sends the deliveries of an outbox: each at least once, or six failed attempts over about 24 hours. An
 * attempt is recorded after its end, so an interrupted one, even by a crash, is repeated with the same id.
 * The order is not guaranteed. A response 410 Gone and the removal of the receiver end the attempts.
 *
 * Before `start`, it writes rows and sends nothing. Commands use it so when no server runs.
 */
export class Sender {
  private readonly queues = new Queues();
  private readonly tasks = new Set<Promise<void>>();
  private readonly leaving = new AbortController();
  private state: 'new' | 'started' | 'stopped' = 'new';
  private pumping = false;
  private cancelTimer: (() => void) | null = null;

  private readonly failures: LimitedLog;

  constructor(private readonly options: SenderOptions) {
    this.failures = new LimitedLog(options.log);
  }

  /** Continues with the pending deliveries in the database. */
  async start(): Promise<void> {
    const { store, outbox } = this.options;
    this.state = 'started';
    for (const { endpoint, dueAt } of await store.read((snapshot) => outbox.endpoints(snapshot))) {
      this.queues.scheduleAt(endpoint, Date.parse(dueAt));
    }
    this.pump();
  }

  /** Adds a delivery to the outbox, in the transaction of the event. @returns its id, `msg_…` */
  async enqueueIn(tx: Transaction, delivery: Omit<NewDelivery, 'deliveryId' | 'createdAt'>): Promise<string> {
    const deliveryId = newId('msg_');
    const createdAt = timestamp(this.options.clock);
    await this.options.outbox.add(tx, { ...delivery, deliveryId, createdAt });
    tx.afterCommit(() => this.wake(delivery.endpoint));
    return deliveryId;
  }

  /** Returns the newest `limit` deliveries of an owner, newest first. Ended ones are kept for 30 days. */
  newest(snapshot: Snapshot, owner: string, limit: number): Promise<ListedDelivery[]> {
    return this.options.outbox.newest(snapshot, owner, limit);
  }

  /**
   * Ends the deliveries of a receiver that the transaction removes. Names of receivers are not reused. If the
   * process dies before, each delivery ends when its next attempt is due.
   */
  removedIn(tx: Transaction, endpoint: string): void {
    tx.afterCommit(() => {
      if (this.state === 'started') this.run(this.giveUp(endpoint));
    });
  }

  /**
   * Starts no more attempts, and waits up to `graceMs` milliseconds for the running ones. Aborts the others;
   * the next start repeats them.
   */
  async stop(graceMs: number): Promise<void> {
    this.state = 'stopped';
    this.cancelTimer?.();
    await withTimeout(this.idle(), graceMs, () => this.leaving.abort());
    await this.idle();
  }

  /**
   * Returns when the next pending delivery is due that is due after `after`, in milliseconds since 1970; null
   * for none.
   */
  dueAt(after: number): number | null {
    return this.state === 'started' ? this.queues.dueAfter(after) : null;
  }

  /** Starts all attempts that are due, and waits until none is running or due. */
  async work(): Promise<void> {
    do {
      this.pump();
      await this.idle();
    } while ((this.queues.nextDue() ?? Number.POSITIVE_INFINITY) <= this.options.clock.now());
  }

  /** Deletes deliveries that ended more than 30 days ago, in batches. Called by the scheduler. */
  async forgetOld(): Promise<void> {
    const { store, outbox, clock } = this.options;
    const before = timestampOf(clock.now() - KEPT_MS);
    await inBatches(() => store.writeAsService((tx) => outbox.deleteEnded(tx, before, ROWS_AT_ONCE)));
  }

  private wake(endpoint: string): void {
    if (this.state !== 'started') return;
    this.queues.scheduleAt(endpoint, this.options.clock.now());
    this.pump();
  }

  /**
   * Starts all attempts that are due and have a slot. A timer, the end of an attempt or a new row calls it
   * again.
   */
  private pump(): void {
    if (this.pumping || this.state !== 'started') return;
    this.pumping = true;
    this.run(
      this.startReady().finally(() => {
        this.pumping = false;
        this.goOn();
      }),
    );
  }

  private async startReady(): Promise<void> {
    const { store, outbox, clock } = this.options;
    for (;;) {
      const ready = this.state === 'started' ? this.queues.ready(clock.now()) : null;
      if (ready === null) return;
      const { endpoint, running, free } = ready;
      let rows: Pending[];
      try {
        rows = await store.read((snapshot) => outbox.pending(snapshot, endpoint, running.size + free + 1));
      } catch (error) {
        this.queues.rowsRead(endpoint, this.trouble(error, endpoint));
        continue;
      }
      if (this.state !== 'started') return;
      const fresh = rows.filter(({ deliverySeq }) => !running.has(deliverySeq));
      const due = fresh
        .filter(({ nextAttemptAt }) => Date.parse(nextAttemptAt) <= clock.now())
        .slice(0, free);
      for (const row of due) this.run(this.deliver(endpoint, row));
      const left = fresh[due.length];
      this.queues.rowsRead(endpoint, left === undefined ? null : Date.parse(left.nextAttemptAt));
    }
  }

  /** Plans the next call of the pump: at once for deliveries that became due meanwhile, else by a timer. */
  private goOn(): void {
    this.cancelTimer?.();
    const dueAt = this.queues.nextDue();
    if (dueAt === null || this.state !== 'started') return;
    const ms = dueAt - this.options.clock.now();
    if (ms <= 0) this.pump();
    else this.cancelTimer = this.options.timers.after(ms, () => this.pump());
  }

  /** Makes one attempt and records it. */
  private async deliver(name: string, row: Pending): Promise<void> {
    this.queues.attemptStarted(name, row.deliverySeq);
    let againAt: number | null = null;
    try {
      againAt = await this.tried(name, row);
    } catch (error) {
      againAt = this.trouble(error, name);
    }
    this.queues.attemptEnded(name, row.deliverySeq, againAt);
    this.pump();
  }

  /** @returns when the delivery is to be tried again, if it is. */
  private async tried(name: string, row: Pending): Promise<number | null> {
    const { store, attemptOptions, clock } = this.options;
    const endpoint = await store.read((snapshot) => this.options.endpoint(snapshot, name));
    if (endpoint === null) {
      await this.giveUp(name);
      return null;
    }
    const { deliveryId: id, eventType, body } = row;
    const message = { id, timestamp: Math.floor(signatureTime(clock) / 1000), eventType, body };
    const since = performance.now();
    const outcome = await attempt(endpoint, message, attemptOptions, this.leaving.signal);
    if (outcome.result !== 'interrupted') this.queues.setQuick(name, performance.now() - since < QUICK_MS);
    return outcome.result === 'interrupted' ? null : await this.record(endpoint.url, row, outcome);
  }

  /** @returns when the delivery is to be tried again, if it is. */
  private async record(url: string, row: Pending, outcome: Ended): Promise<number | null> {
    const { store, outbox, clock, random } = this.options;
    const now = clock.now();
    const attempts = row.attempts + 1;
    const wait = outcome.result === 'failed' && !outcome.gone ? retryDelay(attempts, random) : null;
    const record: DeliveryUpdate = {
      state: wait === null ? outcome.result : 'pending',
      url,
      attempts,
      nextAttemptAt: wait === null ? null : timestampOf(now + wait),
      endedAt: wait === null ? timestampOf(now) : null,
      lastStatus: outcome.status,
      lastError: outcome.result === 'failed' ? outcome.error : null,
    };
    await this.written(() => store.writeAsService((tx) => outbox.record(tx, row.deliverySeq, record)));
    return wait === null ? null : now + wait;
  }

  /** Ends the deliveries of a receiver that was removed. */
  private async giveUp(endpoint: string): Promise<void> {
    const { store, outbox, clock } = this.options;
    const at = timestamp(clock);
    const error = 'the endpoint was removed';
    await this.written(() =>
      inBatches(() => store.writeAsService((tx) => outbox.giveUp(tx, endpoint, error, at, ROWS_AT_ONCE))),
    );
  }

  /**
   * Repeats a write until it succeeds or the sender stops. The delivery is not sent again meanwhile, because
   * the receiver would get it many times.
   */
  private async written(write: () => Promise<void>): Promise<void> {
    do {
      try {
        await write();
        return;
      } catch (err) {
        this.options.log.error({ err }, 'what became of a webhook cannot be written down yet');
        await this.pause();
      }
    } while (!this.leaving.signal.aborted);
  }

  private pause(): Promise<void> {
    const { signal } = this.leaving;
    return new Promise((resolve) => {
      const over = () => {
        cancel();
        signal.removeEventListener('abort', over);
        resolve();
      };
      const cancel = this.options.timers.after(PAUSE_MS, over);
      signal.addEventListener('abort', over);
      if (signal.aborted) over();
    });
  }

  /**
   * Logs an error on this side, which does not count as an attempt. @returns when to continue, in
   * milliseconds since 1970
   */
  private trouble(err: unknown, endpoint: string): number {
    this.failures.error(err, { endpoint }, 'a webhook cannot be sent yet');
    return this.options.clock.now() + PAUSE_MS;
  }

  private run(task: Promise<void>): void {
    const running = task.finally(() => this.tasks.delete(running));
    this.tasks.add(running);
  }

  private async idle(): Promise<void> {
    while (this.tasks.size > 0) await Promise.all(this.tasks);
  }
}

async function inBatches(batch: () => Promise<number>): Promise<void> {
  while ((await batch()) === ROWS_AT_ONCE);
}

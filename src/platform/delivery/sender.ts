import type { Logger } from 'pino';
import { newId } from '../ids.ts';
import { LimitedLog } from '../monitoring/log-limit.ts';
import type { Store } from '../store/store.ts';
import type { Snapshot, Transaction } from '../store/transaction.ts';
import { type Clock, type Timers, timestamp } from '../time/clock.ts';
import { withTimeout } from '../time/timeout.ts';
import { type AttemptOptions, attempt, type Endpoint, type Outcome } from './attempt.ts';
import type { Attempt, NewDelivery, Outbox, Pending } from './outbox.ts';
import { Queues } from './queues.ts';
import { retryDelay } from './retries.ts';

/** An endpoint that takes longer than this has its next attempts among the slow. */
const QUICK_MS = 1000;

/** After a trouble of our own, such as a full disk. */
const PAUSE_MS = 10_000;

/** So many rows are changed in one write: some milliseconds, which others wait for. */
const ROWS_AT_ONCE = 500;

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** An attempt that is to be written down. */
type Ended = Exclude<Outcome, { result: 'interrupted' }>;

export interface SenderOptions {
  store: Store;
  outbox: Outbox;
  /** Looks an endpoint up; undefined when it is no more, which ends its deliveries. */
  endpoint(snapshot: Snapshot, name: string): Promise<Endpoint | undefined>;
  attemptOptions: AttemptOptions;
  clock: Clock;
  timers: Timers;
  log: Logger;
  /** From 0 up to 1, for the jitter of waits. */
  random(): number;
}

/**
 * Delivers what stands in an outbox: each at least once, or six times in vain over some 24 hours. An attempt is recorded after it
 * ended, so one that was cut short, by a crash too, is made again under the same id. No order is promised. An answer 410 Gone
 * and the end of the endpoint end the attempts.
 *
 * Until `start` it writes rows and sends nothing: that is for commands beside no server.
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

  /** Takes up the deliveries that wait in the database. */
  async start(): Promise<void> {
    const { store, outbox } = this.options;
    this.state = 'started';
    for (const { endpoint, dueAt } of await store.read((snapshot) => outbox.endpoints(snapshot))) {
      this.queues.due(endpoint, Date.parse(dueAt));
    }
    this.pump();
  }

  /** Writes a delivery into the outbox, in the transaction of what it tells of. @returns its id, `msg_…` */
  async enqueueIn(tx: Transaction, delivery: Omit<NewDelivery, 'deliveryId' | 'createdAt'>): Promise<string> {
    const deliveryId = newId('msg_');
    const createdAt = timestamp(this.options.clock);
    await this.options.outbox.add(tx, { ...delivery, deliveryId, createdAt });
    tx.afterCommit(() => this.wake(delivery.endpoint));
    return deliveryId;
  }

  /**
   * Ends the deliveries of an endpoint which the transaction removes. Another one takes another name. Should the process die
   * before, each delivery ends when its next attempt is due.
   */
  removedIn(tx: Transaction, endpoint: string): void {
    tx.afterCommit(() => {
      if (this.state === 'started') this.run(this.giveUp(endpoint));
    });
  }

  /**
   * Makes no more attempts, and waits for those under way for at most `graceMs`; the others are cut short, and made again
   * after the next start.
   */
  async stop(graceMs: number): Promise<void> {
    this.state = 'stopped';
    this.cancelTimer?.();
    await withTimeout(this.idle(), graceMs, () => this.leaving.abort());
    await this.idle();
  }

  /** Removes deliveries that ended more than 30 days ago, some at a time. For the scheduler. */
  async forgetOld(): Promise<void> {
    const { store, outbox, clock } = this.options;
    const before = new Date(clock.now() - KEPT_MS).toISOString();
    await inBatches(() => store.writeAsService((tx) => outbox.deleteEnded(tx, before, ROWS_AT_ONCE)));
  }

  private wake(endpoint: string): void {
    if (this.state !== 'started') return;
    this.queues.due(endpoint, this.options.clock.now());
    this.pump();
  }

  /** Starts what can be started; then a timer, or an attempt that ends, or a new row leads here again. */
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
        rows = await store.read((snapshot) => outbox.next(snapshot, endpoint, running.size + free + 1));
      } catch (error) {
        this.queues.looked(endpoint, this.trouble(error, endpoint));
        continue;
      }
      if (this.state !== 'started') return;
      const fresh = rows.filter(({ deliverySeq }) => !running.has(deliverySeq));
      const due = fresh
        .filter(({ nextAttemptAt }) => Date.parse(nextAttemptAt) <= clock.now())
        .slice(0, free);
      for (const row of due) this.run(this.deliver(endpoint, row));
      const left = fresh[due.length];
      this.queues.looked(endpoint, left === undefined ? null : Date.parse(left.nextAttemptAt));
    }
  }

  /** What became due while the pump came to its end is not for a timer. */
  private goOn(): void {
    this.cancelTimer?.();
    const dueAt = this.queues.nextDue();
    if (dueAt === null || this.state !== 'started') return;
    const ms = dueAt - this.options.clock.now();
    if (ms <= 0) this.pump();
    else this.cancelTimer = this.options.timers.after(ms, () => this.pump());
  }

  /** One attempt, and its record. */
  private async deliver(name: string, row: Pending): Promise<void> {
    this.queues.began(name, row.deliverySeq);
    let againAt: number | null = null;
    try {
      againAt = await this.tried(name, row);
    } catch (error) {
      againAt = this.trouble(error, name);
    }
    this.queues.ended(name, row.deliverySeq, againAt);
    this.pump();
  }

  /** @returns when the delivery is to be tried again, if it is. */
  private async tried(name: string, row: Pending): Promise<number | null> {
    const { store, attemptOptions, clock } = this.options;
    const endpoint = await store.read((snapshot) => this.options.endpoint(snapshot, name));
    if (endpoint === undefined) {
      await this.giveUp(name);
      return null;
    }
    const { deliveryId: id, eventType, body } = row;
    const message = { id, timestamp: Math.floor(clock.now() / 1000), eventType, body };
    const since = performance.now();
    const outcome = await attempt(endpoint, message, attemptOptions, this.leaving.signal);
    if (outcome.result !== 'interrupted') this.queues.answered(name, performance.now() - since < QUICK_MS);
    return outcome.result === 'interrupted' ? null : await this.record(endpoint.url, row, outcome);
  }

  /** @returns when the delivery is to be tried again, if it is. */
  private async record(url: string, row: Pending, outcome: Ended): Promise<number | null> {
    const { store, outbox, clock, random } = this.options;
    const now = clock.now();
    const attempts = row.attempts + 1;
    const wait = outcome.result === 'failed' && !outcome.gone ? retryDelay(attempts, random) : null;
    const record: Attempt = {
      state: wait === null ? outcome.result : 'pending',
      url,
      attempts,
      nextAttemptAt: wait === null ? null : iso(now + wait),
      endedAt: wait === null ? iso(now) : null,
      lastStatus: outcome.status,
      lastError: outcome.result === 'failed' ? outcome.error : null,
    };
    await this.written(() => store.writeAsService((tx) => outbox.record(tx, row.deliverySeq, record)));
    return wait === null ? null : now + wait;
  }

  /** Ends the deliveries of an endpoint that is no more. */
  private async giveUp(endpoint: string): Promise<void> {
    const { store, outbox, clock } = this.options;
    const at = timestamp(clock);
    const error = 'the endpoint was removed';
    await this.written(() =>
      inBatches(() => store.writeAsService((tx) => outbox.giveUp(tx, endpoint, error, at, ROWS_AT_ONCE))),
    );
  }

  /**
   * Writes, and tries again until it is done or the sender is told to leave. Meanwhile the delivery is not sent again: it
   * would reach the receiver again and again.
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

  /** Our own trouble costs the delivery no attempt. @returns when to go on */
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

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

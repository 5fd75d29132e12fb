import type { Logger } from 'pino';
import { newId } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Timers } from '../../../platform/time/clock.ts';
import { type DeliveryResult, insertDeliveries, MAX_DELIVERIES } from '../store.ts';

/** The time that results are collected before they are written. */
const FLUSH_MS = 1000;

/** Rows per transaction. It takes a few milliseconds, for which other writers wait. */
const ROWS_PER_TRANSACTION = 500;

/** Deliveries of one webhook that were dropped for the same reason. */
interface Dropped {
  count: number;
  /** The newest of them. */
  event: string;
  createdAt: string;
  reason: string;
}

/**
 * Records the results of deliveries in batches, in the background. A batch that cannot be written is logged
 * and dropped: the results are for people, and nothing depends on them.
 */
export class DeliveryRecorder {
  private ended = new Map<string, DeliveryResult[]>();
  private dropped = new Map<string, Dropped>();
  private cancel: (() => void) | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<Store, 'writeAsService'>,
    private readonly timers: Timers,
    private readonly log: Logger,
  ) {}

  /** Records the result of a delivery. Only the newest MAX_DELIVERIES of a webhook wait to be written. */
  add(webhookId: string, delivery: DeliveryResult): void {
    const all = this.ended.get(webhookId) ?? [];
    all.push(delivery);
    if (all.length > MAX_DELIVERIES) all.shift();
    this.ended.set(webhookId, all);
    this.scheduleFlush();
  }

  /** Records dropped deliveries. Those between two flushes make one row. */
  drop(
    webhookId: string,
    { event, createdAt }: { event: string; createdAt: string },
    reason: string,
    count = 1,
  ) {
    const before = this.dropped.get(webhookId)?.count ?? 0;
    this.dropped.set(webhookId, { count: before + count, event, createdAt, reason });
    this.scheduleFlush();
  }

  /** Writes all collected results. Never rejects. */
  flush(): Promise<void> {
    this.cancel?.();
    this.cancel = null;
    const rows = this.takeRows();
    this.writing = this.writing.then(() => this.write(rows));
    return this.writing;
  }

  private scheduleFlush(): void {
    this.cancel ??= this.timers.after(FLUSH_MS, () => void this.flush());
  }

  private takeRows(): { webhookId: string; delivery: DeliveryResult }[] {
    const { ended, dropped } = this;
    this.ended = new Map();
    this.dropped = new Map();
    const rows = [...ended].flatMap(([webhookId, all]) => all.map((delivery) => ({ webhookId, delivery })));
    for (const [webhookId, { count, event, createdAt, reason }] of dropped) {
      const error = `dropped: ${count === 1 ? '1 delivery' : `${count} deliveries`}, ${reason}`;
      const delivery = { deliveryId: newId('msg_'), event, createdAt, endedAt: null, status: null, error };
      rows.push({ webhookId, delivery });
    }
    return rows;
  }

  private async write(rows: { webhookId: string; delivery: DeliveryResult }[]): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_PER_TRANSACTION) {
      const batch = rows.slice(start, start + ROWS_PER_TRANSACTION);
      try {
        await this.store.writeAsService((tx) => insertDeliveries(tx, batch));
      } catch (err) {
        this.log.error({ err, deliveries: batch.length }, 'cannot record the results of webhook deliveries');
      }
    }
  }
}

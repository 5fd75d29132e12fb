import type { Logger } from 'pino';
import { newId } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Timers } from '../../../platform/time/clock.ts';
import { type DeliveryResult, insertDeliveries, MAX_DELIVERIES } from '../store.ts';

/** What has ended is written down together, this often. */
const FLUSH_MS = 1000;

/** So many rows are written in one transaction: some milliseconds, which others wait for. */
const ROWS_AT_ONCE = 500;

/** Deliveries that were never tried, for one reason. */
interface Dropped {
  count: number;
  /** The newest of them. */
  event: string;
  createdAt: string;
  reason: string;
}

/**
 * Writes down how deliveries ended, some at a time and beside everything else. What cannot be written is logged and
 * forgotten: it is there to look at, and nothing depends on it.
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

  /** A delivery of a webhook ended. Of what waits to be written too, only the newest are kept. */
  add(webhookId: string, delivery: DeliveryResult): void {
    const all = this.ended.get(webhookId) ?? [];
    all.push(delivery);
    if (all.length > MAX_DELIVERIES) all.shift();
    this.ended.set(webhookId, all);
    this.scheduleFlush();
  }

  /** Deliveries were dropped; those that come together make one row. */
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

  /** Writes what there is. Never rejects. */
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
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const some = rows.slice(start, start + ROWS_AT_ONCE);
      try {
        await this.store.writeAsService((tx) => insertDeliveries(tx, some));
      } catch (err) {
        this.log.error(
          { err, deliveries: some.length },
          'how webhooks were delivered cannot be written down',
        );
      }
    }
  }
}

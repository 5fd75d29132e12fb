import { OrderQueue } from '../../../platform/workers/order-queue.ts';
import { startWorker } from '../../../platform/workers/workers.ts';
import { commonErrors } from '../../http/errors.ts';
import type { MonthSums } from '../month-sums.ts';
import type { OperatorBuilds } from './operator-builds.ts';
import type { MonthReport, OpenMessage, WorkerOrder } from './worker.ts';

/** The months that wait for the Worker. */
const MAX_WAITING = 16;
/** About 20 million movements. */
const LIMIT_MS = 60_000;
/** A Worker without work is ended after this time. */
const IDLE_MS = 60_000;
/** The sums of closed months that are kept, some 2 KB each. */
const MOST_KEPT = 1000;

/** Takes a place for a month that must be added up. @returns what frees it @throws Refusal rate */
export type TakePlace = () => Promise<() => void>;

/** Adds up the months of journals in a Worker, one after the other, and keeps closed ones. */
export class Months {
  private readonly queue: OrderQueue<WorkerOrder, MonthReport>;
  /** In the order of use. */
  private readonly kept = new Map<string, MonthSums>();

  /**
   * @param file the database that the Worker reads
   * @param ofOperators the limits of operators
   */
  constructor(
    file: string,
    readonly ofOperators: OperatorBuilds,
  ) {
    this.queue = new OrderQueue({
      start() {
        const worker = startWorker('bookkeeper', true);
        const open: OpenMessage = { file };
        worker.postMessage(open);
        return worker;
      },
      ...{ atOnce: 1, maxWaiting: MAX_WAITING, limitMs: LIMIT_MS, idleMs: IDLE_MS },
      work: 'adding up a month',
      isFirst: ({ isOwn }) => isOwn,
      payerOf: ({ payer }) => payer,
      ...{ busy, tooSlow, ended },
    });
  }

  /**
   * Returns the sums of a month.
   * @param closed the newest entry of a month that is over; null for one that is not. Entries are added to
   * it only while the clock is set back: then what was kept is no longer the month
   * @param takePlace counts it against the limit of who pays, if it must be added up
   * @throws ApiError overloaded; conflict for a sum that is larger than numbers can be; Refusal rate
   */
  async sumsOf(
    order: WorkerOrder,
    closed: { head: string | null } | null,
    takePlace: TakePlace,
  ): Promise<MonthSums> {
    const { account, start } = order;
    const key = `${account.kind} ${account.ownerSeq} ${start}`;
    const known = closed === null ? undefined : this.kept.get(key);
    if (known !== undefined && known.head === closed?.head) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const free = await takePlace();
    const report = await this.queue.report(order).finally(free);
    if ('tooLarge' in report) throw tooLarge();
    if ('failure' in report) throw new Error(`adding up a month failed: ${report.failure}`);
    if (closed !== null) this.keep(key, report.sums);
    return report.sums;
  }

  /** Ends the Worker. */
  close(): void {
    this.queue.close();
  }

  private keep(key: string, sums: MonthSums): void {
    this.kept.set(key, sums);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

function busy() {
  return commonErrors.overloaded({
    message: 'Too many statements are being made. Repeat the request later.',
    headers: { 'retry-after': '2' },
  });
}

function tooSlow() {
  return commonErrors.overloaded({
    message: `The month has too many movements to add them up in ${LIMIT_MS / 1000} seconds. Read the journal instead.`,
    headers: { 'retry-after': '60' },
  });
}

function ended() {
  return commonErrors.overloaded({
    message: 'The server is stopping. Repeat the request later.',
    headers: { 'retry-after': '5' },
  });
}

function tooLarge() {
  return commonErrors.conflict({
    message:
      'A sum of this month exceeds 9007199254740991, more than a statement can say. Read the journal instead.',
  });
}

/**
 * The number of concurrent attempts to receivers that responded quickly the last time, and to all others.
 * Receivers that never respond therefore take no slot of a quick one.
 */
const AT_ONCE = 8;
/** The number of concurrent attempts to one receiver. */
const AT_ONCE_FOR_ONE = 2;
/**
 * The maximum number of receivers that are cached as quick. Beyond it, the one that responded longest ago is
 * dropped.
 */
const QUICK_MAX = 10_000;

type Lane = 'quick' | 'slow';

const NEVER = Number.POSITIVE_INFINITY;

interface Queue {
  /** The deliveries with a running attempt, and the lane whose slot each one takes. */
  running: Map<number, Lane>;
  /** When the next other delivery may be due, in milliseconds since 1970; NEVER when none is known. */
  dueAt: number;
}

/**
 * The receivers with pending deliveries, and their running attempts. It is in memory, so that no query scans
 * past the thousands of deliveries of one dead receiver.
 */
export class Queues {
  /** The queues, least recently served first. */
  private readonly queues = new Map<string, Queue>();
  private readonly running: Record<Lane, number> = { quick: 0, slow: 0 };
  private readonly quick = new Set<string>();

  /** Records that a receiver has a delivery that is due at `at`. An earlier due time remains. */
  scheduleAt(endpoint: string, at: number): void {
    const queue = this.queue(endpoint);
    queue.dueAt = Math.min(queue.dueAt, at);
  }

  /**
   * Returns the next receiver, the number of attempts that may start for it, and its running deliveries; null
   * when none is due or all slots are taken. Resets its due time: after reading its rows, the caller reports
   * the next one with `rowsRead`.
   */
  ready(now: number): { endpoint: string; running: ReadonlySet<number>; free: number } | null {
    if (this.isFull('quick') && this.isFull('slow')) return null;
    for (const [endpoint, queue] of this.queues) {
      const free = this.freeFor(endpoint, queue);
      if (queue.dueAt > now || free <= 0) continue;
      queue.dueAt = NEVER;
      this.queues.delete(endpoint);
      this.queues.set(endpoint, queue);
      // A copy, because an attempt that ends while the rows are being read is still pending in them.
      return { endpoint, running: new Set(queue.running.keys()), free };
    }
    return null;
  }

  /**
   * Records that a receiver's rows were read.
   * @param leftDueAt when the first delivery that was not started is due
   */
  rowsRead(endpoint: string, leftDueAt: number | null): void {
    if (leftDueAt !== null) this.scheduleAt(endpoint, leftDueAt);
    this.dropIdle(endpoint);
  }

  attemptStarted(endpoint: string, delivery: number): void {
    const lane = this.laneOf(endpoint);
    this.queue(endpoint).running.set(delivery, lane);
    this.running[lane] += 1;
  }

  /** Records whether a receiver responded quickly. This selects the lane of its next attempts. */
  setQuick(endpoint: string, isQuick: boolean): void {
    this.quick.delete(endpoint);
    if (!isQuick) return;
    this.quick.add(endpoint);
    const [oldest = endpoint] = this.quick;
    if (this.quick.size > QUICK_MAX) this.quick.delete(oldest);
  }

  /**
   * Records the end of an attempt. @param againAt when the next attempt of the delivery is due; null for none
   */
  attemptEnded(endpoint: string, delivery: number, againAt: number | null): void {
    const { running } = this.queue(endpoint);
    const lane = running.get(delivery);
    if (lane !== undefined) this.running[lane] -= 1;
    running.delete(delivery);
    this.rowsRead(endpoint, againAt);
  }

  /** Returns when the next delivery is due for which a slot is free; null when there is none. */
  nextDue(): number | null {
    let next = NEVER;
    for (const [endpoint, queue] of this.queues) {
      if (this.freeFor(endpoint, queue) > 0) next = Math.min(next, queue.dueAt);
    }
    return Number.isFinite(next) ? next : null;
  }

  /**
   * Returns when the next delivery of a receiver is due that is due after `after`; null when there is none.
   */
  dueAfter(after: number): number | null {
    const dues = [...this.queues.values()].map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > after);
    const next = Math.min(...dues);
    return Number.isFinite(next) ? next : null;
  }

  private freeFor(endpoint: string, { running }: Queue): number {
    return Math.min(AT_ONCE_FOR_ONE - running.size, AT_ONCE - this.running[this.laneOf(endpoint)]);
  }

  /** Returns the lane of a receiver. A new receiver is slow until it has responded quickly. */
  private laneOf(endpoint: string): Lane {
    return this.quick.has(endpoint) ? 'quick' : 'slow';
  }

  private isFull(lane: Lane): boolean {
    return this.running[lane] >= AT_ONCE;
  }

  private queue(endpoint: string): Queue {
    const known = this.queues.get(endpoint);
    if (known !== undefined) return known;
    const fresh: Queue = { running: new Map(), dueAt: NEVER };
    this.queues.set(endpoint, fresh);
    return fresh;
  }

  private dropIdle(endpoint: string): void {
    const queue = this.queues.get(endpoint);
    if (queue?.running.size === 0 && queue.dueAt === NEVER) this.queues.delete(endpoint);
  }
}

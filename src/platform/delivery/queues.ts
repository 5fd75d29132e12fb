/**
 * So many attempts are made at once to endpoints that answered quickly the last time, and as many to the others. However many never
 * answer, they take no place of one that does.
 */
const AT_ONCE = 8;
/** So many of them are for one endpoint. */
const AT_ONCE_FOR_ONE = 2;
/** So many endpoints are known to be quick; beyond it the one that answered longest ago is forgotten. */
const MOST_QUICK = 10_000;

type Lane = 'quick' | 'slow';

const NEVER = Number.POSITIVE_INFINITY;

interface Queue {
  /** The deliveries that are being tried, and whose places they take. */
  running: Map<number, Lane>;
  /** Milliseconds since 1970 when the next of the others may be due; NEVER when none is known. */
  dueAt: number;
}

/**
 * Which endpoints have something to be sent, and what is under way. Kept in memory, so that nobody scans past the thousands
 * of deliveries that wait for one dead endpoint.
 */
export class Queues {
  /** Those whose turn is longest ago first. */
  private readonly queues = new Map<string, Queue>();
  private readonly running: Record<Lane, number> = { quick: 0, slow: 0 };
  private readonly quick = new Set<string>();

  /** An endpoint has something that is due at a time; what was due before stays so. */
  due(endpoint: string, at: number): void {
    const queue = this.queue(endpoint);
    queue.dueAt = Math.min(queue.dueAt, at);
  }

  /**
   * The endpoint whose turn it is, how many attempts may be begun for it, and the deliveries that are being tried now. Its time
   * is taken: who looks for its rows says by `looked` what is left. Null when none is due or all is busy.
   */
  ready(now: number): { endpoint: string; running: ReadonlySet<number>; free: number } | null {
    if (this.isFull('quick') && this.isFull('slow')) return null;
    for (const [endpoint, queue] of this.queues) {
      const free = this.freeFor(endpoint, queue);
      if (queue.dueAt > now || free <= 0) continue;
      queue.dueAt = NEVER;
      this.queues.delete(endpoint);
      this.queues.set(endpoint, queue);
      // A copy: what ends while the rows are being read stands in them as it was before.
      return { endpoint, running: new Set(queue.running.keys()), free };
    }
    return null;
  }

  /** The rows of an endpoint were looked for; of those that were not begun, the first is due at a time. */
  looked(endpoint: string, leftDueAt: number | null): void {
    if (leftDueAt !== null) this.due(endpoint, leftDueAt);
    this.dropIdle(endpoint);
  }

  began(endpoint: string, delivery: number): void {
    const lane = this.laneOf(endpoint);
    this.queue(endpoint).running.set(delivery, lane);
    this.running[lane] += 1;
  }

  /** An endpoint has answered, or has not, quickly or not: this says whose places its next attempts take. */
  answered(endpoint: string, isQuick: boolean): void {
    this.quick.delete(endpoint);
    if (!isQuick) return;
    this.quick.add(endpoint);
    const [oldest = endpoint] = this.quick;
    if (this.quick.size > MOST_QUICK) this.quick.delete(oldest);
  }

  /** An attempt is over; the next one of that delivery is due at a time, or there is none. */
  ended(endpoint: string, delivery: number, againAt: number | null): void {
    const { running } = this.queue(endpoint);
    const lane = running.get(delivery);
    if (lane !== undefined) this.running[lane] -= 1;
    running.delete(delivery);
    this.looked(endpoint, againAt);
  }

  /** When something will be due that nobody is busy with; null when nothing is, or when an attempt must end first. */
  nextDue(): number | null {
    let next = NEVER;
    for (const [endpoint, queue] of this.queues) {
      if (this.freeFor(endpoint, queue) > 0) next = Math.min(next, queue.dueAt);
    }
    return Number.isFinite(next) ? next : null;
  }

  private freeFor(endpoint: string, { running }: Queue): number {
    return Math.min(AT_ONCE_FOR_ONE - running.size, AT_ONCE - this.running[this.laneOf(endpoint)]);
  }

  /** One that was never tried is as good as one that does not answer. */
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

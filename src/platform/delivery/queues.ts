/** So many tries are made at once, */
const AT_ONCE = 8;
/** and so many of them for one endpoint, so that a slow one does not hold up the others. */
const AT_ONCE_FOR_ONE = 2;

const NEVER = Number.POSITIVE_INFINITY;

interface Queue {
  /** The deliveries that are being tried. */
  running: Set<number>;
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
  private running = 0;

  /** An endpoint has something that is due at a time; what was due before stays so. */
  due(endpoint: string, at: number): void {
    const queue = this.queue(endpoint);
    queue.dueAt = Math.min(queue.dueAt, at);
  }

  /**
   * The endpoint whose turn it is, how many tries may be begun for it, and the deliveries that are being tried now. Its time
   * is taken: who looks for its rows says by `looked` what is left. Null when none is due or all is busy.
   */
  ready(now: number): { endpoint: string; running: ReadonlySet<number>; free: number } | null {
    if (this.running >= AT_ONCE) return null;
    for (const [endpoint, queue] of this.queues) {
      const free = Math.min(AT_ONCE_FOR_ONE - queue.running.size, AT_ONCE - this.running);
      if (queue.dueAt > now || free <= 0) continue;
      queue.dueAt = NEVER;
      this.queues.delete(endpoint);
      this.queues.set(endpoint, queue);
      // A copy: what ends while the rows are being read stands in them as it was before.
      return { endpoint, running: new Set(queue.running), free };
    }
    return null;
  }

  /** The rows of an endpoint were looked for; of those that were not begun, the first is due at a time. */
  looked(endpoint: string, leftDueAt: number | null): void {
    if (leftDueAt !== null) this.due(endpoint, leftDueAt);
    this.dropIdle(endpoint);
  }

  began(endpoint: string, delivery: number): void {
    this.queue(endpoint).running.add(delivery);
    this.running += 1;
  }

  /** A try is over; the next one of that delivery is due at a time, or there is none. */
  ended(endpoint: string, delivery: number, againAt: number | null): void {
    if (this.queue(endpoint).running.delete(delivery)) this.running -= 1;
    this.looked(endpoint, againAt);
  }

  /** When something will be due that nobody is busy with; null when nothing is, or when a try must end first. */
  nextDue(): number | null {
    if (this.running >= AT_ONCE) return null;
    let next = NEVER;
    for (const { dueAt, running } of this.queues.values()) {
      if (running.size < AT_ONCE_FOR_ONE) next = Math.min(next, dueAt);
    }
    return Number.isFinite(next) ? next : null;
  }

  private queue(endpoint: string): Queue {
    const known = this.queues.get(endpoint);
    if (known !== undefined) return known;
    const fresh = { running: new Set<number>(), dueAt: NEVER };
    this.queues.set(endpoint, fresh);
    return fresh;
  }

  private dropIdle(endpoint: string): void {
    const queue = this.queues.get(endpoint);
    if (queue?.running.size === 0 && queue.dueAt === NEVER) this.queues.delete(endpoint);
  }
}

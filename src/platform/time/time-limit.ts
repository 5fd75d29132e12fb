interface Waiting {
  until: number;
  end(): void;
}

/**
 * The same time limit for many promises. One timer serves all: to set and clear one for each takes longer
 * than what most of them wait for.
 */
export class TimeLimit {
  /** Those that have not settled, oldest first. */
  private readonly waiting = new Set<Waiting>();
  private isArmed = false;

  constructor(private readonly ms: number) {}

  /** Waits for a promise until the limit, then rejects with the error of `late`. */
  async within<Value>(promise: Promise<Value>, late: () => Error): Promise<Value> {
    const { promise: over, reject } = Promise.withResolvers<never>();
    const waiting = { until: performance.now() + this.ms, end: () => reject(late()) };
    this.waiting.add(waiting);
    this.arm(this.ms);
    try {
      return await Promise.race([promise, over]);
    } finally {
      this.waiting.delete(waiting);
    }
  }

  private arm(ms: number): void {
    if (this.isArmed) return;
    this.isArmed = true;
    // What waits keeps the process running itself.
    setTimeout(() => this.sweep(), ms).unref();
  }

  private sweep(): void {
    this.isArmed = false;
    const now = performance.now();
    for (const { until, end } of this.waiting) {
      if (until > now) {
        this.arm(until - now);
        break;
      }
      end();
    }
  }
}

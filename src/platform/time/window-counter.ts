import type { Clock } from './clock.ts';

/** The number of names from which expired windows are removed. */
const SWEEP_FROM = 10_000;

interface Window {
  /** Milliseconds since 1970. */
  endsAt: number;
  count: number;
}

/**
 * Counts events by name in windows of a fixed length. A window starts with its first event. Synchronous and
 * in memory, so it can be used within a transaction; rate-limiter-flexible counts requests instead, outside
 * of transactions.
 */
export class WindowCounter {
  private readonly windows = new Map<string, Window>();
  private sweepFrom = SWEEP_FROM;

  /** @param windowMs the length of a window in milliseconds */
  constructor(
    private readonly clock: Clock,
    private readonly windowMs: number,
  ) {}

  /** Counts one event. @returns the number of events in the name's window, this one included */
  add(name: string): number {
    const window = this.windowOf(name);
    if (window !== null) {
      window.count += 1;
      return window.count;
    }
    if (this.windows.size >= this.sweepFrom) this.sweep();
    this.windows.set(name, { endsAt: this.clock.now() + this.windowMs, count: 1 });
    return 1;
  }

  /** Returns the number of events in a name's window. */
  count(name: string): number {
    return this.windowOf(name)?.count ?? 0;
  }

  /** Returns the seconds until a name's window ends, rounded up, at least 1. */
  secondsLeft(name: string): number {
    const ms = (this.windowOf(name)?.endsAt ?? 0) - this.clock.now();
    return Math.max(1, Math.ceil(ms / 1000));
  }

  /** The number of names in memory. */
  get names(): number {
    return this.windows.size;
  }

  private windowOf(name: string): Window | null {
    const window = this.windows.get(name);
    if (window === undefined) return null;
    const now = this.clock.now();
    // A clock that is set back must not prolong a window.
    return window.endsAt > now && window.endsAt <= now + this.windowMs ? window : null;
  }

  private sweep(): void {
    for (const name of this.windows.keys()) if (this.windowOf(name) === null) this.windows.delete(name);
    // Avoids a scan of many open windows for each new name.
    this.sweepFrom = Math.max(SWEEP_FROM, 2 * this.windows.size);
  }
}

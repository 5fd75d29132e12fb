import type { Clock } from './clock.ts';

/** So many names are counted at once; beyond it those whose window is over are dropped. */
const SWEEP_FROM = 10_000;

interface Window {
  /** Milliseconds since 1970. */
  endsAt: number;
  count: number;
}

/**
 * Counts what each name does in windows of a fixed length that open with their first use. In memory, and at once, so that it can be
 * asked within a transaction; the limits of requests, which nobody asks there, are rate-limiter-flexible's.
 */
export class WindowCounter {
  private readonly windows = new Map<string, Window>();
  private sweepFrom = SWEEP_FROM;

  /** @param windowMs the length of a window in milliseconds */
  constructor(
    private readonly clock: Clock,
    private readonly windowMs: number,
  ) {}

  /** Counts one more. @returns how many the name has in its window, this one included */
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

  /** How many a name has in its window. */
  count(name: string): number {
    return this.windowOf(name)?.count ?? 0;
  }

  /** Whole seconds until a name's window ends, at least 1. */
  secondsLeft(name: string): number {
    const ms = (this.windowOf(name)?.endsAt ?? 0) - this.clock.now();
    return Math.max(1, Math.ceil(ms / 1000));
  }

  /** How many names are remembered. */
  get names(): number {
    return this.windows.size;
  }

  private windowOf(name: string): Window | null {
    const window = this.windows.get(name);
    if (window === undefined) return null;
    const now = this.clock.now();
    // A clock that was set back must not keep a window open for longer than one lasts.
    return window.endsAt > now && window.endsAt <= now + this.windowMs ? window : null;
  }

  private sweep(): void {
    for (const name of this.windows.keys()) if (this.windowOf(name) === null) this.windows.delete(name);
    // So that a crowd of open windows is not looked through at every new name.
    this.sweepFrom = Math.max(SWEEP_FROM, 2 * this.windows.size);
  }
}

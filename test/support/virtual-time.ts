import type { SteadyClock, Timers } from '../../src/platform/time/clock.ts';

/** A clock that advances when a test says so, with its timers. */
export class VirtualTime implements SteadyClock, Timers {
  private readonly timers = new Set<{ at: number; act: () => void }>();

  /** The offset of the wall clock, in milliseconds. */
  private set = 0;
  /** How long the machine was suspended, in milliseconds. */
  private slept = 0;

  constructor(private time = Date.now()) {}

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time - this.set - this.slept;
  }

  sinceBoot(): number {
    return this.time - this.set;
  }

  /** Suspends the machine: time passes, the monotonic clock stands still, and no timer runs. */
  sleep(ms: number): void {
    this.jump(ms);
    this.set -= ms;
    this.slept += ms;
  }

  /** Sets the wall clock ahead or back, without time passing. */
  jump(ms: number): void {
    this.time += ms;
    this.set += ms;
    const moved = [...this.timers].map(({ at, act }) => ({ at: at + ms, act }));
    this.timers.clear();
    for (const timer of moved) this.timers.add(timer);
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.time + ms, act };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Advances by `ms` milliseconds. Timers run in order, each at its time. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [next] = [...this.timers].sort((a, b) => a.at - b.at).filter(({ at }) => at <= end);
      if (next === undefined) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.act();
    }
    this.time = end;
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.timers.size;
  }
}

/** Polls until a condition is true. @throws Error after a minute */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; !(await holds()); await Bun.sleep(1)) {
    if (performance.now() > end) throw new Error('it never came to hold');
  }
}

import type { SteadyClock } from '../time/clock.ts';

/**
 * Where the clock of a test service starts: it stands at a time, or runs ahead of the clock of the machine.
 */
export type ClockStart =
  | { kind: 'stands' /** Milliseconds since 1970. */; at: number }
  | { kind: 'runs' /** Milliseconds, at least 0. */; aheadMs: number };

/**
 * The clock of a test service. It only goes ahead. The clocks that the clock watch compares go ahead with it,
 * so an advance is no jump.
 */
export class TestClock implements SteadyClock {
  /** The time while the clock stands; null while it runs. */
  private standsAt: number | null;
  /** The milliseconds by which the clock is ahead of that of the machine while it runs. */
  private aheadMs = 0;
  private readonly openedAt: number;

  /**
   * @param time where it stands, until `begin` or `advanceTo`; milliseconds since 1970
   * @param start where it goes with `begin`
   * @param machine the clock of the machine
   */
  constructor(
    time: number,
    private readonly start: ClockStart,
    private readonly machine: { now(): number } = Date,
  ) {
    this.standsAt = time;
    this.openedAt = time;
  }

  now(): number {
    return this.standsAt ?? this.machine.now() + this.aheadMs;
  }

  realNow(): number {
    return this.machine.now();
  }

  monotonic(): number {
    return this.now() - this.openedAt;
  }

  sinceBoot(): number {
    return this.monotonic();
  }

  /** True while the clock runs with that of the machine. */
  get isRunning(): boolean {
    return this.standsAt === null;
  }

  /** Goes to its start, and runs from there unless it stands. Called once, after the data was loaded. */
  begin(): void {
    if (this.start.kind === 'stands') {
      this.advanceTo(this.start.at);
      return;
    }
    this.aheadMs = Math.max(this.start.aheadMs, this.now() - this.machine.now());
    this.standsAt = null;
  }

  /** Advances to `time`, in milliseconds since 1970, and goes on as before. An earlier time has no effect. */
  advanceTo(time: number): void {
    const ms = time - this.now();
    if (ms <= 0) return;
    if (this.standsAt === null) this.aheadMs += ms;
    else this.standsAt += ms;
  }
}

/** Returns the time at which a clock with this start begins now, in milliseconds since 1970. */
export function startTime(start: ClockStart, machine: { now(): number } = Date): number {
  return start.kind === 'stands' ? start.at : machine.now() + start.aheadMs;
}

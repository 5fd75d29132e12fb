import { type SteadyClock, systemClock } from '../time/clock.ts';

/**
 * Where the clock of a test service starts: it stands at a time, or runs ahead of the clock of the machine.
 */
export type ClockStart =
  | { kind: 'stands' /** Milliseconds since 1970. */; at: number }
  | { kind: 'runs' /** Milliseconds, at least 0. */; aheadMs: number };

/** The clock of the machine: its time, and its monotonic clock, both in milliseconds. */
type MachineClock = Pick<SteadyClock, 'now' | 'monotonic'>;

/**
 * The clock of a test service. It only goes ahead. The clocks that the clock watch compares go ahead with
 * it, so an advance is no jump.
 */
export class TestClock implements SteadyClock {
  /** When it was at `base`, on the monotonic clock of the machine; null while it stands. */
  private runsSince: number | null = null;
  private readonly openedAt: number;

  /**
   * @param base where it stands, until `begin` or `advanceTo`; milliseconds since 1970
   * @param start where it goes with `begin`
   */
  constructor(
    private base: number,
    private readonly start: ClockStart,
    private readonly machine: MachineClock = systemClock,
  ) {
    this.openedAt = base;
  }

  now(): number {
    if (this.runsSince === null) return this.base;
    return this.base + Math.floor(this.machine.monotonic() - this.runsSince);
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
    return this.runsSince !== null;
  }

  /** Goes to its start, and runs from there unless it stands. Called once, after data was loaded. */
  begin(): void {
    this.advanceTo(startTime(this.start, this.machine));
    if (this.start.kind === 'runs') this.runsSince = this.machine.monotonic();
  }

  /** Advances to `time`, in milliseconds since 1970, and goes on as before. An earlier time has no effect. */
  advanceTo(time: number): void {
    this.base += Math.max(0, time - this.now());
  }
}

/** Returns the time at which a clock with this start begins now, in milliseconds since 1970. */
export function startTime(start: ClockStart, machine: Pick<MachineClock, 'now'> = systemClock): number {
  return start.kind === 'stands' ? start.at : machine.now() + start.aheadMs;
}

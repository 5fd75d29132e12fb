import type { SteadyClock } from '../time/clock.ts';

/** A clock that advances only when a scenario moves it. The events of a demonstration are in the past. */
export class ScenarioClock implements SteadyClock {
  private time: number;

  /** @param start milliseconds since 1970-01-01T00:00:00Z */
  constructor(private readonly start: number) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  /** Advances with the wall clock, so that the clock watch detects no change of the clock. */
  monotonic(): number {
    return this.time - this.start;
  }

  sinceBoot(): number {
    return this.monotonic();
  }

  /** Advances to `time`, in milliseconds since 1970. An earlier time has no effect. */
  advanceTo(time: number): void {
    this.time = Math.max(this.time, time);
  }
}

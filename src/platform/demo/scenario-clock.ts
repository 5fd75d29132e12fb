import type { SteadyClock } from '../time/clock.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A clock that stands still until it is moved ahead: what a demonstration tells of has happened in the past. */
export class ScenarioClock implements SteadyClock {
  private time: number;

  /** @param start milliseconds since 1970-01-01T00:00:00Z */
  constructor(private readonly start: number) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  /** Moves with the wall clock, so that nobody takes the story for a clock that was set. */
  monotonic(): number {
    return this.time - this.start;
  }

  /** Moves ahead to `time`, in milliseconds since 1970; a time that has passed already changes nothing. */
  advanceTo(time: number): void {
    this.time = Math.max(this.time, time);
  }
}

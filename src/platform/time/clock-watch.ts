import type { SteadyClock } from './clock.ts';

/** A synchronized clock changes in smaller steps. */
const JUMP_MS = 60_000;
/** After this time at the new time, the change counts as intended. */
const ACCEPTED_MS = 3_600_000;

/**
 * Detects when the wall clock is set by more than 60 s, by comparing it with the monotonic clock. Callers must call it every few seconds.
 * The wake-up of a suspended machine also counts as a jump, since the monotonic clock stops while it sleeps.
 */
export class ClockWatch {
  /** The difference between the wall clock and the monotonic clock while the wall clock is right. */
  private right: number;
  private jump: { offset: number; since: number } | null = null;

  constructor(private readonly clock: SteadyClock) {
    this.right = clock.now() - clock.monotonic();
  }

  /**
   * Checks the clock. @returns by how many milliseconds the clock was set, ahead or back; null while it is right, and after an hour at its
   * new time
   */
  look(): number | null {
    const monotonic = this.clock.monotonic();
    const offset = this.clock.now() - monotonic;
    if (Math.abs(offset - this.right) <= JUMP_MS) {
      // Any number of small steps is accepted.
      this.right = offset;
      this.jump = null;
      return null;
    }
    if (this.jump === null || Math.abs(offset - this.jump.offset) > JUMP_MS) {
      this.jump = { offset, since: monotonic };
    }
    if (monotonic - this.jump.since < ACCEPTED_MS) return offset - this.right;
    this.right = offset;
    this.jump = null;
    return null;
  }

  /** True if the wall clock is known to be ahead, so that a time that seems past may be in the future. */
  get isAhead(): boolean {
    return (this.look() ?? 0) > 0;
  }
}

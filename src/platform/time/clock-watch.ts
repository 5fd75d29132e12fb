import type { SteadyClock } from './clock.ts';

/** A clock that is kept right goes by smaller steps. */
const JUMP_MS = 60_000;
/** After so long at its new time nobody will set the clock back. */
const ACCEPTED_MS = 3_600_000;

/**
 * Tells when the wall clock is set by more than 60 s, by comparing it with the monotonic clock. It must be asked every
 * few seconds. Also the wake-up of a machine that slept counts as a jump, since the monotonic clock sleeps with it.
 */
export class ClockWatch {
  /** What the wall clock was ahead of the monotonic one when it was right. */
  private right: number;
  private jump: { offset: number; since: number } | null = null;

  constructor(private readonly clock: SteadyClock) {
    this.right = clock.now() - clock.monotonic();
  }

  /** @returns by how many milliseconds the clock was set, ahead or back; null while it is right, and once its new time has held for an hour */
  look(): number | null {
    const monotonic = this.clock.monotonic();
    const offset = this.clock.now() - monotonic;
    if (Math.abs(offset - this.right) <= JUMP_MS) {
      // Small steps are followed, however many they are.
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

  /** Returns whether the wall clock is known to be ahead, so that what seems to be over may not be. */
  get isAhead(): boolean {
    return (this.look() ?? 0) > 0;
  }
}

/**
 * A date of the logs that is later than the clock by more than this, in milliseconds, is known to be wrong:
 * the clock was confirmed or accepted since. A clock that was only set back in small steps is nearer.
 */
export const NEAR_MS = 5 * 60_000;

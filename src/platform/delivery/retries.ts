const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * How long to wait after each attempt that failed, in milliseconds: the first attempt comes at once, the sixth and last after
 * some 24 hours.
 *
 * | after attempt | wait | since the first |
 * |---|---|---|
 * | 1 | 30 s | 30 s |
 * | 2 | 5 min | 5 min 30 s |
 * | 3 | 1 h | 1 h 5 min |
 * | 4 | 5 h | 6 h 5 min |
 * | 5 | 18 h | 24 h 5 min |
 */
const WAITS = [MINUTE / 2, 5 * MINUTE, HOUR, 5 * HOUR, 18 * HOUR];

/** A tenth more or less, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * Milliseconds to wait after the `attempts`-th attempt; null after the last one.
 *
 * @param random gives a number from 0 up to 1.
 */
export function retryDelay(attempts: number, random: () => number): number | null {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}

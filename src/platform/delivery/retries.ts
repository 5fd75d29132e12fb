const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The wait after each failed attempt, in milliseconds. The first attempt is immediate; the sixth and last
 * follows after about 24 hours.
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

/** The wait varies by a tenth, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Returns how long to wait after attempt `attempts`, in milliseconds; null after the last one.
 *
 * @param random returns a number from 0 up to, but not including, 1
 */
export function retryDelay(attempts: number, random: () => number): number | null {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}

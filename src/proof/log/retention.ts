/** A log that does not grow gets a new checkpoint this often, in milliseconds, as a sign that it is live. */
export const REFRESH_MS = 600_000;

/**
 * A service keeps every checkpoint that is at most this much older than the newest of its log, in
 * milliseconds.
 */
export const COMPLETE_MS = 3_600_000;

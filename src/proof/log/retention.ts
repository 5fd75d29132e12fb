/** A service keeps every checkpoint that is at most this much older than the newest of its log, in milliseconds. */
export const COMPLETE_MS = 3_600_000;

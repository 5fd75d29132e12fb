/** Where every date of the program comes from; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

/** A clock beside the one that nobody can set. */
export interface SteadyClock extends Clock {
  /** Milliseconds since some moment; goes on whatever the wall clock is set to. */
  monotonic(): number;
}

export const systemClock: SteadyClock = { now: () => Date.now(), monotonic: () => performance.now() };

/** RFC 3339 in UTC with milliseconds and `Z`, the one form in which the program writes dates. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** What waits for a time; tests pass their own. */
export interface Timers {
  /** Runs `act` once, in `ms` milliseconds. @returns what takes that back */
  after(ms: number, act: () => void): () => void;
}

/** A timer of the runtime holds no more than 2^31 - 1 milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** Where every date of the program comes from; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with milliseconds and `Z`, the one form in which the program writes dates. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

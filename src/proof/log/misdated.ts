import { AHEAD_MS, parseTimestamp } from '../encoding/timestamp.ts';

/** A date in a signed object or an entry: what happened then, and the time (RFC 3339). */
export interface StatedDate {
  /** A verb in the past, such as `issued`. */
  event: string;
  at: string;
}

/**
 * Returns why dates contradict each other: one of something earlier is later by more than 60 s. A date that
 * cannot be parsed is not compared.
 *
 * @param dates in the order in which they must be
 * @param signed when the tree that has it was signed, in milliseconds since 1970; null if nothing says it
 * @returns null if they do not contradict each other
 */
export function misdated(dates: readonly StatedDate[], signed: number | null): string | null {
  const known = dates.flatMap(({ event, at }) => {
    const time = parseTimestamp(at);
    return time === null ? [] : [{ event, at, time }];
  });
  for (const [position, { event, at, time }] of known.entries()) {
    const after = known.slice(position + 1).find((later) => time > later.time + AHEAD_MS);
    if (after !== undefined) return `it was ${event} at ${at}, after it was ${after.event} at ${after.at}`;
    if (signed !== null && time > signed + AHEAD_MS)
      return `it was ${event} at ${at}, after the checkpoint that has it was signed at ${new Date(signed).toISOString()}`;
  }
  return null;
}

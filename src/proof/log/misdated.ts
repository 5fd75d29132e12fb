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

/**
 * Returns why something is dated after the clock of the verifier, by more than 60 s. Nothing else contradicts
 * a document whose dates are all years ahead; but often it is the clock of the verifier that is wrong.
 *
 * @param what the words before its date, such as `the checkpoint is dated`
 * @param time what its date is, in milliseconds since 1970; null for a date that is not known
 * @param now what the clock says, in milliseconds since 1970
 * @returns null if it is not
 */
export function aheadOf(what: string, time: number | null, now: number): string | null {
  // Negated, so that NaN from an invalid clock counts as behind.
  if (time === null || !(time > now + AHEAD_MS || Number.isNaN(now))) return null;
  return `${what} ${timeText(time)}, more than 60 s after the clock of this machine (${timeText(now)}): check the clock`;
}

/** Returns a time as RFC 3339; one that is no date as a number. */
function timeText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

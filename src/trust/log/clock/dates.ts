import { textOf } from '../../../platform/http/errors/errors.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { clockErrors } from './errors.ts';
import { NEAR_MS } from './near.ts';

/** The time after which a client may try again. */
const RETRY_AFTER_SECONDS = 60;

type Clocks = { clockWatch: ClockWatch };

/** The logs, whose newest checkpoint, cosignature or entry is dated, in milliseconds since 1970. */
interface DatedLogs {
  publisher: { newestDate: number };
}

/** Refuses while the clock is wrong. @throws ApiError clock_wrong */
export function refuseWrongClock(trust: Clocks): void {
  statementTime(trust);
}

/**
 * Returns the time that the service signs as the date of a statement, which is about the present. A
 * statement with a later date would be valid for longer, even if its subject changes.
 * @returns milliseconds since 1970.
 * @throws ApiError clock_wrong
 */
export function statementTime({ clockWatch }: Clocks): number {
  const { wall, jump } = clockWatch.read();
  if (jump === null) return wall;
  throw clockErrors.clock_wrong({
    message: textOf(clockErrors.clock_wrong),
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    // The log says once that the clock was set.
    isExpected: true,
  });
}

/**
 * Returns the time that the service signs or chains as the date of something new, such as a receipt or
 * evidence. A wrong date would be permanent. It is not before the dates that the logs already have.
 * @returns milliseconds since 1970.
 * @throws ApiError clock_wrong
 */
export function issueTime(trust: Clocks & { log: DatedLogs }): number {
  const wall = statementTime(trust);
  return Math.max(wall, datedBefore(trust.log, wall));
}

/**
 * Returns the time of something new before it is known whether the clock is right: for what is signed ahead.
 * @returns milliseconds since 1970.
 */
export function draftTime({ clock, log }: { clock: Clock; log: DatedLogs }): number {
  const wall = clock.now();
  return Math.max(wall, datedBefore(log, wall));
}

/**
 * Returns the time for something that is never refused: a finalization, a revocation, a report of a
 * compromise. While the clock is wrong it is no later than allowed. If the clock was set ahead, it is the
 * time of the monotonic clock. If it was set back, or is behind since the start, it is the newest date of a
 * checkpoint, a cosignature or an entry: a monitor would take an earlier one for a lie, and the next ones
 * have the same.
 * @param follows milliseconds since 1970 of what the act follows, such as the issue of a receipt; the date is
 * never before it
 */
export function actTime(
  { clockWatch, log }: { clockWatch: ClockWatch; log: DatedLogs },
  follows = 0,
): number {
  const { wall, estimate, jump } = clockWatch.read();
  const before = datedBefore(log, estimate);
  const isWall = jump === null || (jump < 0 && before > 0);
  return Math.max(isWall ? wall : estimate, before, follows);
}

/**
 * Returns the newest date that the logs have, in milliseconds since 1970; 0 if it is known to be wrong.
 * @param right the time that counts as right
 */
function datedBefore({ publisher }: DatedLogs, right: number): number {
  return publisher.newestDate <= right + NEAR_MS ? publisher.newestDate : 0;
}

/**
 * Returns the context with a clock that stands at the time of an act that is never refused. Everything that
 * follows from the act has this date.
 * @param follows as for `actTime`
 */
export function atActTime<Trust extends { clockWatch: ClockWatch; log: DatedLogs; clock: Clock }>(
  trust: Trust,
  follows = 0,
): Trust {
  const time = actTime(trust, follows);
  return { ...trust, clock: { now: () => time } };
}

/**
 * Returns the context with a clock that stands at the time of something new. Everything that belongs to it
 * has the same date.
 * @throws ApiError clock_wrong
 */
export function atIssueTime<Trust extends Clocks & { log: DatedLogs; clock: Clock }>(trust: Trust): Trust {
  const time = issueTime(trust);
  return { ...trust, clock: { now: () => time } };
}

import { textOf } from '../../../platform/http/errors/errors.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { clockErrors } from './errors.ts';

/** The time after which a client may try again. */
const RETRY_AFTER_SECONDS = 60;

type Clocks = { clockWatch: ClockWatch };

/** The logs, whose newest checkpoints are dated. */
interface DatedLogs {
  publisher: { latest(name: LogName): { response: { issued_at: string } } };
}

/** Refuses while the clock is wrong. @throws ApiError clock_wrong */
export function refuseWrongClock(trust: Clocks): void {
  issueTime(trust);
}

/**
 * Returns the time that the service signs or chains as the date of something new. A wrong date would be
 * permanent, and a statement would be valid until then, even if its subject changes.
 * @returns milliseconds since 1970.
 * @throws ApiError clock_wrong
 */
export function issueTime({ clockWatch }: Clocks): number {
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
 * Returns the time for something that is never refused: a finalization, a revocation, a report of a
 * compromise. While the clock is wrong it is no later than both clocks allow. If the clock was set ahead, it
 * is the time of the monotonic clock. If it was set back, it is at most the date of the newest checkpoints,
 * since the next ones may have the same.
 * @param follows milliseconds since 1970 of what the act follows, such as the issue of a receipt; the date is
 * never before it
 */
export function actTime(
  { clockWatch, log }: { clockWatch: ClockWatch; log: DatedLogs },
  follows = 0,
): number {
  const { wall, estimate, jump } = clockWatch.read();
  if (jump === null) return Math.max(wall, follows);
  if (jump > 0) return Math.max(estimate, follows);
  const dates = LOG_NAMES.map((name) => Date.parse(log.publisher.latest(name).response.issued_at));
  return Math.max(wall, Math.min(estimate, ...dates), follows);
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
export function atIssueTime<Trust extends Clocks & { clock: Clock }>(trust: Trust): Trust {
  const time = issueTime(trust);
  return { ...trust, clock: { now: () => time } };
}

import { DAY_MS } from '../../platform/time/units.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { commonErrors } from './errors.ts';

/** The longest period that a query may ask for: a leap year. */
const MOST_DAYS = 366;

/**
 * Returns a bound of a list by time in milliseconds since 1970. Digits below a millisecond round up, so that
 * `from` includes nothing earlier.
 * @param bound RFC 3339; undefined for none
 */
export function boundOf(bound: string | undefined): number | undefined {
  const time = bound === undefined ? null : parseTimestamp(bound);
  if (bound === undefined || time === null) return undefined;
  return /\.\d{3}\d*[1-9]/.test(bound) ? time + 1 : time;
}

/** The period that a query asks for: times in RFC 3339, `to` exclusive. */
export interface PeriodQuery {
  from?: string | undefined;
  to?: string | undefined;
}

/** A period in milliseconds since 1970; `end` is exclusive. */
export interface Period {
  start: number;
  end: number;
}

/** What a period without `from` or `to` is, and what it is rounded to. */
interface PeriodRules {
  /** A period without `from` begins these days before its end. */
  defaultDays: number;
  /**
   * A period has all of each unit that it touches, in milliseconds: 1, or a UTC day. Without `to` it ends
   * with the unit of now.
   */
  unitMs: number;
}

/**
 * Returns the period that a query asks for.
 * @param now milliseconds since 1970
 * @throws ApiError validation_error for a time that is malformed, before 1970 or after today, and a period
 * that is reversed or too long
 */
export function requestedBounds(
  now: number,
  { from, to }: PeriodQuery,
  { defaultDays, unitMs }: PeriodRules,
): Period {
  const roundedUp = (time: number): number => Math.ceil(time / unitMs) * unitMs;
  // What happened in this millisecond is in the period, whose end is exclusive.
  const end = to === undefined ? roundedUp(now + 1) : timeOf('to', to);
  const start = from === undefined ? roundedUp(end) - defaultDays * DAY_MS : timeOf('from', from);
  if (start < 0) throw invalid(from === undefined ? 'to' : 'from', 'must not be before 1970');
  if (start >= end) throw invalid('from', 'must be before to');
  const endOfToday = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  if (end > endOfToday) throw invalid('to', 'must not be after the end of today (UTC)');
  const period = { start: Math.floor(start / unitMs) * unitMs, end: roundedUp(end) };
  if (period.end - period.start > MOST_DAYS * DAY_MS) {
    throw invalid('from', `must be at most ${MOST_DAYS} days before to`);
  }
  return period;
}

function timeOf(name: string, text: string): number {
  const time = parseTimestamp(text);
  if (time === null) throw invalid(name, 'must be a time in RFC 3339, such as 2026-01-31T00:00:00Z');
  return time;
}

function invalid(name: string, message: string) {
  return commonErrors.validation_error({ issues: { [name]: [message] } });
}

import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { type PeriodQuery, requestedBounds } from '../../http/period.ts';
import type { Days } from './scorecard-store.ts';

/** By default today and the 364 days before. */
const RULES = { defaultDays: 365, unitMs: DAY_MS };

/**
 * Returns the UTC days that a period touches. Telemetry is summed by day, so a metric is of whole days.
 * @param now milliseconds since 1970
 * @throws ApiError validation_error for a period that is reversed, too long or in the future
 */
export function daysOf(query: PeriodQuery, now: number): Days {
  const { start, end } = requestedBounds(now, query, RULES);
  return { fromDay: start / DAY_MS, toDay: end / DAY_MS - 1 };
}

/**
 * Returns whole days as a period in RFC 3339: from the start of the first to the end of the last, exclusive.
 */
export function periodOf({ fromDay, toDay }: Days): { from: string; to: string } {
  const at = (day: number): string => timestampOf(day * DAY_MS);
  return { from: at(fromDay), to: at(toDay + 1) };
}

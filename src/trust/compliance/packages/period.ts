import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { type PeriodQuery, requestedBounds } from '../../http/period.ts';
import type { RequestedPeriod } from './request.ts';

const RULES = { defaultDays: 90, unitMs: 1 };

/**
 * Returns the requested period. Without `to` it ends now; without `from` it begins 90 days before its end.
 * @throws ApiError validation_error
 */
export function requestedPeriod(clock: Pick<Clock, 'now'>, query: PeriodQuery): RequestedPeriod {
  const now = clock.now();
  const { start, end } = requestedBounds(now, query, RULES);
  const period = { from: timestampOf(start), to: timestampOf(end) };
  const today = `until now on day ${Math.floor(now / DAY_MS)}`;
  return {
    ...period,
    key: `${query.from === undefined ? '' : period.from} ${query.to === undefined ? today : period.to}`,
  };
}

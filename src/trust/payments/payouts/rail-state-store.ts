import { payoutRail } from '../../../../db/trust/payouts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ payoutRail });

/** Returns what is known about a rail; null before its first final failure. */
export const railState = sql.row(payoutRail)`WHERE rail = ${'rail'}`;

/** Stores what is known about a rail, in the place of what was known before. */
export const setRailState = sql.insert(payoutRail, {
  end: 'ON CONFLICT (rail) DO UPDATE SET failures = excluded.failures, stopped_at = excluded.stopped_at',
});

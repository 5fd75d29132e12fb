import { clockMark } from '../../../../db/trust/clock.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ clockMark });

/** Returns what is known of the clock, in ms since 1970; null before a server has run for a while. */
export const clockMarkOf = sql.row(clockMark)``;

/** Stores what is known of the clock, in ms since 1970. */
export const putClockMark = sql.insert(clockMark, {
  fixed: { one: 1 },
  end: `ON CONFLICT (one) DO UPDATE SET confirmed_at = excluded.confirmed_at,
    doubted_at = excluded.doubted_at, ran_ms = excluded.ran_ms`,
});

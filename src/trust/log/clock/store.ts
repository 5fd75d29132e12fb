import { clockMark } from '../../../../db/trust/clock.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ clockMark });

/** What is known of the clock, in milliseconds since 1970. */
export type ClockMark = Omit<typeof clockMark.$inferSelect, 'one'>;

/** Returns what is known of the clock; null before a server has run for a while. */
export const clockMarkOf = sql.row(clockMark)``;

/** Stores what is known of the clock. */
export const putClockMark = sql.insert(clockMark, {
  fixed: { one: 1 },
  end: `ON CONFLICT (one) DO UPDATE SET confirmed_at = excluded.confirmed_at,
    doubted_at = excluded.doubted_at, ran_ms = excluded.ran_ms`,
});

import { sql } from 'drizzle-orm';
import { clockMark } from '../../../../db/trust/clock.ts';
import { everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

/** What is known of the clock, in milliseconds since 1970. */
export type ClockMark = Omit<typeof clockMark.$inferSelect, 'one'>;

const query = statements((orm) => ({
  mark: () => orm.select().from(clockMark).prepare(),
  put: () =>
    orm
      .insert(clockMark)
      .values(everyColumn(clockMark, [], { one: 1 }))
      .onConflictDoUpdate({
        target: clockMark.one,
        set: {
          confirmedAt: sql`excluded.confirmed_at`,
          doubtedAt: sql`excluded.doubted_at`,
          ranMs: sql`excluded.ran_ms`,
        },
      })
      .prepare(),
}));

/** Returns what is known of the clock; null before a server has run for a while. */
export function clockMarkOf(snapshot: Snapshot): Promise<ClockMark | null> {
  return query(snapshot, (sql) => sql.mark.get() ?? null);
}

/** Stores what is known of the clock. */
export function putClockMark(tx: Transaction, mark: ClockMark): Promise<void> {
  return query(tx, (sql) => void sql.put.run(mark));
}

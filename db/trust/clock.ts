import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

export const clockMark = sqliteTable('clock_mark', {
  one: integer('one').primaryKey(),
  confirmedAt: integer('confirmed_at').notNull(),
  doubtedAt: integer('doubted_at'),
  ranMs: integer('ran_ms').notNull(),
});

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const suppression = sqliteTable('suppression', {
  npi: integer('npi').primaryKey(),
  reason: text('reason').notNull(),
  at: text('at').notNull(),
  record: text('record'),
  registry: text('registry'),
});

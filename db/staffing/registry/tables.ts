import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * What a registry file as a whole is. The other tables are read and written by the format's own statements.
 */
export const registry = sqliteTable('registry', {
  asOf: text('as_of').notNull(),
  records: integer('records').notNull(),
  sample: integer('sample', { mode: 'boolean' }).notNull(),
  groupings: text('groupings'),
  state: integer('state').notNull(),
});

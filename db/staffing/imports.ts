import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const deactivationList = sqliteTable('deactivation_list', {
  list: integer('list').primaryKey(),
  asOf: text('as_of').notNull(),
  at: text('at').notNull(),
  inForce: integer('in_force', { mode: 'boolean' }).notNull(),
  registry: text('registry'),
});

export const deactivation = sqliteTable(
  'deactivation',
  {
    list: integer('list').notNull(),
    npi: integer('npi').notNull(),
    deactivatedOn: text('deactivated_on').notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.npi] })],
);

export const reactivation = sqliteTable('reactivation', {
  npi: integer('npi').primaryKey(),
  reactivatedOn: text('reactivated_on').notNull(),
});

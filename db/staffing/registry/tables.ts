import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const registry = sqliteTable('registry', {
  asOf: text('as_of').notNull(),
  records: integer('records').notNull(),
  sample: integer('sample', { mode: 'boolean' }).notNull(),
});

export const taxonomy = sqliteTable('taxonomy', {
  code: text('code').primaryKey(),
  grouping: text('grouping').notNull(),
  classification: text('classification').notNull(),
  specialization: text('specialization'),
  name: text('name').notNull(),
});

/** The public fields, and no others. */
export const clinician = sqliteTable('clinician', {
  npi: integer('npi').primaryKey(),
  lastName: text('last_name').notNull(),
  firstName: text('first_name'),
  middleName: text('middle_name'),
  suffix: text('suffix'),
  credential: text('credential'),
  codes: text('codes').notNull(),
  city: text('city'),
  state: text('state'),
  postalCode: text('postal_code'),
  enumeratedOn: text('enumerated_on'),
  lastUpdatedOn: text('last_updated_on'),
});

export const list = sqliteTable('list', {
  list: integer('list').primaryKey(),
  label: text('label').notNull(),
  listed: integer('listed', { mode: 'boolean' }).notNull(),
});

const place = {
  list: integer('list').notNull(),
  kind: integer('kind').notNull(),
  nameKey: text('name_key').notNull(),
  firstKey: text('first_key').notNull(),
  npi: integer('npi').notNull(),
};

export const byName = sqliteTable('by_name', place, (table) => [
  primaryKey({ columns: [table.list, table.kind, table.nameKey, table.firstKey, table.npi] }),
]);

export const byState = sqliteTable('by_state', { ...place, state: text('state').notNull() }, (table) => [
  primaryKey({ columns: [table.list, table.state, table.kind, table.nameKey, table.firstKey, table.npi] }),
]);

export const severalNames = sqliteTable(
  'several_names',
  { npi: integer('npi').notNull(), nameKey: text('name_key').notNull(), kind: integer('kind').notNull() },
  (table) => [primaryKey({ columns: [table.npi, table.nameKey] })],
);

export const listCount = sqliteTable(
  'list_count',
  {
    list: integer('list').notNull(),
    state: text('state').notNull(),
    clinicians: integer('clinicians').notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.state] })],
);

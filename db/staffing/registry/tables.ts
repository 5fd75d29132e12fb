import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { rawBlob } from '../../../src/platform/store/columns.ts';
import { REVISIONS } from './schema.ts';

/** What a registry file as a whole is. `schema.sql` says what the columns mean. */
export const registry = sqliteTable('registry', {
  asOf: text('as_of').notNull(),
  records: integer('records').notNull(),
  sample: integer('sample', { mode: 'boolean' }).notNull(),
  groupings: text('groupings'),
  state: integer('state').notNull(),
});

export const taxonomy = sqliteTable('taxonomy', {
  code: text('code').primaryKey(),
  grouping: text('grouping').notNull(),
  classification: text('classification').notNull(),
  specialization: text('specialization'),
  name: text('name').notNull(),
});

export const segment = sqliteTable('segment', {
  segment: integer('segment').primaryKey(),
  entries: integer('entries').notNull(),
});

export const codes = sqliteTable('codes', {
  codes: integer('codes').primaryKey(),
  joined: text('joined').notNull(),
  text: text('text').notNull(),
});

export const entry = sqliteTable('entry', {
  place: integer('place').primaryKey(),
  nameKey: text('name_key').notNull(),
  firstKey: text('first_key').notNull(),
  npi: integer('npi').notNull(),
  codes: integer('codes').notNull(),
  head: text('head').notNull(),
  tail: text('tail').notNull(),
});

export const fence = sqliteTable(
  'fence',
  {
    segment: integer('segment').notNull(),
    nameKey: text('name_key').notNull(),
    firstKey: text('first_key').notNull(),
    npi: integer('npi').notNull(),
    ordinal: integer('ordinal').notNull(),
  },
  (table) => [primaryKey({ columns: [table.segment, table.nameKey, table.firstKey, table.npi] })],
);

export const clinician = sqliteTable('clinician', {
  place: integer('place').primaryKey(),
  ordinal: integer('ordinal').notNull(),
  others: text('others'),
  digest: integer('digest').notNull(),
});

export const list = sqliteTable('list', {
  list: integer('list').primaryKey(),
  label: text('label').notNull(),
});

export const posting = sqliteTable('posting', {
  place: integer('place').primaryKey(),
  data: rawBlob('data').notNull(),
});

export const nearName = sqliteTable(
  'near_name',
  {
    spelling: text('spelling').notNull(),
    nameKey: text('name_key').notNull(),
    clinicians: integer('clinicians').notNull(),
  },
  (table) => [primaryKey({ columns: [table.spelling, table.nameKey] })],
);

export const revision = sqliteTable('revision', {
  first: integer('first').primaryKey(),
  at: text('at').notNull(),
  asOf: text('as_of').notNull(),
  kind: text('kind', { enum: REVISIONS }).notNull(),
});

export const change = sqliteTable('change', {
  sequence: integer('sequence').primaryKey(),
  npi: integer('npi').notNull(),
  kind: integer('kind').notNull(),
});

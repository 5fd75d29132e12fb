import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../../src/platform/store/columns.ts';

/** What a restored backup must not undo. Times are milliseconds since 1970. */
export const lastingAct = sqliteTable('lasting_act', {
  actSeq: integer('act_seq').primaryKey(),
  actId: hexBlob('act_id').notNull(),
  createdAt: integer('created_at').notNull(),
  /** JSON. */
  act: text('act').notNull(),
});

/** One row from a restore until the administrator accepts it. */
export const restored = sqliteTable('restored', {
  one: integer('one').primaryKey(),
  restoredAt: integer('restored_at').notNull(),
  dataUntil: integer('data_until'),
});

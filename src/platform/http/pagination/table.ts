import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { rawBlob } from '../../store/columns.ts';

export const cursorKey = sqliteTable('cursor_key', {
  one: integer('one').primaryKey(),
  key: rawBlob('key').notNull(),
  createdAt: text('created_at').notNull(),
});

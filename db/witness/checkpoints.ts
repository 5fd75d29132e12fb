import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, rawBlob } from '../../src/platform/store/columns.ts';

export const witnessedLog = sqliteTable('witnessed_log', {
  logSeq: integer('log_seq').primaryKey(),
  origin: text('origin').notNull(),
  originHash: hexBlob('origin_hash').notNull(),
  size: integer('size').notNull(),
  root: rawBlob('root').notNull(),
  cosignedAt: integer('cosigned_at').notNull(),
  note: text('note').notNull(),
});

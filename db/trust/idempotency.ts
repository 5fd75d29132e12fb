import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../columns.ts';

export const idempotency = sqliteTable('idempotency', {
  idempotencySeq: integer('idempotency_seq').primaryKey(),
  scope: hexBlob('scope').notNull(),
  bodyDigest: hexBlob('body_digest').notNull(),
  answer: text('answer').notNull(),
  createdAt: text('created_at').notNull(),
});

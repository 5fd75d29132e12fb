import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../columns.ts';

export const idempotency = sqliteTable('idempotency', {
  scope: hexBlob('scope').primaryKey(),
  bodyDigest: hexBlob('body_digest').notNull(),
  answer: text('answer').notNull(),
  createdAt: text('created_at').notNull(),
});

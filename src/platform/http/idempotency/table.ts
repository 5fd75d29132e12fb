import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../../store/columns.ts';

/** First responses to requests with an Idempotency-Key, in each service's database. */
export const idempotency = sqliteTable('idempotency', {
  idempotencySeq: integer('idempotency_seq').primaryKey(),
  scope: hexBlob('scope').notNull(),
  bodyDigest: hexBlob('body_digest').notNull(),
  response: text('answer').notNull(),
  createdAt: text('created_at').notNull(),
});

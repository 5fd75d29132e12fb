import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../../store/columns.ts';

const columns = () => ({
  idempotencySeq: integer('idempotency_seq').primaryKey(),
  scope: hexBlob('scope').notNull(),
  bodyDigest: hexBlob('body_digest').notNull(),
  response: text('answer').notNull(),
  createdAt: text('created_at').notNull(),
});

/** First responses to requests with an Idempotency-Key, in each service's database. */
export const idempotency = sqliteTable('idempotency', columns());

/**
 * Those whose key is a capture id. They are kept longer, so they have a table of their own: the oldest rows
 * of a table are deleted.
 */
export const captureIdempotency = sqliteTable('capture_idempotency', columns());

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { idBlob } from '../store/columns.ts';

/**
 * Deliveries of webhooks and their outcomes, in the database of each service whose migrations contain
 * `outbox.sql`.
 */
export const delivery = sqliteTable('delivery', {
  deliverySeq: integer('delivery_seq').primaryKey(),
  deliveryId: idBlob('msg_')('delivery_id').notNull(),
  endpoint: text('endpoint').notNull(),
  url: text('url').notNull(),
  eventType: text('event_type').notNull(),
  body: text('body').notNull(),
  createdAt: text('created_at').notNull(),
  state: text('state', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
  attempts: integer('attempts').notNull(),
  nextAttemptAt: text('next_attempt_at'),
  endedAt: text('ended_at'),
  lastStatus: integer('last_status'),
  lastError: text('last_error'),
  owner: text('owner'),
});

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { idBlob, jsonText } from '../../src/platform/store/columns.ts';

export const webhook = sqliteTable('webhook', {
  webhookSeq: integer('webhook_seq').primaryKey(),
  webhookId: idBlob('wh_')('webhook_id').notNull(),
  operatorSeq: integer('operator_seq').notNull(),
  url: text('url').notNull(),
  events: jsonText<string[]>()('events').notNull(),
  everyAgent: integer('every_agent', { mode: 'boolean' }).notNull(),
  secret: text('secret').notNull(),
  signingSecret: text('signing_secret').notNull(),
  createdAt: text('created_at').notNull(),
});

export const webhookDelivery = sqliteTable('webhook_delivery', {
  deliverySeq: integer('delivery_seq').primaryKey(),
  deliveryId: idBlob('msg_')('delivery_id').notNull(),
  webhookSeq: integer('webhook_seq').notNull(),
  event: text('event').notNull(),
  createdAt: text('created_at').notNull(),
  endedAt: text('ended_at'),
  status: integer('status'),
  error: text('error'),
});

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { idBlob } from '../../src/platform/store/columns.ts';
import { TIERS } from './accounts-enums.ts';

export const webhook = sqliteTable('webhook', {
  webhookId: idBlob('wh_')('webhook_id').primaryKey(),
  partnerSeq: integer('partner_seq').notNull(),
  mode: text('mode', { enum: TIERS }).notNull(),
  url: text('url').notNull(),
  secret: text('secret').notNull(),
  createdAt: text('created_at').notNull(),
});

import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, jsonText } from '../../src/platform/store/columns.ts';
import { type Scope, TIERS } from './accounts-enums.ts';

export const partner = sqliteTable('partner', {
  partnerSeq: integer('partner_seq').primaryKey(),
  partnerId: idBlob('ptr_')('partner_id').notNull(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  createdAt: text('created_at').notNull(),
  promotedAt: text('promoted_at'),
  closedAt: text('closed_at'),
});

export const partnerKey = sqliteTable('partner_key', {
  keyId: idBlob('key_')('key_id').primaryKey(),
  keyHash: hexBlob('key_hash').notNull(),
  partnerSeq: integer('partner_seq').notNull(),
  tier: text('tier', { enum: TIERS }).notNull(),
  scopes: jsonText<Scope[]>()('scopes').notNull(),
  last4: text('last4').notNull(),
  createdAt: text('created_at').notNull(),
  revokedAt: text('revoked_at'),
});

export const usageDay = sqliteTable('usage_day', {
  partnerSeq: integer('partner_seq').notNull(),
  tier: text('tier', { enum: TIERS }).notNull(),
  day: text('day').notNull(),
  requests: integer('requests').notNull(),
});

export const secret = sqliteTable('secret', {
  name: text('name', { enum: ['cursor_key', 'admin_token_hash'] }).primaryKey(),
  value: blob('value', { mode: 'buffer' }).notNull(),
});

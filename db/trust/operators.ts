import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../columns.ts';

export const operator = sqliteTable('operator', {
  operatorSeq: integer('operator_seq').primaryKey(),
  operatorId: text('operator_id').notNull(),
  accountStatus: text('account_status', { enum: ['ACTIVE', 'SUSPENDED', 'CLOSED'] }).notNull(),
  createdAt: text('created_at').notNull(),
});

export const apiKey = sqliteTable('api_key', {
  keyHash: hexBlob('key_hash').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  role: text('role', { enum: ['issuer', 'holder'] }).notNull(),
  admin: integer('admin', { mode: 'boolean' }).notNull(),
  name: text('name'),
  createdAt: text('created_at').notNull(),
});

export const serviceToken = sqliteTable('service_token', {
  one: integer('one').primaryKey(),
  tokenHash: hexBlob('token_hash').notNull(),
  createdAt: text('created_at').notNull(),
});

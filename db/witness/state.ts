import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, rawBlob } from '../../src/platform/store/columns.ts';

export const identity = sqliteTable('identity', {
  identitySeq: integer('identity_seq').primaryKey(),
  name: text('name').notNull(),
  createdAt: text('created_at').notNull(),
});

export const cosigningKey = sqliteTable('cosigning_key', {
  keySeq: integer('key_seq').primaryKey(),
  kid: text('kid').notNull(),
  algorithm: text('algorithm', { enum: ['Ed25519', 'ML-DSA-44'] }).notNull(),
});

export const witnessedLog = sqliteTable('witnessed_log', {
  logSeq: integer('log_seq').primaryKey(),
  origin: text('origin').notNull(),
  originHash: hexBlob('origin_hash').notNull(),
  size: integer('size').notNull(),
  root: rawBlob('root').notNull(),
  cosignedAt: integer('cosigned_at').notNull(),
  note: text('note').notNull(),
});

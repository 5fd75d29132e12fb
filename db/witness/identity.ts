import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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

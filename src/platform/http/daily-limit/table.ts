import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../../store/columns.ts';

/** The key of the hashes of addresses, in each service's database. */
export const provisionKey = sqliteTable('provision_key', {
  one: integer('one').primaryKey(),
  key: hexBlob('key').notNull(),
});

/** What client addresses without an API key were given in the last day. */
export const provision = sqliteTable('provision', {
  provisionSeq: integer('provision_seq').primaryKey(),
  addressHash: hexBlob('address_hash').notNull(),
  /** Milliseconds since 1970. */
  createdAt: integer('created_at').notNull(),
});

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, rawBlob } from '../../src/platform/store/columns.ts';
import { KEY_PURPOSES } from '../../src/proof/log/key-purposes.ts';
import { KEY_ALGORITHMS, KEY_STATUSES } from './keys-enums.ts';

export const signingKey = sqliteTable('signing_key', {
  keySeq: integer('key_seq').primaryKey(),
  kid: text('kid').notNull(),
  purpose: text('purpose', { enum: KEY_PURPOSES }).notNull(),
  algorithm: text('algorithm', { enum: KEY_ALGORITHMS }).notNull(),
  publicKey: hexBlob('public_key').notNull(),
  status: text('status', { enum: KEY_STATUSES }).notNull(),
  validFrom: text('valid_from').notNull(),
  validUntil: text('valid_until'),
  receiptsTreeSize: integer('receipts_tree_size'),
});

/** The leaves of the key log. */
export const keyLeaf = sqliteTable('key_leaf', {
  leafSeq: integer('leaf_seq').primaryKey(),
  /** Null for an entry about a closed log or one that continues. */
  keySeq: integer('key_seq'),
  event: text('event', {
    enum: ['added', 'activated', 'retired', 'compromised', 'log_closed', 'log_continued'],
  }).notNull(),
  leafHash: rawBlob('leaf_hash').notNull(),
  entry: text('entry').notNull(),
});

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { rawBlob } from '../../src/platform/store/columns.ts';

/** The trees of the heads of journals, one for each leaf of the log of accounts that has their root. */
export const journalTree = sqliteTable('journal_tree', {
  treeSeq: integer('tree_seq').primaryKey(),
  /** 32 bytes. */
  saltKey: rawBlob('salt_key').notNull(),
  /** Null while it is built, and where no journal grew. */
  leafSeq: integer('leaf_seq'),
  /** The number of the newest movement of each round, as JSON; null while it is built. */
  rounds: text('rounds'),
});

/** Up to 256 heads of a round of a tree, in the order of their accounts. */
export const journalHeads = sqliteTable('journal_heads', {
  headsSeq: integer('heads_seq').primaryKey(),
  treeSeq: integer('tree_seq').notNull(),
  round: integer('round').notNull(),
  firstAccount: integer('first_account').notNull(),
  firstLeaf: integer('first_leaf').notNull(),
  heads: rawBlob('heads').notNull(),
});

/** The hashes of the trees, up to 256 in a row. */
export const journalTile = sqliteTable('journal_tile', {
  tileSeq: integer('tile_seq').primaryKey(),
  treeSeq: integer('tree_seq').notNull(),
  level: integer('level').notNull(),
  tileIndex: integer('tile_index').notNull(),
  hashes: rawBlob('hashes').notNull(),
});

import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, rawBlob } from '../../src/platform/store/columns.ts';
import { LOG_NAMES, type LogName } from '../../src/proof/log/log-names.ts';

export const log = sqliteTable('log', {
  logSeq: integer('log_seq').primaryKey(),
  name: text('name', { enum: LOG_NAMES }).notNull(),
  origin: text('origin').notNull(),
  openedAt: text('opened_at').notNull(),
  closedSize: integer('closed_size'),
  closedAt: text('closed_at'),
});

/**
 * The columns of a table of leaves that the log uses. The module that fills the log owns the other columns.
 */
const leaves = (table: string) =>
  sqliteTable(table, {
    leafSeq: integer('leaf_seq').primaryKey(),
    leafHash: rawBlob('leaf_hash').notNull(),
  });

export const leafTables = {
  receipts: leaves('receipt_leaf'),
  keys: leaves('key_leaf'),
  revocations: leaves('revocation_leaf'),
  evidence: leaves('evidence_leaf'),
  accounts: leaves('account_leaf'),
} satisfies Record<LogName, unknown>;

export const logTile = sqliteTable(
  'log_tile',
  {
    tileSeq: integer('tile_seq').primaryKey(),
    name: text('name', { enum: LOG_NAMES }).notNull(),
    level: integer('level').notNull(),
    tileIndex: integer('tile_index').notNull(),
    root: rawBlob('root').notNull(),
    nodes: rawBlob('nodes').notNull(),
  },
  (table) => [uniqueIndex('log_tile_place').on(table.name, table.level, table.tileIndex)],
);

export const checkpoint = sqliteTable('checkpoint', {
  checkpointSeq: integer('checkpoint_seq').primaryKey(),
  checkpointId: idBlob('ckpt_')('checkpoint_id').notNull(),
  logSeq: integer('log_seq').notNull(),
  previousId: idBlob('ckpt_')('previous_id'),
  previousSize: integer('previous_size'),
  treeSize: integer('tree_size').notNull(),
  rootHash: rawBlob('root_hash').notNull(),
  issuedAt: text('issued_at').notNull(),
  keySeq: integer('key_seq').notNull(),
  signature: hexBlob('signature').notNull(),
  note: text('note').notNull(),
});

export const checkpointCosignature = sqliteTable(
  'checkpoint_cosignature',
  {
    cosignatureSeq: integer('cosignature_seq').primaryKey(),
    checkpointSeq: integer('checkpoint_seq').notNull(),
    witness: text('witness').notNull(),
    keyId: integer('key_id').notNull(),
    line: text('line').notNull(),
    cosignedAt: text('cosigned_at').notNull(),
  },
  (table) => [uniqueIndex('checkpoint_cosignature_key').on(table.checkpointSeq, table.witness, table.keyId)],
);

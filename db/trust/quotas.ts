import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../../src/platform/store/columns.ts';

/**
 * The payer for storage: an operator, an agent without a sponsor, `free` for the sum of all payers on the
 * plan FREE, or `network` for the sum of those that came from one network.
 */
export const PAYERS = ['operator', 'agent', 'free', 'network'] as const;

/** The bytes that each payer has stored. They only grow: deleting data frees disk space, but no quota. */
export const storedBytes = sqliteTable(
  'stored_bytes',
  {
    payer: text('payer', { enum: PAYERS }).notNull(),
    /** The number of the operator, agent or network; 0 for all on the plan FREE. */
    payerSeq: integer('payer_seq').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payer, table.payerSeq] })],
);

/** The networks from which payers with the quota of FREE came. */
export const freeNetwork = sqliteTable('free_network', {
  networkSeq: integer('network_seq').primaryKey(),
  networkHash: hexBlob('network_hash').notNull(),
});

/** The network of each payer that came from one. */
export const payerNetwork = sqliteTable(
  'payer_network',
  {
    payer: text('payer', { enum: PAYERS }).notNull(),
    payerSeq: integer('payer_seq').notNull(),
    networkSeq: integer('network_seq').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payer, table.payerSeq] })],
);

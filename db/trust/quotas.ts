import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The payer for storage: an operator, an agent without a sponsor, or `free` for the sum of all payers on the
 * plan FREE.
 */
export const PAYERS = ['operator', 'agent', 'free'] as const;

/** The bytes that each payer has stored. They only grow: deleting data frees disk space, but no quota. */
export const storedBytes = sqliteTable(
  'stored_bytes',
  {
    payer: text('payer', { enum: PAYERS }).notNull(),
    /** The operator's or the agent's number; 0 for all on the plan FREE. */
    payerSeq: integer('payer_seq').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payer, table.payerSeq] })],
);

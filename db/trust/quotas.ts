import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Who is charged for what is stored: an operator, an agent that has no sponsor, or all on the plan FREE together. */
export const PAYERS = ['operator', 'agent', 'free'] as const;

/** The bytes that each payer has stored. They only grow: deleting frees space for all, and nobody's quota. */
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

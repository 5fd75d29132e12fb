import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DOMAINS } from '../../src/proof/receipt/receipt.ts';

/** All finalized receipts that are not revoked. */
export const gateFinalization = sqliteTable(
  'gate_finalization',
  {
    operatorSeq: integer('operator_seq').notNull(),
    domain: text('domain', { enum: DOMAINS }).notNull(),
    blind: integer('blind', { mode: 'boolean' }).notNull(),
    /** Milliseconds since 1970. */
    finalizedAt: integer('finalized_at').notNull(),
    receiptSeq: integer('receipt_seq').notNull(),
    /** True if it is an SLA breach. */
    breach: integer('breach', { mode: 'boolean' }).notNull(),
  },
  ({ operatorSeq, domain, blind, finalizedAt, receiptSeq }) => [
    primaryKey({ columns: [operatorSeq, domain, blind, finalizedAt, receiptSeq] }),
  ],
);

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DOMAINS } from '../../src/proof/receipt/receipt.ts';

/** The finalized receipts that the gate counts, and those that were revoked while they were pending. */
export const gateOutcome = sqliteTable(
  'gate_outcome',
  {
    operatorSeq: integer('operator_seq').notNull(),
    domain: text('domain', { enum: DOMAINS }).notNull(),
    blind: integer('blind', { mode: 'boolean' }).notNull(),
    /** True if it was revoked while it was pending. */
    abandoned: integer('abandoned', { mode: 'boolean' }).notNull(),
    /** Milliseconds since 1970: since when it counts. */
    countedAt: integer('counted_at').notNull(),
    receiptSeq: integer('receipt_seq').notNull(),
    /** True if it is an SLA breach. */
    breach: integer('breach', { mode: 'boolean' }).notNull(),
  },
  ({ operatorSeq, domain, blind, abandoned, countedAt, receiptSeq }) => [
    primaryKey({ columns: [operatorSeq, domain, blind, abandoned, countedAt, receiptSeq] }),
  ],
);

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { jsonText } from '../../src/platform/store/columns.ts';
import { DOMAINS } from '../../src/proof/receipt.ts';

/** When a receipt was finalized, in milliseconds since 1970, and whether as an SLA breach (1). */
export type Finalization = [at: number, breach: 0 | 1];

export const gateStanding = sqliteTable(
  'gate_standing',
  {
    operatorSeq: integer('operator_seq').notNull(),
    domain: text('domain', { enum: DOMAINS }).notNull(),
    blind: integer('blind', { mode: 'boolean' }).notNull(),
    finalized: integer('finalized').notNull(),
    newest: jsonText<Finalization[]>()('newest').notNull(),
  },
  (table) => [primaryKey({ columns: [table.operatorSeq, table.domain, table.blind] })],
);

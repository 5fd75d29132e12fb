import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { idBlob } from '../../src/platform/store/columns.ts';
import { SLASHED_TRANCHES } from './slashing-enums.ts';

/** One row for each receipt that was finalized with an error tranche other than NONE. */
export const slash = sqliteTable('slash', {
  slashSeq: integer('slash_seq').primaryKey(),
  slashId: idBlob('slash_')('slash_id').notNull(),
  receiptSeq: integer('receipt_seq').notNull(),
  operatorSeq: integer('operator_seq').notNull(),
  tranche: text('tranche', { enum: SLASHED_TRANCHES }).notNull(),
  /** US cents; 0 if there was nothing to take. */
  amountCents: integer('amount_cents').notNull(),
  stakeBeforeCents: integer('stake_before_cents').notNull(),
  /** The time of the finalization, RFC 3339. */
  createdAt: text('created_at').notNull(),
});

/**
 * One row: how many receipts were in the log when slashing began. Only fsck reads it, by SQL text.
 * @public
 */
export const slashingStart = sqliteTable('slashing_start', {
  one: integer('one').primaryKey(),
  leaves: integer('leaves').notNull(),
});

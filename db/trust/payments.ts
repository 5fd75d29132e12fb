import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import { SETTLEMENT_RAILS } from './payments-enums.ts';

/** The payments that agents authorized for products. Rows never change. */
export const agentPayment = sqliteTable('agent_payment', {
  paymentSeq: integer('payment_seq').primaryKey(),
  agentSeq: integer('agent_seq').notNull(),
  nonce: text('nonce').notNull(),
  product: text('product').notNull(),
  credits: integer('credits').notNull(),
  merchant: text('merchant'),
  /** As the payer sent it. */
  expiresAt: text('expires_at').notNull(),
  transactionId: idBlob('txn_')('transaction_id').notNull(),
  paymentDigest: hexBlob('payment_digest').notNull(),
});

/** The settlements of payment rails, each booked once. Rows never change. */
export const settlement = sqliteTable('settlement', {
  settlementSeq: integer('settlement_seq').primaryKey(),
  rail: text('rail', { enum: SETTLEMENT_RAILS }).notNull(),
  reference: text('reference').notNull(),
  /** SHA-256 of the canonical JSON of the body. */
  bodyDigest: hexBlob('body_digest').notNull(),
  agentSeq: integer('agent_seq').notNull(),
  credits: integer('credits').notNull(),
  amountLabel: text('amount_label'),
  transactionId: idBlob('txn_')('transaction_id').notNull(),
  /** RFC 3339. */
  createdAt: text('created_at').notNull(),
});

/**
 * Settlements that exceeded a cap. One is open while no settlement has its rail and reference. Rows never
 * change.
 */
export const unbookedSettlement = sqliteTable('unbooked_settlement', {
  unbookedSeq: integer('unbooked_seq').primaryKey(),
  rail: text('rail', { enum: SETTLEMENT_RAILS }).notNull(),
  reference: text('reference').notNull(),
  /** SHA-256 of the canonical JSON of the body. */
  bodyDigest: hexBlob('body_digest').notNull(),
  agentSeq: integer('agent_seq').notNull(),
  credits: integer('credits').notNull(),
  amountLabel: text('amount_label'),
  /** RFC 3339. */
  createdAt: text('created_at').notNull(),
});

/** What each rail settled in each hour: derived from the settlements. */
export const settlementHour = sqliteTable('settlement_hour', {
  /** Hours since 1970. */
  hour: integer('hour').notNull(),
  rail: text('rail', { enum: SETTLEMENT_RAILS }).notNull(),
  credits: integer('credits').notNull(),
});

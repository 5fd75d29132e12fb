import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, rawBlob } from '../../src/platform/store/columns.ts';
import {
  PAYOUT_HOLDS,
  PAYOUT_RAILS,
  PAYOUT_STATUSES,
  TRANSACTION_PURPOSES,
  TRANSFER_ASSETS,
  TRANSFER_STATUSES,
} from './payouts-enums.ts';

/** Withdrawals that are paid to custodial wallets. Times are milliseconds since 1970. */
export const payout = sqliteTable('payout', {
  payoutSeq: integer('payout_seq').primaryKey(),
  withdrawalId: idBlob('wdr_')('withdrawal_id').notNull(),
  agentSeq: integer('agent_seq').notNull(),
  /** Paid credits. */
  amount: integer('amount').notNull(),
  usdCents: integer('usd_cents').notNull(),
  address: text('address').notNull(),
  reference: text('reference').notNull(),
  status: text('status', { enum: PAYOUT_STATUSES }).notNull(),
  rail: text('rail', { enum: PAYOUT_RAILS }),
  held: text('held', { enum: PAYOUT_HOLDS }),
  receiptSeq: integer('receipt_seq').notNull(),
  lockTransactionId: idBlob('txn_')('lock_transaction_id').notNull(),
  endTransactionId: idBlob('txn_')('end_transaction_id'),
  externalReference: text('external_reference'),
  lastError: text('last_error'),
  attempts: integer('attempts').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** The signed transactions of payouts on a chain, stored before they are broadcast. Rows never change. */
export const payoutTransaction = sqliteTable('payout_transaction', {
  transactionSeq: integer('transaction_seq').primaryKey(),
  payoutSeq: integer('payout_seq').notNull(),
  chainId: integer('chain_id').notNull(),
  /** The address that signed it, as EIP-55 writes it. */
  sender: text('sender').notNull(),
  nonce: integer('nonce').notNull(),
  /** 64 hexadecimal characters, without 0x. */
  txHash: hexBlob('tx_hash').notNull(),
  rawTransaction: rawBlob('raw_transaction').notNull(),
  createdAt: integer('created_at').notNull(),
});

/** Parts of withdrawals that are not paid. Rows never change. */
export const payoutCut = sqliteTable('payout_cut', {
  cutSeq: integer('cut_seq').primaryKey(),
  payoutSeq: integer('payout_seq').notNull(),
  /** The disputed payment; null for a cut that a restored database did not have. */
  paymentSeq: integer('payment_seq'),
  amount: integer('amount').notNull(),
  transactionId: idBlob('txn_')('transaction_id').notNull(),
  createdAt: integer('created_at').notNull(),
});

/** What the chain finally refused in a row, by rail. Times are milliseconds since 1970. */
export const payoutRail = sqliteTable('payout_rail', {
  rail: text('rail', { enum: PAYOUT_RAILS }).primaryKey(),
  failures: integer('failures').notNull(),
  /** Null while the rail is not stopped. */
  stoppedAt: integer('stopped_at'),
});

/** What administrators send from custodial wallets. Times are milliseconds since 1970. */
export const walletTransfer = sqliteTable('wallet_transfer', {
  transferSeq: integer('transfer_seq').primaryKey(),
  address: text('address').notNull(),
  toAddress: text('to_address').notNull(),
  asset: text('asset', { enum: TRANSFER_ASSETS }).notNull(),
  /** Decimal digits in the smallest unit, or `all`. */
  requested: text('requested').notNull(),
  reference: text('reference').notNull(),
  status: text('status', { enum: TRANSFER_STATUSES }).notNull(),
  lastError: text('last_error'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** The signed transactions of these transfers, stored before they are broadcast. Rows never change. */
export const walletTransaction = sqliteTable('wallet_transaction', {
  transactionSeq: integer('transaction_seq').primaryKey(),
  transferSeq: integer('transfer_seq').notNull(),
  purpose: text('purpose', { enum: TRANSACTION_PURPOSES }).notNull(),
  chainId: integer('chain_id').notNull(),
  /** The address that signed it, as EIP-55 writes it. */
  sender: text('sender').notNull(),
  nonce: integer('nonce').notNull(),
  /** 64 hexadecimal characters, without 0x. */
  txHash: hexBlob('tx_hash').notNull(),
  rawTransaction: rawBlob('raw_transaction').notNull(),
  createdAt: integer('created_at').notNull(),
});

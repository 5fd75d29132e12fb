import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, rawBlob } from '../../src/platform/store/columns.ts';
import {
  DOMAINS,
  ERROR_TRANCHES,
  RECEIPT_STATUSES,
  RECEIPT_TYPES,
  REVOCATION_STATUSES,
} from '../../src/proof/receipt/receipt.ts';

export const receipt = sqliteTable('receipt', {
  receiptSeq: integer('receipt_seq').primaryKey(),
  receiptId: idBlob('rcpt_')('receipt_id').notNull(),
  operatorSeq: integer('operator_seq').notNull(),
  agentId: text('agent_id').notNull(),
  receiptType: text('receipt_type', { enum: RECEIPT_TYPES }).notNull(),
  inputDigest: hexBlob('input_digest').notNull(),
  authorityScope: text('authority_scope').notNull(),
  expiry: text('expiry').notNull(),
  issuedAt: text('issued_at').notNull(),
  domain: text('domain', { enum: DOMAINS }).notNull(),
  domainCommitment: hexBlob('domain_commitment'),
  blindSalt: hexBlob('blind_salt'),
  prevReceiptHash: hexBlob('prev_receipt_hash'),
  prevReceiptSeq: integer('prev_receipt_seq'),
  chainDepth: integer('chain_depth').notNull(),
  status: text('status', { enum: RECEIPT_STATUSES }).notNull(),
  revocationStatus: text('revocation_status', { enum: REVOCATION_STATUSES }).notNull(),
  version: integer('version').notNull(),
  /**
   * The API key that issued it; null for a receipt of the service itself, and for one of a time when this was
   * not stored.
   */
  apiKeySeq: integer('api_key_seq'),
});

export const receiptVersion = sqliteTable(
  'receipt_version',
  {
    receiptSeq: integer('receipt_seq').notNull(),
    version: integer('version').notNull(),
    status: text('status', { enum: RECEIPT_STATUSES }).notNull(),
    revocationStatus: text('revocation_status', { enum: REVOCATION_STATUSES }).notNull(),
    outputHash: hexBlob('output_hash'),
    reason: text('reason'),
    errorTranche: text('error_tranche', { enum: ERROR_TRANCHES }),
    revocationReason: text('revocation_reason'),
    contentHash: hexBlob('content_hash').notNull(),
    hashPrefix: integer('hash_prefix').notNull(),
    signature: hexBlob('signature').notNull(),
    keySeq: integer('key_seq').notNull(),
    signedAt: text('signed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.receiptSeq, table.version] })],
);

export const receiptCount = sqliteTable(
  'receipt_count',
  {
    operatorSeq: integer('operator_seq').notNull(),
    status: text('status', { enum: RECEIPT_STATUSES }).notNull(),
    revocationStatus: text('revocation_status', { enum: REVOCATION_STATUSES }).notNull(),
    receipts: integer('receipts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.operatorSeq, table.status, table.revocationStatus] })],
);

/** Returns a table of leaves; receipts and revocations have the same columns. */
const leafTable = (name: 'receipt_leaf' | 'revocation_leaf') =>
  sqliteTable(name, {
    leafSeq: integer('leaf_seq').primaryKey(),
    receiptSeq: integer('receipt_seq'),
    version: integer('version'),
    leafHash: rawBlob('leaf_hash').notNull(),
    entry: text('entry'),
  });

export const receiptLeaf = leafTable('receipt_leaf');
export const revocationLeaf = leafTable('revocation_leaf');

/** The receipts that the service issued itself. */
export const serviceReceipt = sqliteTable('service_receipt', {
  receiptSeq: integer('receipt_seq').primaryKey(),
});

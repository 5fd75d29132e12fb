import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import { ESCROW_ENDERS, ESCROW_PURPOSES, ESCROW_STATUSES } from './escrow-enums.ts';

/** Credits that are locked for a task, and how the task ended. Times are milliseconds since 1970. */
export const escrow = sqliteTable('escrow', {
  escrowSeq: integer('escrow_seq').primaryKey(),
  taskId: text('task_id').notNull(),
  purpose: text('purpose', { enum: ESCROW_PURPOSES }).notNull(),
  hirerSeq: integer('hirer_seq').notNull(),
  workerSeq: integer('worker_seq').notNull(),
  amount: integer('amount').notNull(),
  promotional: integer('promotional').notNull(),
  paid: integer('paid').notNull(),
  sandbox: integer('sandbox').notNull(),
  description: text('description'),
  inputDigest: hexBlob('input_digest').notNull(),
  deadline: integer('deadline'),
  createdAt: integer('created_at').notNull(),
  lockTransactionId: idBlob('txn_')('lock_transaction_id').notNull(),
  status: text('status', { enum: ESCROW_STATUSES }).notNull(),
  updatedAt: integer('updated_at').notNull(),
  deliverableDigest: hexBlob('deliverable_digest'),
  evidenceEventHash: hexBlob('evidence_event_hash'),
  acceptBy: integer('accept_by'),
  lastFailureEventHash: hexBlob('last_failure_event_hash'),
  endedBy: text('ended_by', { enum: ESCROW_ENDERS }),
  endTransactionId: idBlob('txn_')('end_transaction_id'),
  receiptSeq: integer('receipt_seq'),
  paidAt: integer('paid_at'),
});

/** Revoked agents whose credits the scheduler returns, unless they have open escrow or withdrawals. */
export const creditReturn = sqliteTable('credit_return', {
  agentSeq: integer('agent_seq').primaryKey(),
});

/** The agents and operators whose HELD escrow the scheduler refunds. */
export const escrowRefund = sqliteTable('escrow_refund', {
  refundSeq: integer('refund_seq').primaryKey(),
  agentSeq: integer('agent_seq'),
  operatorSeq: integer('operator_seq'),
  /** The last agent_seq of the operator that is done. */
  position: integer('position').notNull(),
});

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import {
  ATTESTERS,
  DELIVERIES,
  ESCROW_ENDERS,
  ESCROW_PURPOSES,
  ESCROW_STATUSES,
  ESCROW_STEPS,
} from './escrow-enums.ts';

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
  /** For how long the hires of the hirer had stood still when the present status began. */
  stillMark: integer('still_mark').notNull(),
  /** By how much `deadline` moved until the status was no longer HELD. */
  deadlineMovedMs: integer('deadline_moved_ms').notNull(),
  /** By how much `accept_by` moved until the status was no longer DELIVERED. */
  acceptMovedMs: integer('accept_moved_ms').notNull(),
  /** By how much `dispute_until` moved until the status was no longer DISPUTED. */
  disputeMovedMs: integer('dispute_moved_ms').notNull(),
  /** When the scheduler looks at it again; null for an ended one, and for one that stands still. */
  dueAt: integer('due_at'),
  delivery: text('delivery', { enum: DELIVERIES }).notNull(),
  /**
   * The newest evidence_seq of all agents at the hire: older evidence does not deliver. Null for hires from
   * before this was stored.
   */
  evidenceBefore: integer('evidence_before'),
  attestedBy: text('attested_by', { enum: ATTESTERS }),
  arbiterSeq: integer('arbiter_seq'),
  disputedAt: integer('disputed_at'),
  disputeReason: text('dispute_reason'),
  /** When the dispute ends without a decision. */
  disputeUntil: integer('dispute_until'),
  /** What a decision gave the worker, in credits. */
  workerAmount: integer('worker_amount'),
  resolutionNote: text('resolution_note'),
  /** The transaction that returned the rest, if the worker got a part. */
  returnTransactionId: idBlob('txn_')('return_transaction_id'),
});

/** The signatures by which arbiters consented to decide disputes. */
export const arbiterConsent = sqliteTable('arbiter_consent', {
  escrowSeq: integer('escrow_seq').primaryKey(),
  signature: hexBlob('signature').notNull(),
  /** Milliseconds since 1970. */
  consentedAt: integer('consented_at').notNull(),
});

/** Disputes whose hirer refused the arbiter that the worker had named. */
export const arbiterRefusal = sqliteTable('arbiter_refusal', {
  escrowSeq: integer('escrow_seq').primaryKey(),
});

/** The receipts of the service about credits that returned to a hirer. */
export const returnReceipt = sqliteTable('return_receipt', {
  escrowSeq: integer('escrow_seq').primaryKey(),
  /** Null while it is owed, because the clock was wrong when the credits returned. */
  receiptSeq: integer('receipt_seq'),
});

/** Since when credits that return have a receipt. */
export const returnReceiptStart = sqliteTable('return_receipt_start', {
  one: integer('one').primaryKey(),
  /** The newest movement without one. */
  movementSeq: integer('movement_seq').notNull(),
});

/** Revoked agents whose credits the scheduler returns, unless they have open escrow or withdrawals. */
export const creditReturn = sqliteTable('credit_return', {
  agentSeq: integer('agent_seq').primaryKey(),
});

/** What the scheduler does for all hires of an agent, or of the agents of an operator. */
export const escrowStep = sqliteTable('escrow_step', {
  stepSeq: integer('step_seq').primaryKey(),
  step: text('step', { enum: ESCROW_STEPS }).notNull(),
  agentSeq: integer('agent_seq'),
  operatorSeq: integer('operator_seq'),
  /** When the standstill began; 0 for a step that waits for nothing. */
  began: integer('began').notNull(),
  /** The last agent_seq of the operator that is done. */
  position: integer('position').notNull(),
});

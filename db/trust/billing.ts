import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import {
  CHECKOUT_PURPOSES,
  CHECKOUT_STATUSES,
  PAYMENT_KINDS,
  PAYMENT_ROLES,
  PAYMENT_STATUSES,
  REPORT_KINDS,
  REPORT_MONEY,
  REPORT_STATUSES,
  UNBOOKED_REASONS,
} from './billing-enums.ts';
import { ASSETS } from './ledger-enums.ts';

/** Orders. Times of all tables are milliseconds since 1970. */
export const checkout = sqliteTable('checkout', {
  checkoutSeq: integer('checkout_seq').primaryKey(),
  checkoutId: idBlob('chk_')('checkout_id').notNull(),
  sessionId: text('session_id').notNull(),
  operatorId: text('operator_id').notNull(),
  purpose: text('purpose', { enum: CHECKOUT_PURPOSES }).notNull(),
  usdCents: integer('usd_cents').notNull(),
  customerId: text('customer_id'),
  /** SHA-256 of the claim token; null for an order of a known operator. */
  claimHash: hexBlob('claim_hash'),
  status: text('status', { enum: CHECKOUT_STATUSES }).notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
});

/** The events that had an effect. */
export const processorEvent = sqliteTable('processor_event', {
  eventSeq: integer('event_seq').primaryKey(),
  eventId: text('event_id').notNull(),
  receivedAt: integer('received_at').notNull(),
});

/** The operator of each customer of the processor. */
export const billingCustomer = sqliteTable('billing_customer', {
  customerId: text('customer_id').primaryKey(),
  operatorId: text('operator_id').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const subscription = sqliteTable('subscription', {
  subscriptionId: text('subscription_id').primaryKey(),
  /** null while only its end is known. */
  operatorSeq: integer('operator_seq'),
  endedAt: integer('ended_at'),
  /** When it ends if it is not renewed; null if it goes on. As the event of `changedAt` says. */
  endsAt: integer('ends_at'),
  changedAt: integer('changed_at'),
});

/** Every payment that the ledger booked. */
export const bookedPayment = sqliteTable('booked_payment', {
  paymentSeq: integer('payment_seq').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  purpose: text('purpose', { enum: CHECKOUT_PURPOSES }).notNull(),
  sessionId: text('session_id'),
  invoiceId: text('invoice_id'),
  paymentIntent: text('payment_intent'),
  customerId: text('customer_id'),
  usdCents: integer('usd_cents').notNull(),
  centsPerCredit: integer('cents_per_credit').notNull(),
  /** What it gave: an amount of an asset, and with a subscription promotional credits. */
  asset: text('asset', { enum: ASSETS }).notNull(),
  amount: integer('amount').notNull(),
  promotional: integer('promotional').notNull(),
  transactionId: idBlob('txn_')('transaction_id').notNull(),
  refundedCents: integer('refunded_cents').notNull(),
  createdAt: integer('created_at').notNull(),
});

/** The ledger's transactions of each payment. */
export const paymentMovement = sqliteTable('payment_movement', {
  transactionId: idBlob('txn_')('transaction_id').primaryKey(),
  paymentSeq: integer('payment_seq').notNull(),
  role: text('role', { enum: PAYMENT_ROLES }).notNull(),
  amount: integer('amount').notNull(),
  promotional: integer('promotional').notNull(),
});

/** What the processor refunded of each payment so far. */
export const paymentRefund = sqliteTable('payment_refund', {
  paymentIntent: text('payment_intent').primaryKey(),
  chargeId: text('charge_id').notNull(),
  customerId: text('customer_id'),
  cents: integer('cents').notNull(),
  /** When the event with this sum was made. */
  createdAt: integer('created_at').notNull(),
});

/** What the processor reports about a payment after it was made. */
export const paymentReport = sqliteTable('payment_report', {
  reportId: text('report_id').primaryKey(),
  kind: text('kind', { enum: REPORT_KINDS }).notNull(),
  paymentIntent: text('payment_intent').notNull(),
  chargeId: text('charge_id').notNull(),
  /** In US cents; null for the whole payment. */
  cents: integer('cents'),
  status: text('status', { enum: REPORT_STATUSES }).notNull(),
  statusAt: integer('status_at').notNull(),
  /** Whether the processor took the disputed money. */
  money: text('money', { enum: REPORT_MONEY }).notNull(),
  moneyAt: integer('money_at').notNull(),
  /** Until when credits are held without a decision, or for the debt of a refund; 0 if it holds none. */
  heldUntil: integer('held_until').notNull(),
  /** Whether the payment is not booked yet. */
  waiting: integer('waiting', { mode: 'boolean' }).notNull(),
  receivedAt: integer('received_at').notNull(),
});

/** Payments whose lots are not all as their reports say. */
export const pendingHold = sqliteTable('pending_hold', { paymentSeq: integer('payment_seq').primaryKey() });

/** What was paid and could not be booked. */
export const unbookedPayment = sqliteTable('unbooked_payment', {
  unbookedSeq: integer('unbooked_seq').primaryKey(),
  /** The session or the invoice. */
  sourceId: text('source_id').notNull(),
  isSession: integer('is_session', { mode: 'boolean' }).notNull(),
  reason: text('reason', { enum: UNBOOKED_REASONS }).notNull(),
  eventId: text('event_id').notNull(),
  /** In the smallest unit of the currency. */
  amount: integer('amount'),
  currency: text('currency'),
  purpose: text('purpose'),
  operatorId: text('operator_id'),
  customerId: text('customer_id'),
  subscriptionId: text('subscription_id'),
  invoiceId: text('invoice_id'),
  paymentIntent: text('payment_intent'),
  sandbox: integer('sandbox', { mode: 'boolean' }).notNull(),
  createdAt: integer('created_at').notNull(),
});

/** Operators that a refund suspended. */
export const refundSuspension = sqliteTable('refund_suspension', {
  operatorSeq: integer('operator_seq').primaryKey(),
  createdAt: integer('created_at').notNull(),
});

/** What an operator sees of its payments: see the migration 0056. */
export const paymentEntry = sqliteTable('payment_entry', {
  entrySeq: integer('entry_seq').primaryKey(),
  /** null for the settlement of an agent without a sponsor. */
  operatorSeq: integer('operator_seq'),
  kind: text('kind', { enum: PAYMENT_KINDS }).notNull(),
  status: text('status', { enum: PAYMENT_STATUSES }).notNull(),
  createdAt: integer('created_at').notNull(),
  paymentSeq: integer('payment_seq'),
  settlementSeq: integer('settlement_seq'),
  reportId: text('report_id'),
  transactionId: idBlob('txn_')('transaction_id'),
  /** What the payer got back, in US cents; below zero if it came back. */
  cents: integer('cents'),
  /** All that the payer has back since. */
  centsAfter: integer('cents_after'),
});

/** The pages and the charge of an invoice or a payment intent. */
export const paymentDocument = sqliteTable('payment_document', {
  sourceId: text('source_id').primaryKey(),
  invoiceUrl: text('invoice_url'),
  invoicePdf: text('invoice_pdf'),
  receiptUrl: text('receipt_url'),
  chargeId: text('charge_id'),
  chargedAt: integer('charged_at'),
  /** Whether no booked payment has this id yet. */
  waiting: integer('waiting', { mode: 'boolean' }).notNull(),
  receivedAt: integer('received_at').notNull(),
});

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { SANDBOX_STATUSES } from './sandbox-enums.ts';

export const sandboxSession = sqliteTable('sandbox_session', {
  sessionSeq: integer('session_seq').primaryKey(),
  sessionId: text('session_id').notNull(),
  checkoutId: text('checkout_id').notNull(),
  operatorId: text('operator_id').notNull(),
  purpose: text('purpose').notNull(),
  usdCents: integer('usd_cents').notNull(),
  customerId: text('customer_id').notNull(),
  subscriptionId: text('subscription_id'),
  embedded: integer('embedded', { mode: 'boolean' }).notNull(),
  status: text('status', { enum: SANDBOX_STATUSES }).notNull(),
  canceledAt: integer('canceled_at'),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  changedAt: integer('changed_at').notNull(),
  /** Whether its subscription ends with the month. */
  cancelsAtEnd: integer('cancels_at_end', { mode: 'boolean' }).notNull(),
  cardLast4: text('card_last4').notNull(),
});

export const sandboxPayment = sqliteTable('sandbox_payment', {
  paymentSeq: integer('payment_seq').primaryKey(),
  sessionSeq: integer('session_seq').notNull(),
  paymentIntentId: text('payment_intent_id').notNull(),
  chargeId: text('charge_id').notNull(),
  invoiceId: text('invoice_id'),
  usdCents: integer('usd_cents').notNull(),
  refundedCents: integer('refunded_cents').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const sandboxEvent = sqliteTable('sandbox_event', {
  eventSeq: integer('event_seq').primaryKey({ autoIncrement: true }),
  eventId: text('event_id').notNull(),
  sessionSeq: integer('session_seq').notNull(),
  type: text('type').notNull(),
  body: text('body').notNull(),
  attempts: integer('attempts').notNull(),
  nextAttemptAt: integer('next_attempt_at').notNull(),
  createdAt: integer('created_at').notNull(),
});

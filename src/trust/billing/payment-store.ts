import {
  bookedPayment,
  paymentMovement,
  paymentRefund,
  refundSuspension,
  unbookedPayment,
} from '../../../db/trust/billing.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ bookedPayment, paymentMovement, paymentRefund, refundSuspension, unbookedPayment });

export type PaymentRow = typeof bookedPayment.$inferSelect;
export type RefundRow = typeof paymentRefund.$inferSelect;
export type UnbookedRow = typeof unbookedPayment.$inferSelect;

/** Stores a booked payment. @throws DuplicateRow if its session or its invoice has one */
export const insertPayment = sql.insertRow(bookedPayment, {
  without: ['paymentSeq'],
  fixed: { refundedCents: 0 },
});

/** Returns the number of the newest booked payment; null if there is none. */
export const newestPayment = sql.value(bookedPayment.paymentSeq)`ORDER BY payment_seq DESC LIMIT 1`;

/** Returns the booked payment of a session; null if there is none. */
export const paymentOfSession = sql.row(bookedPayment)`WHERE session_id = ${'sessionId'}`;

/** Returns the booked payment of an invoice; null if there is none. */
export const paymentOfInvoice = sql.row(bookedPayment)`WHERE invoice_id = ${'invoiceId'}`;

/** Returns the booked payment of a payment intent; null if there is none. */
export const paymentOfIntent = sql.row(bookedPayment)`WHERE payment_intent = ${'paymentIntent'}`;

/**
 * Returns of what session and invoice the payments are that have one of three names: a payment that is booked
 * has none of them in common with another. It is one statement, because every payment asks.
 */
export const bookedAs = sql.joined({ sessionId: bookedPayment.sessionId, invoiceId: bookedPayment.invoiceId })
  .rows`FROM booked_payment WHERE session_id = ${'sessionId:bookedPayment.sessionId?'}
    OR invoice_id = ${'invoiceId:bookedPayment.invoiceId?'}
    OR payment_intent = ${'paymentIntent:bookedPayment.paymentIntent?'}`;

/**
 * Returns the invoices of a customer that were booked before their payment intents were known, oldest first.
 */
export const invoicesWithoutIntent = sql.values(sql.text`invoice_id`)`
  FROM booked_payment
  WHERE payment_intent IS NULL AND invoice_id IS NOT NULL
    AND customer_id = ${'customerId:bookedPayment.customerId'} ORDER BY payment_seq`;

/** Stores the payment intent of a payment. */
export const updateIntent = sql.update(bookedPayment, ['paymentIntent'])`WHERE payment_seq = ${'paymentSeq'}`;

/** Stores how much of a payment was refunded. */
export const updateRefunded = sql.update(bookedPayment, ['refundedCents'])`
  WHERE payment_seq = ${'paymentSeq'}`;

/** Returns whether a payment with sandbox money was ever booked. */
export const hasSandboxPayment = sql.exists(bookedPayment, { scans: 'once, at a start with real money' })`
  WHERE asset IN ('sandbox', 'sandbox_cents') LIMIT 1`;

/** Stores which payment a transaction of the ledger belongs to. */
export const insertPaymentMovement = sql.insert(paymentMovement);

/** Returns the promotional credits that refunds took from a payment's pool and did not give back. */
export const takenPromotional = sql.joined({
  promotional: sql.number`coalesce(sum(CASE role WHEN 'refund' THEN promotional WHEN 'reversal' THEN -promotional
    ELSE 0 END), 0)`,
}).row`FROM payment_movement WHERE payment_seq = ${'paymentSeq'}`;

/** Returns the refund of a payment intent; null if nothing was refunded. */
export const refundOf = sql.row(paymentRefund)`WHERE payment_intent = ${'paymentIntent'}`;

/**
 * Stores the refunds of a payment intent so far with their time, unless a larger sum is stored, or the same
 * one with an earlier time.
 */
export const putRefund = sql.insert(paymentRefund, {
  end: `ON CONFLICT (payment_intent) DO UPDATE SET cents = excluded.cents, created_at = excluded.created_at
  WHERE excluded.cents > payment_refund.cents
    OR (excluded.cents = payment_refund.cents AND excluded.created_at < payment_refund.created_at)`,
});

/** Returns whether a customer has a refund whose payment is not known. */
export const hasWaitingRefund = sql.exists(paymentRefund)`
  WHERE customer_id IS NOT NULL AND customer_id = ${'customerId'} AND NOT EXISTS (
    SELECT 1 FROM booked_payment WHERE booked_payment.payment_intent = payment_refund.payment_intent
  ) LIMIT 1`;

/** Stores a payment that could not be booked; for a known payment, the newest reason. */
export const putUnbooked = sql.insert(unbookedPayment, {
  without: ['unbookedSeq'],
  end: 'ON CONFLICT (source_id) DO UPDATE SET reason = excluded.reason',
});

/** Returns the payment of a session or invoice that could not be booked; null if there is none. */
export const unbookedBySource = sql.row(unbookedPayment)`WHERE source_id = ${'sourceId'}`;

/** Returns the payments of an operator or a customer that could not be booked, oldest first. */
export const unbookedOf = sql.rows(unbookedPayment, { scans: 'the few of one operator' })`
  WHERE (operator_id IS NOT NULL AND operator_id = ${'operatorId?'})
    OR (customer_id IS NOT NULL AND customer_id = ${'customerId?'}) ORDER BY unbooked_seq`;

/** Deletes the row of a payment that is booked after all. */
export const deleteUnbooked = sql.run`DELETE FROM unbooked_payment WHERE unbooked_seq = ${'unbookedSeq'}`;

/** Whether a payment that was not booked still needs a refund: it was not refunded in full. */
const IS_OPEN = sql.part`NOT EXISTS (
  SELECT 1 FROM payment_refund
  WHERE payment_refund.payment_intent = unbooked_payment.payment_intent
    AND payment_refund.cents >= unbooked_payment.amount
)`;

/** Returns a page of the payments that were neither booked nor refunded, oldest first. */
export const unbookedAfter = sql.rows(unbookedPayment)`
  WHERE unbooked_seq > ${'after:unbookedSeq'} AND ${IS_OPEN} ORDER BY unbooked_seq LIMIT ${'limit'}`;

/** Returns a page of what was neither booked nor refunded, newest first; of one operator, or of all. */
export const unbookedBefore = sql.rows(unbookedPayment)`
  WHERE created_at >= ${'from:createdAt'}
    AND (created_at, unbooked_seq) < (${'beforeTime:createdAt'}, ${'beforeSeq:unbookedSeq'})
    AND (${'operatorId:text?'} IS NULL OR operator_id = ${'operatorId:text?'})
    AND ${IS_OPEN} ORDER BY created_at DESC, unbooked_seq DESC LIMIT ${'limit'}`;

/** Returns the payment of a payment intent that could not be booked; null if there is none. */
export const unbookedOfIntent = sql.row(unbookedPayment, { scans: 'payments that somebody must look at' })`
  WHERE payment_intent = ${'paymentIntent'} ORDER BY unbooked_seq DESC LIMIT 1`;

/** Returns the number of the newest payment that could not be booked; null if there is none. */
export const newestUnbooked = sql.value(unbookedPayment.unbookedSeq)`ORDER BY unbooked_seq DESC LIMIT 1`;

/** Counts the payments in a range of numbers that were neither booked nor refunded. */
export const countUnbooked = sql.count(unbookedPayment)`
  WHERE unbooked_seq > ${'after:unbookedSeq'} AND unbooked_seq <= ${'through:unbookedSeq'} AND ${IS_OPEN}`;

/** Stores that a refund suspended an operator. */
export const insertSuspension = sql.insert(refundSuspension, { end: 'ON CONFLICT DO NOTHING' });

/** Returns whether a refund suspended an operator, and nobody decided about it since. */
export const isSuspendedByRefund = sql.exists(refundSuspension)`WHERE operator_seq = ${'operatorSeq'}`;

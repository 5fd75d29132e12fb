import {
  bookedPayment,
  paymentDocument,
  paymentEntry,
  unbookedPayment,
} from '../../../../db/trust/billing.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ bookedPayment, operator, paymentDocument, paymentEntry, unbookedPayment });

/** Returns the number of the payment of an intent, an invoice or a charge; null if none is booked. */
export const bookedNumber = sql.value(
  orNull(sql.number`coalesce(
    (SELECT payment_seq FROM booked_payment WHERE payment_intent = ${'intent:text?'}),
    (SELECT payment_seq FROM booked_payment WHERE invoice_id = ${'invoice:text?'}),
    (SELECT payment_seq FROM booked_payment WHERE payment_intent = (SELECT source_id FROM payment_document
      WHERE charge_id IS NOT NULL AND charge_id = ${'charge:text?'})))`),
)``;

/** Returns why a payment was not booked, by its intent or invoice; null for an unknown one. */
export const unbookedReason = sql.value(unbookedPayment.reason, {
  scans: 'payments that somebody must look at',
})`WHERE (payment_intent IS NOT NULL AND payment_intent = ${'intent:text?'})
    OR (invoice_id IS NOT NULL AND invoice_id = ${'invoice:text?'}) LIMIT 1`;

type Kind = 'refund' | 'chargeback';

/** The sum of the refunds or chargebacks of a payment that were booked within a period. */
const sumOf = (kind: Kind) => sql.number`coalesce((SELECT sum(cents) FROM payment_entry e
  WHERE e.payment_seq = booked_payment.payment_seq AND e.kind = ${sql.verbatim(`'${kind}'`)}
    AND e.created_at BETWEEN ${'from:paymentEntry.createdAt'} AND ${'to:paymentEntry.createdAt'}), 0)`;
/** The same without its beginning: what was booked then may have been made before it. */
const sureOf = (kind: Kind) => sql.number`coalesce((SELECT sum(cents) FROM payment_entry e
  WHERE e.payment_seq = booked_payment.payment_seq AND e.kind = ${sql.verbatim(`'${kind}'`)}
    AND e.created_at BETWEEN ${'sureFrom:paymentEntry.createdAt'} AND ${'to:paymentEntry.createdAt'}), 0)`;
/** The same and what was booked soon after its end. */
const laterOf = (kind: Kind) => sql.number`coalesce((SELECT sum(cents) FROM payment_entry e
  WHERE e.payment_seq = booked_payment.payment_seq AND e.kind = ${sql.verbatim(`'${kind}'`)}
    AND e.created_at BETWEEN ${'from:paymentEntry.createdAt'} AND ${'laterTo:paymentEntry.createdAt'}), 0)`;

/** Returns a page of all payments, in their order, with what the payer has back. */
export const comparedPayments = sql.joined({
  paymentSeq: bookedPayment.paymentSeq,
  sessionId: bookedPayment.sessionId,
  invoiceId: bookedPayment.invoiceId,
  paymentIntent: bookedPayment.paymentIntent,
  usdCents: bookedPayment.usdCents,
  createdAt: bookedPayment.createdAt,
  operatorId: operator.operatorId,
  /** By the processor's clock. */
  chargedAt: orNull(paymentDocument.chargedAt),
  refunds: sumOf('refund'),
  refundsSure: sureOf('refund'),
  refundsLater: laterOf('refund'),
  chargebacks: sumOf('chargeback'),
  chargebacksSure: sureOf('chargeback'),
  chargebacksLater: laterOf('chargeback'),
}).rows`FROM booked_payment JOIN operator USING (operator_seq)
  LEFT JOIN payment_document ON payment_document.source_id = booked_payment.payment_intent
  WHERE booked_payment.payment_seq > ${'after:bookedPayment.paymentSeq'}
  ORDER BY booked_payment.payment_seq LIMIT ${'limit'}`;

import { bookedPayment, paymentRefund, paymentReport, pendingHold } from '../../../db/trust/billing.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ bookedPayment, paymentRefund, paymentReport, pendingHold });

export type ReportRow = typeof paymentReport.$inferSelect;

/** Returns a report by its id; null if there is none. */
export const reportById = sql.row(paymentReport)`WHERE report_id = ${'reportId'}`;

/** Returns the payment intent of a charge that a refund or a report names; null for an unknown charge. */
export const intentToldOfCharge = sql.joined(
  { paymentIntent: sql.like(paymentReport.paymentIntent)`intent` },
  { scans: 'all refunds and reports, for an administrator who asks for one charge' },
)
  .row`FROM (SELECT payment_intent AS intent FROM payment_refund WHERE charge_id = ${'chargeId:paymentReport.chargeId'}
    UNION ALL SELECT payment_intent FROM payment_report WHERE charge_id = ${'chargeId:paymentReport.chargeId'}) LIMIT 1`;

const told = sql.part`SELECT 1 FROM payment_refund WHERE payment_intent = ${'paymentIntent:paymentReport.paymentIntent'}
  UNION ALL SELECT 1 FROM payment_report WHERE payment_intent = ${'paymentIntent:paymentReport.paymentIntent'}`;
/** Returns 1 if the processor told of a refund or a report about a payment; null for most payments. */
export const isTold = sql.value(sql.number`1`)`FROM (${told}) LIMIT 1`;

/** Returns the reports about a payment. */
export const reportsOf = sql.rows(
  paymentReport,
)`WHERE payment_intent = ${'paymentIntent'} ORDER BY report_id`;

/** Stores what all events about an id say. */
export const putReport = sql.insert(paymentReport, {
  end: `ON CONFLICT (report_id) DO UPDATE SET charge_id = excluded.charge_id, cents = excluded.cents,
  status = excluded.status, status_at = excluded.status_at, money = excluded.money,
  money_at = excluded.money_at, held_until = excluded.held_until`,
});

/** Counts the reports about payments that are not booked. */
export const countWaiting = sql.count(paymentReport, { scans: 'MOST_WAITING rows of an index' })`
  WHERE waiting = 1`;

/** Counts the disputes and warnings that are not decided, and hold credits of a payment. */
export const countHolding = sql.count(paymentReport)`
  WHERE held_until > 0 AND held_until > ${'now:paymentReport.heldUntil'} AND status = 'open' AND waiting = 0`;

/** Returns whether a report waits for its payment. */
export const hasWaitingReport = sql.exists(paymentReport, { scans: 'an index, up to its first row' })`
  WHERE waiting = 1 LIMIT 1`;

const oldestWaiting = sql.joined({ reportId: paymentReport.reportId }).rows`FROM payment_report
  WHERE waiting = 1 AND received_at < ${'before:paymentReport.receivedAt'} ORDER BY received_at LIMIT ${'limit'}`;
const deleteReport = sql.run`DELETE FROM payment_report WHERE report_id = ${'reportId'}`;

/** Deletes at most `limit` reports of unknown payments that arrived before a time. @returns how many */
export function deleteWaiting(tx: Transaction, before: number, limit: number): Promise<number> {
  return runQuery(tx, (connection) => {
    const old = oldestWaiting.on(connection, { before, limit });
    for (const { reportId } of old) deleteReport.on(connection, reportId);
    return old.length;
  });
}

/** Returns whether a payment of an invoice was booked before its payment intent was known. */
export const hasInvoiceWithoutIntent = sql.exists(bookedPayment)`
  WHERE payment_intent IS NULL AND invoice_id IS NOT NULL LIMIT 1`;

/** Notes that the lots of a payment are not all as its reports say. */
export const putPendingHold = sql.insert(pendingHold, { end: 'ON CONFLICT DO NOTHING' });

/** Notes it of all payments of an operator whose refunds and lost disputes may hold credits. */
export const putPendingHolds = sql.run`INSERT INTO pending_hold (payment_seq)
  SELECT payment_seq FROM booked_payment
  WHERE operator_seq = ${'operatorSeq:bookedPayment.operatorSeq'} AND asset = 'paid' AND refunded_cents > 0
    AND (EXISTS (SELECT 1 FROM payment_report
        WHERE payment_report.payment_intent = booked_payment.payment_intent
          AND held_until > ${'now:paymentReport.heldUntil'})
      OR EXISTS (SELECT 1 FROM payment_refund
        WHERE payment_refund.payment_intent = booked_payment.payment_intent
          AND payment_refund.created_at > ${'refundedAfter:paymentReport.receivedAt'}))
  ON CONFLICT DO NOTHING`;

/** Removes the note. */
export const deletePendingHold = sql.run`DELETE FROM pending_hold WHERE payment_seq = ${'paymentSeq'}`;

/** Returns a payment whose lots are not all as its reports say; null for none. */
export const nextPendingHold = sql.joined({ payment: bookedPayment })
  .row`FROM pending_hold JOIN booked_payment USING (payment_seq) ORDER BY payment_seq LIMIT 1`;

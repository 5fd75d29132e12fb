import { paymentDocument } from '../../../db/trust/billing.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ paymentDocument });

/** Stores what an event says about a source. What an earlier event said stays where this one is silent. */
export const putDocument = sql.insert(paymentDocument, {
  fixed: {
    waiting: sql.part`NOT EXISTS (SELECT 1 FROM booked_payment
      WHERE payment_intent = ${'sourceId'} OR invoice_id = ${'sourceId'})`,
  },
  end: `ON CONFLICT (source_id) DO UPDATE SET
  invoice_url = coalesce(excluded.invoice_url, payment_document.invoice_url),
  invoice_pdf = coalesce(excluded.invoice_pdf, payment_document.invoice_pdf),
  receipt_url = coalesce(excluded.receipt_url, payment_document.receipt_url),
  charge_id = coalesce(excluded.charge_id, payment_document.charge_id),
  charged_at = coalesce(excluded.charged_at, payment_document.charged_at)`,
});

/** Returns the payment intent that a charge paid; null for an unknown charge. */
export const intentOfCharge = sql.value(paymentDocument.sourceId)`
  WHERE charge_id IS NOT NULL AND charge_id = ${'chargeId'}`;

/** Counts the documents of payments that are not booked. */
export const countWaitingDocuments = sql.count(paymentDocument, {
  scans: 'MOST_WAITING rows of an index',
})`WHERE waiting = 1`;

const oldestWaiting = sql.joined({ sourceId: paymentDocument.sourceId }).rows`FROM payment_document
  WHERE waiting = 1 AND received_at < ${'before:paymentDocument.receivedAt'}
  ORDER BY received_at LIMIT ${'limit'}`;
const deleteDocument = sql.run`DELETE FROM payment_document WHERE source_id = ${'sourceId'}`;

/**
 * Deletes at most `limit` documents of unknown payments that arrived before a time, oldest first.
 * @returns how many
 */
export function deleteWaitingDocuments(tx: Transaction, before: number, limit: number): Promise<number> {
  return runQuery(tx, (connection) => {
    const old = oldestWaiting.on(connection, { before, limit });
    for (const { sourceId } of old) deleteDocument.on(connection, sourceId);
    return old.length;
  });
}

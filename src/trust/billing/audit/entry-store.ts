import {
  bookedPayment,
  paymentDocument,
  paymentEntry,
  paymentMovement,
  paymentReport,
} from '../../../../db/trust/billing.ts';
import { numberingCheck, type Text, wrongRows } from '../../../platform/audit/counts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ bookedPayment, paymentDocument, paymentEntry, paymentMovement, paymentReport });

/** Of an entry that is about a payment as a whole, or about a report or a transaction. */
const OF_PAYMENT = sql.part`e.operator_seq = p.operator_seq AND e.settlement_seq IS NULL`;
const OF_RETURN = sql.part`e.report_id IS NULL AND e.transaction_id IS NULL AND e.cents IS NOT NULL`;

/** Entries that say something else than the row that they are about. */
const unfounded = wrongRows(
  'payment_entry',
  'it is not what its payment, report, transaction or settlement says',
  sql.reported()`SELECT e.entry_seq, e.kind, 1 AS expected, NULL AS found
    FROM payment_entry e LEFT JOIN booked_payment p ON p.payment_seq = e.payment_seq
    WHERE NOT coalesce(CASE e.kind
      WHEN 'refund' THEN ${OF_PAYMENT} AND ${OF_RETURN}
        AND e.status = CASE WHEN e.cents > 0 THEN 'made' ELSE 'reversed' END
      WHEN 'chargeback' THEN ${OF_PAYMENT} AND ${OF_RETURN}
        AND e.status = CASE WHEN e.cents > 0 THEN 'made' ELSE 'reversed' END
      WHEN 'debt' THEN ${OF_PAYMENT} AND e.report_id IS NULL AND e.cents IS NULL AND e.status = 'owed'
        AND EXISTS (SELECT 1 FROM payment_movement b WHERE b.transaction_id = e.transaction_id
          AND b.payment_seq = e.payment_seq AND b.role = 'debt')
        AND EXISTS (SELECT 1 FROM movement m WHERE m.transaction_id = e.transaction_id
          AND m.credit_kind = 'issuance' AND m.created_at = e.created_at)
      WHEN 'debt_payment' THEN ${OF_PAYMENT} AND e.report_id IS NULL AND e.cents IS NULL AND e.status = 'paid'
        AND EXISTS (SELECT 1 FROM payment_movement b WHERE b.transaction_id = e.transaction_id
          AND b.payment_seq = e.payment_seq AND b.role = 'cover')
        AND EXISTS (SELECT 1 FROM movement m WHERE m.transaction_id = e.transaction_id
          AND m.credit_kind = 'receivable' AND m.created_at = e.created_at)
      WHEN 'settlement' THEN e.payment_seq IS NULL AND e.report_id IS NULL AND e.transaction_id IS NULL
        AND e.cents IS NULL AND e.status = 'paid' AND EXISTS (SELECT 1 FROM settlement s
          WHERE s.settlement_seq = e.settlement_seq
            AND round(unixepoch(s.created_at, 'subsec') * 1000) = e.created_at
            AND (e.operator_seq IS NULL OR EXISTS (SELECT 1 FROM agent_sponsor a
              WHERE a.agent_seq = s.agent_seq AND a.operator_seq = e.operator_seq)))
      ELSE ${OF_PAYMENT} AND e.transaction_id IS NULL AND e.cents IS NULL AND CASE WHEN e.report_id IS NULL THEN
          e.kind = CASE p.purpose WHEN 'subscription' THEN 'subscription' ELSE 'topup' END
          AND e.created_at = p.created_at AND e.status = CASE WHEN p.refunded_cents = 0 THEN 'paid'
            WHEN p.refunded_cents < p.usd_cents THEN 'partly_refunded' ELSE 'refunded' END
        ELSE e.kind IN ('dispute', 'warning') AND EXISTS (SELECT 1 FROM payment_report r
          WHERE r.report_id = e.report_id AND r.kind = e.kind AND r.status = e.status
            AND r.received_at = e.created_at AND r.payment_intent = p.payment_intent) END
    END, FALSE) LIMIT 100`,
);

/** Rows that no entry is about. */
const missing = (table: string, what: string, rows: Text) =>
  wrongRows(table, what, sql.reported()`${rows} LIMIT 100`);

const withoutEntry = [
  missing(
    'booked_payment',
    'it is not in the list of payments once',
    sql.part`SELECT p.payment_seq, 1 AS expected, (SELECT count(*) FROM payment_entry e
        WHERE e.payment_seq = p.payment_seq AND e.kind IN ('topup', 'subscription')) AS found
      FROM booked_payment p WHERE found <> expected`,
  ),
  missing(
    'payment_movement',
    'it is not in the list of payments',
    sql.part`SELECT transaction_id, 1 AS expected, NULL AS found FROM payment_movement
      WHERE role IN ('debt', 'cover')
        AND transaction_id NOT IN (SELECT transaction_id FROM payment_entry WHERE transaction_id IS NOT NULL)`,
  ),
  missing(
    'payment_report',
    'it is not in the list of payments',
    sql.part`SELECT r.report_id, 1 AS expected, NULL AS found
      FROM payment_report r JOIN booked_payment p USING (payment_intent)
      WHERE r.kind IN ('dispute', 'warning')
        AND r.report_id NOT IN (SELECT report_id FROM payment_entry WHERE report_id IS NOT NULL)`,
  ),
  missing(
    'settlement',
    'it is not in the list of payments once',
    sql.part`SELECT s.settlement_seq, 1 AS expected, count(e.entry_seq) AS found FROM settlement s
      LEFT JOIN payment_entry e ON e.settlement_seq = s.settlement_seq
      GROUP BY s.settlement_seq HAVING found <> expected`,
  ),
];

const otherSums = wrongRows(
  'booked_payment',
  'its refunds and chargebacks are not what was refunded',
  sql.reported()`SELECT p.payment_seq, p.refunded_cents AS expected, (SELECT coalesce(sum(e.cents), 0)
      FROM payment_entry e WHERE e.payment_seq = p.payment_seq) AS found
    FROM booked_payment p WHERE found <> expected LIMIT 100`,
);

const otherReturns = wrongRows(
  'payment_entry',
  'cents_after is not the sum of the refunds and chargebacks up to it',
  sql.reported()`SELECT * FROM (SELECT entry_seq, sum(cents) OVER (PARTITION BY payment_seq ORDER BY entry_seq)
      AS expected, cents_after AS found FROM payment_entry WHERE cents IS NOT NULL)
    WHERE found IS DISTINCT FROM expected LIMIT 100`,
);

/** The checks of the entries of payments, in both directions. */
export const entryChecks = [
  numberingCheck('payment_entry', 'entry_seq', 'entries of payments are missing'),
  unfounded,
  ...withoutEntry,
  otherSums,
  otherReturns,
];

/** Finds up to 100 pages of payments that wait for a payment that is booked, or not for one that is not. */
export const documentChecks = [
  wrongRows(
    'payment_document',
    'waiting is not whether its payment is missing',
    sql.reported()`SELECT source_id, NOT EXISTS (SELECT 1 FROM booked_payment p
        WHERE p.payment_intent = d.source_id OR p.invoice_id = d.source_id) AS expected, waiting AS found
      FROM payment_document d WHERE found <> expected LIMIT 100`,
  ),
];

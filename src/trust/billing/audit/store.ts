import { bookedPayment } from '../../../../db/trust/billing.ts';
import { wrongRows } from '../../../platform/audit/counts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';

const sql = sqlOf({ bookedPayment });

/** The rows that are in memory at once. */
const PAGE = 2048;

const payments = sql.joined({
  paymentSeq: bookedPayment.paymentSeq,
  operatorSeq: bookedPayment.operatorSeq,
  purpose: bookedPayment.purpose,
  sessionId: bookedPayment.sessionId,
  invoiceId: bookedPayment.invoiceId,
  usdCents: bookedPayment.usdCents,
  centsPerCredit: bookedPayment.centsPerCredit,
  asset: bookedPayment.asset,
  amount: bookedPayment.amount,
  promotional: bookedPayment.promotional,
  refundedCents: bookedPayment.refundedCents,
  /** 1 if its operator exists. */
  operators: sql.number`(SELECT count(*) FROM operator
    WHERE operator.operator_seq = booked_payment.operator_seq)`,
  /** The rows of `payment_movement` that book it with its amounts and transaction. */
  bookings: sql.number`(SELECT count(*) FROM payment_movement b
    WHERE b.payment_seq = booked_payment.payment_seq AND b.role = 'payment'
      AND b.transaction_id = booked_payment.transaction_id AND b.amount = booked_payment.amount
      AND b.promotional = booked_payment.promotional)`,
  /** Its refunds, as the processor reported them. */
  knownRefund: sql.number`coalesce((SELECT r.cents FROM payment_refund r
    WHERE r.payment_intent = booked_payment.payment_intent), 0)`,
  /** The amount that the ledger took back or booked as a debt. */
  taken: sql.number`coalesce((SELECT sum(b.amount) FROM payment_movement b
    WHERE b.payment_seq = booked_payment.payment_seq AND b.role IN ('refund', 'debt')), 0)`,
  takenPromotional: sql.number`coalesce((SELECT sum(b.promotional) FROM payment_movement b
    WHERE b.payment_seq = booked_payment.payment_seq AND b.role = 'refund'), 0)`,
}).rows`FROM booked_payment WHERE payment_seq > ${'after:paymentSeq'} ORDER BY payment_seq LIMIT ${'limit'}`;

/** A booked payment with the sums of what belongs to it. */
export type AuditedPayment = Awaited<ReturnType<typeof payments>>[number];

/** Yields pages of all booked payments. */
export async function* paymentPages(snapshot: Snapshot): AsyncGenerator<AuditedPayment[]> {
  for (let after = 0; ; ) {
    const page = await payments(snapshot, { after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.paymentSeq;
  }
}

/** The account that a payment is about. */
const ACCOUNT = "iif(p.purpose = 'stake', 'stake', 'pool')";

/**
 * Returns the rows of a role whose transaction is not in the ledger as it should be.
 * @param indexed a condition of the index of transactions
 * @param from the kind of the account that is debited
 * @param to the kind of the account that is credited
 */
const otherThanLedger = (role: string, indexed: string, from: string, to: string): string => `
  SELECT lower(hex(b.transaction_id)) AS transaction_id, b.amount + b.promotional AS expected,
    coalesce(sum(m.amount), 0) AS found
  FROM payment_movement b JOIN booked_payment p USING (payment_seq)
  LEFT JOIN movement m ON m.transaction_id = b.transaction_id AND ${indexed}
  WHERE b.role = '${role}'
  GROUP BY b.transaction_id
  HAVING coalesce(sum(m.amount) FILTER (WHERE m.asset = p.asset), 0) <> b.amount
    OR coalesce(sum(m.amount) FILTER (WHERE m.asset = 'promotional'), 0) <> b.promotional
    OR coalesce(sum(m.amount), 0) <> b.amount + b.promotional
    OR sum(m.debit_kind <> ${from} OR m.credit_kind <> ${to}
      OR m.debit_owner <> iif(m.debit_kind = 'issuance', 0, p.operator_seq)
      OR m.credit_owner <> iif(m.credit_kind = 'issuance', 0, p.operator_seq)) > 0
    OR sum(m.kind <> '${role === 'payment' ? 'SETTLEMENT' : 'ADJUSTMENT'}') > 0
    OR sum(m.reference IS NOT ${REFERENCES[role] ?? "''"}) > 0
  LIMIT 100`;

/** The references of the movements of a role. A later refund may have another charge. */
const REFERENCES: Readonly<Record<string, string>> = {
  payment: 'coalesce(p.session_id, p.invoice_id)',
  cover: 'coalesce(p.session_id, p.invoice_id)',
  refund: 'm.reference',
  debt: 'm.reference',
};

const WITHOUT_PAYMENT = `
  SELECT b.payment_seq, 1 AS expected, NULL AS found FROM payment_movement b
  WHERE b.payment_seq NOT IN (SELECT payment_seq FROM booked_payment) OR b.role NOT IN ('payment', 'refund', 'debt', 'cover') LIMIT 100`;

/** Movements of the ledger that belong to a payment and that no row names. */
const UNNAMED = `
  SELECT m.movement_seq, m.amount AS expected, NULL AS found
  FROM movement m
  WHERE (m.kind = 'SETTLEMENT' AND m.credit_kind IN ('pool', 'stake') OR m.credit_kind = 'receivable'
      OR m.credit_kind = 'issuance' AND m.debit_kind = 'receivable')
    AND NOT EXISTS (SELECT 1 FROM payment_movement b WHERE b.transaction_id = m.transaction_id)
  LIMIT 100`;

/** Returns up to 100 problems of each sort in the ledger's bookings of payments. */
export async function wrongMovements(snapshot: Snapshot): Promise<Problem[]> {
  const wrong = (what: string, text: string) => wrongRows(snapshot, 'payment_movement', what, text);
  const booked = (role: string, indexed: string, from: string, to: string) =>
    wrong(`the ledger did not book this ${role} like this`, otherThanLedger(role, indexed, from, to));
  return [
    ...(await wrong('it belongs to no payment', WITHOUT_PAYMENT)),
    ...(await booked('payment', "m.kind = 'SETTLEMENT'", "'issuance'", ACCOUNT)),
    ...(await booked('refund', "m.credit_kind = 'issuance'", ACCOUNT, "'issuance'")),
    ...(await booked('debt', "m.credit_kind = 'issuance'", "'receivable'", "'issuance'")),
    ...(await booked('cover', "m.credit_kind = 'receivable'", ACCOUNT, "'receivable'")),
    ...(await wrong('a movement of the ledger belongs to no payment', UNNAMED)),
  ];
}

const UNPAID = `
  SELECT c.checkout_seq, 1 AS expected, NULL AS found
  FROM checkout c LEFT JOIN booked_payment p USING (session_id) LEFT JOIN operator o USING (operator_seq)
  WHERE (c.status <> 'open') <> (p.payment_seq IS NOT NULL)
    OR (p.payment_seq IS NOT NULL AND (p.purpose <> c.purpose OR o.operator_id IS NOT c.operator_id))
  LIMIT 100`;

/** Returns up to 100 orders whose status and payment contradict each other. */
export function wrongCheckouts(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(snapshot, 'checkout', 'its status or its order is not that of its payment', UNPAID);
}

const BOOKED_TOO = `
  SELECT u.unbooked_seq, 0 AS expected, count(*) AS found
  FROM unbooked_payment u JOIN booked_payment p ON p.session_id = u.source_id OR p.invoice_id = u.source_id
  GROUP BY u.unbooked_seq LIMIT 100`;

/** Returns up to 100 payments that are listed as not booked, and were booked. */
export function wrongUnbooked(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(snapshot, 'unbooked_payment', 'it was booked', BOOKED_TOO);
}

/** Only an operator with a subscription that did not end is on plan PRO. */
const OTHER_PLAN = `
  SELECT s.operator_seq, iif(count(*) > count(s.ended_at), 'PRO', 'FREE') AS expected, o.plan AS found
  FROM subscription s JOIN operator o USING (operator_seq)
  GROUP BY s.operator_seq HAVING expected <> found LIMIT 100`;

/** Returns up to 100 operators on another plan than their subscriptions give. */
export function wrongSubscriptions(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(snapshot, 'subscription', 'the operator is on another plan', OTHER_PLAN);
}

const WITHOUT_DEBT = `
  SELECT s.operator_seq, 1 AS expected, NULL AS found
  FROM refund_suspension s LEFT JOIN operator o USING (operator_seq)
  WHERE o.account_status IS NOT 'SUSPENDED'
    OR NOT EXISTS (SELECT 1 FROM ledger_account a WHERE a.kind = 'receivable' AND a.owner_seq = s.operator_seq AND a.balance < 0)
  LIMIT 100`;

/** Returns up to 100 operators with the mark of a suspension for a debt, but without either. */
export function wrongSuspensions(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(
    snapshot,
    'refund_suspension',
    'the operator is not suspended, or owes nothing',
    WITHOUT_DEBT,
  );
}

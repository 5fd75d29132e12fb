import {
  bookedPayment,
  checkout,
  paymentMovement,
  refundSuspension,
  subscription,
  unbookedPayment,
} from '../../../../db/trust/billing.ts';
import { type Text, wrongRows } from '../../../platform/audit/counts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({
  bookedPayment,
  checkout,
  paymentMovement,
  refundSuspension,
  subscription,
  unbookedPayment,
});

/** The rows that are in memory at once. */
const PAGE = 2048;

const REPORTS = sql.part`FROM payment_report r WHERE r.payment_intent = booked_payment.payment_intent`;

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
  /** Its refunds and disputes, as the processor reported them. */
  charged: sql.number`coalesce((SELECT r.cents FROM payment_refund r
    WHERE r.payment_intent = booked_payment.payment_intent), 0)`,
  failed: sql.number`coalesce((SELECT sum(r.cents) ${REPORTS} AND r.kind = 'refund' AND r.status = 'failed'), 0)`,
  made: sql.number`coalesce((SELECT sum(r.cents) ${REPORTS} AND r.kind = 'refund' AND r.status = 'made'), 0)`,
  lost: sql.number`coalesce((SELECT sum(min(booked_payment.usd_cents, coalesce(r.cents, booked_payment.usd_cents)))
    ${REPORTS} AND r.money = 'gone'), 0)`,
  /** The amount that the ledger took back or booked as a debt, and did not give back. */
  taken: sql.number`coalesce((SELECT sum(CASE b.role WHEN 'reversal' THEN -b.amount ELSE b.amount END)
    FROM payment_movement b
    WHERE b.payment_seq = booked_payment.payment_seq AND b.role IN ('refund', 'debt', 'reversal')), 0)`,
  takenPromotional: sql.number`coalesce((SELECT sum(CASE b.role WHEN 'reversal' THEN -b.promotional
      ELSE b.promotional END) FROM payment_movement b
    WHERE b.payment_seq = booked_payment.payment_seq AND b.role IN ('refund', 'reversal')), 0)`,
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

const withoutPayment = wrongRows(
  'payment_movement',
  'it belongs to no payment',
  sql.reported()`SELECT b.payment_seq, 1 AS expected, NULL AS found FROM payment_movement b
    WHERE b.payment_seq NOT IN (SELECT payment_seq FROM booked_payment)
      OR b.role NOT IN ('payment', 'refund', 'debt', 'cover', 'reversal') LIMIT 100`,
);

/** How the ledger books the rows of a role. */
interface Booking {
  role: string;
  /** A condition of the index of transactions. */
  indexed: Text;
  /** The kind of the account that is debited. */
  from: Text;
  /** The kind of the account that is credited. */
  to: Text;
  kind: Text;
  reference: Text;
}

/** The account that a payment is about. */
const ACCOUNT = sql.part`CASE WHEN p.purpose = 'stake' THEN 'stake' ELSE 'pool' END`;
const ISSUANCE = sql.part`'issuance'`;
const RECEIVABLE = sql.part`'receivable'`;
const ADJUSTMENT = sql.part`'ADJUSTMENT'`;
const OF_PAYMENT = sql.part`coalesce(p.session_id, p.invoice_id)`;
/** A later refund may have another charge. */
const ANY_REFERENCE = sql.part`m.reference`;

const BOOKINGS: readonly Booking[] = [
  {
    role: 'payment',
    indexed: sql.part`m.kind = 'SETTLEMENT'`,
    from: ISSUANCE,
    to: ACCOUNT,
    kind: sql.part`'SETTLEMENT'`,
    reference: OF_PAYMENT,
  },
  {
    role: 'refund',
    indexed: sql.part`m.credit_kind = 'issuance'`,
    from: ACCOUNT,
    to: ISSUANCE,
    kind: ADJUSTMENT,
    reference: ANY_REFERENCE,
  },
  {
    role: 'reversal',
    indexed: sql.part`m.debit_kind = 'issuance'`,
    from: ISSUANCE,
    to: ACCOUNT,
    kind: ADJUSTMENT,
    reference: ANY_REFERENCE,
  },
  {
    role: 'debt',
    indexed: sql.part`m.credit_kind = 'issuance'`,
    from: RECEIVABLE,
    to: ISSUANCE,
    kind: ADJUSTMENT,
    reference: ANY_REFERENCE,
  },
  {
    role: 'cover',
    indexed: sql.part`m.credit_kind = 'receivable'`,
    from: ACCOUNT,
    to: RECEIVABLE,
    kind: ADJUSTMENT,
    reference: OF_PAYMENT,
  },
];

/** Rows of a role whose transaction is not in the ledger as it should be. */
const otherThanLedger = ({ role, indexed, from, to, kind, reference }: Booking) =>
  wrongRows(
    'payment_movement',
    `the ledger did not book this ${role} like this`,
    sql.reported()`SELECT b.transaction_id, b.amount + b.promotional AS expected,
        coalesce(sum(m.amount), 0) AS found
      FROM payment_movement b JOIN booked_payment p USING (payment_seq)
      LEFT JOIN movement m ON m.transaction_id = b.transaction_id AND ${indexed}
      WHERE b.role = ${sql.verbatim(`'${role}'`)}
      GROUP BY b.transaction_id
      HAVING coalesce(sum(m.amount) FILTER (WHERE m.asset = p.asset), 0) <> b.amount
        OR coalesce(sum(m.amount) FILTER (WHERE m.asset = 'promotional'), 0) <> b.promotional
        OR coalesce(sum(m.amount), 0) <> b.amount + b.promotional
        OR count(*) FILTER (WHERE m.debit_kind <> ${from} OR m.credit_kind <> ${to}
          OR m.debit_owner <> CASE WHEN m.debit_kind = 'issuance' THEN 0 ELSE p.operator_seq END
          OR m.credit_owner <> CASE WHEN m.credit_kind = 'issuance' THEN 0 ELSE p.operator_seq END) > 0
        OR count(*) FILTER (WHERE m.kind <> ${kind}) > 0
        OR count(*) FILTER (WHERE m.reference IS DISTINCT FROM ${reference}) > 0
      LIMIT 100`,
  );

/** Movements of the ledger that belong to a payment and that no row names. */
const unnamed = wrongRows(
  'payment_movement',
  'a movement of the ledger belongs to no payment',
  sql.reported()`SELECT m.movement_seq, m.amount AS expected, NULL AS found
    FROM movement m
    WHERE (m.kind = 'SETTLEMENT' AND m.credit_kind IN ('pool', 'stake') OR m.credit_kind = 'receivable'
        OR m.credit_kind = 'issuance' AND m.debit_kind = 'receivable')
      AND NOT EXISTS (SELECT 1 FROM payment_movement b WHERE b.transaction_id = m.transaction_id)
    LIMIT 100`,
);

/** The checks of the ledger's bookings of payments. Each finds at most 100. */
export const movementChecks = [withoutPayment, ...BOOKINGS.map(otherThanLedger), unnamed];

/** Reports whose state is none, or that wait for a payment that is booked, or not for one that is not. */
export const reportChecks = [
  wrongRows(
    'payment_report',
    'kind, status or money is none of its values',
    sql.reported()`SELECT report_id, 1 AS expected, NULL AS found FROM payment_report
      WHERE kind NOT IN ('dispute', 'warning', 'refund', 'stablecoin')
        OR status NOT IN ('open', 'lost', 'released', 'made', 'failed')
        OR money NOT IN ('none', 'gone', 'back') LIMIT 100`,
  ),
  wrongRows(
    'payment_report',
    'waiting is not whether its payment is missing',
    sql.reported()`SELECT report_id, p.payment_seq IS NULL AS expected, waiting AS found
      FROM payment_report LEFT JOIN booked_payment p USING (payment_intent)
      WHERE waiting <> (p.payment_seq IS NULL) LIMIT 100`,
  ),
];

/**
 * The times up to which lots of a payment may be held: its own, of its disputes and refunds, for ever. A
 * later refund moves the end of the sum of refunds; what matured with others before keeps the earlier one.
 */
export const otherHolds = wrongRows(
  'credit_lot',
  'it matures neither with its payment nor with a hold of a dispute or a refund',
  sql.reported()`SELECT l.payment_seq, l.kind, l.owner_seq, k.matures_at AS expected, l.matures_at AS found
    FROM credit_lot l JOIN lot_payment k USING (payment_seq) JOIN booked_payment p USING (payment_seq)
    WHERE l.payment_seq > 0 AND l.matures_at <> k.matures_at AND l.matures_at <> 8640000000000000
      AND NOT EXISTS (SELECT 1 FROM payment_report r
        WHERE r.payment_intent = p.payment_intent AND r.held_until = l.matures_at)
      AND NOT EXISTS (SELECT 1 FROM payment_refund r WHERE r.payment_intent = p.payment_intent
        AND (r.created_at + 2592000000 + 3599999) / 3600000 * 3600000 >= l.matures_at
        AND l.matures_at > k.matures_at AND l.matures_at % 3600000 = 0)
    LIMIT 100`,
);

/** Finds up to 100 orders whose status and payment contradict each other. */
export const contradictedCheckouts = wrongRows(
  'checkout',
  'its status or its order is not that of its payment',
  sql.reported()`SELECT c.checkout_seq, 1 AS expected, NULL AS found
    FROM checkout c LEFT JOIN booked_payment p USING (session_id) LEFT JOIN operator o USING (operator_seq)
    WHERE (c.status <> 'open') <> (p.payment_seq IS NOT NULL)
      OR (p.payment_seq IS NOT NULL
        AND (p.purpose <> c.purpose OR o.operator_id IS DISTINCT FROM c.operator_id))
    LIMIT 100`,
);

/** Finds up to 100 payments that are listed as not booked, and were booked. */
export const bookedTooPayments = wrongRows(
  'unbooked_payment',
  'it was booked',
  sql.reported()`SELECT u.unbooked_seq, 0 AS expected, count(*) AS found
    FROM unbooked_payment u JOIN booked_payment p ON p.session_id = u.source_id OR p.invoice_id = u.source_id
    GROUP BY u.unbooked_seq LIMIT 100`,
);

/** Only an operator with a subscription that did not end is on plan PRO. */
const PLAN = sql.part`CASE WHEN count(*) > count(s.ended_at) THEN 'PRO' ELSE 'FREE' END`;

/** Finds up to 100 operators on another plan than their subscriptions give. */
export const otherPlans = wrongRows(
  'subscription',
  'the operator is on another plan',
  sql.reported()`SELECT s.operator_seq, ${PLAN} AS expected, o.plan AS found
    FROM subscription s JOIN operator o USING (operator_seq)
    GROUP BY s.operator_seq HAVING ${PLAN} <> o.plan LIMIT 100`,
);

/** Finds up to 100 operators with the mark of a suspension for a debt, but without either. */
export const suspensionsWithoutDebt = wrongRows(
  'refund_suspension',
  'the operator is not suspended, or owes nothing',
  sql.reported()`SELECT s.operator_seq, 1 AS expected, NULL AS found
    FROM refund_suspension s LEFT JOIN operator o USING (operator_seq)
    WHERE o.account_status IS DISTINCT FROM 'SUSPENDED'
      OR NOT EXISTS (
        SELECT 1 FROM ledger_account a
        WHERE a.kind = 'receivable' AND a.owner_seq = s.operator_seq AND a.balance < 0
      )
    LIMIT 100`,
);

import { agent } from '../../../../db/trust/agents.ts';
import {
  bookedPayment,
  paymentDocument,
  paymentEntry,
  paymentMovement,
  paymentRefund,
  paymentReport,
} from '../../../../db/trust/billing.ts';
import { lotPayment } from '../../../../db/trust/ledger.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { settlement } from '../../../../db/trust/payments.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { PaymentKind, PaymentStatus } from './kinds.ts';

const sql = sqlOf({
  agent,
  bookedPayment,
  lotPayment,
  operator,
  paymentDocument,
  paymentEntry,
  paymentMovement,
  paymentRefund,
  paymentReport,
  settlement,
});

/** Entries with the rows that they are about. */
const entries = sql.joined({
  entry: paymentEntry,
  operatorId: orNull(operator.operatorId),
  payment: orNull(bookedPayment),
  report: orNull(paymentReport),
  /** Whether a decision about a dispute ended a warning before it. */
  isDecided: sql.flag`EXISTS (SELECT 1 FROM payment_report o
    WHERE o.payment_intent = payment_report.payment_intent AND payment_report.kind = 'warning'
      AND o.status = 'released' AND o.status_at >= payment_report.status_at)`,
  /** When the credits of the payment can be withdrawn without a dispute. */
  maturesAt: orNull(lotPayment.maturesAt),
  /** What is owed, or was covered. */
  owed: orNull(paymentMovement.amount),
  settlement: orNull(settlement),
  subjectCommitment: orNull(agent.subjectCommitment),
  /** The pages of the payment and of its invoice. */
  charge: orNull(paymentDocument),
  /** The charge as refunds, disputes and warnings name it, which is the reference of what the ledger took. */
  toldCharge: orNull(sql.text`coalesce(
    (SELECT charge_id FROM payment_refund r WHERE r.payment_intent = booked_payment.payment_intent),
    (SELECT min(charge_id) FROM payment_report t WHERE t.payment_intent = booked_payment.payment_intent))`),
  invoiceUrl: orNull(sql.text`(SELECT invoice_url FROM payment_document i
    WHERE i.source_id = booked_payment.invoice_id)`),
  invoicePdf: orNull(sql.text`(SELECT invoice_pdf FROM payment_document i
    WHERE i.source_id = booked_payment.invoice_id)`),
});
const FROM = sql.part`FROM payment_entry LEFT JOIN operator ON operator.operator_seq = payment_entry.operator_seq
  LEFT JOIN booked_payment ON booked_payment.payment_seq = payment_entry.payment_seq
  LEFT JOIN payment_report ON payment_report.report_id = payment_entry.report_id
  LEFT JOIN lot_payment ON lot_payment.payment_seq = payment_entry.payment_seq
  LEFT JOIN payment_movement ON payment_movement.transaction_id = payment_entry.transaction_id
  LEFT JOIN settlement ON settlement.settlement_seq = payment_entry.settlement_seq
  LEFT JOIN agent ON agent.agent_seq = settlement.agent_seq
  LEFT JOIN payment_document ON payment_document.source_id = booked_payment.payment_intent`;

export type EntryState = Awaited<ReturnType<typeof entriesOfPayment>>[number];

/** Returns all entries of a payment, oldest first. */
export const entriesOfPayment = entries.rows`${FROM}
  WHERE payment_entry.payment_seq = ${'paymentSeq:paymentEntry.paymentSeq'}
  ORDER BY payment_entry.entry_seq LIMIT ${'limit'}`;

/** Returns the number of the newest entry; null if there is none. */
export const newestEntry = sql.value(paymentEntry.entrySeq)`ORDER BY entry_seq DESC LIMIT 1`;

/** Returns the entries after a number, oldest first: those of one transaction. */
export const entriesAfter = entries.rows`${FROM}
  WHERE payment_entry.entry_seq > ${'after:paymentEntry.entrySeq'} ORDER BY payment_entry.entry_seq`;

export interface EntryFilter {
  /** The operator; undefined for all. */
  operatorSeq?: number | undefined;
  /** The kinds with their states. */
  ranges: readonly { kind: PaymentKind; status: PaymentStatus }[];
  /** Milliseconds since 1970, inclusive. */
  from: number;
  /** The page begins after this position, which may be one of no row. */
  before: { createdAt: number; entrySeq: number };
  limit: number;
}

const pages = new Map<string, ReturnType<typeof pageOf>>();

/**
 * Returns the statement of pages. The rows of a filter are one range of an index for each kind and status.
 * SQLite merges the ranges from their ends and reads only what the page needs.
 */
function pageOf(byOperator: boolean, ranges: number) {
  const none = sql.verbatim('');
  const ofOperator = byOperator
    ? sql.part`operator_seq = ${'operatorSeq:paymentEntry.operatorSeq'} AND`
    : none;
  const rangeOf = (number: number) => sql.part`
    SELECT created_at, entry_seq FROM payment_entry WHERE ${ofOperator}
      kind = ${`kind${number}:paymentEntry.kind`} AND status = ${`status${number}:paymentEntry.status`} AND
      created_at >= ${'from:paymentEntry.createdAt'}
      AND (created_at, entry_seq) < (${'beforeTime:paymentEntry.createdAt'}, ${'beforeSeq:paymentEntry.entrySeq'})`;
  const all = Array.from({ length: ranges }, (_, number) => rangeOf(number));
  return entries.rows`${FROM} WHERE payment_entry.entry_seq IN (
      SELECT entry_seq FROM (${sql.join(all, ' UNION ALL ')} ORDER BY 1 DESC, 2 DESC LIMIT ${'limit'})
    ) ORDER BY payment_entry.created_at DESC, payment_entry.entry_seq DESC`;
}

/** Returns a page of entries, newest first. Its position is a key, so that new rows do not shift it. */
export async function selectEntries(
  snapshot: Snapshot,
  { operatorSeq, ranges, from, before, limit }: EntryFilter,
): Promise<EntryState[]> {
  if (ranges.length === 0) return [];
  const key = `${operatorSeq !== undefined} ${ranges.length}`;
  const page = pages.get(key) ?? pageOf(operatorSeq !== undefined, ranges.length);
  pages.set(key, page);
  return page(snapshot, {
    operatorSeq: operatorSeq ?? 0,
    ...Object.fromEntries(ranges.map(({ kind }, number) => [`kind${number}`, kind])),
    ...Object.fromEntries(ranges.map(({ status }, number) => [`status${number}`, status])),
    from,
    beforeTime: before.createdAt,
    beforeSeq: before.entrySeq,
    limit,
  });
}

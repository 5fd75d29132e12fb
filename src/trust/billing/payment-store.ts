import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import {
  bookedPayment,
  paymentMovement,
  paymentRefund,
  refundSuspension,
  unbookedPayment,
} from '../../../db/trust/billing.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** Whether a payment that was not booked still needs a refund: it was not refunded in full. */
const IS_OPEN = sql`NOT EXISTS (
  SELECT 1 FROM ${paymentRefund}
  WHERE ${paymentRefund.paymentIntent} = ${unbookedPayment.paymentIntent} AND ${paymentRefund.cents} >= ${unbookedPayment.amount}
)`;

const query = statements((orm) => ({
  insertPayment: () =>
    orm
      .insert(bookedPayment)
      .values(everyColumn(bookedPayment, ['paymentSeq'], { refundedCents: 0 }))
      .returning()
      .prepare(),
  ofSession: () =>
    orm
      .select()
      .from(bookedPayment)
      .where(eq(bookedPayment.sessionId, bound(bookedPayment.sessionId, 'sessionId')))
      .prepare(),
  ofInvoice: () =>
    orm
      .select()
      .from(bookedPayment)
      .where(eq(bookedPayment.invoiceId, bound(bookedPayment.invoiceId, 'invoiceId')))
      .prepare(),
  ofIntent: () =>
    orm
      .select()
      .from(bookedPayment)
      .where(eq(bookedPayment.paymentIntent, bound(bookedPayment.paymentIntent, 'paymentIntent')))
      .prepare(),
  withoutIntent: () =>
    orm
      .select({ invoiceId: bookedPayment.invoiceId })
      .from(bookedPayment)
      .where(
        and(
          isNull(bookedPayment.paymentIntent),
          isNotNull(bookedPayment.invoiceId),
          eq(bookedPayment.customerId, bound(bookedPayment.customerId, 'customerId')),
        ),
      )
      .orderBy(asc(bookedPayment.paymentSeq))
      .prepare(),
  setIntent: () =>
    orm
      .update(bookedPayment)
      .set({ paymentIntent: sql`${$('paymentIntent')}` })
      .where(eq(bookedPayment.paymentSeq, bound(bookedPayment.paymentSeq, 'paymentSeq')))
      .prepare(),
  setRefunded: () =>
    orm
      .update(bookedPayment)
      .set({ refundedCents: sql`${$('refundedCents')}` })
      .where(eq(bookedPayment.paymentSeq, bound(bookedPayment.paymentSeq, 'paymentSeq')))
      .prepare(),
  anySandbox: () =>
    orm
      .select({ paymentSeq: bookedPayment.paymentSeq })
      .from(bookedPayment)
      .where(sql`${bookedPayment.asset} IN ('sandbox', 'sandbox_cents')`)
      .limit(1)
      .prepare(),
  insertMovement: () => orm.insert(paymentMovement).values(everyColumn(paymentMovement)).prepare(),
  refund: () =>
    orm
      .select()
      .from(paymentRefund)
      .where(eq(paymentRefund.paymentIntent, bound(paymentRefund.paymentIntent, 'paymentIntent')))
      .prepare(),
  putRefund: () =>
    orm
      .insert(paymentRefund)
      .values(everyColumn(paymentRefund))
      .onConflictDoUpdate({
        target: paymentRefund.paymentIntent,
        set: { cents: sql`max(cents, excluded.cents)` },
      })
      .returning()
      .prepare(),
  waitingRefund: () =>
    orm
      .select({ paymentIntent: paymentRefund.paymentIntent })
      .from(paymentRefund)
      .where(
        and(
          isNotNull(paymentRefund.customerId),
          eq(paymentRefund.customerId, bound(paymentRefund.customerId, 'customerId')),
          sql`NOT EXISTS (SELECT 1 FROM ${bookedPayment} WHERE ${bookedPayment.paymentIntent} = ${paymentRefund.paymentIntent})`,
        ),
      )
      .limit(1)
      .prepare(),
  putUnbooked: () =>
    orm
      .insert(unbookedPayment)
      .values(everyColumn(unbookedPayment, ['unbookedSeq']))
      .onConflictDoUpdate({
        target: unbookedPayment.sourceId,
        set: { reason: sql`excluded.reason` },
      })
      .prepare(),
  unbooked: () =>
    orm
      .select()
      .from(unbookedPayment)
      .where(eq(unbookedPayment.sourceId, bound(unbookedPayment.sourceId, 'sourceId')))
      .prepare(),
  unbookedOf: () =>
    orm
      .select()
      .from(unbookedPayment)
      .where(
        sql`(${unbookedPayment.operatorId} IS NOT NULL AND ${unbookedPayment.operatorId} = ${bound(unbookedPayment.operatorId, 'operatorId')})
          OR (${unbookedPayment.customerId} IS NOT NULL AND ${unbookedPayment.customerId} = ${bound(unbookedPayment.customerId, 'customerId')})`,
      )
      .orderBy(asc(unbookedPayment.unbookedSeq))
      .prepare(),
  deleteUnbooked: () =>
    orm
      .delete(unbookedPayment)
      .where(eq(unbookedPayment.unbookedSeq, bound(unbookedPayment.unbookedSeq, 'unbookedSeq')))
      .prepare(),
  unbookedPage: () =>
    orm
      .select()
      .from(unbookedPayment)
      .where(and(gt(unbookedPayment.unbookedSeq, bound(unbookedPayment.unbookedSeq, 'after')), IS_OPEN))
      .orderBy(asc(unbookedPayment.unbookedSeq))
      .limit($('limit'))
      .prepare(),
  countUnbooked: () =>
    orm.select({ rows: sql<number>`count(*)` }).from(unbookedPayment).where(IS_OPEN).prepare(),
  suspend: () =>
    orm.insert(refundSuspension).values(everyColumn(refundSuspension)).onConflictDoNothing().prepare(),
  suspension: () =>
    orm
      .select({ operatorSeq: refundSuspension.operatorSeq })
      .from(refundSuspension)
      .where(eq(refundSuspension.operatorSeq, bound(refundSuspension.operatorSeq, 'operatorSeq')))
      .prepare(),
}));

export type PaymentRow = typeof bookedPayment.$inferSelect;
export type UnbookedRow = typeof unbookedPayment.$inferSelect;
export type RefundRow = typeof paymentRefund.$inferSelect;

/** Stores a booked payment. @throws DuplicateRow if its session or its invoice has one */
export function insertPayment(
  tx: Transaction,
  row: Omit<PaymentRow, 'paymentSeq' | 'refundedCents'>,
): Promise<PaymentRow> {
  return query(tx, (sql) => sql.insertPayment.get(row));
}

/** Returns the booked payment of a session; null if there is none. */
export function paymentOfSession(snapshot: Snapshot, sessionId: string): Promise<PaymentRow | null> {
  return query(snapshot, (sql) => sql.ofSession.get({ sessionId }) ?? null);
}

/** Returns the booked payment of an invoice; null if there is none. */
export function paymentOfInvoice(snapshot: Snapshot, invoiceId: string): Promise<PaymentRow | null> {
  return query(snapshot, (sql) => sql.ofInvoice.get({ invoiceId }) ?? null);
}

/** Returns the booked payment of a payment intent; null if there is none. */
export function paymentOfIntent(snapshot: Snapshot, paymentIntent: string): Promise<PaymentRow | null> {
  return query(snapshot, (sql) => sql.ofIntent.get({ paymentIntent }) ?? null);
}

/**
 * Returns the invoices of a customer that were booked before their payment intents were known, oldest first.
 */
export function invoicesWithoutIntent(snapshot: Snapshot, customerId: string): Promise<string[]> {
  return query(snapshot, (sql) =>
    sql.withoutIntent.all({ customerId }).flatMap(({ invoiceId }) => invoiceId ?? []),
  );
}

/** Stores the payment intent of a payment. */
export function updateIntent(tx: Transaction, paymentSeq: number, paymentIntent: string): Promise<void> {
  return query(tx, (sql) => void sql.setIntent.run({ paymentSeq, paymentIntent }));
}

/** Stores how much of a payment was refunded. */
export function updateRefunded(tx: Transaction, paymentSeq: number, refundedCents: number): Promise<void> {
  return query(tx, (sql) => void sql.setRefunded.run({ paymentSeq, refundedCents }));
}

/** Returns whether a payment with sandbox money was ever booked. */
export function hasSandboxPayment(snapshot: Snapshot): Promise<boolean> {
  return query(snapshot, (sql) => sql.anySandbox.get() !== undefined);
}

/** Stores which payment a transaction of the ledger belongs to. */
export function insertPaymentMovement(
  tx: Transaction,
  row: typeof paymentMovement.$inferSelect,
): Promise<void> {
  return query(tx, (sql) => void sql.insertMovement.run(row));
}

/** Returns the refund of a payment intent; null if nothing was refunded. */
export function refundOf(snapshot: Snapshot, paymentIntent: string): Promise<RefundRow | null> {
  return query(snapshot, (sql) => sql.refund.get({ paymentIntent }) ?? null);
}

/** Stores the refunds of a payment intent so far, unless a larger sum is stored. @returns the stored row */
export function putRefund(tx: Transaction, row: RefundRow): Promise<RefundRow> {
  return query(tx, (sql) => sql.putRefund.get(row));
}

/** Returns whether a customer has a refund whose payment is not known. */
export function hasWaitingRefund(snapshot: Snapshot, customerId: string): Promise<boolean> {
  return query(snapshot, (sql) => sql.waitingRefund.get({ customerId }) !== undefined);
}

/** Stores a payment that could not be booked; for a known payment, the newest reason. */
export function putUnbooked(tx: Transaction, row: Omit<UnbookedRow, 'unbookedSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.putUnbooked.run(row));
}

/** Returns the payment of a session or invoice that could not be booked; null if there is none. */
export function unbookedBySource(snapshot: Snapshot, sourceId: string): Promise<UnbookedRow | null> {
  return query(snapshot, (sql) => sql.unbooked.get({ sourceId }) ?? null);
}

/** Returns the payments of an operator or a customer that could not be booked, oldest first. */
export function unbookedOf(
  snapshot: Snapshot,
  by: { operatorId: string | null; customerId: string | null },
): Promise<UnbookedRow[]> {
  return query(snapshot, (sql) => sql.unbookedOf.all(by));
}

/** Deletes the row of a payment that is booked after all. */
export function deleteUnbooked(tx: Transaction, unbookedSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.deleteUnbooked.run({ unbookedSeq }));
}

/** Returns a page of the payments that were neither booked nor refunded, oldest first. */
export function unbookedAfter(snapshot: Snapshot, after: number, limit: number): Promise<UnbookedRow[]> {
  return query(snapshot, (sql) => sql.unbookedPage.all({ after, limit }));
}

/** Counts the payments that were neither booked nor refunded. */
export function countUnbooked(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.countUnbooked.get()?.rows ?? 0);
}

/** Stores that a refund suspended an operator. */
export function insertSuspension(tx: Transaction, operatorSeq: number, createdAt: number): Promise<void> {
  return query(tx, (sql) => void sql.suspend.run({ operatorSeq, createdAt }));
}

/** Returns whether a refund suspended an operator, and nobody decided about it since. */
export function isSuspendedByRefund(snapshot: Snapshot, operatorSeq: number): Promise<boolean> {
  return query(snapshot, (sql) => sql.suspension.get({ operatorSeq }) !== undefined);
}

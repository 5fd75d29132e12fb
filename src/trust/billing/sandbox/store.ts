import { and, asc, count, eq, inArray, lt, lte, min, sql } from 'drizzle-orm';
import { sandboxEvent, sandboxPayment, sandboxSession } from '../../../../db/trust/sandbox.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import {
  runQuery,
  type Snapshot,
  statements,
  type Transaction,
} from '../../../platform/store/transaction.ts';

export type SessionRow = typeof sandboxSession.$inferSelect;
export type PaymentRow = typeof sandboxPayment.$inferSelect;
export type EventRow = typeof sandboxEvent.$inferSelect;

const $ = sql.placeholder;

const query = statements((orm) => ({
  sessionById: () =>
    orm
      .select()
      .from(sandboxSession)
      .where(eq(sandboxSession.sessionId, bound(sandboxSession.sessionId, 'sessionId')))
      .prepare(),
  sessionByCheckout: () =>
    orm
      .select()
      .from(sandboxSession)
      .where(eq(sandboxSession.checkoutId, bound(sandboxSession.checkoutId, 'checkoutId')))
      .prepare(),
  countSessions: () => orm.select({ sessions: count() }).from(sandboxSession).prepare(),
  insertSession: () =>
    orm
      .insert(sandboxSession)
      .values(everyColumn(sandboxSession, ['sessionSeq', 'canceledAt'], { status: 'open' }))
      .returning()
      .prepare(),
  changeSession: () =>
    orm
      .update(sandboxSession)
      .set({
        status: sql`+${sql.param($('status'), sandboxSession.status)}`,
        canceledAt: sql`+${$('canceledAt')}`,
        changedAt: sql`+${$('changedAt')}`,
      })
      .where(eq(sandboxSession.sessionSeq, bound(sandboxSession.sessionSeq, 'sessionSeq')))
      .prepare(),
  paymentsOf: () =>
    orm
      .select()
      .from(sandboxPayment)
      .where(eq(sandboxPayment.sessionSeq, bound(sandboxPayment.sessionSeq, 'sessionSeq')))
      .orderBy(asc(sandboxPayment.paymentSeq))
      .prepare(),
  paymentOfInvoice: () =>
    orm
      .select({ paymentIntentId: sandboxPayment.paymentIntentId })
      .from(sandboxPayment)
      .where(eq(sandboxPayment.invoiceId, bound(sandboxPayment.invoiceId, 'invoiceId')))
      .prepare(),
  insertPayment: () =>
    orm
      .insert(sandboxPayment)
      .values(everyColumn(sandboxPayment, ['paymentSeq']))
      .prepare(),
  refundPayment: () =>
    orm
      .update(sandboxPayment)
      .set({ refundedCents: sql`+${$('refundedCents')}` })
      .where(eq(sandboxPayment.paymentSeq, bound(sandboxPayment.paymentSeq, 'paymentSeq')))
      .prepare(),
  countEvents: () =>
    orm
      .select({ events: count() })
      .from(sandboxEvent)
      .where(eq(sandboxEvent.sessionSeq, bound(sandboxEvent.sessionSeq, 'sessionSeq')))
      .prepare(),
  countAllEvents: () => orm.select({ events: count() }).from(sandboxEvent).prepare(),
  insertEvent: () =>
    orm
      .insert(sandboxEvent)
      .values(everyColumn(sandboxEvent, ['eventSeq'], { attempts: 0 }))
      .prepare(),
  deleteEvent: () =>
    orm
      .delete(sandboxEvent)
      .where(eq(sandboxEvent.eventSeq, bound(sandboxEvent.eventSeq, 'eventSeq')))
      .prepare(),
  postponeEvent: () =>
    orm
      .update(sandboxEvent)
      .set({ attempts: sql`${sandboxEvent.attempts} + 1`, nextAttemptAt: sql`+${$('nextAttemptAt')}` })
      .where(eq(sandboxEvent.eventSeq, bound(sandboxEvent.eventSeq, 'eventSeq')))
      .prepare(),
}));

/** Returns a session; null for an unknown one. */
export function sessionById(snapshot: Snapshot, sessionId: string): Promise<SessionRow | null> {
  return query(snapshot, (sql) => sql.sessionById.get({ sessionId }) ?? null);
}

/** Returns the session of a checkout; null if it has none. */
export function sessionByCheckout(snapshot: Snapshot, checkoutId: string): Promise<SessionRow | null> {
  return query(snapshot, (sql) => sql.sessionByCheckout.get({ checkoutId }) ?? null);
}

/** Returns the number of sessions. */
export function countSessions(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.countSessions.get()?.sessions ?? 0);
}

/**
 * Deletes the session that is not open and has no event to send whose last change is the oldest.
 * @returns whether there was one
 */
export function deleteOldestEnded(tx: Transaction): Promise<boolean> {
  return runQuery(tx, ({ orm }) => {
    const oldest = orm
      .select({ sessionSeq: sandboxSession.sessionSeq })
      .from(sandboxSession)
      .where(
        sql`${sandboxSession.status} <> 'open'
          AND NOT EXISTS (SELECT 1 FROM ${sandboxEvent} WHERE ${sandboxEvent.sessionSeq} = ${sandboxSession.sessionSeq})`,
      )
      .orderBy(asc(sandboxSession.changedAt))
      .limit(1)
      .get();
    if (oldest === undefined) return false;
    orm.delete(sandboxSession).where(eq(sandboxSession.sessionSeq, oldest.sessionSeq)).run();
    return true;
  });
}

/** Inserts an open session. @returns its row */
export function insertSession(
  tx: Transaction,
  row: Omit<SessionRow, 'sessionSeq' | 'status' | 'canceledAt'>,
): Promise<SessionRow> {
  return query(tx, (sql) => {
    const inserted = sql.insertSession.get(row);
    if (inserted === undefined) throw new Error('a session was inserted, but SQLite returned no row');
    return inserted;
  });
}

/** Sets the state of a session. */
export function changeSession(
  tx: Transaction,
  { sessionSeq, status, canceledAt, changedAt }: SessionRow,
): Promise<void> {
  return query(tx, (sql) => void sql.changeSession.run({ sessionSeq, status, canceledAt, changedAt }));
}

/** Returns the payments of a session, oldest first. */
export function paymentsOf(snapshot: Snapshot, sessionSeq: number): Promise<PaymentRow[]> {
  return query(snapshot, (sql) => sql.paymentsOf.all({ sessionSeq }));
}

/** Returns the payment intent that paid an invoice; null for an unknown invoice. */
export function paymentIntentOf(snapshot: Snapshot, invoiceId: string): Promise<string | null> {
  return query(snapshot, (sql) => sql.paymentOfInvoice.get({ invoiceId })?.paymentIntentId ?? null);
}

/** Stores a payment of a session. */
export function insertPayment(tx: Transaction, row: Omit<PaymentRow, 'paymentSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insertPayment.run(row));
}

/** Sets the sum of the refunds of a payment. */
export function setRefunded(tx: Transaction, paymentSeq: number, refundedCents: number): Promise<void> {
  return query(tx, (sql) => void sql.refundPayment.run({ paymentSeq, refundedCents }));
}

/** Returns the number of events of a session that the service has not acknowledged. */
export function countEvents(snapshot: Snapshot, sessionSeq: number): Promise<number> {
  return query(snapshot, (sql) => sql.countEvents.get({ sessionSeq })?.events ?? 0);
}

/** Returns the number of events that the service has not acknowledged. */
export function countAllEvents(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.countAllEvents.get()?.events ?? 0);
}

/** Stores an event that is to be sent. */
export function insertEvent(tx: Transaction, row: Omit<EventRow, 'eventSeq' | 'attempts'>): Promise<void> {
  return query(tx, (sql) => void sql.insertEvent.run(row));
}

/** Deletes an event that the service acknowledged, or that is given up. */
export function deleteEvent(tx: Transaction, eventSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.deleteEvent.run({ eventSeq }));
}

/** Counts a failed attempt to send an event. @param nextAttemptAt milliseconds since 1970 */
export function postponeEvent(tx: Transaction, eventSeq: number, nextAttemptAt: number): Promise<void> {
  return query(tx, (sql) => void sql.postponeEvent.run({ eventSeq, nextAttemptAt }));
}

/**
 * Returns the oldest event of each session, if it is due, oldest first. Later events of a session wait for
 * the earlier ones.
 * @param now milliseconds since 1970
 */
export function dueEvents(snapshot: Snapshot, now: number, limit: number): Promise<EventRow[]> {
  return runQuery(snapshot, ({ orm }) => {
    const heads = orm
      .select({ eventSeq: min(sandboxEvent.eventSeq) })
      .from(sandboxEvent)
      .groupBy(sandboxEvent.sessionSeq);
    return orm
      .select()
      .from(sandboxEvent)
      .where(and(inArray(sandboxEvent.eventSeq, heads), lte(sandboxEvent.nextAttemptAt, now)))
      .orderBy(asc(sandboxEvent.eventSeq))
      .limit(limit)
      .all();
  });
}

/**
 * Deletes sessions with their payments and events: unpaid ones that expired before `expiredBefore`, and those
 * that did not change since `changedBefore`. Both times are milliseconds since 1970.
 * @returns the number of deleted sessions
 */
export function deleteSessions(
  tx: Transaction,
  { expiredBefore, changedBefore }: { expiredBefore: number; changedBefore: number },
  limit: number,
): Promise<number> {
  return runQuery(tx, ({ orm }) => {
    const unpaid = sql`${sandboxSession.status} <> 'paid' AND ${lt(sandboxSession.expiresAt, expiredBefore)}`;
    const old = orm
      .select({ sessionSeq: sandboxSession.sessionSeq })
      .from(sandboxSession)
      .where(sql`(${unpaid}) OR ${lt(sandboxSession.changedAt, changedBefore)}`)
      .orderBy(asc(sandboxSession.sessionSeq))
      .limit(limit)
      .all()
      .map(({ sessionSeq }) => sessionSeq);
    if (old.length > 0) orm.delete(sandboxSession).where(inArray(sandboxSession.sessionSeq, old)).run();
    return old.length;
  });
}

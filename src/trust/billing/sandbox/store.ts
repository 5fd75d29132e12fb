import { sandboxEvent, sandboxPayment, sandboxSession } from '../../../../db/trust/sandbox.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../../platform/store/transaction.ts';

export type SessionRow = typeof sandboxSession.$inferSelect;
export type PaymentRow = typeof sandboxPayment.$inferSelect;
export type EventRow = typeof sandboxEvent.$inferSelect;

const sql = sqlOf({ sandboxSession, sandboxPayment, sandboxEvent });

/** Returns a session; null for an unknown one. */
export const sessionById = sql.row(sandboxSession)`WHERE session_id = ${'sessionId'}`;

/** Returns the session of a checkout; null if it has none. */
export const sessionByCheckout = sql.row(sandboxSession)`WHERE checkout_id = ${'checkoutId'}`;

/** Returns the session of a subscription; null if it has none. */
export const sessionOfSubscription = sql.row(sandboxSession, { scans: 'MAX_SESSIONS rows' })`
  WHERE subscription_id = ${'subscriptionId'}`;

/** Returns the number of sessions. */
export const countSessions = sql.count(sandboxSession, { scans: 'MAX_SESSIONS rows' })``;

const oldestEnded = sql.value(sandboxSession.sessionSeq, {
  scans: 'MAX_SESSIONS rows, up to the first match',
})`
  WHERE status <> 'open' AND NOT EXISTS (
    SELECT 1 FROM sandbox_event WHERE sandbox_event.session_seq = sandbox_session.session_seq
  ) ORDER BY changed_at LIMIT 1`;
const deleteSession = sql.run`DELETE FROM sandbox_session WHERE session_seq = ${'sessionSeq'}`;

/**
 * Deletes the session that is not open and has no event to send whose last change is the oldest.
 * @returns whether there was one
 */
export function deleteOldestEnded(tx: Transaction): Promise<boolean> {
  return runQuery(tx, (connection) => {
    const oldest = oldestEnded.on(connection);
    return oldest !== null && deleteSession.on(connection, oldest) > 0;
  });
}

/** Inserts an open session. @returns its row */
export const insertSession = sql.insertRow(sandboxSession, {
  without: ['sessionSeq', 'canceledAt'],
  fixed: { status: 'open', cancelsAtEnd: false, cardLast4: '4242' },
});

/** Sets the state of a session. */
export const changeSession = sql.update(sandboxSession, ['status', 'canceledAt', 'changedAt'])`
  WHERE session_seq = ${'sessionSeq'}`;

/** Sets whether a subscription ends with its month, and the card that pays it. */
export const changeSubscription = sql.update(sandboxSession, ['cancelsAtEnd', 'cardLast4', 'changedAt'])`
  WHERE session_seq = ${'sessionSeq'}`;

/** Returns the newest 20 subscriptions of a customer. */
export const subscriptionsOf = sql.rows(sandboxSession, { scans: 'MAX_SESSIONS rows' })`
  WHERE customer_id = ${'customerId'} AND subscription_id IS NOT NULL AND status = 'paid'
  ORDER BY session_seq DESC LIMIT 20`;

/** Returns whether a customer has a session. */
export const hasCustomer = sql.exists(sandboxSession, { scans: 'MAX_SESSIONS rows' })`
  WHERE customer_id = ${'customerId'}`;

/** Returns the payments of a session, oldest first. */
export const paymentsOf = sql.rows(sandboxPayment)`
  WHERE session_seq = ${'sessionSeq'} ORDER BY payment_seq`;

/** Returns the payment intent that paid an invoice; null for an unknown invoice. */
export const paymentIntentOf = sql.value(sandboxPayment.paymentIntentId)`WHERE invoice_id = ${'invoiceId'}`;

/** Returns the invoice that a payment intent paid; null for none. */
export const invoiceOf = sql.value(sandboxPayment.invoiceId)`
  WHERE payment_intent_id = ${'paymentIntentId'}`;

/** Stores a payment of a session. */
export const insertPayment = sql.insert(sandboxPayment, { without: ['paymentSeq'] });

/** Sets the sum of the refunds of a payment. */
export const setRefunded = sql.update(sandboxPayment, ['refundedCents'])`
  WHERE payment_seq = ${'paymentSeq'}`;

/** Returns the number of events of a session that the service has not acknowledged. */
export const countEvents = sql.count(sandboxEvent)`WHERE session_seq = ${'sessionSeq'}`;

/** Returns the number of events that the service has not acknowledged. */
export const countAllEvents = sql.count(sandboxEvent, { scans: 'MAX_WAITING rows a session' })``;

/** Stores an event that is to be sent. */
export const insertEvent = sql.insert(sandboxEvent, { without: ['eventSeq'], fixed: { attempts: 0 } });

/** Deletes an event that the service acknowledged, or that is given up. */
export const deleteEvent = sql.run`DELETE FROM sandbox_event WHERE event_seq = ${'eventSeq'}`;

/** Counts a failed attempt to send an event. Its `nextAttemptAt` is milliseconds since 1970. */
export const postponeEvent = sql.run`
  UPDATE sandbox_event SET attempts = attempts + 1, next_attempt_at = ${'nextAttemptAt'}
  WHERE event_seq = ${'eventSeq'}`;

/**
 * Returns the oldest event of each session, if it is due, oldest first. Later events of a session wait for
 * the earlier ones. `now` is milliseconds since 1970.
 */
export const dueEvents = sql.rows(sandboxEvent, { scans: 'MAX_WAITING rows a session' })`
  WHERE event_seq IN (SELECT min(event_seq) FROM sandbox_event GROUP BY session_seq)
    AND next_attempt_at <= ${'now:nextAttemptAt'} ORDER BY event_seq LIMIT ${'limit'}`;

const endedSessions = sql.values(sandboxSession.sessionSeq, { scans: 'MAX_SESSIONS rows' })`
  WHERE (status <> 'paid' AND expires_at < ${'expiredBefore:expiresAt'})
    OR changed_at < ${'changedBefore:changedAt'} ORDER BY session_seq LIMIT ${'limit'}`;

/**
 * Deletes sessions with their payments and events: unpaid ones that expired before `expiredBefore`, and those
 * that did not change since `changedBefore`. Both times are milliseconds since 1970.
 * @returns the number of deleted sessions
 */
export function deleteSessions(
  tx: Transaction,
  times: { expiredBefore: number; changedBefore: number },
  limit: number,
): Promise<number> {
  return runQuery(tx, (connection) => {
    const ended = endedSessions.on(connection, { ...times, limit });
    for (const sessionSeq of ended) deleteSession.on(connection, sessionSeq);
    return ended.length;
  });
}

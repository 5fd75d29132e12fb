import {
  billingCustomer,
  bookedPayment,
  checkout,
  processorEvent,
  subscription,
} from '../../../db/trust/billing.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ bookedPayment, checkout, billingCustomer, processorEvent, subscription });

export type CheckoutRow = typeof checkout.$inferSelect;

/** Stores an open order. @throws DuplicateRow if its session has one */
export const insertCheckout = sql.insert(checkout, { without: ['checkoutSeq'], fixed: { status: 'open' } });

/** Returns the order of a session; null if there is none. */
export const checkoutOfSession = sql.row(checkout)`WHERE session_id = ${'sessionId'}`;

const byId = sql.row(checkout)`WHERE checkout_id = ${'checkoutId'}`;

/** Returns an order by its id, `chk_` and 32 hexadecimal digits; null for an id of any other form. */
export async function checkoutById(snapshot: Snapshot, checkoutId: string): Promise<CheckoutRow | null> {
  return /^chk_[0-9a-f]{32}$/.test(checkoutId) ? byId(snapshot, checkoutId) : null;
}

/** Returns the first order for a customer of the processor; null if there is none. */
export const checkoutOfCustomer = sql.row(checkout)`
  WHERE customer_id IS NOT NULL AND customer_id = ${'customerId'} ORDER BY checkout_seq LIMIT 1`;

/** Sets the status of an order; a trigger lets it only move forward. */
export const updateCheckout = sql.update(checkout, ['status'])`WHERE checkout_seq = ${'checkoutSeq'}`;

/** Sets when an open order ends. */
export const updateCheckoutEnd = sql.update(checkout, ['expiresAt'])`WHERE checkout_seq = ${'checkoutSeq'}`;

/** Counts the open orders of strangers. */
export const countOpenCheckouts = sql.count(checkout, { scans: 'MAX_OPEN_CHECKOUTS rows of an index' })`
  WHERE status = 'open' AND claim_hash IS NOT NULL`;

const ended = sql.joined({
  checkoutSeq: checkout.checkoutSeq,
  operatorId: checkout.operatorId,
  claimHash: checkout.claimHash,
}).rows`FROM checkout WHERE status = 'open' AND expires_at < ${'before:expiresAt'} LIMIT ${'limit'}`;
const endedOfStranger = sql.joined({ checkoutSeq: checkout.checkoutSeq, operatorId: checkout.operatorId })
  .row`FROM checkout
  WHERE status = 'open' AND claim_hash IS NOT NULL AND expires_at < ${'before:expiresAt'}
  ORDER BY expires_at LIMIT 1`;
const deleteCheckout = sql.run`DELETE FROM checkout WHERE checkout_seq = ${'checkoutSeq'}`;
const deleteCustomers = sql.run`
  DELETE FROM billing_customer WHERE operator_id = ${'operatorId:billingCustomer.operatorId'}`;

/**
 * Deletes at most `limit` orders that ended before a time and were not paid, and the customers of operators
 * that were never created.
 * @returns how many orders it deleted
 */
export function deleteOpenCheckouts(tx: Transaction, before: number, limit: number): Promise<number> {
  return runQuery(tx, (connection) => {
    const rows = ended.on(connection, { before, limit });
    for (const { checkoutSeq, operatorId, claimHash } of rows) {
      deleteCheckout.on(connection, checkoutSeq);
      if (claimHash !== null) deleteCustomers.on(connection, operatorId);
    }
    return rows.length;
  });
}

/** Returns whether an unpaid order of a stranger ended before a time. */
export async function hasEndedOfStranger(snapshot: Snapshot, before: number): Promise<boolean> {
  return (await endedOfStranger(snapshot, before)) !== null;
}

/**
 * Deletes the unpaid order of a stranger that ended first, if it ended before a time.
 * @returns whether there was one
 */
export function deleteEndedOfStranger(tx: Transaction, before: number): Promise<boolean> {
  return runQuery(tx, (connection) => {
    const row = endedOfStranger.on(connection, before);
    if (row === null) return false;
    deleteCheckout.on(connection, row.checkoutSeq);
    deleteCustomers.on(connection, row.operatorId);
    return true;
  });
}

/** Stores that an event had its effect. @throws DuplicateRow for a known one */
export const insertEvent = sql.insert(processorEvent, { without: ['eventSeq'] });

/** Returns whether an event had its effect. */
export const hasEvent = sql.exists(processorEvent)`WHERE event_id = ${'eventId'}`;

const oldestEvents = sql.joined({ eventSeq: processorEvent.eventSeq, receivedAt: processorEvent.receivedAt })
  .rows`FROM processor_event ORDER BY event_seq LIMIT ${'limit'}`;
const deleteEvent = sql.run`DELETE FROM processor_event WHERE event_seq = ${'eventSeq'}`;

/** Deletes at most `limit` of the oldest events that arrived before a time. @returns how many it deleted */
export function deleteOldEvents(tx: Transaction, before: number, limit: number): Promise<number> {
  return runQuery(tx, (connection) => {
    const old = oldestEvents.on(connection, limit).filter(({ receivedAt }) => receivedAt < before);
    for (const { eventSeq } of old) deleteEvent.on(connection, eventSeq);
    return old.length;
  });
}

/** Binds a customer of the processor to an operator, which may not exist yet. Does nothing if it is bound. */
export const insertCustomer = sql.insert(billingCustomer, { end: 'ON CONFLICT DO NOTHING' });

/** Returns the id of the operator to which a customer is bound; null for none. */
export const operatorOfCustomer = sql.value(billingCustomer.operatorId)`WHERE customer_id = ${'customerId'}`;

/** Returns the newest customer of an operator; null for none. */
export const customerOfOperator = sql.value(billingCustomer.customerId, {
  scans: 'the few customers of an operator',
})`
  WHERE operator_id = ${'operatorId'} ORDER BY created_at DESC, customer_id LIMIT 1`;

/** Returns the customer that paid the newest month of an operator's subscription; null for none. */
export const customerOfSubscription = sql.value(bookedPayment.customerId)`
  WHERE operator_seq = ${'operatorSeq'} AND purpose = 'subscription' AND customer_id IS NOT NULL
  ORDER BY payment_seq DESC LIMIT 1`;

/** Returns a subscription; null for an unknown one. */
export const subscriptionById = sql.row(subscription)`WHERE subscription_id = ${'subscriptionId'}`;

/** Stores the operator of a subscription, unless it has one. */
export const putSubscription = sql.insert(subscription, {
  fixed: { endedAt: null, endsAt: null, changedAt: null },
  end: `ON CONFLICT (subscription_id)
  DO UPDATE SET operator_seq = coalesce(subscription.operator_seq, excluded.operator_seq)`,
});

/** Stores that a subscription ended, unless it did before. @returns its row */
export const endSubscription = sql.insertRow(subscription, {
  fixed: { operatorSeq: null, endsAt: null, changedAt: null },
  end: `ON CONFLICT (subscription_id)
  DO UPDATE SET ended_at = coalesce(subscription.ended_at, excluded.ended_at)`,
});

/** Stores when a subscription ends, unless a newer event said something else. */
export const scheduleEnd = sql.insert(subscription, {
  fixed: { operatorSeq: null, endedAt: null },
  end: `ON CONFLICT (subscription_id) DO UPDATE SET ends_at = excluded.ends_at, changed_at = excluded.changed_at
  WHERE subscription.changed_at IS NULL OR subscription.changed_at <= excluded.changed_at`,
});

/** Returns when the last subscription of an operator that did not end does; null if one goes on. */
export const lastEnd = sql.value(
  orNull(sql.number`CASE WHEN count(*) = count(ends_at) THEN max(ends_at) END`),
)`FROM subscription
  WHERE operator_seq IS NOT NULL AND operator_seq = ${'operatorSeq:subscription.operatorSeq'} AND ended_at IS NULL`;

/** Returns the subscriptions of an operator that did not end. */
export const liveSubscriptions = sql.values(subscription.subscriptionId)`
  WHERE operator_seq IS NOT NULL AND operator_seq = ${'operatorSeq'} AND ended_at IS NULL`;

/** Returns whether an operator has a subscription that did not end. */
export const hasLiveSubscription = sql.exists(subscription)`
  WHERE operator_seq IS NOT NULL AND operator_seq = ${'operatorSeq'} AND ended_at IS NULL LIMIT 1`;

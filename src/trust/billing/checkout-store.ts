import { and, asc, count, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { billingCustomer, checkout, processorEvent, subscription } from '../../../db/trust/billing.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  insertCheckout: () =>
    orm
      .insert(checkout)
      .values(everyColumn(checkout, ['checkoutSeq'], { status: 'open' }))
      .prepare(),
  bySession: () =>
    orm
      .select()
      .from(checkout)
      .where(eq(checkout.sessionId, bound(checkout.sessionId, 'sessionId')))
      .prepare(),
  byId: () =>
    orm
      .select()
      .from(checkout)
      .where(eq(checkout.checkoutId, bound(checkout.checkoutId, 'checkoutId')))
      .prepare(),
  byCustomer: () =>
    orm
      .select()
      .from(checkout)
      .where(
        and(
          isNotNull(checkout.customerId),
          eq(checkout.customerId, bound(checkout.customerId, 'customerId')),
        ),
      )
      .orderBy(asc(checkout.checkoutSeq))
      .limit(1)
      .prepare(),
  setStatus: () =>
    orm
      .update(checkout)
      .set({ status: sql`${$('status')}` })
      .where(eq(checkout.checkoutSeq, bound(checkout.checkoutSeq, 'checkoutSeq')))
      .prepare(),
  setEnd: () =>
    orm
      .update(checkout)
      .set({ expiresAt: sql`${$('expiresAt')}` })
      .where(eq(checkout.checkoutSeq, bound(checkout.checkoutSeq, 'checkoutSeq')))
      .prepare(),
  countOpen: () =>
    orm
      .select({ open: count() })
      .from(checkout)
      .where(sql`${checkout.status} = 'open' AND ${checkout.claimHash} IS NOT NULL`)
      .prepare(),
  ended: () =>
    orm
      .select({
        checkoutSeq: checkout.checkoutSeq,
        operatorId: checkout.operatorId,
        claimHash: checkout.claimHash,
      })
      .from(checkout)
      .where(sql`${checkout.status} = 'open' AND ${checkout.expiresAt} < ${$('before')}`)
      .limit($('rows'))
      .prepare(),
  endedOfStranger: () =>
    orm
      .select({ checkoutSeq: checkout.checkoutSeq, operatorId: checkout.operatorId })
      .from(checkout)
      .where(
        sql`${checkout.status} = 'open' AND ${checkout.claimHash} IS NOT NULL AND ${checkout.expiresAt} < ${$('before')}`,
      )
      .orderBy(asc(checkout.expiresAt))
      .limit(1)
      .prepare(),
  deleteCheckout: () =>
    orm
      .delete(checkout)
      .where(eq(checkout.checkoutSeq, bound(checkout.checkoutSeq, 'checkoutSeq')))
      .prepare(),
  deleteCustomers: () =>
    orm
      .delete(billingCustomer)
      .where(eq(billingCustomer.operatorId, bound(billingCustomer.operatorId, 'operatorId')))
      .prepare(),
  insertEvent: () =>
    orm
      .insert(processorEvent)
      .values(everyColumn(processorEvent, ['eventSeq']))
      .prepare(),
  event: () =>
    orm
      .select({ eventSeq: processorEvent.eventSeq })
      .from(processorEvent)
      .where(eq(processorEvent.eventId, bound(processorEvent.eventId, 'eventId')))
      .prepare(),
  oldEvents: () =>
    orm
      .select({ eventSeq: processorEvent.eventSeq, receivedAt: processorEvent.receivedAt })
      .from(processorEvent)
      .orderBy(asc(processorEvent.eventSeq))
      .limit($('rows'))
      .prepare(),
  deleteEvent: () =>
    orm
      .delete(processorEvent)
      .where(eq(processorEvent.eventSeq, bound(processorEvent.eventSeq, 'eventSeq')))
      .prepare(),
  insertCustomer: () =>
    orm.insert(billingCustomer).values(everyColumn(billingCustomer)).onConflictDoNothing().prepare(),
  customer: () =>
    orm
      .select({ operatorId: billingCustomer.operatorId })
      .from(billingCustomer)
      .where(eq(billingCustomer.customerId, bound(billingCustomer.customerId, 'customerId')))
      .prepare(),
  customerOf: () =>
    orm
      .select({ customerId: billingCustomer.customerId })
      .from(billingCustomer)
      .where(eq(billingCustomer.operatorId, bound(billingCustomer.operatorId, 'operatorId')))
      .orderBy(desc(billingCustomer.createdAt), asc(billingCustomer.customerId))
      .limit(1)
      .prepare(),
  subscription: () =>
    orm
      .select()
      .from(subscription)
      .where(eq(subscription.subscriptionId, bound(subscription.subscriptionId, 'subscriptionId')))
      .prepare(),
  subscribe: () =>
    orm
      .insert(subscription)
      .values(everyColumn(subscription, [], { endedAt: null }))
      .onConflictDoUpdate({
        target: subscription.subscriptionId,
        set: { operatorSeq: sql`coalesce(operator_seq, excluded.operator_seq)` },
      })
      .prepare(),
  endSubscription: () =>
    orm
      .insert(subscription)
      .values(everyColumn(subscription, [], { operatorSeq: null }))
      .onConflictDoUpdate({
        target: subscription.subscriptionId,
        set: { endedAt: sql`coalesce(ended_at, excluded.ended_at)` },
      })
      .returning()
      .prepare(),
  liveSubscription: () =>
    orm
      .select({ subscriptionId: subscription.subscriptionId })
      .from(subscription)
      .where(
        and(
          isNotNull(subscription.operatorSeq),
          eq(subscription.operatorSeq, bound(subscription.operatorSeq, 'operatorSeq')),
          sql`${subscription.endedAt} IS NULL`,
        ),
      )
      .limit(1)
      .prepare(),
}));

export type CheckoutRow = typeof checkout.$inferSelect;

/** Stores an open order. @throws DuplicateRow if its session has one */
export function insertCheckout(
  tx: Transaction,
  row: Omit<CheckoutRow, 'checkoutSeq' | 'status'>,
): Promise<void> {
  return query(tx, (sql) => void sql.insertCheckout.run(row));
}

/** Returns the order of a session; null if there is none. */
export function checkoutOfSession(snapshot: Snapshot, sessionId: string): Promise<CheckoutRow | null> {
  return query(snapshot, (sql) => sql.bySession.get({ sessionId }) ?? null);
}

/** Returns an order by its id, `chk_` and 32 hexadecimal digits; null for an id of any other form. */
export async function checkoutById(snapshot: Snapshot, checkoutId: string): Promise<CheckoutRow | null> {
  if (!/^chk_[0-9a-f]{32}$/.test(checkoutId)) return null;
  return query(snapshot, (sql) => sql.byId.get({ checkoutId }) ?? null);
}

/** Returns the first order for a customer of the processor; null if there is none. */
export function checkoutOfCustomer(snapshot: Snapshot, customerId: string): Promise<CheckoutRow | null> {
  return query(snapshot, (sql) => sql.byCustomer.get({ customerId }) ?? null);
}

/** Sets the status of an order; a trigger lets it only move forward. */
export function updateCheckout(
  tx: Transaction,
  checkoutSeq: number,
  status: CheckoutRow['status'],
): Promise<void> {
  return query(tx, (sql) => void sql.setStatus.run({ checkoutSeq, status }));
}

/** Sets when an open order ends. */
export function updateCheckoutEnd(tx: Transaction, checkoutSeq: number, expiresAt: number): Promise<void> {
  return query(tx, (sql) => void sql.setEnd.run({ checkoutSeq, expiresAt }));
}

/** Counts the open orders of strangers. */
export function countOpenCheckouts(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.countOpen.get()?.open ?? 0);
}

/**
 * Deletes at most `rows` orders that ended before a time and were not paid, and the customers of operators
 * that were never created.
 * @returns how many orders it deleted
 */
export function deleteOpenCheckouts(tx: Transaction, before: number, rows: number): Promise<number> {
  return query(tx, (sql) => {
    const ended = sql.ended.all({ before, rows });
    for (const { checkoutSeq, operatorId, claimHash } of ended) {
      sql.deleteCheckout.run({ checkoutSeq });
      if (claimHash !== null) sql.deleteCustomers.run({ operatorId });
    }
    return ended.length;
  });
}

/** Returns whether an unpaid order of a stranger ended before a time. */
export function hasEndedOfStranger(snapshot: Snapshot, before: number): Promise<boolean> {
  return query(snapshot, (sql) => sql.endedOfStranger.get({ before }) !== undefined);
}

/**
 * Deletes the unpaid order of a stranger that ended first, if it ended before a time.
 * @returns whether there was one
 */
export function deleteEndedOfStranger(tx: Transaction, before: number): Promise<boolean> {
  return query(tx, (sql) => {
    const ended = sql.endedOfStranger.get({ before });
    if (ended === undefined) return false;
    sql.deleteCheckout.run({ checkoutSeq: ended.checkoutSeq });
    sql.deleteCustomers.run({ operatorId: ended.operatorId });
    return true;
  });
}

/** Stores that an event had its effect. @throws DuplicateRow for a known one */
export function insertEvent(tx: Transaction, eventId: string, receivedAt: number): Promise<void> {
  return query(tx, (sql) => void sql.insertEvent.run({ eventId, receivedAt }));
}

/** Returns whether an event had its effect. */
export function hasEvent(snapshot: Snapshot, eventId: string): Promise<boolean> {
  return query(snapshot, (sql) => sql.event.get({ eventId }) !== undefined);
}

/** Deletes at most `rows` of the oldest events that arrived before a time. @returns how many it deleted */
export function deleteOldEvents(tx: Transaction, before: number, rows: number): Promise<number> {
  return query(tx, (sql) => {
    const old = sql.oldEvents.all({ rows }).filter(({ receivedAt }) => receivedAt < before);
    for (const { eventSeq } of old) sql.deleteEvent.run({ eventSeq });
    return old.length;
  });
}

/** Binds a customer of the processor to an operator, which may not exist yet. Does nothing if it is bound. */
export function insertCustomer(tx: Transaction, row: typeof billingCustomer.$inferSelect): Promise<void> {
  return query(tx, (sql) => void sql.insertCustomer.run(row));
}

/** Returns the id of the operator to which a customer is bound; null for none. */
export function operatorOfCustomer(snapshot: Snapshot, customerId: string): Promise<string | null> {
  return query(snapshot, (sql) => sql.customer.get({ customerId })?.operatorId ?? null);
}

/** Returns the newest customer of an operator; null for none. */
export function customerOfOperator(snapshot: Snapshot, operatorId: string): Promise<string | null> {
  return query(snapshot, (sql) => sql.customerOf.get({ operatorId })?.customerId ?? null);
}

export type SubscriptionRow = typeof subscription.$inferSelect;

/** Returns a subscription; null for an unknown one. */
export function subscriptionById(
  snapshot: Snapshot,
  subscriptionId: string,
): Promise<SubscriptionRow | null> {
  return query(snapshot, (sql) => sql.subscription.get({ subscriptionId }) ?? null);
}

/** Stores the operator of a subscription, unless it has one. */
export function putSubscription(tx: Transaction, subscriptionId: string, operatorSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.subscribe.run({ subscriptionId, operatorSeq }));
}

/** Stores that a subscription ended, unless it did before. @returns its row */
export function endSubscription(
  tx: Transaction,
  subscriptionId: string,
  endedAt: number,
): Promise<SubscriptionRow> {
  return query(tx, (sql) => sql.endSubscription.get({ subscriptionId, endedAt }));
}

/** Returns whether an operator has a subscription that did not end. */
export function hasLiveSubscription(snapshot: Snapshot, operatorSeq: number): Promise<boolean> {
  return query(snapshot, (sql) => sql.liveSubscription.get({ operatorSeq }) !== undefined);
}

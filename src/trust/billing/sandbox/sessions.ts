import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { dollars } from '../dollars.ts';
import { billingErrors } from '../errors.ts';
import type { CheckoutOrder } from '../processor/processor.ts';
import {
  chargeRefunded,
  customerCreated,
  eventBody,
  invoicePaid,
  paymentFailed,
  type SandboxEvent,
  sessionCompleted,
  subscriptionDeleted,
} from './events.ts';
import { wake } from './outbox.ts';
import {
  changeSession,
  countEvents,
  countSessions,
  deleteOldestEnded,
  insertEvent,
  insertPayment,
  insertSession,
  type PaymentRow,
  paymentsOf,
  type SessionRow,
  sessionByCheckout,
  sessionById,
  setRefunded,
} from './store.ts';

/** The parts of the service that the sandbox uses. */
export interface SandboxParts {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/**
 * Most sessions that are stored. Everybody can make one; unpaid ones are deleted soon after they expire, and a new one replaces the oldest
 * one that ended.
 */
export const MAX_SESSIONS = 10_000;
/** Most payments of a subscription. */
export const MAX_PAYMENTS = 24;
/** Most events of a session that wait to be sent. */
const MAX_WAITING = 20;
/** The time in which a session can be paid: an hour, as the service has it at Stripe. */
const OPEN_MS = 60 * 60 * 1000;

/** A session with its payments, oldest first. */
export interface SandboxSession {
  session: SessionRow;
  payments: readonly PaymentRow[];
}

/** Makes the session of an order, or returns the one that it has. @throws ApiError processor_unavailable if too many are stored */
export async function openSession(
  { store, clock, ids }: SandboxParts,
  order: CheckoutOrder,
): Promise<SessionRow> {
  const { checkoutId, operatorId, purpose, usdCents, ui } = order;
  // The id is the right to use the page of the session, so it is a secret.
  const sessionId = ids.newSecret('cs_sandbox_');
  const customerId = ids.newText('cus_sandbox_', 24);
  const subscriptionId = ids.newText('sub_sandbox_', 24);
  const eventId = ids.newText('evt_sandbox_', 24);
  return store.writeAsService(async (tx) => {
    const known = await sessionByCheckout(tx, checkoutId);
    if (known !== null) return known;
    if ((await countSessions(tx)) >= MAX_SESSIONS && !(await deleteOldestEnded(tx))) {
      throw billingErrors.processor_unavailable({
        message: `${MAX_SESSIONS} checkout sessions of the sandbox are open, which is its limit. Unpaid ones are deleted two hours after they are made.`,
        headers: { 'retry-after': '3600' },
      });
    }
    const now = clock.now();
    const session = await insertSession(tx, {
      sessionId,
      checkoutId,
      operatorId,
      purpose,
      usdCents,
      customerId: order.customerId ?? customerId,
      subscriptionId: purpose === 'subscription' ? subscriptionId : null,
      embedded: ui === 'embedded',
      createdAt: now,
      expiresAt: now + OPEN_MS,
      changedAt: now,
    });
    if (order.customerId === null)
      await emitIn(tx, store, session, [[eventId, customerCreated(session)]], now);
    return session;
  });
}

/** Returns a session; null for an unknown one. */
export function readSession(
  { store }: Pick<SandboxParts, 'store'>,
  sessionId: string,
): Promise<SandboxSession | null> {
  return store.read(async (snapshot) => {
    const session = await sessionById(snapshot, sessionId);
    return session === null ? null : { session, payments: await paymentsOf(snapshot, session.sessionSeq) };
  });
}

/** Pays an open session. */
export function pay(parts: SandboxParts, sessionId: string): Promise<void> {
  const ids = paymentIds(parts.ids);
  return change(parts, sessionId, async (tx, { session }, now) => {
    requireOpen(session, now);
    const payment = await payIn(tx, session, ids, now);
    const paid: SessionRow = { ...session, status: 'paid', changedAt: now };
    await changeSession(tx, paid);
    const completed = sessionCompleted(paid, payment);
    return session.subscriptionId === null ? [completed] : [completed, invoicePaid(paid, payment, true)];
  });
}

/** Ends an open session without a payment: the session completes unpaid, and then the payment fails, as with a delayed payment method. */
export function fail(parts: SandboxParts, sessionId: string): Promise<void> {
  return change(parts, sessionId, async (tx, { session }, now) => {
    requireOpen(session, now);
    const failed: SessionRow = { ...session, status: 'failed', changedAt: now };
    await changeSession(tx, failed);
    return [sessionCompleted(failed, null), paymentFailed(failed)];
  });
}

/** Pays the next month of a subscription. */
export function renew(parts: SandboxParts, sessionId: string): Promise<void> {
  const ids = paymentIds(parts.ids);
  return change(parts, sessionId, async (tx, { session, payments }, now) => {
    requireActive(session);
    if (payments.length >= MAX_PAYMENTS) {
      throw commonErrors.invalid_state({
        message: `The sandbox renews a subscription up to ${MAX_PAYMENTS - 1} times. Start a new one.`,
      });
    }
    const payment = await payIn(tx, session, ids, now);
    await changeSession(tx, { ...session, changedAt: now });
    return [invoicePaid(session, payment, false)];
  });
}

/** Refunds a part of a payment. @param chargeId of the payment @param usdCents null for all that is left */
export function refund(
  parts: SandboxParts,
  sessionId: string,
  chargeId: string,
  usdCents: number | null,
): Promise<void> {
  return change(parts, sessionId, async (tx, { session, payments }, now) => {
    const payment = payments.find((one) => one.chargeId === chargeId);
    if (payment === undefined) throw commonErrors.not_found();
    const left = payment.usdCents - payment.refundedCents;
    const amount = usdCents ?? left;
    if (amount < 1 || amount > left) {
      throw commonErrors.invalid_state({
        message: `Of this payment, ${dollars(left)} are not refunded yet. Refund at least $0.01 and at most that.`,
      });
    }
    const refundedCents = payment.refundedCents + amount;
    await setRefunded(tx, payment.paymentSeq, refundedCents);
    await changeSession(tx, { ...session, changedAt: now });
    return [chargeRefunded(session, { ...payment, refundedCents })];
  });
}

/** Cancels a subscription. */
export function cancel(parts: SandboxParts, sessionId: string): Promise<void> {
  return change(parts, sessionId, async (tx, { session }, now) => {
    requireActive(session);
    await changeSession(tx, { ...session, canceledAt: now, changedAt: now });
    return [subscriptionDeleted(session, now)];
  });
}

/**
 * Changes a session and stores the events of the change, in one transaction.
 * @param act changes the rows and returns the events, in their order
 * @throws ApiError not_found, invalid_state
 */
async function change(
  { store, clock, ids }: SandboxParts,
  sessionId: string,
  act: (tx: Transaction, known: SandboxSession, now: number) => Promise<SandboxEvent[]>,
): Promise<void> {
  const eventIds = [ids.newText('evt_sandbox_', 24), ids.newText('evt_sandbox_', 24)];
  await store.writeAsService(async (tx) => {
    const session = await sessionById(tx, sessionId);
    if (session === null) throw commonErrors.not_found();
    const { sessionSeq } = session;
    if ((await countEvents(tx, sessionSeq)) >= MAX_WAITING) {
      throw commonErrors.invalid_state({
        message: `${MAX_WAITING} events of this session wait to be sent. Try again when the service has taken them.`,
      });
    }
    const now = clock.now();
    const events = await act(tx, { session, payments: await paymentsOf(tx, sessionSeq) }, now);
    await emitIn(
      tx,
      store,
      session,
      events.map((event, index) => [eventIds[index] ?? '', event] as const),
      now,
    );
  });
}

async function emitIn(
  tx: Transaction,
  store: Store,
  { sessionSeq }: SessionRow,
  events: readonly (readonly [eventId: string, event: SandboxEvent])[],
  now: number,
): Promise<void> {
  for (const [eventId, event] of events) {
    await insertEvent(tx, {
      eventId,
      sessionSeq,
      type: event.type,
      body: eventBody(eventId, event, now),
      nextAttemptAt: now,
      createdAt: now,
    });
  }
  tx.afterCommit(() => wake(store));
}

type PaymentIds = Pick<PaymentRow, 'paymentIntentId' | 'chargeId'> & { invoiceId: string };

function paymentIds(ids: Ids): PaymentIds {
  return {
    paymentIntentId: ids.newText('pi_sandbox_', 24),
    chargeId: ids.newText('ch_sandbox_', 24),
    invoiceId: ids.newText('in_sandbox_', 24),
  };
}

async function payIn(
  tx: Transaction,
  { sessionSeq, subscriptionId, usdCents }: SessionRow,
  { invoiceId, ...ids }: PaymentIds,
  now: number,
): Promise<PaymentRow> {
  const row = {
    ...ids,
    sessionSeq,
    invoiceId: subscriptionId === null ? null : invoiceId,
    usdCents,
    refundedCents: 0,
    createdAt: now,
  };
  await insertPayment(tx, row);
  return { ...row, paymentSeq: 0 };
}

function requireOpen({ status, expiresAt }: SessionRow, now: number): void {
  if (status === 'open' && now < expiresAt) return;
  const state = status === 'open' ? 'has expired' : `is ${status} already`;
  throw commonErrors.invalid_state({ message: `This checkout ${state}. Start a new one.` });
}

function requireActive({ status, subscriptionId, canceledAt }: SessionRow): void {
  if (subscriptionId !== null && status === 'paid' && canceledAt === null) return;
  throw commonErrors.invalid_state({ message: 'This checkout has no active subscription.' });
}

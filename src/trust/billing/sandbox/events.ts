import { METADATA } from '../processor/processor.ts';
import type { PaymentRow, SessionRow } from './store.ts';

/** The version of the API whose objects the sandbox imitates. */
const API_VERSION = '2026-10-28.endive';

/** An event before it has an id: its type, and the object as it is after the event. */
export interface SandboxEvent {
  type: string;
  object: Readonly<Record<string, unknown>>;
}

/**
 * Returns the body of an event (API reference of Stripe, "The Event object").
 * @param now milliseconds since 1970
 */
export function eventBody(eventId: string, { type, object }: SandboxEvent, now: number): string {
  return JSON.stringify({
    id: eventId,
    object: 'event',
    api_version: API_VERSION,
    created: seconds(now),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  });
}

/** Returns the metadata that the service gave to the session of an order. */
function metadataOf({ operatorId, checkoutId, purpose }: SessionRow): Record<string, string> {
  return { [METADATA.operator]: operatorId, [METADATA.checkout]: checkoutId, [METADATA.purpose]: purpose };
}

/** Returns the event of the customer that a session made. */
export function customerCreated(session: SessionRow): SandboxEvent {
  return {
    type: 'customer.created',
    object: {
      id: session.customerId,
      object: 'customer',
      created: seconds(session.createdAt),
      email: null,
      livemode: false,
      metadata: metadataOf(session),
    },
  };
}

/** Returns the event of a completed session. @param payment null if the payment failed after the session */
export function sessionCompleted(session: SessionRow, payment: PaymentRow | null): SandboxEvent {
  return { type: 'checkout.session.completed', object: sessionObject(session, payment) };
}

/** Returns the event of a payment that failed after its session was completed. */
export function paymentFailed(session: SessionRow): SandboxEvent {
  return { type: 'checkout.session.async_payment_failed', object: sessionObject(session, null) };
}

function sessionObject(session: SessionRow, payment: PaymentRow | null): SandboxEvent['object'] {
  const { subscriptionId } = session;
  return {
    id: session.sessionId,
    object: 'checkout.session',
    amount_subtotal: session.usdCents,
    amount_total: session.usdCents,
    client_reference_id: session.operatorId,
    created: seconds(session.createdAt),
    currency: 'usd',
    customer: session.customerId,
    expires_at: seconds(session.expiresAt),
    invoice: payment?.invoiceId ?? null,
    livemode: false,
    metadata: metadataOf(session),
    mode: subscriptionId === null ? 'payment' : 'subscription',
    // As at Stripe, the payment of a subscription belongs to its invoice.
    payment_intent: subscriptionId === null ? (payment?.paymentIntentId ?? null) : null,
    payment_status: payment === null ? 'unpaid' : 'paid',
    status: 'complete',
    subscription: payment === null ? null : subscriptionId,
    ui_mode: session.embedded ? 'embedded_page' : 'hosted_page',
  };
}

/**
 * Returns the event of a paid invoice of a subscription.
 * @param isFirst whether it is the one of the session
 */
export function invoicePaid(session: SessionRow, payment: PaymentRow, isFirst: boolean): SandboxEvent {
  return {
    type: 'invoice.payment_succeeded',
    object: {
      id: payment.invoiceId,
      object: 'invoice',
      amount_due: payment.usdCents,
      amount_paid: payment.usdCents,
      amount_remaining: 0,
      billing_reason: isFirst ? 'subscription_create' : 'subscription_cycle',
      created: seconds(payment.createdAt),
      currency: 'usd',
      customer: session.customerId,
      livemode: false,
      metadata: {},
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription: session.subscriptionId, metadata: metadataOf(session) },
      },
      status: 'paid',
      total: payment.usdCents,
    },
  };
}

/** Returns the event of a refund. @param payment with the sum of its refunds */
export function chargeRefunded(session: SessionRow, payment: PaymentRow): SandboxEvent {
  return {
    type: 'charge.refunded',
    object: {
      id: payment.chargeId,
      object: 'charge',
      amount: payment.usdCents,
      amount_captured: payment.usdCents,
      amount_refunded: payment.refundedCents,
      created: seconds(payment.createdAt),
      currency: 'usd',
      customer: session.customerId,
      livemode: false,
      metadata: session.subscriptionId === null ? metadataOf(session) : {},
      paid: true,
      payment_intent: payment.paymentIntentId,
      refunded: payment.refundedCents === payment.usdCents,
      status: 'succeeded',
    },
  };
}

/**
 * Returns the event of a dispute of a whole payment by the holder of its card. A payment has one.
 * @param now milliseconds since 1970
 */
export function disputeCreated(
  { chargeId, paymentIntentId, usdCents }: PaymentRow,
  now: number,
): SandboxEvent {
  return {
    type: 'charge.dispute.created',
    object: {
      id: chargeId.replace(/^ch_/, 'du_'),
      object: 'dispute',
      amount: usdCents,
      charge: chargeId,
      created: seconds(now),
      currency: 'usd',
      is_charge_refundable: false,
      livemode: false,
      metadata: {},
      payment_intent: paymentIntentId,
      reason: 'fraudulent',
      status: 'needs_response',
    },
  };
}

/** Returns the event of a canceled subscription. @param now milliseconds since 1970 */
export function subscriptionDeleted(session: SessionRow, now: number): SandboxEvent {
  return {
    type: 'customer.subscription.deleted',
    object: {
      id: session.subscriptionId,
      object: 'subscription',
      canceled_at: seconds(now),
      created: seconds(session.createdAt),
      currency: 'usd',
      customer: session.customerId,
      ended_at: seconds(now),
      livemode: false,
      metadata: metadataOf(session),
      status: 'canceled',
    },
  };
}

/**
 * Returns the event of a subscription that now ends with its month, or no longer does.
 * @param paidAt when its newest month was paid, in milliseconds since 1970
 */
export function subscriptionUpdated(session: SessionRow, paidAt: number): SandboxEvent {
  return {
    type: 'customer.subscription.updated',
    object: {
      id: session.subscriptionId,
      object: 'subscription',
      cancel_at: session.cancelsAtEnd ? seconds(monthAfter(paidAt)) : null,
      cancel_at_period_end: session.cancelsAtEnd,
      created: seconds(session.createdAt),
      currency: 'usd',
      customer: session.customerId,
      livemode: false,
      metadata: metadataOf(session),
      status: 'active',
    },
  };
}

/** Returns the event of a card that now pays. @param now milliseconds since 1970 */
export function cardAttached(session: SessionRow, now: number): SandboxEvent {
  return {
    type: 'payment_method.attached',
    object: {
      id: `pm_${session.customerId}_${session.cardLast4}`,
      object: 'payment_method',
      card: { brand: 'visa', last4: session.cardLast4 },
      created: seconds(now),
      customer: session.customerId,
      livemode: false,
      metadata: {},
      type: 'card',
    },
  };
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Returns the same day of the next month, or its last day. @param time milliseconds since 1970 */
function monthAfter(time: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + 1);
  if (date.getUTCDate() < day) date.setUTCDate(0);
  return date.getTime();
}

import type { ReportedFact } from './disputes/report.ts';
import { reportOf } from './disputes/report-of-event.ts';
import { idOf, listOf, type Members, recordOf, text, timeOf, whole } from './event-members.ts';
import { METADATA } from './processor/processor.ts';

/** A session or an invoice that was paid. */
export interface PaidFact {
  kind: 'paid';
  source: 'session' | 'invoice';
  /** The id of the session or of the invoice. */
  sourceId: string;
  eventId: string;
  /** The paid amount, in the smallest unit of the currency; null if the event has none. */
  amount: number | null;
  /** ISO 4217, lower case. */
  currency: string | null;
  /** From our metadata, which finds an order and never proves what was paid. */
  operatorId: string | null;
  checkoutId: string | null;
  purpose: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** The invoice that was paid: of a subscription's first payment, the one of the session. */
  invoiceId: string | null;
  paymentIntent: string | null;
  /** Of an invoice: `subscription_cycle`, or another reason. */
  billingReason: string | null;
  /** True if no real money was paid. */
  sandbox: boolean;
}

/** A session that will be paid later, for example by a bank. */
interface AwaitedFact {
  kind: 'awaited';
  sessionId: string;
}

/** The refunds of a payment so far. */
interface RefundedFact {
  kind: 'refunded';
  paymentIntent: string;
  chargeId: string;
  customerId: string | null;
  /** The sum of all its refunds. */
  cents: number;
  /** When the event was made, in milliseconds since 1970; null if the event has no time. */
  at: number | null;
}

interface CustomerFact {
  kind: 'customer';
  customerId: string;
  operatorId: string;
  checkoutId: string;
}

interface EndedFact {
  kind: 'ended';
  subscriptionId: string;
  customerId: string | null;
  operatorId: string | null;
}

interface ScheduledFact {
  kind: 'scheduled';
  subscriptionId: string;
  operatorId: string | null;
  /** When it ends if it is not renewed, in milliseconds since 1970; null if it goes on. */
  endsAt: number | null;
  /** When the event was made, in milliseconds since 1970. */
  at: number;
}

/** The content of an event that the service books or stores. */
export type BillingFact =
  | PaidFact
  | AwaitedFact
  | RefundedFact
  | ReportedFact
  | CustomerFact
  | EndedFact
  | ScheduledFact;

/** The parts of an event that the service reads. The API version of the endpoint determines its object. */
export interface ProcessorEvent {
  id: string;
  type: string;
  /** Seconds since 1970. */
  created: number;
  data: { object: unknown };
}

/** The events that have an effect, as the names of the processor's types. */
export const BILLING_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.payment_succeeded',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.succeeded',
  'customer.created',
  'customer.subscription.deleted',
  'customer.subscription.updated',
] as const;

/**
 * Returns the content of an event; null for an event without effect. It is read member by member, because the
 * API version of a webhook endpoint is chosen in the dashboard of the processor.
 * @param sandbox whether no real money was paid
 */
export function factOf({ id, type, created, data }: ProcessorEvent, sandbox: boolean): BillingFact | null {
  const object = recordOf(data.object);
  switch (type) {
    case 'checkout.session.completed':
      return text(object.payment_status) === 'unpaid' ? awaited(object) : session(id, object, sandbox);
    case 'checkout.session.async_payment_succeeded':
      return session(id, object, sandbox);
    case 'invoice.payment_succeeded':
      return invoice(id, object, sandbox);
    case 'charge.refunded':
      return refund(object, created);
    case 'customer.created':
      return customer(object);
    case 'customer.subscription.deleted':
      return ended(object);
    case 'customer.subscription.updated':
      return scheduled(object, created);
    default:
      return reportOf(type, object, created);
  }
}

function awaited(object: Members): BillingFact | null {
  const sessionId = idOf(object.id);
  return sessionId === null ? null : { kind: 'awaited', sessionId };
}

/** A session without a payment, such as a setup or a trial, has no effect. */
function session(eventId: string, object: Members, sandbox: boolean): BillingFact | null {
  const sessionId = idOf(object.id);
  if (sessionId === null || text(object.payment_status) !== 'paid') return null;
  const invoiceId = idOf(object.invoice);
  return {
    kind: 'paid',
    source: 'session',
    sourceId: sessionId,
    eventId,
    amount: whole(object.amount_total),
    currency: text(object.currency)?.toLowerCase() ?? null,
    ...orderOf(object.metadata),
    customerId: idOf(object.customer),
    subscriptionId: idOf(object.subscription),
    invoiceId,
    paymentIntent: idOf(object.payment_intent),
    billingReason: null,
    sandbox,
  };
}

/**
 * The session pays the first invoice of a subscription, so this invoice has no effect. Neither has an invoice
 * of nothing, except one of a cycle.
 */
function invoice(eventId: string, object: Members, sandbox: boolean): BillingFact | null {
  const invoiceId = idOf(object.id);
  const billingReason = text(object.billing_reason);
  const amount = whole(object.amount_paid);
  if (invoiceId === null || billingReason === 'subscription_create') return null;
  if (billingReason !== 'subscription_cycle' && amount === 0) return null;
  const details = recordOf(recordOf(object.parent).subscription_details ?? object.subscription_details);
  const [payment] = listOf(recordOf(object.payments).data);
  return {
    kind: 'paid',
    source: 'invoice',
    sourceId: invoiceId,
    eventId,
    amount,
    currency: text(object.currency)?.toLowerCase() ?? null,
    ...orderOf(details.metadata),
    customerId: idOf(object.customer),
    subscriptionId: idOf(details.subscription) ?? idOf(object.subscription),
    invoiceId,
    paymentIntent: idOf(object.payment_intent) ?? idOf(recordOf(recordOf(payment).payment).payment_intent),
    billingReason,
    sandbox,
  };
}

function refund(object: Members, created: number): BillingFact | null {
  const [chargeId, paymentIntent] = [idOf(object.id), idOf(object.payment_intent)];
  const cents = whole(object.amount_refunded);
  if (chargeId === null || paymentIntent === null || cents === null || cents < 1) return null;
  const customerId = idOf(object.customer);
  return { kind: 'refunded', paymentIntent, chargeId, customerId, cents, at: timeOf(created) };
}

function customer(object: Members): BillingFact | null {
  const customerId = idOf(object.id);
  const { operatorId, checkoutId } = orderOf(object.metadata);
  if (customerId === null || operatorId === null || checkoutId === null) return null;
  return { kind: 'customer', customerId, operatorId, checkoutId };
}

function ended(object: Members): BillingFact | null {
  const subscriptionId = idOf(object.id);
  if (subscriptionId === null) return null;
  const { operatorId } = orderOf(object.metadata);
  return { kind: 'ended', subscriptionId, customerId: idOf(object.customer), operatorId };
}

/** `cancel_at` is set for an end with the month, too. */
function scheduled(object: Members, created: number): BillingFact | null {
  const subscriptionId = idOf(object.id);
  if (subscriptionId === null) return null;
  const { operatorId } = orderOf(object.metadata);
  const cancelAt = whole(object.cancel_at);
  return {
    kind: 'scheduled',
    subscriptionId,
    operatorId,
    endsAt: cancelAt === null ? null : timeOf(cancelAt),
    at: timeOf(created) ?? 0,
  };
}

/** Returns the order that our metadata names. */
function orderOf(value: unknown): Pick<PaidFact, 'operatorId' | 'checkoutId' | 'purpose'> {
  const metadata = recordOf(value);
  return {
    operatorId: idOf(metadata[METADATA.operator]),
    checkoutId: idOf(metadata[METADATA.checkout]),
    purpose: text(metadata[METADATA.purpose])?.slice(0, 64) ?? null,
  };
}

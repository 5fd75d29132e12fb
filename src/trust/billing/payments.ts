import { CHECKOUT_PURPOSES, type UNBOOKED_REASONS } from '../../../db/trust/billing-enums.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { ISSUANCE, poolOf, stakeOf } from '../ledger/accounts.ts';
import { maturityAfter } from '../ledger/lots/maturity.ts';
import { recordPaymentIn } from '../ledger/lots/payments.ts';
import { postIn } from '../ledger/post.ts';
import { createOperatorIn } from '../operators/create-operator.ts';
import { type OperatorRow, operatorById, operatorBySeq } from '../operators/status.ts';
import { type Booking, bookingOf } from './booking.ts';
import type { BookingContext } from './booking-context.ts';
import {
  type CheckoutRow,
  checkoutById,
  checkoutOfCustomer,
  checkoutOfSession,
  insertCustomer,
  operatorOfCustomer,
  subscriptionById,
  updateCheckout,
} from './checkout-store.ts';
import type { PaidFact } from './facts.ts';
import {
  bookedAs,
  deleteUnbooked,
  hasWaitingRefund,
  insertPayment,
  insertPaymentMovement,
  newestPayment,
  type PaymentRow,
  paymentOfIntent,
  putUnbooked,
  type UnbookedRow,
  unbookedBySource,
  unbookedOf,
} from './payment-store.ts';
import type { CheckoutPurpose } from './processor/processor.ts';
import { coverDebtsIn } from './refunds.ts';
import { hasWaitingReport } from './report-store.ts';
import { settleAndRecordIn } from './settle-and-record.ts';
import { subscribeIn } from './subscriptions.ts';

export type UnbookedReason = (typeof UNBOOKED_REASONS)[number];

/** The payment intents that the processor returned, by invoice; null for an invoice that none paid. */
export type Intents = ReadonlyMap<string, string | null>;

/**
 * Thrown by a transaction that needs the payment intents of invoices. After it, the processor is asked, and
 * the transaction is repeated.
 */
export class NeedsIntents extends Error {
  constructor(readonly invoiceIds: readonly string[]) {
    super(`the payment intents of ${invoiceIds.length} invoices are needed`);
  }
}

/** The outcome of a payment: booked, now or before, or the reason why not. */
export type Outcome = { booked: true } | { booked: false; reason: UnbookedReason };

const BOOKED: Outcome = { booked: true };

/**
 * Books a payment once, however often and in whatever order its events arrive: the credits or the stake, the
 * operator that a subscription creates, earlier refunds of the payment, and the debts that it covers. It
 * stores a payment that cannot be booked with the reason.
 */
export async function bookPaymentIn(
  tx: Transaction,
  context: BookingContext,
  fact: PaidFact,
  intents: Intents,
): Promise<Outcome> {
  const { invoiceId, paymentIntent } = fact;
  const sessionId = fact.source === 'session' ? fact.sourceId : null;
  const known = await bookedAs(tx, { sessionId, invoiceId, paymentIntent });
  const isItself = (row: (typeof known)[number]): boolean =>
    (sessionId !== null && row.sessionId === sessionId) ||
    (invoiceId !== null && row.invoiceId === invoiceId);
  if (known.some(isItself)) return BOOKED;
  // Money that was paid once buys credits once, even if another session or invoice names the same intent.
  if (known.length > 0) return refuseIn(tx, context, fact, 'booked_intent', null);
  const order = await orderIn(tx, fact);
  const { centsPerCredit } = context.policy;
  const reason = typeof order === 'string' ? order : null;
  const booking =
    typeof order === 'string' || fact.amount === null || fact.amount < 0
      ? null
      : bookingOf({ purpose: order.purpose, usdCents: fact.amount, centsPerCredit }, fact.sandbox);
  if (typeof order === 'string' || booking === null || fact.amount === null)
    return refuseIn(tx, context, fact, reason ?? 'amount', null);
  const operator = await payingOperatorIn(tx, context, order);
  if (operator === null) return refuseIn(tx, context, fact, 'unknown_customer', order.operatorId);
  if (operator.accountStatus === 'CLOSED')
    return refuseIn(tx, context, fact, 'account_closed', order.operatorId);
  const payment = await bookIn(
    tx,
    context,
    { fact, order, booking, operator, usdCents: fact.amount },
    intents,
  );
  await settleAndRecordIn(tx, context, payment, operator);
  await coverDebtsIn(tx, context, payment, operator);
  const unbooked = await unbookedBySource(tx, fact.sourceId);
  if (unbooked !== null) await deleteUnbooked(tx, unbooked.unbookedSeq);
  if (order.purpose === 'subscription')
    await retryIn(tx, context, { operatorId: operator.operatorId, customerId: fact.customerId }, intents);
  return BOOKED;
}

/** Stores a payment that is not booked. */
export async function refuseIn(
  tx: Transaction,
  { clock }: Pick<BookingContext, 'clock'>,
  fact: PaidFact,
  reason: UnbookedReason,
  operatorId: string | null,
): Promise<Outcome> {
  const { sourceId, eventId, amount, purpose, customerId, subscriptionId } = fact;
  await putUnbooked(tx, {
    sourceId,
    isSession: fact.source === 'session',
    reason,
    eventId,
    amount,
    currency: fact.currency?.slice(0, 16) ?? null,
    purpose,
    operatorId: operatorId ?? fact.operatorId,
    customerId,
    subscriptionId,
    invoiceId: fact.invoiceId,
    paymentIntent: fact.paymentIntent,
    sandbox: fact.sandbox,
    createdAt: clock.now(),
  });
  return { booked: false, reason };
}

/** Tries again to book the payments of an operator or a customer that is known by now. */
export async function retryIn(
  tx: Transaction,
  context: BookingContext,
  by: { operatorId: string | null; customerId: string | null },
  intents: Intents,
): Promise<void> {
  for (const row of await unbookedOf(tx, by)) {
    if (row.reason === 'unknown_customer') await bookPaymentIn(tx, context, factOfRow(row), intents);
  }
}

function factOfRow(row: UnbookedRow): PaidFact {
  const { sourceId, eventId, amount, currency, purpose, operatorId, customerId, subscriptionId } = row;
  return {
    kind: 'paid',
    source: row.isSession ? 'session' : 'invoice',
    sourceId,
    eventId,
    amount,
    currency,
    operatorId,
    checkoutId: null,
    purpose,
    customerId,
    subscriptionId,
    invoiceId: row.invoiceId,
    paymentIntent: row.paymentIntent,
    billingReason: row.isSession ? null : 'subscription_cycle',
    sandbox: row.sandbox,
  };
}

/** The order of a payment, and its operator. */
interface Order {
  purpose: CheckoutPurpose;
  operatorId: string;
  checkout: CheckoutRow | null;
  /** True for the first payment of a subscription, which creates the operator. */
  creates: boolean;
}

/** Returns the order that was paid, or why there is none. The amount and the currency are checked first. */
async function orderIn(tx: Transaction, fact: PaidFact): Promise<Order | UnbookedReason> {
  if (fact.source === 'invoice' && fact.billingReason !== 'subscription_cycle') return 'other_invoice';
  if (fact.currency !== 'usd') return 'currency';
  if (fact.amount === null || fact.amount < 0) return 'amount';
  if (fact.source === 'session') return orderOfSessionIn(tx, fact);
  const operatorId = await operatorOfInvoiceIn(tx, fact);
  if (operatorId === null) return 'unknown_customer';
  return { purpose: 'subscription', operatorId, checkout: null, creates: false };
}

/** Without our row, which may be missing after a restore, our metadata names the order. */
async function orderOfSessionIn(tx: Transaction, fact: PaidFact): Promise<Order | UnbookedReason> {
  const checkout = await checkoutOfSession(tx, fact.sourceId);
  const operatorId = checkout?.operatorId ?? fact.operatorId;
  const purpose = checkout?.purpose ?? CHECKOUT_PURPOSES.find((name) => name === fact.purpose);
  if (operatorId === null || purpose === undefined || !/^op_cus_[0-9A-Za-z]{24}$/.test(operatorId))
    return 'unknown_order';
  return { purpose, operatorId, checkout, creates: purpose === 'subscription' };
}

/** Returns the operator of an invoice. Metadata does not suffice: one of our orders must name it, too. */
async function operatorOfInvoiceIn(tx: Transaction, fact: PaidFact): Promise<string | null> {
  const { subscriptionId, customerId, checkoutId } = fact;
  const subscription = subscriptionId === null ? null : await subscriptionById(tx, subscriptionId);
  if (subscription !== null && subscription.operatorSeq !== null)
    return (await operatorBySeq(tx, subscription.operatorSeq))?.operatorId ?? null;
  if (customerId !== null) {
    const operatorId =
      (await operatorOfCustomer(tx, customerId)) ?? (await checkoutOfCustomer(tx, customerId))?.operatorId;
    if (operatorId !== undefined) return operatorId;
  }
  const checkout = checkoutId === null ? null : await checkoutById(tx, checkoutId);
  if (checkout === null || checkout.operatorId !== fact.operatorId) return null;
  return checkout.customerId === null || checkout.customerId === customerId ? checkout.operatorId : null;
}

/** Returns the operator of an order, which the first payment of a subscription creates; null without one. */
async function payingOperatorIn(
  tx: Transaction,
  context: BookingContext,
  { operatorId, creates }: Order,
): Promise<OperatorRow | null> {
  const existing = await operatorById(tx, operatorId);
  if (existing !== null) return existing;
  return creates ? createOperatorIn(tx, context, { name: null, operatorId }) : null;
}

async function bookIn(
  tx: Transaction,
  context: BookingContext,
  parts: { fact: PaidFact; order: Order; booking: Booking; operator: OperatorRow; usdCents: number },
  intents: Intents,
): Promise<PaymentRow> {
  const { fact, order, booking, operator, usdCents } = parts;
  const { asset, amount, promotional } = booking;
  const { sourceId, customerId, invoiceId } = fact;
  const now = context.clock.now();
  const paymentSeq = ((await newestPayment(tx)) ?? 0) + 1;
  const maturesAt = maturityAfter(now, context.policy.holdDays);
  const { transactionId } = await postIn(tx, context, {
    kind: 'SETTLEMENT',
    from: ISSUANCE,
    to: order.purpose === 'stake' ? stakeOf(operator) : poolOf(operator),
    portions: { [asset]: amount, promotional },
    reference: sourceId,
    lot: { paymentSeq, maturesAt },
  });
  const payment = await insertPayment(tx, {
    operatorSeq: operator.operatorSeq,
    purpose: order.purpose,
    sessionId: fact.source === 'session' ? sourceId : null,
    invoiceId,
    paymentIntent: await intentIn(tx, fact, intents),
    customerId,
    usdCents,
    centsPerCredit: context.policy.centsPerCredit,
    ...booking,
    transactionId,
    createdAt: now,
  });
  if (payment.paymentSeq !== paymentSeq) throw new Error(`payment ${paymentSeq} has another number`);
  await recordPaymentIn(tx, { paymentSeq, operatorSeq: operator.operatorSeq, maturesAt });
  await insertPaymentMovement(tx, {
    transactionId,
    paymentSeq: payment.paymentSeq,
    role: 'payment',
    amount,
    promotional,
  });
  if (customerId !== null)
    await insertCustomer(tx, { customerId, operatorId: operator.operatorId, createdAt: now });
  if (order.checkout?.status === 'open')
    await updateCheckout(tx, { checkoutSeq: order.checkout.checkoutSeq, status: 'paid' });
  // A subscription without an id, which no processor sends, never ends.
  const subscriptionId = fact.subscriptionId ?? (order.creates ? sourceId : null);
  if (order.purpose === 'subscription' && subscriptionId !== null)
    await subscribeIn(tx, context, subscriptionId, operator.operatorSeq);
  return payment;
}

/**
 * Returns the payment intent that refunds of a payment name. Sessions have it. For an invoice, the processor
 * is asked when a refund of its customer, or a report, waits for its payment. An intent of another payment is
 * not used.
 */
async function intentIn(tx: Transaction, fact: PaidFact, intents: Intents): Promise<string | null> {
  const { paymentIntent, invoiceId, customerId } = fact;
  if (paymentIntent === null && invoiceId !== null && !intents.has(invoiceId)) {
    const isWaitedFor =
      (customerId !== null && (await hasWaitingRefund(tx, customerId))) || (await hasWaitingReport(tx));
    if (isWaitedFor) throw new NeedsIntents([invoiceId]);
    return null;
  }
  // Nothing has the intent of the event: `bookPaymentIn` would have refused it.
  if (paymentIntent !== null) return paymentIntent;
  const intent = invoiceId === null ? null : (intents.get(invoiceId) ?? null);
  return intent === null || (await paymentOfIntent(tx, intent)) !== null ? null : intent;
}

import { ApiError } from '../../platform/http/errors/errors.ts';
import type { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import type { Authority } from '../../platform/store/authority.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { operatorBySeq } from '../operators/status.ts';
import type { Events } from '../webhooks/events.ts';
import type { BookingContext } from './booking-context.ts';
import {
  checkoutById,
  checkoutOfSession,
  hasEvent,
  insertCustomer,
  insertEvent,
  updateCheckoutEnd,
} from './checkout-store.ts';
import { continueHolds, withGathering } from './continue-holds.ts';
import { documentOf, type PaymentDocument } from './documents.ts';
import { tellingIn } from './entries/tell.ts';
import { billingErrors } from './errors.ts';
import { type BillingFact, factOf } from './facts.ts';
import {
  invoicesWithoutIntent,
  paymentOfIntent,
  paymentOfInvoice,
  putRefund,
  updateIntent,
} from './payment-store.ts';
import { bookPaymentIn, type Intents, NeedsIntents, type Outcome, refuseIn, retryIn } from './payments.ts';
import type { PaymentProcessor } from './processor/processor.ts';
import { NeedsInvoice, reportIn } from './receive-report.ts';
import { nextPendingHold } from './report-store.ts';
import { requireProcessor } from './require-processor.ts';
import { settleAndRecordIn } from './settle-and-record.ts';
import { storeDocumentIn } from './store-document.ts';
import { endSubscriptionIn, scheduleEndIn } from './subscriptions.ts';

/** The parts of the service that events use. */
export type WebhookContext = BookingContext & {
  store: Store;
  processor: () => Promise<PaymentProcessor | null>;
  failures: LimitedLog;
  events: Pick<Events, 'emitIn' | 'isHeard'>;
};

/** The processor's signature, which is checked before, authorizes the effect of an event. No quota pays. */
const SIGNED: Authority = { admitIn: () => undefined };

/** How long an order with an announced payment is kept after its end: banks take up to two weeks. */
const AWAITED_MS = 30 * 24 * 60 * 60 * 1000;

/** The response to an event. */
interface Received {
  received: true;
  /** True for an event that had its effect before. */
  duplicate?: true;
  /** True for an event without effect, which is not stored. */
  ignored?: true;
  /** True for an event about a payment that is not booked. It has its effect when the payment is. */
  waiting?: true;
}

/** The effect of an event. */
interface Effect {
  response: Received;
  /** The outcome of a payment. */
  outcome: Outcome | null;
}

/** An effect, and whether further transactions must hold or release credits. */
type Ended = Effect & { leavesHolds: boolean };

const IGNORED: Effect = { response: { received: true, ignored: true }, outcome: null };
const WAITING: Effect = { response: { received: true, waiting: true }, outcome: null };
const DUPLICATE: Effect = { response: { received: true, duplicate: true }, outcome: null };

/**
 * Receives an event of the payment processor. One transaction stores its effect and its id. A repeated event
 * has no effect, and neither has another event about the same payment.
 * @throws ApiError not_configured, invalid_proof, validation_error; conflict for live money with a test key;
 * processor_unavailable
 */
export async function receiveEvent(
  trust: WebhookContext,
  rawBody: Uint8Array,
  signature: string | null,
): Promise<Received> {
  const processor = await requireProcessor(trust);
  const event = await processor.eventOf(rawBody, signature);
  const content = { fact: factOf(event, processor.sandbox), document: documentOf(event) };
  const isEmpty = content.fact === null && content.document === null;
  if (isEmpty || (!event.livemode && !processor.sandbox)) return IGNORED.response;
  if (event.livemode && processor.sandbox) {
    throw commonErrors.conflict({
      message:
        'The event is about real money, and the service has a test key. Configure the live key and its webhook secret, then send the event again.',
    });
  }
  const answers: Answers = { intents: new Map(), invoices: new Map() };
  for (;;) {
    const result = await effectOf(trust, event.id, content, answers);
    if (!(result instanceof Error)) {
      report(trust, event.id, content.fact, result.outcome);
      if (result.leavesHolds) await continueHolds(trust);
      return result.response;
    }
    if (result instanceof NeedsInvoice) {
      const { paymentIntent } = result;
      const invoiceId = await asked(() => processor.invoiceOfPaymentIntent(paymentIntent));
      answers.invoices.set(paymentIntent, invoiceId);
      if (invoiceId !== null) await storeIntent(trust, invoiceId, paymentIntent);
      continue;
    }
    for (const invoiceId of result.invoiceIds) {
      const intent = await asked(() => processor.paymentIntentOfInvoice(invoiceId));
      answers.intents.set(invoiceId, intent);
      // Stored at once, so that an event that is repeated after a failure needs fewer requests.
      if (intent !== null) await storeIntent(trust, invoiceId, intent);
    }
  }
}

/** What an event says: about money, and about the pages of a payment. */
interface Content {
  fact: BillingFact | null;
  document: PaymentDocument | null;
}

/** What the processor answered about payments: the intents of invoices, and the invoices of intents. */
interface Answers {
  intents: Map<string, string | null>;
  invoices: Map<string, string | null>;
}

function storeIntent(trust: WebhookContext, invoiceId: string, intent: string): Promise<void> {
  return withGathering(trust, () =>
    trust.store.write(SIGNED, (tx) =>
      tellingIn(tx, trust, () => storeIntentIn(tx, trust, invoiceId, intent)),
    ),
  );
}

/** @throws ApiError processor_unavailable, in words for the processor, which sends the event again */
async function asked(ask: () => Promise<string | null>): Promise<string | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'processor_unavailable')) throw error;
    throw billingErrors.processor_unavailable({
      ...error.details,
      message:
        'The API of the payment processor does not say which payment this event is about. The event had no effect: send it again.',
    });
  }
}

/**
 * Runs the effect of an event in a transaction.
 * @returns the effect, or what the processor must be asked first
 */
async function effectOf(
  trust: WebhookContext,
  eventId: string,
  { fact, document }: Content,
  answers: Answers,
): Promise<Ended | NeedsIntents | NeedsInvoice> {
  const runIn = async (tx: Transaction, act: (tx: Transaction) => Promise<Effect>): Promise<Effect> => {
    if (await hasEvent(tx, eventId)) return DUPLICATE;
    const done = await act(tx);
    if (document !== null) await storeDocumentIn(tx, trust, document);
    if (done.response.ignored !== true) await insertEvent(tx, { eventId, receivedAt: trust.clock.now() });
    return done;
  };
  const run = (act: (tx: Transaction) => Promise<Effect>): Promise<Ended> =>
    trust.store.write(SIGNED, async (tx) => ({
      ...(await tellingIn(tx, trust, () => runIn(tx, act))),
      leavesHolds: (await nextPendingHold(tx)) !== null,
    }));
  try {
    return await withGathering(trust, () =>
      run(async (tx) => (fact === null ? effect() : factIn(tx, trust, fact, answers))),
    );
  } catch (error) {
    if (error instanceof NeedsIntents || error instanceof NeedsInvoice) return error;
    // A balance would exceed 2^53 − 1. The payment is stored as not booked.
    if (fact?.kind !== 'paid' || !(error instanceof ApiError && error.code === 'conflict')) throw error;
    return run(async (tx) => effect(await refuseIn(tx, trust, fact, 'balance_limit', null)));
  }
}

/** Applies the content of an event. Each branch leaves the same state however often it runs. */
async function factIn(
  tx: Transaction,
  context: BookingContext,
  fact: BillingFact,
  { intents, invoices }: Answers,
): Promise<Effect> {
  switch (fact.kind) {
    case 'paid':
      return effect(await bookPaymentIn(tx, context, fact, intents));
    case 'refunded':
      return refundIn(tx, context, fact, intents);
    case 'reported': {
      const { report } = fact;
      const done = await reportIn(tx, context, report, invoices.has(report.paymentIntent));
      return { applied: effect(), waiting: WAITING, ignored: IGNORED }[done];
    }
    case 'awaited': {
      const checkout = await checkoutOfSession(tx, fact.sessionId);
      if (checkout?.status !== 'open') return IGNORED;
      const expiresAt = Math.max(checkout.expiresAt, context.clock.now() + AWAITED_MS);
      await updateCheckoutEnd(tx, { checkoutSeq: checkout.checkoutSeq, expiresAt });
      return effect();
    }
    case 'customer': {
      const { customerId, operatorId } = fact;
      const checkout = await checkoutById(tx, fact.checkoutId);
      const isOurs =
        checkout?.operatorId === operatorId && (checkout.customerId ?? customerId) === customerId;
      if (!isOurs) return IGNORED;
      await insertCustomer(tx, { customerId, operatorId, createdAt: context.clock.now() });
      await retryIn(tx, context, { operatorId: null, customerId }, intents);
      return effect();
    }
    case 'ended':
      await endSubscriptionIn(tx, context, fact.subscriptionId);
      return effect();
    case 'scheduled':
      return (await scheduleEndIn(tx, fact)) ? effect() : IGNORED;
  }
}

/** Stores a refund, and books it if its payment is booked. Otherwise the payment books it when it arrives. */
async function refundIn(
  tx: Transaction,
  context: BookingContext,
  fact: BillingFact & { kind: 'refunded' },
  intents: Intents,
): Promise<Effect> {
  const { paymentIntent, chargeId, customerId, cents, at } = fact;
  await putRefund(tx, { paymentIntent, chargeId, customerId, cents, createdAt: at ?? context.clock.now() });
  const payment = await paymentOfIntent(tx, paymentIntent);
  if (payment === null) {
    const unknown = customerId === null ? [] : await invoicesWithoutIntent(tx, customerId);
    const missing = unknown.filter((invoiceId) => !intents.has(invoiceId));
    if (missing.length > 0) throw new NeedsIntents(missing);
    return WAITING;
  }
  const operator = await operatorBySeq(tx, payment.operatorSeq);
  if (operator !== null) await settleAndRecordIn(tx, context, payment, operator);
  return effect();
}

/** Stores the payment intent of a booked invoice, and books what was reported about it before. */
async function storeIntentIn(
  tx: Transaction,
  context: BookingContext,
  invoiceId: string,
  paymentIntent: string,
): Promise<void> {
  const payment = await paymentOfInvoice(tx, invoiceId);
  if (payment === null || payment.paymentIntent !== null) return;
  if ((await paymentOfIntent(tx, paymentIntent)) !== null) return;
  await updateIntent(tx, { paymentSeq: payment.paymentSeq, paymentIntent });
  const operator = await operatorBySeq(tx, payment.operatorSeq);
  if (operator !== null) await settleAndRecordIn(tx, context, { ...payment, paymentIntent }, operator);
}

function effect(outcome: Outcome | null = null): Effect {
  return { response: { received: true }, outcome };
}

/** Warns of a payment that was not booked, and of one that is disputed. */
function report(
  { failures }: Pick<WebhookContext, 'failures'>,
  eventId: string,
  fact: BillingFact | null,
  outcome: Outcome | null,
): void {
  if (fact?.kind === 'reported' && fact.report.kind !== 'refund' && fact.report.heldUntil > 0) {
    const { reportId, kind, paymentIntent, cents, status, money } = fact.report;
    failures.write(`${kind} ${status} ${money}`, {
      level: 'warn',
      fields: { event_id: eventId, report_id: reportId, payment_intent: paymentIntent, cents, status, money },
      message: `a payment has a ${kind}: its credits are held, taken or released`,
    });
  }
  if (fact?.kind !== 'paid' || outcome === null || outcome.booked) return;
  const { sourceId, amount, currency } = fact;
  failures.write(`unbooked payment ${outcome.reason}`, {
    level: 'warn',
    fields: { event_id: eventId, source_id: sourceId, amount, currency, reason: outcome.reason },
    message: 'a payment was not booked: see countersign billing unbooked',
  });
}

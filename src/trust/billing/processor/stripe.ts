import { Stripe } from 'stripe';
import type { LimitedLog } from '../../../platform/monitoring/log-limit.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { withTimeout } from '../../../platform/time/timeout.ts';
import { commonErrors } from '../../http/errors.ts';
import { billingErrors } from '../errors.ts';
import { cancelUrl, portalReturnUrl, productNameOf, returnUrl } from './checkout-details.ts';
import type { StripeAccount } from './choice.ts';
import { type CheckoutOrder, type CheckoutSession, METADATA, type PaymentProcessor } from './processor.ts';
import { verifiedEvent } from './verify-event.ts';

/** The timeout of one request to Stripe, and its retries. The package waits 0.5 s before the first one. */
const REQUEST_MS = 4000;
const RETRIES = 1;
/** The time for all requests of one call: below the time limit of a request to the service. */
const CALL_MS = 8500;

/**
 * The time in which a session can be paid. Stripe allows 30 minutes to a day; strangers can fill the table of
 * open orders for as long.
 */
const OPEN_MS = 60 * 60 * 1000;

/** The seconds that a client should wait after a failure of the processor. */
const RETRY_AFTER_S = '5';

/** The parts of the service that the processor uses. */
export interface StripeParts {
  account: StripeAccount;
  clock: Clock;
  /** The URL of the service for its clients. */
  url: string;
  log: LimitedLog;
}

/**
 * Opens Stripe as payment processor. Nothing is sent until a function is called.
 * @param requestMs the timeout of one request @param callMs the timeout of all requests of one call
 */
export function openStripe(
  { account, clock, url, log }: StripeParts,
  { requestMs = REQUEST_MS, callMs = CALL_MS }: { requestMs?: number; callMs?: number } = {},
): PaymentProcessor {
  const { apiBase, secretKey, webhookSecret, isLive } = account;
  const stripe = new Stripe(secretKey, {
    host: apiBase.hostname,
    port: apiBase.port === '' ? (apiBase.protocol === 'https:' ? 443 : 80) : Number(apiBase.port),
    protocol: apiBase.protocol === 'https:' ? 'https' : 'http',
    timeout: requestMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    // A redirect would send the key to another address.
    httpClient: Stripe.createFetchHttpClient(withoutRedirects),
  });
  const call = <T>(action: string, act: () => Promise<T>): Promise<T> =>
    called(action, act, { log, callMs, host: apiBase.host });
  return {
    name: 'stripe',
    sandbox: !isLive,
    createCheckout: (order) =>
      call('create a checkout session', () =>
        createCheckout(stripe, order, account, { url, expiresAt: clock.now() + OPEN_MS }),
      ),
    eventOf: (rawBody, header) =>
      verifiedEvent(Stripe.webhooks, rawBody, header, { secret: webhookSecret, clock }),
    paymentIntentOfInvoice: (invoice) =>
      call('find the payment of an invoice', async () => {
        const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 });
        return idOf(data[0]?.payment.payment_intent);
      }),
    invoiceOfPaymentIntent: (payment_intent) =>
      call('find the invoice of a payment', async () => {
        const payment = { type: 'payment_intent', payment_intent } as const;
        const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
        return idOf(data[0]?.invoice);
      }),
    endSubscription: (subscription) =>
      call('end a subscription', () => endSubscription(stripe, subscription)),
    openPortal: (customer) =>
      call('open the customer portal', () => openPortal(stripe, customer, portalReturnUrl(url))),
  };
}

const withoutRedirects: typeof fetch = Object.assign(
  (target: string | URL | Request, init?: BunFetchRequestInit | RequestInit) =>
    fetch(target, { ...init, redirect: 'error' }),
  { preconnect: fetch.preconnect },
);

/**
 * Creates the session of an order. A new customer is created first, so that `customer.created` can be bound
 * to the operator in any order of events. All requests have idempotency keys: a repetition creates nothing.
 */
async function createCheckout(
  stripe: Stripe,
  order: CheckoutOrder,
  { paymentMethods }: StripeAccount,
  urlAndExpiry: Pick<SessionParts, 'url' | 'expiresAt'>,
): Promise<CheckoutSession> {
  const { checkoutId, operatorId, purpose, email } = order;
  const metadata = {
    [METADATA.operator]: operatorId,
    [METADATA.checkout]: checkoutId,
    [METADATA.purpose]: purpose,
  };
  const create = async (customer: string, idempotencyKey: string): Promise<CheckoutSession> => {
    const params = sessionOf(order, { customer, metadata, paymentMethods, ...urlAndExpiry });
    const created = await stripe.checkout.sessions.create(params, { idempotencyKey });
    return {
      sessionId: created.id,
      customerId: customer,
      url: created.url,
      clientSecret: created.client_secret,
      expiresAt: created.expires_at * 1000,
    };
  };
  if (order.customerId !== null) {
    try {
      return await create(order.customerId, `${checkoutId}-session`);
    } catch (error) {
      // The customer was deleted, or belongs to the sandbox or another account: the operator gets a new one.
      if (!isUnknownCustomer(error)) throw error;
    }
  }
  const { id } = await stripe.customers.create(
    { metadata, ...(email === null ? {} : { email }) },
    { idempotencyKey: `${checkoutId}-customer` },
  );
  return create(id, `${checkoutId}-session${order.customerId === null ? '' : '-2'}`);
}

function isUnknownCustomer(error: unknown): boolean {
  const { StripeInvalidRequestError } = Stripe.errors;
  return (
    error instanceof StripeInvalidRequestError &&
    error.code === 'resource_missing' &&
    error.param === 'customer'
  );
}

/** The parts of a session that are not in the order. */
interface SessionParts {
  customer: string;
  metadata: Record<string, string>;
  paymentMethods: readonly string[];
  url: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Returns the parameters of a session (API reference of Stripe, "Create a Checkout Session", 2026-10-28). */
function sessionOf(
  { operatorId, purpose, usdCents, ui }: CheckoutOrder,
  { customer, metadata, paymentMethods, url, expiresAt }: SessionParts,
): Stripe.Checkout.SessionCreateParams {
  const isSubscription = purpose === 'subscription';
  const after = returnUrl(url, purpose, '{CHECKOUT_SESSION_ID}');
  return {
    mode: isSubscription ? 'subscription' : 'payment',
    customer,
    client_reference_id: operatorId,
    expires_at: Math.floor(expiresAt / 1000),
    metadata,
    ...(isSubscription ? { subscription_data: { metadata } } : { payment_intent_data: { metadata } }),
    // A filter of the methods of the Stripe account: methods that are not activated there are left out.
    allowed_payment_method_types: isSubscription ? ['card'] : [...paymentMethods],
    // All prices and bookings are in US dollars.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: usdCents,
          product_data: { name: productNameOf(purpose) },
          ...(isSubscription ? { recurring: { interval: 'month' } } : {}),
        },
      },
    ],
    ...(ui === 'hosted'
      ? { ui_mode: 'hosted_page', success_url: after, cancel_url: cancelUrl(url, purpose) }
      : { ui_mode: 'embedded_page', return_url: after }),
  };
}

/** Stripe refuses to cancel a subscription again as it refuses an unknown one, so the state is read then. */
async function endSubscription(stripe: Stripe, subscriptionId: string): Promise<boolean> {
  try {
    await stripe.subscriptions.cancel(subscriptionId);
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    return (await stripe.subscriptions.retrieve(subscriptionId)).status === 'canceled';
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Opens a session of the customer portal (API reference of Stripe, "Create a portal session"). */
async function openPortal(stripe: Stripe, customer: string, return_url: string): Promise<string | null> {
  try {
    return (await stripe.billingPortal.sessions.create({ customer, return_url })).url;
  } catch (error) {
    if (isUnknownCustomer(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

function idOf(value: string | { id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : value.id;
}

/** Calls Stripe within the time limit. Logs a failure without secrets, and throws an error for the client. */
async function called<T>(
  action: string,
  act: () => Promise<T>,
  { log, callMs, host }: { log: LimitedLog; callMs: number; host: string },
): Promise<T> {
  try {
    return await withTimeout(act(), callMs, () => {
      throw new Error(`no response within ${callMs} ms`);
    });
  } catch (error) {
    if (isRefusedEmail(error)) {
      throw commonErrors.validation_error({
        message: 'The payment processor refused the email address.',
        issues: { email: ['is not an email address that the payment processor accepts'] },
      });
    }
    log.write(`stripe ${action} ${kindOf(error)}`, {
      level: 'error',
      // With the host, since another one can be configured by mistake.
      fields: { host, ...failureOf(error) },
      message: `Stripe failed: ${action}`,
    });
    throw billingErrors.processor_unavailable({ headers: { 'retry-after': RETRY_AFTER_S } });
  }
}

function isRefusedEmail(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'email';
}

function kindOf(error: unknown): string {
  return error instanceof Stripe.errors.StripeError ? error.type : 'error';
}

/** Returns the fields of a failure for the log, without parts of keys and without the request. */
function failureOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { reason: withoutSecrets(error instanceof Error ? error.message : String(error)) };
  }
  const { type, code, param, statusCode, requestId, message } = error;
  return {
    type,
    reason: withoutSecrets(message),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    ...(statusCode === undefined ? {} : { status: statusCode }),
    ...(requestId === undefined ? {} : { stripe_request_id: requestId }),
  };
}

/** The most characters of a message in the log. */
const MAX_REASON = 500;

function withoutSecrets(message: string): string {
  return message.replace(/\b(?:[rsp]k|whsec|cs)_[\w*]+/g, '[redacted]').slice(0, MAX_REASON);
}

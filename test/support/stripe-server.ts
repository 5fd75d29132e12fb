import { Stripe } from 'stripe';
import { sha256Hex } from '../../src/platform/crypto/crypto.ts';

/** The version of the API that the official package names in each request. */
const API_VERSION = Stripe.API_VERSION;

/**
 * How the server treats a request instead of answering it: with an error of Stripe, never, with half a
 * response, or with no JSON.
 */
export type Fault =
  | { status: number; error: Record<string, unknown> }
  | 'silent'
  | 'cut'
  | 'no json'
  | 'redirect';

/** A request as it arrived. */
export interface Seen {
  method: string;
  path: string;
  params: Record<string, string>;
  headers: Headers;
}

interface StoredSession {
  id: string;
  customer: string;
  params: Record<string, string>;
  createdAt: number;
  payments: { intent: string; charge: string; invoice: string | null; cents: number; refunded: number }[];
}

/** The path of sessions of the customer portal. */
const PORTAL = '/v1/billing_portal/sessions';

/**
 * The parameters that each call may have, and those that it needs. An unknown one is refused, as by Stripe.
 */
const CALLS: Record<string, { known: RegExp; required: readonly string[] }> = {
  'POST /v1/customers': { known: /^(?:email|metadata\[\w+\])$/, required: [] },
  'POST /v1/checkout/sessions': {
    known:
      /^(?:mode|customer|client_reference_id|expires_at|ui_mode|success_url|cancel_url|return_url|(?:subscription_data\[|payment_intent_data\[)?metadata\]?\[\w+\]|allowed_payment_method_types\[\d\]|adaptive_pricing\[enabled\]|line_items\[0\]\[(?:quantity|price_data\]\[(?:currency|unit_amount|product_data\]\[name|recurring\]\[interval))\])$/,
    required: [
      'mode',
      'line_items[0][quantity]',
      'line_items[0][price_data][currency]',
      'line_items[0][price_data][unit_amount]',
      'line_items[0][price_data][product_data][name]',
    ],
  },
  [`POST ${PORTAL}`]: { known: /^(?:customer|return_url)$/, required: ['customer'] },
  'GET /v1/invoice_payments': {
    known: /^(?:invoice|status|limit|payment\[(?:type|payment_intent)\])$/,
    required: [],
  },
};

/** A local stand-in for the API of Stripe, to which the official package talks over HTTP. */
export interface StripeServer {
  url: string;
  key: string;
  webhookSecret: string;
  seen: Seen[];
  /** What happens to the next requests, in their order. */
  faults: Fault[];
  /** The settings of a service that uses this server. */
  settings: Record<string, string>;
  /**
   * Returns an event of the payment of a session, as Stripe sends it. `paid` false is a session that
   * completes unpaid.
   */
  completed(sessionId: string, paid?: boolean): Record<string, unknown>[];
  renewed(sessionId: string): Record<string, unknown>;
  /** Refunds `cents` more of the newest payment. */
  refunded(sessionId: string, cents: number): Record<string, unknown>;
  canceled(sessionId: string): Record<string, unknown>;
  customerCreated(sessionId: string): Record<string, unknown>;
  /** Returns the URL to which the browser of a payer goes after the payment. */
  successUrl(sessionId: string): string;
  stop(): Promise<void>;
}

/** Starts the server on a free port of this machine. */
export function startStripe({ livemode = false } = {}): StripeServer {
  const key = `sk_${livemode ? 'live' : 'test'}_51StandIn0000000000000000`;
  const webhookSecret = 'whsec_standin000000000000000000000000';
  const seen: Seen[] = [];
  const faults: Fault[] = [];
  const customers = new Map<string, Record<string, string>>();
  const sessions = new Map<string, StoredSession>();
  const canceledIds = new Set<string>();
  const answered = new Map<string, { digest: string; body: string }>();
  let number = 0;
  const newId = (prefix: string): string => `${prefix}_standin${String(++number).padStart(10, '0')}`;
  const now = (): number => Math.floor(Date.now() / 1000);

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const text = await request.text();
      const params = Object.fromEntries(request.method === 'GET' ? searchParams : new URLSearchParams(text));
      seen.push({ method: request.method, path: pathname, params, headers: request.headers });
      const fault = faults.shift();
      if (fault === 'silent')
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      if (fault === 'no json') return new Response('<html>Bad gateway</html>', { status: 200 });
      if (fault === 'redirect') {
        return new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:9/v1' } });
      }
      if (fault === 'cut') return new Response('{"id": "cu', { headers: { 'request-id': 'req_standin' } });
      if (typeof fault === 'object') return refusal(fault.status, fault.error);
      const subscription = /^\/v1\/subscriptions\/(\w+)$/.exec(pathname)?.[1];
      const isKeyed = request.headers.get('authorization') === `Bearer ${key}`;
      if (subscription !== undefined && isKeyed) return subscriptionOf(request.method, subscription);
      const problem = problemOf(request, pathname, params, key);
      if (problem !== null) return refusal(problem.status, problem.error);
      if (request.method === 'GET')
        return json(invoicePayments(params.invoice, params['payment[payment_intent]']));
      const idempotency = request.headers.get('idempotency-key') ?? '';
      const digest = sha256Hex(`${pathname}\n${text}`);
      const first = answered.get(idempotency);
      if (first !== undefined && first.digest !== digest) {
        return refusal(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters.',
        });
      }
      if (first !== undefined) return json(JSON.parse(first.body), { 'idempotent-replayed': 'true' });
      const make =
        pathname === '/v1/customers' ? makeCustomer : pathname === PORTAL ? makePortal : makeSession;
      const made = make(params);
      if (made instanceof Response) return made;
      answered.set(idempotency, { digest, body: JSON.stringify(made) });
      return json(made);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;

  /** Cancels a subscription or returns it. A canceled one is missing for another cancellation. */
  const subscriptionOf = (method: string, id: string): Response => {
    const isKnown = sessions.has(id.replace(/^sub_/, ''));
    if (!isKnown || (method === 'DELETE' && canceledIds.has(id))) {
      return refusal(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'id',
        message: `No such subscription: '${id}'`,
      });
    }
    if (method === 'DELETE') canceledIds.add(id);
    return json({ id, object: 'subscription', status: canceledIds.has(id) ? 'canceled' : 'active' });
  };

  const makeCustomer = (params: Record<string, string>): Record<string, unknown> | Response => {
    if (params.email !== undefined && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(params.email)) {
      return refusal(400, {
        type: 'invalid_request_error',
        code: 'email_invalid',
        param: 'email',
        message: `Invalid email address: ${params.email}`,
      });
    }
    const id = newId('cus');
    customers.set(id, params);
    return { id, object: 'customer', livemode, created: now(), metadata: metadataOf(params, 'metadata') };
  };

  const noCustomer = (customer: string): Response =>
    refusal(400, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      param: 'customer',
      message: `No such customer: '${customer}'`,
    });

  const makePortal = ({ customer = '', return_url }: Record<string, string>) => {
    if (!customers.has(customer)) return noCustomer(customer);
    const id = newId('bps');
    const page = `https://billing.stripe.example/p/session/${id}`;
    return {
      id,
      object: 'billing_portal.session',
      livemode,
      created: now(),
      customer,
      return_url,
      url: page,
    };
  };

  const makeSession = (params: Record<string, string>): Record<string, unknown> | Response => {
    const { customer = '' } = params;
    const invalid = (param: string, message: string): Response =>
      refusal(400, { type: 'invalid_request_error', code: 'parameter_invalid', param, message });
    if (!customers.has(customer)) return noCustomer(customer);
    const isHosted = params.ui_mode === 'hosted_page';
    if (!isHosted && params.ui_mode !== 'embedded_page') return invalid('ui_mode', 'Invalid ui_mode');
    if (isHosted && params.success_url === undefined) return invalid('success_url', 'Missing success_url');
    if (!isHosted && (params.return_url === undefined || 'success_url' in params || 'cancel_url' in params)) {
      return invalid('return_url', 'embedded_page takes return_url only');
    }
    const isSubscription = params.mode === 'subscription';
    if (isSubscription !== 'line_items[0][price_data][recurring][interval]' in params) {
      return invalid('mode', 'The mode does not fit the price');
    }
    if (Number(params['line_items[0][price_data][unit_amount]']) < 50)
      return invalid('unit_amount', 'Too small');
    const id = newId(`cs_${livemode ? 'live' : 'test'}`);
    sessions.set(id, { id, customer, params, createdAt: now(), payments: [] });
    return {
      ...sessionObject(id, false),
      status: 'open',
      url: isHosted ? `${url}/c/pay/${id}` : null,
      client_secret: isHosted ? null : `${id}_secret_standin`,
    };
  };

  const sessionOf = (id: string): StoredSession => {
    const found = sessions.get(id);
    if (found === undefined) throw new Error(`no session ${id}`);
    return found;
  };

  const sessionObject = (id: string, paid: boolean): Record<string, unknown> => {
    const { customer, params, createdAt, payments } = sessionOf(id);
    const isSubscription = params.mode === 'subscription';
    const [payment] = payments;
    const cents = Number(params['line_items[0][price_data][unit_amount]']);
    return {
      id,
      object: 'checkout.session',
      amount_subtotal: cents,
      amount_total: cents,
      client_reference_id: params.client_reference_id ?? null,
      created: createdAt,
      currency: params['line_items[0][price_data][currency]'],
      customer,
      expires_at: Number(params.expires_at ?? createdAt + 86_400),
      invoice: isSubscription ? (payment?.invoice ?? null) : null,
      livemode,
      metadata: metadataOf(params, 'metadata'),
      mode: params.mode,
      payment_intent: isSubscription ? null : (payment?.intent ?? null),
      payment_status: paid ? 'paid' : 'unpaid',
      status: 'complete',
      subscription: isSubscription && paid ? `sub_${id}` : null,
      ui_mode: params.ui_mode,
    };
  };

  const event = (type: string, object: Record<string, unknown>): Record<string, unknown> => ({
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: now(),
    data: { object },
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  });

  const pay = (id: string): StoredSession['payments'][number] => {
    const session = sessionOf(id);
    const payment = {
      intent: newId('pi'),
      charge: newId('ch'),
      invoice: session.params.mode === 'subscription' ? newId('in') : null,
      cents: Number(session.params['line_items[0][price_data][unit_amount]']),
      refunded: 0,
    };
    session.payments.push(payment);
    return payment;
  };

  const invoiceEvent = (id: string, { invoice, cents }: ReturnType<typeof pay>, reason: string) =>
    event('invoice.payment_succeeded', {
      id: invoice,
      object: 'invoice',
      amount_due: cents,
      amount_paid: cents,
      billing_reason: reason,
      created: now(),
      currency: 'usd',
      customer: sessionOf(id).customer,
      livemode,
      metadata: {},
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: {
          subscription: `sub_${id}`,
          metadata: metadataOf(sessionOf(id).params, 'subscription_data[metadata]'),
        },
      },
      status: 'paid',
    });

  const invoicePayments = (of?: string, paidBy?: string): Record<string, unknown> => ({
    object: 'list',
    has_more: false,
    url: '/v1/invoice_payments',
    data: [...sessions.values()]
      .flatMap(({ payments }) => payments)
      .filter(({ invoice, intent }) => invoice !== null && (invoice === of || intent === paidBy))
      .map(({ invoice, intent, cents }) => ({
        id: `inpay_${intent}`,
        object: 'invoice_payment',
        amount_paid: cents,
        currency: 'usd',
        invoice,
        livemode,
        payment: { type: 'payment_intent', payment_intent: intent },
        status: 'paid',
      })),
  });

  return {
    url,
    key,
    webhookSecret,
    seen,
    faults,
    settings: {
      'billing.stripe.secret_key': key,
      'billing.stripe.webhook_secret': webhookSecret,
      'billing.stripe.api_base': url,
    },
    completed(id, paid = true) {
      if (!paid) return [event('checkout.session.completed', sessionObject(id, false))];
      const payment = pay(id);
      const completed = event('checkout.session.completed', sessionObject(id, true));
      return payment.invoice === null
        ? [completed]
        : [completed, invoiceEvent(id, payment, 'subscription_create')];
    },
    renewed: (id) => invoiceEvent(id, pay(id), 'subscription_cycle'),
    refunded(id, cents) {
      const { customer, params, payments } = sessionOf(id);
      const payment = payments.at(-1);
      if (payment === undefined) throw new Error(`nothing was paid in ${id}`);
      payment.refunded += cents;
      return event('charge.refunded', {
        id: payment.charge,
        object: 'charge',
        amount: payment.cents,
        amount_refunded: payment.refunded,
        currency: 'usd',
        customer,
        livemode,
        metadata: metadataOf(params, 'payment_intent_data[metadata]'),
        payment_intent: payment.intent,
        refunded: payment.refunded === payment.cents,
        status: 'succeeded',
      });
    },
    canceled: (id) =>
      event('customer.subscription.deleted', {
        id: `sub_${id}`,
        object: 'subscription',
        customer: sessionOf(id).customer,
        livemode,
        metadata: metadataOf(sessionOf(id).params, 'subscription_data[metadata]'),
        status: 'canceled',
      }),
    customerCreated(id) {
      const { customer } = sessionOf(id);
      return event('customer.created', {
        id: customer,
        object: 'customer',
        created: now(),
        livemode,
        metadata: metadataOf(customers.get(customer) ?? {}, 'metadata'),
      });
    },
    successUrl: (id) =>
      (sessionOf(id).params.success_url ?? '').replace('{CHECKOUT_SESSION_ID}', encodeURIComponent(id)),
    stop: () => server.stop(true),
  };
}

/** The parts of a signed request that a test changes. */
interface Signing {
  secret: string;
  /** Seconds since 1970. */
  timestamp?: number;
}

/** Returns the signature header of a payload, by the generator of the official package. */
export function stripeSignature(payload: string, { secret, timestamp }: Signing): Promise<string> {
  return Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    ...(timestamp === undefined ? {} : { timestamp }),
  });
}

/** Sends an event to the endpoint of a service, signed as Stripe signs it. */
export async function sendStripeEvent(
  endpoint: string,
  event: Record<string, unknown>,
  secret: string,
): Promise<Response> {
  const body = JSON.stringify(event);
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': await stripeSignature(body, { secret }),
    },
    body,
  });
}

function problemOf(
  request: Request,
  path: string,
  params: Record<string, string>,
  key: string,
): Exclude<Fault, string> | null {
  const { headers, method } = request;
  const invalid = (message: string, more: Record<string, string> = {}) => ({
    status: 400,
    error: { type: 'invalid_request_error', message, ...more },
  });
  if (headers.get('authorization') !== `Bearer ${key}`) {
    return {
      status: 401,
      error: {
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${headers.get('authorization')}`,
      },
    };
  }
  if (headers.get('stripe-version') !== API_VERSION) return invalid('Invalid Stripe-Version');
  if (headers.has('x-stripe-client-telemetry')) return invalid('Telemetry was sent');
  const call = CALLS[`${method} ${path}`];
  if (call === undefined)
    return { status: 404, error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } };
  if (method === 'POST') {
    if (!/^application\/x-www-form-urlencoded/.test(headers.get('content-type') ?? ''))
      return invalid('No form');
    // A portal that is opened twice creates nothing that lasts.
    const isOrder = path !== PORTAL;
    if (isOrder && !/^chk_\w+-(?:customer|session(?:-2)?)$/.test(headers.get('idempotency-key') ?? '')) {
      return invalid('The Idempotency-Key does not name the order');
    }
  }
  const unknown = Object.keys(params).find((name) => !call.known.test(name));
  if (unknown !== undefined) {
    return invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown });
  }
  const missing = call.required.find((name) => !(name in params));
  return missing === undefined ? null : invalid(`Missing required param: ${missing}.`, { param: missing });
}

function metadataOf(params: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params)
      .filter(([key]) => key.startsWith(`${name}[`))
      .map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  );
}

function refusal(status: number, error: Record<string, unknown>): Response {
  return Response.json({ error }, { status, headers: { 'request-id': 'req_standin' } });
}

function json(body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { headers: { 'request-id': 'req_standin', ...headers } });
}

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import pino from 'pino';
import { LimitedLog } from '../../../../../src/platform/monitoring/log-limit.ts';
import { processorChoiceOf } from '../../../../../src/trust/billing/processor/choice.ts';
import type {
  CheckoutOrder,
  PaymentProcessor,
} from '../../../../../src/trust/billing/processor/processor.ts';
import { openStripe } from '../../../../../src/trust/billing/processor/stripe.ts';
import { type StripeServer, startStripe } from '../../../../support/stripe-server.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const time = new VirtualTime();
let server: StripeServer;
let processor: PaymentProcessor;
let logged: string;

const addLine = (line: string): void => {
  logged += line;
};

function opened(
  settings: Record<string, string> = {},
  timeouts: Parameters<typeof openStripe>[1] = {},
): PaymentProcessor {
  const account = processorChoiceOf(new Map(Object.entries({ ...server.settings, ...settings })));
  if (account?.name !== 'stripe') throw new Error('the settings choose no Stripe');
  const log = new LimitedLog(pino({ level: 'warn' }, { write: addLine }));
  const parts = { account, clock: time, url: 'https://trust.example', log };
  return openStripe(parts, timeouts);
}

beforeEach(() => {
  server = startStripe();
  logged = '';
  processor = opened();
});
afterEach(() => server.stop());

const order = (changes: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
  checkoutId: `chk_${crypto.randomUUID().replaceAll('-', '')}`,
  operatorId: 'op_cus_0000000000000000000000ab',
  purpose: 'subscription',
  usdCents: 4900,
  email: 'payer@example.com',
  ui: 'hosted',
  customerId: null,
  ...changes,
});

const requests = (): string[] => server.seen.map(({ method, path }) => `${method} ${path}`);

describe('an order at Stripe', () => {
  test('for a subscription makes a customer, then a session with a monthly price, both with the metadata of the order', async () => {
    const asked = order();
    const session = await processor.createCheckout(asked);
    expect(requests()).toEqual(['POST /v1/customers', 'POST /v1/checkout/sessions']);
    const metadata = {
      'metadata[countersign_operator]': asked.operatorId,
      'metadata[countersign_checkout]': asked.checkoutId,
      'metadata[countersign_purpose]': 'subscription',
    };
    const [customer, created] = server.seen;
    expect(customer?.params).toEqual({ email: 'payer@example.com', ...metadata });
    expect(created?.params).toEqual({
      ...metadata,
      // An hour.
      expires_at: String(Math.floor(time.now() / 1000) + 3600),
      mode: 'subscription',
      customer: session.customerId ?? '',
      client_reference_id: asked.operatorId,
      'subscription_data[metadata][countersign_operator]': asked.operatorId,
      'subscription_data[metadata][countersign_checkout]': asked.checkoutId,
      'subscription_data[metadata][countersign_purpose]': 'subscription',
      'allowed_payment_method_types[0]': 'card',
      'adaptive_pricing[enabled]': 'false',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '4900',
      'line_items[0][price_data][product_data][name]': 'Countersign Pro, 10,000 credits a month',
      'line_items[0][price_data][recurring][interval]': 'month',
      ui_mode: 'hosted_page',
      success_url: 'https://trust.example/billing/done?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://trust.example/billing/cancelled',
    });
    expect(session).toMatchObject({ url: `${server.url}/c/pay/${session.sessionId}`, clientSecret: null });
    expect(session.expiresAt % 1000).toBe(0);
  });

  test('for a top-up with a known customer makes only a session, which takes stablecoins too', async () => {
    const { customerId } = await processor.createCheckout(order());
    server.seen.length = 0;
    const session = await processor.createCheckout(
      order({ purpose: 'credits', usdCents: 12_345, ui: 'embedded', email: null, customerId }),
    );
    expect(requests()).toEqual(['POST /v1/checkout/sessions']);
    expect(server.seen[0]?.params).toMatchObject({
      mode: 'payment',
      'allowed_payment_method_types[0]': 'card',
      'allowed_payment_method_types[1]': 'crypto',
      'line_items[0][price_data][unit_amount]': '12345',
      'payment_intent_data[metadata][countersign_purpose]': 'credits',
      ui_mode: 'embedded_page',
      return_url: 'https://trust.example/account/billing?back',
    });
    expect(session).toMatchObject({
      customerId,
      url: null,
      clientSecret: `${session.sessionId}_secret_standin`,
    });
  });

  test('of a customer that Stripe does not know makes a new one, once', async () => {
    const asked = order({ purpose: 'stake', customerId: 'cus_sandbox_abc' });
    const session = await processor.createCheckout(asked);
    expect(session.customerId).toMatch(/^cus_standin/);
    expect(requests()).toEqual([
      'POST /v1/checkout/sessions',
      'POST /v1/customers',
      'POST /v1/checkout/sessions',
    ]);
    expect(await processor.createCheckout(asked)).toEqual(session);
    server.faults.push({
      status: 400,
      error: { type: 'invalid_request_error', code: 'resource_missing', param: 'x' },
    });
    await expect(processor.createCheckout(asked)).rejects.toMatchObject({ code: 'processor_unavailable' });
  });

  test('that is repeated creates nothing twice', async () => {
    const asked = order();
    const first = await processor.createCheckout(asked);
    expect(await processor.createCheckout(asked)).toEqual(first);
  });

  test('is retried after an error of the network or the server, with the same idempotency key', async () => {
    server.faults.push({ status: 500, error: { type: 'api_error', message: 'oops' } }, 'cut');
    const asked = order();
    const { sessionId } = await processor.createCheckout(asked).catch(() => processor.createCheckout(asked));
    expect(sessionId).toMatch(/^cs_test_/);
    const keys = server.seen.map(({ path, headers }) => `${path} ${headers.get('idempotency-key')}`);
    expect(new Set(keys)).toEqual(
      new Set([
        `/v1/customers ${asked.checkoutId}-customer`,
        `/v1/checkout/sessions ${asked.checkoutId}-session`,
      ]),
    );
  });

  test('with an address that Stripe refuses is a validation error of the field', async () => {
    await expect(processor.createCheckout(order({ email: 'nobody' }))).rejects.toMatchObject({
      code: 'validation_error',
      details: { issues: { email: [expect.any(String)] } },
    });
    expect(logged).toBe('');
  });

  test.each([
    [
      'a wrong key',
      {
        status: 401,
        error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_51St****0000' },
      },
    ],
    [
      'a missing permission',
      { status: 403, error: { type: 'invalid_request_error', message: 'rk_test_abc may not' } },
    ],
    ['too many requests', { status: 429, error: { type: 'rate_limit_error', message: 'slow down' } }],
    [
      'a refused parameter',
      {
        status: 400,
        error: { type: 'invalid_request_error', param: 'mode', code: 'x', message: 'no cs_test_abc' },
      },
    ],
    ['no JSON', 'no json'],
    ['a redirect', 'redirect'],
  ] as const)('fails with processor_unavailable after %s, and names no secret', async (_, fault) => {
    server.faults.push(fault, fault);
    const failed = await processor.createCheckout(order()).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'processor_unavailable',
      details: { headers: { 'retry-after': '5' } },
    });
    expect(String(failed)).not.toMatch(/(?:sk|rk|cs)_test/);
    expect(logged).toContain('Stripe failed: create a checkout session');
    expect(logged).not.toMatch(/[rs]k_test|cs_test|whsec|payer@/);
  });

  test('is repeated once if Stripe does not respond to a request in time, and then fails', async () => {
    server.faults.push('silent', 'silent');
    const hasty = opened({}, { requestMs: 500 });
    await expect(hasty.createCheckout(order())).rejects.toMatchObject({ code: 'processor_unavailable' });
    expect(requests()).toEqual(['POST /v1/customers', 'POST /v1/customers']);
    expect(logged).toContain('StripeConnectionError');
    expect(logged).toMatch(/"host":"127\.0\.0\.1:\d+"/);
  });

  test('fails when the time of all its requests is over', async () => {
    server.faults.push('silent', 'silent');
    const hasty = opened({}, { callMs: 50 });
    await expect(hasty.createCheckout(order())).rejects.toMatchObject({ code: 'processor_unavailable' });
    expect(logged).toContain('no response within 50 ms');
  });

  test('fails if Stripe does not listen', async () => {
    const away = opened({ 'billing.stripe.api_base': 'http://127.0.0.1:9' });
    await expect(away.createCheckout(order())).rejects.toMatchObject({ code: 'processor_unavailable' });
  });
});

test('the payment of an invoice is found by its id', async () => {
  const { sessionId } = await processor.createCheckout(order());
  const [, invoice] = server.completed(sessionId);
  const { id } = Object(Object(invoice).data).object;
  expect(await processor.paymentIntentOfInvoice(id)).toMatch(/^pi_/);
  expect(await processor.paymentIntentOfInvoice('in_other')).toBeNull();
});

test('the invoice of a payment is found by its payment intent', async () => {
  const { sessionId } = await processor.createCheckout(order());
  const [, invoice] = server.completed(sessionId);
  const { id } = Object(Object(invoice).data).object;
  const intent = await processor.paymentIntentOfInvoice(id);
  expect(await processor.invoiceOfPaymentIntent(intent ?? '')).toBe(id);
  expect(requests().at(-1)).toStartWith('GET /v1/invoice_payments');
  expect(await processor.invoiceOfPaymentIntent('pi_other')).toBeNull();
});

test('a subscription is ended at once, again without an error, and an unknown one is said to be unknown', async () => {
  const { sessionId } = await processor.createCheckout(order());
  const subscriptionId = `sub_${sessionId}`;
  expect(await processor.endSubscription(subscriptionId)).toBe(true);
  expect(requests().at(-1)).toBe(`DELETE /v1/subscriptions/${subscriptionId}`);
  expect(await processor.endSubscription(subscriptionId)).toBe(true);
  expect(await processor.endSubscription('sub_other')).toBe(false);
  server.faults.push({ status: 500, error: { type: 'api_error', message: 'oops' } }, 'cut');
  await expect(processor.endSubscription(subscriptionId)).rejects.toMatchObject({
    code: 'processor_unavailable',
  });
});

test('the portal of a customer is opened with the page to which it leads back, and none for an unknown one', async () => {
  const { customerId } = await processor.createCheckout(order());
  expect(await processor.openPortal(customerId ?? '')).toStartWith(
    'https://billing.stripe.example/p/session/',
  );
  expect(server.seen.at(-1)?.params).toEqual({
    customer: String(customerId),
    return_url: 'https://trust.example/account/billing',
  });
  expect(await processor.openPortal('cus_other')).toBeNull();
  const message = 'No configuration provided and your live mode default configuration has not been created.';
  server.faults.push({ status: 400, error: { type: 'invalid_request_error', message } });
  await expect(processor.openPortal(customerId ?? '')).rejects.toMatchObject({
    code: 'processor_unavailable',
  });
});

test('a processor is a sandbox with a test key, and real with a live one', async () => {
  expect(processor).toMatchObject({ name: 'stripe', sandbox: true });
  expect(opened({ 'billing.stripe.secret_key': 'sk_live_abc' }).sandbox).toBe(false);
  expect(opened({ 'billing.stripe.secret_key': 'rk_live_abc' }).sandbox).toBe(false);
});

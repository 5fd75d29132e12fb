import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '../../../../../src/platform/time/units.ts';
import type {
  CheckoutOrder,
  PaymentProcessor,
} from '../../../../../src/trust/billing/processor/processor.ts';
import { MAX_SESSIONS } from '../../../../../src/trust/billing/sandbox/open-session.ts';
import { MAX_PAYMENTS } from '../../../../../src/trust/billing/sandbox/renew.ts';
import { deleteOldSessions } from '../../../../../src/trust/billing/sandbox/retention.ts';
import { webhookSecret } from '../../../../../src/trust/billing/sandbox/secret.ts';
import { sendEvents } from '../../../../../src/trust/billing/sandbox/sender.ts';
import { insertSession } from '../../../../../src/trust/billing/sandbox/store.ts';
import { seenPage } from '../../../../support/page.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const SETTINGS = { 'billing.processor': 'sandbox' };

interface Taken {
  id: string;
  type: string;
  object: Record<string, unknown>;
}

let app: TrustApp;
let time: VirtualTime;
let data: string;
let processor: PaymentProcessor;
/** The events that the endpoint acknowledged, in their order. */
let taken: Taken[];
/** The statuses of the next responses of the endpoint; 200 after these. */
let statuses: number[];
let server: ReturnType<typeof Bun.serve>;

async function open(): Promise<void> {
  app = await openTrustApp(SETTINGS, time, data);
  const opened = await app.service.trust.processor();
  if (opened === null) throw new Error('there is no processor');
  processor = opened;
}

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'countersign-sandbox-'));
  time = new VirtualTime();
  taken = [];
  statuses = [];
  await open();
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const status = statuses.shift() ?? 200;
      const event = await processor.eventOf(await request.bytes(), request.headers.get('stripe-signature'));
      const object = Object(event.data.object);
      if (status === 200) taken.push({ id: event.id, type: event.type, object });
      return new Response(null, { status });
    },
  });
});
afterEach(async () => {
  await server.stop(true);
  await app.close();
  rmSync(data, { recursive: true });
});

const send = (): Promise<void> => {
  const { trust } = app.service;
  return sendEvents({
    ...trust,
    secret: webhookSecret(trust.masterKey),
    listener: `http://127.0.0.1:${server.port}`,
  });
};

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

const types = (): string[] => taken.map(({ type }) => type);
const newest = (): Record<string, unknown> => taken.at(-1)?.object ?? {};

async function page(sessionId: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await app.fetch(new Request(`http://localhost/sandbox/checkout/${sessionId}`));
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function submit(sessionId: string, fields: Record<string, string>): Promise<Response> {
  return app.fetch(
    new Request(`http://localhost/sandbox/checkout/${sessionId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    }),
  );
}

async function done(sessionId: string, fields: Record<string, string>): Promise<void> {
  const response = await submit(sessionId, fields);
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `/sandbox/checkout/${sessionId}`,
  ]);
  await send();
}

describe('a session of the sandbox', () => {
  test('has an unguessable id, is made once for a checkout, and says when it expires', async () => {
    const asked = order();
    const first = await processor.createCheckout(asked);
    expect(first).toMatchObject({
      url: `http://localhost:3000/sandbox/checkout/${first.sessionId}`,
      clientSecret: null,
      expiresAt: time.now() + HOUR_MS,
    });
    expect(first.sessionId).toMatch(/^cs_sandbox_[0-9a-f]{64}$/);
    expect(await processor.createCheckout(asked)).toEqual(first);
    await send();
    expect(types()).toEqual(['customer.created']);
    expect(newest()).toMatchObject({
      id: first.customerId,
      metadata: { countersign_operator: asked.operatorId, countersign_checkout: asked.checkoutId },
    });
    const again = await processor.createCheckout(order({ customerId: first.customerId }));
    await send();
    expect([again.customerId, types().length]).toEqual([first.customerId, 1]);
  });

  test('that is embedded has a client secret that begins with its id, and no URL', async () => {
    const asked = order({ ui: 'embedded' });
    const { sessionId, url, clientSecret } = await processor.createCheckout(asked);
    expect(url).toBeNull();
    expect(clientSecret).toMatch(new RegExp(`^${sessionId}_secret_[0-9a-f]{32}$`));
    expect((await processor.createCheckout(asked)).clientSecret).toBe(clientSecret);
    expect((await page(sessionId)).status).toBe(200);
  });

  test('of a subscription is paid, renewed, refunded and canceled, as events of Stripe say it', async () => {
    const asked = order();
    const { sessionId, customerId } = await processor.createCheckout(asked);
    await done(sessionId, { action: 'pay' });
    expect(types()).toEqual(['customer.created', 'checkout.session.completed', 'invoice.payment_succeeded']);
    const [, completed, invoice] = taken.map(({ object }) => object);
    expect(completed).toMatchObject({
      id: sessionId,
      mode: 'subscription',
      payment_status: 'paid',
      amount_total: 4900,
      currency: 'usd',
      customer: customerId,
      client_reference_id: asked.operatorId,
      invoice: invoice?.id,
      payment_intent: null,
      livemode: false,
    });
    expect(invoice).toMatchObject({ billing_reason: 'subscription_create', amount_paid: 4900 });
    const intent = await processor.paymentIntentOfInvoice(String(invoice?.id));
    expect(intent).toMatch(/^pi_sandbox_/);
    expect(await processor.paymentIntentOfInvoice('in_unknown')).toBeNull();

    await done(sessionId, { action: 'renew' });
    expect(newest()).toMatchObject({ billing_reason: 'subscription_cycle', customer: customerId });
    const charges = [...(await page(sessionId)).text.matchAll(/name="charge" value="(ch_[^"]+)"/g)];
    const [first = ''] = charges.map(([, id = '']) => id);
    expect(charges).toHaveLength(2);
    // Without its charge, only the payment of a session with one is meant.
    expect((await submit(sessionId, { action: 'refund' })).status).toBe(404);
    await done(sessionId, { action: 'refund', charge: first, amount: '10' });
    expect(newest()).toMatchObject({ amount_refunded: 1000, refunded: false, payment_intent: intent });
    await done(sessionId, { action: 'refund', charge: first, amount: '' });
    expect(newest()).toMatchObject({ amount_refunded: 4900, refunded: true });
    expect((await submit(sessionId, { action: 'refund', charge: first, amount: '' })).status).toBe(409);
    await done(sessionId, { action: 'cancel' });
    expect(newest()).toMatchObject({ object: 'subscription', status: 'canceled', customer: customerId });
    for (const action of ['renew', 'cancel', 'pay', 'fail']) {
      expect((await submit(sessionId, { action })).status).toBe(409);
    }
    expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
  });

  test('of a top-up has a payment intent of its own, and no invoice', async () => {
    const { sessionId } = await processor.createCheckout(order({ purpose: 'credits', usdCents: 12_345 }));
    await done(sessionId, { action: 'pay' });
    expect(types()).toEqual(['customer.created', 'checkout.session.completed']);
    expect(newest()).toMatchObject({
      mode: 'payment',
      invoice: null,
      subscription: null,
      amount_total: 12_345,
    });
    expect(newest().payment_intent).toMatch(/^pi_sandbox_/);
    for (const action of ['renew', 'cancel']) expect((await submit(sessionId, { action })).status).toBe(409);
    await done(sessionId, { action: 'refund' });
    expect(newest()).toMatchObject({ amount_refunded: 12_345, refunded: true });
  });

  test('is disputed as a whole, and a second time it is the same dispute', async () => {
    const { sessionId } = await processor.createCheckout(order({ purpose: 'credits', usdCents: 700 }));
    expect((await submit(sessionId, { action: 'dispute' })).status).toBe(404);
    await done(sessionId, { action: 'pay' });
    const intent = newest().payment_intent;
    expect((await submit(sessionId, { action: 'dispute', charge: 'ch_sandbox_x' })).status).toBe(404);
    await done(sessionId, { action: 'dispute' });
    const first = newest();
    expect(types().at(-1)).toBe('charge.dispute.created');
    expect(first).toMatchObject({ amount: 700, payment_intent: intent, status: 'needs_response' });
    await done(sessionId, { action: 'dispute' });
    expect(newest().id).toBe(first.id);
  });

  test('that fails completes unpaid first, and cannot be paid any more', async () => {
    const { sessionId } = await processor.createCheckout(order());
    await done(sessionId, { action: 'fail' });
    expect(types().slice(1)).toEqual(['checkout.session.completed', 'checkout.session.async_payment_failed']);
    expect(taken[1]?.object).toMatchObject({
      payment_status: 'unpaid',
      payment_intent: null,
      subscription: null,
    });
    expect((await submit(sessionId, { action: 'pay' })).status).toBe(409);
    expect((await page(sessionId)).text).toContain('Payment failed');
  });

  test('expires after an hour, and is deleted an hour later', async () => {
    const { sessionId } = await processor.createCheckout(order());
    await send();
    time.advance(HOUR_MS);
    const expired = await page(sessionId);
    expect(expired.text).toContain('Expired');
    expect((await submit(sessionId, { action: 'pay' })).status).toBe(409);
    time.advance(HOUR_MS + 1);
    const tasks = (await app.service.background()).tasks;
    await tasks.find(({ name }) => name === 'delete old sessions of the sandbox')?.run();
    expect((await page(sessionId)).status).toBe(404);
  });

  test('of a subscription ends when the operator is closed, once, and is no obstacle when it is gone', async () => {
    const { sessionId } = await processor.createCheckout(order());
    await done(sessionId, { action: 'pay' });
    const subscription = String(
      taken.find(({ type }) => type === 'checkout.session.completed')?.object.subscription,
    );
    expect(await processor.endSubscription(subscription)).toBe(true);
    await send();
    expect(newest()).toMatchObject({ object: 'subscription', id: subscription, status: 'canceled' });
    const before = types().length;
    expect(await processor.endSubscription(subscription)).toBe(true);
    expect(await processor.endSubscription('sub_unknown')).toBe(true);
    await send();
    expect(types()).toHaveLength(before);
    expect((await submit(sessionId, { action: 'renew' })).status).toBe(409);
  });

  test('replaces the oldest one that ended if 10,000 are stored, and is refused while all are open', async () => {
    const { trust } = app.service;
    const { sessionId: old } = await processor.createCheckout(order());
    await done(old, { action: 'pay' });
    const { sessionId: ended } = await processor.createCheckout(order());
    await done(ended, { action: 'fail' });
    time.advance(1);
    const now = time.now();
    await trust.store.writeAsService(async (tx) => {
      for (let count = 0; count < MAX_SESSIONS - 2; count++) {
        await insertSession(tx, {
          sessionId: `cs_sandbox_${count}`,
          checkoutId: `chk_${count}`,
          operatorId: 'op_cus_0000000000000000000000ab',
          purpose: 'credits',
          usdCents: 100,
          customerId: 'cus_sandbox_a',
          subscriptionId: null,
          embedded: false,
          createdAt: now,
          expiresAt: now + DAY_MS,
          changedAt: now,
        });
      }
    });
    await processor.createCheckout(order());
    expect((await page(old)).status).toBe(404);
    expect((await page(ended)).status).toBe(200);
    await processor.createCheckout(order());
    await expect(processor.createCheckout(order())).rejects.toMatchObject({
      code: 'processor_unavailable',
      details: { headers: { 'retry-after': '3600' } },
    });
    time.advance(2 * DAY_MS);
    await deleteOldSessions(trust);
    expect((await processor.createCheckout(order())).sessionId).toMatch(/^cs_sandbox_/);
  });

  test('renews a bounded number of times', async () => {
    const { sessionId } = await processor.createCheckout(order());
    await done(sessionId, { action: 'pay' });
    for (let count = 1; count < MAX_PAYMENTS; count++) await done(sessionId, { action: 'renew' });
    expect((await submit(sessionId, { action: 'renew' })).status).toBe(409);
  });
});

describe('the sender of the sandbox', () => {
  test('repeats an event until it is acknowledged, in the order of its session, even after a restart', async () => {
    const { sessionId } = await processor.createCheckout(order());
    expect((await submit(sessionId, { action: 'pay' })).status).toBe(303);
    statuses = [500];
    await expect(send()).rejects.toThrow('customer.created');
    expect(taken).toEqual([]);
    await app.close();
    await open();
    time.advance(1000);
    statuses = [200, 503];
    await expect(send()).rejects.toThrow('checkout.session.completed evt_sandbox_');
    expect(types()).toEqual(['customer.created']);
    time.advance(2000);
    await send();
    expect(types()).toEqual(['customer.created', 'checkout.session.completed', 'invoice.payment_succeeded']);
    await send();
    expect(taken).toHaveLength(3);
  });

  test('goes on with other sessions while the events of one are refused', async () => {
    await processor.createCheckout(order());
    await processor.createCheckout(order());
    statuses = [400];
    await expect(send()).rejects.toThrow('status 400');
    expect(taken).toHaveLength(1);
  });

  test('stores a bounded number of events of one session', async () => {
    const { sessionId } = await processor.createCheckout(order());
    await submit(sessionId, { action: 'pay' });
    const statuses = [];
    for (let count = 0; count < 20; count++)
      statuses.push((await submit(sessionId, { action: 'renew' })).status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(17);
    await send();
    expect((await submit(sessionId, { action: 'renew' })).status).toBe(303);
  });

  test('gives an event up after three days', async () => {
    await processor.createCheckout(order());
    time.advance(4 * DAY_MS);
    statuses = [500];
    await expect(send()).rejects.toThrow('status 500');
    await send();
    expect(taken).toEqual([]);
  });
});

describe('the page of a session', () => {
  test('says SANDBOX, has only harmless elements, and no header that lets other sites read it', async () => {
    const { sessionId } = await processor.createCheckout(order());
    for (const action of ['', 'pay', 'renew', 'cancel']) {
      if (action !== '') await done(sessionId, { action });
      const { text, headers } = await page(sessionId);
      await seenPage(text.replaceAll('href="http://localhost:3000/', 'href="/'), true);
      expect(text).toContain('SANDBOX: no real money is paid');
      expect(text).toContain('<title>SANDBOX checkout, $49.00</title>');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  test('refuses what is not a form of the page', async () => {
    const { sessionId } = await processor.createCheckout(order());
    const unknown = `cs_sandbox_${'0'.repeat(64)}`;
    expect((await page(unknown)).status).toBe(404);
    expect((await page('cs_test_1')).status).toBe(400);
    expect((await submit(unknown, { action: 'pay' })).status).toBe(404);
    expect((await submit(sessionId, { action: 'steal' })).status).toBe(400);
    expect((await submit(sessionId, { action: 'pay', more: 'x' })).status).toBe(400);
    expect((await submit(sessionId, { action: 'pay', amount: 'x'.repeat(40_000) })).status).toBe(413);
    await done(sessionId, { action: 'pay' });
    for (const amount of ['0', '49.01', '-1', '1e3', '1.5', '0x10']) {
      const { status } = await submit(sessionId, { action: 'refund', charge: 'ch_sandbox_x', amount });
      expect([400, 404]).toContain(status);
    }
    const json = await app.fetch(
      new Request(`http://localhost/sandbox/checkout/${sessionId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"action":"pay"}',
      }),
    );
    expect([json.status, json.headers.get('content-type')]).toEqual([415, 'text/html; charset=utf-8']);
  });

  test('exists only with the sandbox', async () => {
    const { sessionId } = await processor.createCheckout(order());
    await app.close();
    app = await openTrustApp({}, time, data);
    expect((await page(sessionId)).status).toBe(404);
    expect(await app.service.trust.processor()).toBeNull();
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { billingErrors } from '../../../../src/trust/billing/errors.ts';
import { startCheckout } from '../../../../src/trust/billing/start-checkout.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import {
  type BillingApp,
  billingState,
  cycle,
  openBillingApp,
  paidSession,
  refunded,
  subscribed,
  type TestEvent,
} from '../../../support/billing-app.ts';
import { permutations } from '../../../support/permutations.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

let app: BillingApp;
beforeEach(async () => {
  app = await openBillingApp();
});
afterEach(() => app.close());

const TASK = 'delete unpaid checkouts and old events of the payment processor';

describe('a stranger subscribes', () => {
  test('by paying, and gets the API key of a new operator once', async () => {
    const { sessionId, operatorId, customerId, claimToken } = await app.subscribe();
    const early = await app.claim(sessionId, claimToken);
    expect(early).toMatchObject({ status: 409, body: { reason_code: 'invalid_state' } });
    expect(early.headers.get('retry-after')).toBe('2');
    await app.send(subscribed({ sessionId, customerId }));
    expect(await billingState(app, operatorId)).toEqual({
      status: 'ACTIVE',
      plan: 'PRO',
      balances: { 'pool paid': 4900, 'pool promotional': 5100 },
    });
    const { status, body, headers } = await app.claim(sessionId, claimToken);
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      operator_id: operatorId,
      api_key: expect.stringMatching(/^pp_[0-9a-f]{64}$/),
      keyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await app.claim(sessionId, claimToken)).toMatchObject({
      status: 409,
      body: { reason_code: 'conflict' },
    });
    const keys = await app.rows(
      `SELECT 1 FROM api_key JOIN operator USING (operator_seq) WHERE operator_id = '${operatorId}'`,
    );
    expect(keys).toHaveLength(1);
    const own = { authorization: `Bearer ${body.api_key}` };
    expect((await app.post('/api/v1/operator/api-keys', {}, own)).status).toBe(201);
  });

  test('and the token is stored as a hash, in no log and in no response but the first', async () => {
    const { claimToken } = await app.subscribe();
    const [row] = await app.rows<{ claim_hash: Uint8Array }>('SELECT claim_hash FROM checkout');
    expect(row?.claim_hash.toHex()).not.toContain(claimToken.slice(6, 20));
    expect(app.logged()).not.toContain(claimToken);
  });

  test('with the cookie instead of the token', async () => {
    const { body, headers } = await app.post('/api/billing/checkout', {
      email: 'ada@example.com',
      ui: 'embedded',
    });
    expect(body).toMatchObject({ clientSecret: 'cs_1_secret', session_id: 'cs_1' });
    expect(body).not.toHaveProperty('url');
    expect(app.processor.orders[0]).toMatchObject({
      email: 'ada@example.com',
      usdCents: 4900,
    });
    expect(await app.rows("SELECT 1 FROM sqlite_schema, checkout WHERE operator_id LIKE '%ada%'")).toEqual(
      [],
    );
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^billing_claim=claim_[0-9a-f]{64};.*HttpOnly.*SameSite=Lax/i);
    await app.send(subscribed({ sessionId: 'cs_1', customerId: 'cus_1' }));
    const claimed = await app.post(
      '/api/billing/claim',
      { session_id: 'cs_1' },
      { cookie: cookie.split(';')[0] ?? '' },
    );
    expect(claimed.status).toBe(201);
  });

  test('with the cookie of a browser that started several checkouts, of which it paid the first', async () => {
    let cookie = '';
    for (let count = 0; count < 7; count++) {
      const { headers } = await app.post('/api/billing/checkout', {}, cookie === '' ? {} : { cookie });
      [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    }
    expect(cookie).toMatch(/^billing_claim=(?:claim_[0-9a-f]{64}\.){4}claim_[0-9a-f]{64}$/);
    await app.send(subscribed({ sessionId: 'cs_2', customerId: 'cus_2' }));
    await app.send(subscribed({ sessionId: 'cs_3', customerId: 'cus_3' }));
    const claim = async (session_id: string) =>
      (await app.post('/api/billing/claim', { session_id }, { cookie })).status;
    expect([await claim('cs_2'), await claim('cs_3'), await claim('cs_7')]).toEqual([404, 201, 409]);
  });

  test('and a page of another site cannot replace the cookie', async () => {
    for (const origin of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const { status, body, headers } = await app.post('/api/billing/checkout', {}, origin);
      expect([status, typeof body.claim_token, headers.get('set-cookie')]).toEqual([200, 'string', null]);
    }
  });

  test('in two claims at once, of which one wins', async () => {
    const { sessionId, customerId, claimToken } = await app.subscribe();
    await app.send(subscribed({ sessionId, customerId }));
    const responses = await Promise.all(Array.from({ length: 6 }, () => app.claim(sessionId, claimToken)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('and is marked where no real money was paid', async () => {
    await app.close();
    app = await openBillingApp({ live: false });
    const { sessionId, operatorId, customerId, claimToken } = await app.subscribe();
    await app.send(subscribed({ sessionId, customerId }));
    expect((await app.claim(sessionId, claimToken)).body).toMatchObject({ sandbox: true });
    expect((await billingState(app, operatorId)).balances).toEqual({ 'pool sandbox': 10_000 });
  });

  test('and can claim the key even while an administrator has suspended the operator', async () => {
    const { sessionId, operatorId, customerId, claimToken } = await app.subscribe();
    await app.send(subscribed({ sessionId, customerId }));
    await setAccountStatus(app.service.trust, operatorId, 'SUSPENDED');
    const { status, body } = await app.claim(sessionId, claimToken);
    expect(status).toBe(201);
    const own = { authorization: `Bearer ${body.api_key}` };
    expect((await app.post('/api/v1/operator/api-keys', {}, own)).status).toBe(403);
  });
});

test('After its subscription, an operator has the quota of the plan FREE', async () => {
  await app.close();
  app = await openBillingApp({ settings: { rate_limits: 'on' } });
  const { sessionId, customerId, claimToken } = await app.subscribe();
  await app.send(subscribed({ sessionId, customerId }));
  const { body } = await app.claim(sessionId, claimToken);
  const status = async () => {
    const request = new Request('http://localhost/api/v1/operator/status', {
      headers: { authorization: `Bearer ${body.api_key}` },
    });
    return (await app.fetch(request)).json();
  };
  expect(await status()).toMatchObject({
    plan: 'PRO',
    quota: { writes_per_minute: { limit: null }, stored_bytes: { limit: null }, webhooks: { limit: 100 } },
  });
  await app.send({ type: 'customer.subscription.deleted', object: { id: `sub_${sessionId}` } });
  expect(await status()).toMatchObject({
    plan: 'FREE',
    quota: { writes_per_minute: { limit: 120 }, stored_bytes: { limit: 67_108_864 }, webhooks: { limit: 5 } },
  });
});

test('No more orders of strangers wait for a slow processor than it can bear', async () => {
  const { promise: slow, resolve: respond } = Promise.withResolvers<void>();
  const create = app.processor.createCheckout.bind(app.processor);
  app.processor.createCheckout = async (order) => {
    await slow;
    return create(order);
  };
  const order = () => startCheckout(app.service.trust, {});
  const waiting = Array.from({ length: 100 }, order);
  for (const _ of waiting) await app.service.trust.store.read(async () => null);
  await expect(order()).rejects.toMatchObject({ code: 'overloaded' });
  respond();
  expect(await Promise.all(waiting)).toHaveLength(100);
  expect(await order()).toMatchObject({ response: { session_id: 'cs_101' } });
});

describe('a claim of somebody else is 404:', () => {
  test.each<[string, (session: string, token: string) => [string, string | undefined]]>([
    ['another token', (session) => [session, `claim_${'0'.repeat(64)}`]],
    ['no token', (session) => [session, undefined]],
    ['an unknown session', (_session, token) => ['cs_unknown', token]],
    ['the token of another checkout', (_session, token) => ['cs_2', token]],
    ['a session of a top-up', (_session, token) => ['cs_3', token]],
  ])('%s', async (_name, change) => {
    const first = await app.subscribe();
    const second = await app.subscribe();
    await app.send(paidSession(await app.topUp(100), 100));
    for (const one of [first, second]) await app.send(subscribed(one));
    const [session_id, token] = change(first.sessionId, first.claimToken);
    const claim = { session_id, ...(token === undefined ? {} : { claim_token: token }) };
    expect(await app.post('/api/billing/claim', claim)).toMatchObject({
      status: 404,
      body: { reason_code: 'not_found' },
    });
    expect((await app.claim(first.sessionId, first.claimToken)).status).toBe(201);
  });
});

describe('a subscription', () => {
  test('is in the same state after any order of its events, each of them twice', async () => {
    const months: ((of: { sessionId: string; customerId: string; operatorId: string }) => TestEvent)[] = [
      (of) => subscribed(of),
      (of) => cycle(of, 1),
      (of) => ({
        type: 'customer.subscription.deleted',
        object: { id: `sub_${of.sessionId}`, customer: of.customerId },
      }),
      (of) => refunded('pi_first', 2450, { customer: of.customerId }),
      (of) => refunded('pi_second', 4900, { customer: of.customerId }),
    ];
    const subscriber = async () => {
      const of = await app.subscribe();
      return { ...of, tag: of.sessionId };
    };
    for (const order of permutations(months)) {
      const of = await subscriber();
      app.processor.intents.set(`in_${of.sessionId}_0`, `pi_first_${of.tag}`);
      app.processor.intents.set(`in_${of.sessionId}_1`, `pi_second_${of.tag}`);
      for (const make of [...order, ...order]) {
        const event = make(of);
        const intent = event.object.payment_intent;
        const object =
          typeof intent === 'string'
            ? { ...event.object, payment_intent: `${intent}_${of.tag}` }
            : event.object;
        expect((await app.send({ ...event, object })).status).toBe(200);
      }
      expect(await billingState(app, of.operatorId)).toEqual({
        status: 'ACTIVE',
        plan: 'FREE',
        balances: { 'pool paid': 2450, 'pool promotional': 2550 },
      });
    }
    expect(await app.rows('SELECT 1 FROM unbooked_payment')).toEqual([]);
  }, 180_000);

  test('asks the processor for the payments of invoices only when a refund waits for one', async () => {
    const of = await app.subscribe();
    await app.send(subscribed(of));
    await app.send(cycle(of, 1));
    expect(app.processor.asked).toEqual([]);
    app.processor.failure = billingErrors.processor_unavailable({ headers: { 'retry-after': '5' } });
    const refused = await app.send(refunded('pi_first', 4900, { customer: of.customerId }));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    // In words for the processor, and not of an order.
    expect(String(refused.body.error)).toContain('which payment this event is about');
    expect(await app.rows('SELECT 1 FROM payment_refund')).toEqual([]);
    app.processor.failure = null;
    app.processor.intents.set(`in_${of.sessionId}_0`, 'pi_first');
    await app.send(refunded('pi_first', 4900, { customer: of.customerId }));
    expect((await billingState(app, of.operatorId)).balances).toEqual({
      'pool paid': 4900,
      'pool promotional': 5100,
    });
  });

  test('loses no refund whose invoice the processor did not know at first', async () => {
    const of = await app.subscribe();
    await app.send(refunded('pi_first', 4900, { customer: of.customerId }));
    await app.send(subscribed(of));
    expect((await billingState(app, of.operatorId)).balances).toMatchObject({ 'pool paid': 4900 });
    app.processor.intents.set(`in_${of.sessionId}_0`, 'pi_first');
    await app.send(refunded('pi_of_another_product', 100, { customer: of.customerId }));
    expect((await billingState(app, of.operatorId)).balances).toEqual({});
    await app.send(refunded('pi_first', 4900, { customer: of.customerId }));
    expect((await billingState(app, of.operatorId)).balances).toEqual({});
  });

  test('gives credits for no other invoice, and once for each month', async () => {
    const of = await app.subscribe();
    await app.send(subscribed(of));
    for (const reason of ['subscription_create', 'subscription_update', 'manual', null])
      await app.send(cycle(of, 5, { billing_reason: reason }));
    await Promise.all(Array.from({ length: 5 }, () => app.send(cycle(of, 1))));
    expect((await billingState(app, of.operatorId)).balances).toEqual({
      'pool paid': 9800,
      'pool promotional': 10_200,
    });
  });
});

describe('a customer', () => {
  test('is bound by its order and our metadata together, and then its invoices are booked', async () => {
    const of = await app.subscribe();
    const [row] = await app.rows<{ id: string }>(
      "SELECT 'chk_' || lower(hex(checkout_id)) AS id FROM checkout",
    );
    const metadata = { countersign_operator: of.operatorId, countersign_checkout: row?.id ?? '' };
    const created = (id: string, more: object = {}) =>
      app.send({ type: 'customer.created', object: { id, metadata: { ...metadata, ...more } } });
    expect((await created('cus_other')).body).toMatchObject({ ignored: true });
    expect((await created(of.customerId, { countersign_operator: app.otherId })).body).toMatchObject({
      ignored: true,
    });
    expect((await created(of.customerId)).body).toEqual({ received: true });
    expect(await app.rows('SELECT customer_id, operator_id FROM billing_customer')).toEqual([
      { customer_id: of.customerId, operator_id: of.operatorId },
    ]);
  });

  test('of a top-up is the customer of the next one', async () => {
    await app.send(paidSession(await app.topUp(100), 100, { customer: 'cus_1' }));
    await app.topUp(100);
    expect(app.processor.orders.map(({ customerId }) => customerId)).toEqual(['cus_1', 'cus_1']);
  });
});

describe('strangers cannot use the service up:', () => {
  test('checkouts are limited by address', async () => {
    await app.close();
    app = await openBillingApp({ settings: { rate_limits: 'on', 'limits.checkout': '3' } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await app.post('/api/billing/checkout', {})).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(app.processor.orders).toHaveLength(3);
  });

  test('guesses of tokens and signatures are limited by address, and events of the processor are not', async () => {
    await app.close();
    app = await openBillingApp({ settings: { rate_limits: 'on', 'limits.public_posts': '3' } });
    const guesses: number[] = [];
    for (let n = 0; n < 5; n++)
      guesses.push((await app.send(refunded('pi', 1), { secret: 'whsec_guess' })).status);
    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    expect((await app.claim('cs_1', `claim_${'0'.repeat(64)}`)).status).toBe(429);
    for (let n = 0; n < 6; n++) expect((await app.send(refunded('pi', n + 1))).status).toBe(200);
  });

  test('at most 10,000 of their checkouts are open, and those that nobody paid are deleted with their customers', async () => {
    const of = await app.subscribe();
    await app.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
      INSERT INTO checkout (checkout_id, session_id, operator_id, purpose, usd_cents, claim_hash, status, created_at, expires_at)
      SELECT randomblob(16), 'x' || i, 'op_cus_' || i, 'subscription', 4900, randomblob(32), 'open', 1, ${app.time.now()} FROM n`,
    );
    const full = await app.post('/api/billing/checkout', {});
    expect(full).toMatchObject({ status: 503, body: { reason_code: 'overloaded' } });
    expect(app.processor.orders).toHaveLength(1);
    await app.topUp(100);
    await app.send(subscribed(of));
    const another = await app.subscribe();
    expect((await app.post('/api/billing/checkout', {})).status).toBe(503);
    app.time.advance(15 * 60_000 + 1);
    // A new one replaces one that ended, and no other.
    expect((await app.post('/api/billing/checkout', {})).status).toBe(200);
    expect(await app.metric('countersign_open_checkouts')).toBe(10_000);
    expect(await app.rows(`SELECT 1 FROM checkout WHERE session_id = '${another.sessionId}'`)).toHaveLength(
      1,
    );
    await app.runTask(TASK, 9 * DAY_MS);
    expect(await app.rows('SELECT session_id, status FROM checkout')).toEqual([
      { session_id: of.sessionId, status: 'paid' },
    ]);
    expect((await app.post('/api/billing/checkout', {})).status).toBe(200);
    expect(await app.metric('countersign_open_checkouts')).toBe(1);
  });

  test.each([
    ['a number as email', { email: 5 }],
    ['an email of two lines', { email: 'a@example.com\nbcc: b@example.com' }],
    ['a long email', { email: `${'a'.repeat(250)}@example.com` }],
    ['another ui', { ui: 'popup' }],
    ['another member', { usd_cents: 1 }],
  ])('%s is refused before the processor is asked', async (_name, body) => {
    expect((await app.post('/api/billing/checkout', body)).status).toBe(400);
    expect(app.processor.orders).toEqual([]);
  });
});

describe('a top-up', () => {
  test.each([99, 10_000_001, 100.5, -100])('of %p cents is refused', async (usd_cents) => {
    expect((await app.other.post('/api/v1/account/topup', { usd_cents, target: 'credits' })).status).toBe(
      400,
    );
    expect(app.processor.orders).toEqual([]);
  });

  test('with an Idempotency-Key that was used returns the same session', async () => {
    const topup = (usd_cents: number) =>
      app.post(
        '/api/v1/account/topup',
        { usd_cents, target: 'credits' },
        { authorization: `Bearer ${app.otherKey}`, 'idempotency-key': 'one' },
      );
    const first = await topup(100);
    const again = await topup(100);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await topup(200)).status).toBe(422);
    expect(await app.rows('SELECT 1 FROM checkout')).toHaveLength(1);
    expect(app.processor.orders).toHaveLength(1);
  });

  test('with the same Idempotency-Key several times at once opens one session', async () => {
    const topup = () =>
      app.post(
        '/api/v1/account/topup',
        { usd_cents: 100, target: 'credits' },
        { authorization: `Bearer ${app.otherKey}`, 'idempotency-key': 'two' },
      );
    const responses = await Promise.all([topup(), topup(), topup(), topup()]);
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.session_id}`))).toEqual(
      new Set(['200 cs_1']),
    );
    expect(app.processor.orders).toHaveLength(1);
  });

  test('of less than a credit costs is refused before anything is paid', async () => {
    await app.close();
    app = await openBillingApp({ settings: { 'credits.cents_per_credit': '101' } });
    expect(
      await app.other.post('/api/v1/account/topup', { usd_cents: 100, target: 'credits' }),
    ).toMatchObject({
      status: 400,
      body: { issues: { usd_cents: [expect.stringContaining('at least 101')] } },
    });
    expect(app.processor.orders).toEqual([]);
    await app.topUp(101, 'credits');
    await app.topUp(100, 'stake');
  });

  test('beyond the quota asks the processor for nothing', async () => {
    await app.close();
    app = await openBillingApp({ settings: { rate_limits: 'on', 'quotas.other.writes_per_minute': '2' } });
    const topup = { usd_cents: 100, target: 'credits' };
    await app.topUp(100);
    expect((await app.other.post('/api/v1/account/topup', topup)).status).toBe(429);
    expect(app.processor.orders).toHaveLength(1);
  });

  test('needs a key, and stores nothing when the processor fails', async () => {
    expect((await app.post('/api/v1/account/topup', { usd_cents: 100, target: 'credits' })).status).toBe(401);
    app.processor.failure = billingErrors.processor_unavailable({ headers: { 'retry-after': '5' } });
    expect(
      (await app.other.post('/api/v1/account/topup', { usd_cents: 100, target: 'credits' })).status,
    ).toBe(503);
    expect((await app.post('/api/billing/checkout', {})).status).toBe(503);
    expect(await app.rows('SELECT 1 FROM checkout')).toEqual([]);
  });
});

test('without a processor all of it is 503 with what to configure', async () => {
  const none = await openTrustApp();
  const responses = [
    await none.anyone.post('/api/billing/checkout', {}),
    await none.anyone.post('/api/billing/claim', { session_id: 'cs_1' }),
    await none.anyone.post('/api/billing/webhook', { id: 'evt_1' }),
    await none.other.post('/api/v1/account/topup', { usd_cents: 100, target: 'credits' }),
  ];
  for (const { status, body } of responses) {
    expect([status, body.reason_code]).toEqual([503, 'not_configured']);
    expect(body.error).toContain('billing.stripe.secret_key');
  }
  await none.close();
});

test('a payment that was charged and not booked is booked when its event comes again after a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'countersign-billing-'));
  const first = await openBillingApp({ data });
  const { sessionId, operatorId, customerId, claimToken } = await first.subscribe();
  const { store } = first.service.trust;
  const write = store.write;
  store.write = () => Promise.reject(new Error('a crash before the commit'));
  expect((await first.send({ ...subscribed({ sessionId, customerId }), id: 'evt_1' })).status).toBe(500);
  store.write = write;
  await first.close();
  const second = await openBillingApp({ data });
  expect((await second.send({ ...subscribed({ sessionId, customerId }), id: 'evt_1' })).body).toEqual({
    received: true,
  });
  expect((await second.send({ ...subscribed({ sessionId, customerId }), id: 'evt_1' })).body).toMatchObject({
    duplicate: true,
  });
  expect((await billingState(second, operatorId)).balances).toEqual({
    'pool paid': 4900,
    'pool promotional': 5100,
  });
  expect((await second.claim(sessionId, claimToken)).status).toBe(201);
  await second.close();
  rmSync(data, { recursive: true });
});

test('a live key is refused where sandbox money was booked', async () => {
  const data = mkdtempSync(join(tmpdir(), 'countersign-billing-'));
  const sandbox = await openBillingApp({ data, live: false });
  await sandbox.send(paidSession(await sandbox.topUp(100), 100));
  await sandbox.close();
  const settings = (mode: string) => ({
    'billing.stripe.secret_key': `sk_${mode}_1`,
    'billing.stripe.webhook_secret': 'whsec_1',
  });
  await expect(openTrustApp(settings('live'), null, data)).rejects.toThrow('payments of sandbox money');
  await (await openTrustApp(settings('test'), null, data)).close();
  rmSync(data, { recursive: true });
});

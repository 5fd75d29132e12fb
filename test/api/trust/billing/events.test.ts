import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listUnbooked } from '../../../../src/trust/billing/list-unbooked.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { setStake } from '../../../../src/trust/pages/dashboard/set-stake.ts';
import { audited } from '../../../support/audit.ts';
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
import { adjustPoolDirectly } from '../../../support/credits.ts';
import { permutations } from '../../../support/permutations.ts';

let app: BillingApp;
beforeEach(async () => {
  app = await openBillingApp();
});
afterEach(() => app.close());

const state = (operatorId = app.otherId) => billingState(app, operatorId);
const balances = async (operatorId = app.otherId) => (await state(operatorId)).balances;

describe('a payment is booked once', () => {
  test('as credits, by what the processor says was paid, whatever was ordered and metadata say', async () => {
    const session = await app.topUp(2500);
    const metadata = { countersign_operator: 'op_cus_x', countersign_purpose: 'stake', amount: '999999' };
    expect(await app.send(paidSession(session, 1999, { metadata }))).toMatchObject({
      status: 200,
      body: { received: true },
    });
    expect(await balances()).toEqual({ 'pool paid': 1999 });
  });

  test('as stake, cent by cent', async () => {
    await app.send(paidSession(await app.topUp(500, 'stake'), 500));
    expect(await balances()).toEqual({ 'stake cents': 500 });
    expect((await app.other.get('/api/v1/operator/status')).body).toMatchObject({ stakeBalanceCents: 500 });
  });

  test('if its event is replayed, and if another event says the same', async () => {
    const session = await app.topUp(2500);
    const event = { ...paidSession(session, 2500), id: 'evt_same' };
    await app.send(event);
    expect((await app.send(event)).body).toEqual({ received: true, duplicate: true });
    expect((await app.send({ ...event, id: 'evt_next' })).body).toEqual({ received: true });
    await app.send({ ...event, id: 'evt_async', type: 'checkout.session.async_payment_succeeded' });
    expect(await balances()).toEqual({ 'pool paid': 2500 });
  });

  test('if its events arrive at once', async () => {
    const event = paidSession(await app.topUp(2500), 2500);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        app.send({ ...event, id: at % 2 === 0 ? 'evt_same' : `evt_${at}` }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(responses.filter(({ body }) => body.duplicate === true)).toHaveLength(3);
    expect(await balances()).toEqual({ 'pool paid': 2500 });
  });

  test('after its event was forgotten', async () => {
    const event = { ...paidSession(await app.topUp(2500), 2500), id: 'evt_old' };
    await app.send(event);
    await app.runTask('delete unpaid checkouts and old events of the payment processor', 36 * 24 * 3_600_000);
    expect((await app.send(event)).body).toEqual({ received: true });
    expect(await balances()).toEqual({ 'pool paid': 2500 });
  });

  test('when a bank pays later, even after the session ended', async () => {
    const session = await app.topUp(2500);
    const unpaid = paidSession(session, 2500, { payment_status: 'unpaid' });
    expect((await app.send(unpaid)).body).toEqual({ received: true });
    expect(await balances()).toEqual({});
    await app.runTask('delete unpaid checkouts and old events of the payment processor', 14 * 24 * 3_600_000);
    await app.send({ ...paidSession(session, 2500), type: 'checkout.session.async_payment_succeeded' });
    expect(await balances()).toEqual({ 'pool paid': 2500 });
  });

  test('while an administrator has suspended the operator, which stays suspended', async () => {
    const session = await app.topUp(2500);
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    await app.send(paidSession(session, 2500));
    expect(await state()).toMatchObject({ status: 'SUSPENDED', balances: { 'pool paid': 2500 } });
  });

  test('of a session whose order a restored backup does not have, by our metadata', async () => {
    const metadata = {
      countersign_operator: app.otherId,
      countersign_checkout: `chk_${'0'.repeat(32)}`,
      countersign_purpose: 'credits',
    };
    await app.send(paidSession('cs_lost', 700, { metadata }));
    const operatorId = 'op_cus_ABCDEFGHIJKLMNOPQRSTUVWX';
    const subscription = {
      ...metadata,
      countersign_operator: operatorId,
      countersign_purpose: 'subscription',
    };
    await app.send(subscribed({ sessionId: 'cs_lost_too', customerId: 'cus_9' }, { metadata: subscription }));
    expect(await balances()).toEqual({ 'pool paid': 700 });
    expect(await state(operatorId)).toMatchObject({ plan: 'PRO', balances: { 'pool paid': 4900 } });
  });

  test('and its movement names the session', async () => {
    const session = await app.topUp(2500);
    await app.send(paidSession(session, 2500));
    const movement = await app.rows(
      "SELECT kind, asset, amount, reference FROM movement WHERE credit_kind = 'pool' AND reference IS NOT NULL",
    );
    expect(movement).toEqual([{ kind: 'SETTLEMENT', asset: 'paid', amount: 2500, reference: session }]);
  });
});

describe('an event is refused, and nothing is stored:', () => {
  const hour = 3600;
  test.each([
    ['unsigned', { header: null }, 401],
    ['with an empty signature', { header: '' }, 401],
    ['signed with another secret', { secret: 'whsec_other' }, 401],
    ['signed an hour ago', { time: -hour }, 401],
    ['signed 301 s ago', { time: -301 }, 401],
    ['signed 301 s in the future', { time: 301 }, 401],
    ['whose body was changed by one byte', { changed: (body: string) => body.replace('2500', '2501') }, 401],
    ['whose body has one more space', { changed: (body: string) => `${body} ` }, 401],
    ['larger than 1 MiB', { changed: (body: string) => body + ' '.repeat(1_048_577) }, 413],
    ['that has no body', { changed: () => '' }, 401],
  ] as const)('%s', async (_name, sending, status) => {
    const event = paidSession(await app.topUp(2500), 2500);
    const time = 'time' in sending ? { time: Math.floor(app.time.now() / 1000) + sending.time } : {};
    expect((await app.send(event, { ...sending, ...time })).status).toBe(status);
    expect(await balances()).toEqual({});
    expect(await app.rows('SELECT event_id FROM processor_event')).toEqual([]);
    expect((await app.send(event)).status).toBe(200);
  });

  test.each([-300, 300])('but one signed %i s from the clock is taken', async (seconds) => {
    const event = paidSession(await app.topUp(2500), 2500);
    const time = Math.floor(app.time.now() / 1000) + seconds;
    expect((await app.send(event, { time })).status).toBe(200);
  });
});

describe('what has no effect is ignored, and nothing of it is stored:', () => {
  test.each<[string, TestEvent]>([
    ['an event of another type', { type: 'payment_intent.created', object: { id: 'pi_1' } }],
    ['a customer of a stranger', { type: 'customer.created', object: { id: 'cus_77', metadata: {} } }],
    [
      'a customer that names an order that does not exist',
      {
        type: 'customer.created',
        object: {
          id: 'cus_77',
          metadata: { countersign_operator: 'op_cus_x', countersign_checkout: `chk_${'1'.repeat(32)}` },
        },
      },
    ],
    ['a session for a setup', paidSession('cs_9', 0, { payment_status: 'no_payment_required' })],
    ['an unpaid session of nobody', paidSession('cs_9', 5, { payment_status: 'unpaid' })],
    ['a refund of nothing', refunded('pi_9', 0)],
    ['an object without an id', { type: 'checkout.session.completed', object: { payment_status: 'paid' } }],
    [
      'the first invoice of a subscription',
      cycle({ sessionId: 'cs_9', customerId: 'cus_9' }, 0, { billing_reason: 'subscription_create' }),
    ],
  ])('%s', async (_name, event) => {
    expect((await app.send(event)).body).toEqual({ received: true, ignored: true });
    for (const table of ['processor_event', 'billing_customer', 'unbooked_payment', 'payment_refund'])
      expect(await app.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
  });
});

describe('what cannot be booked is kept, logged and counted:', () => {
  test.each<[string, string, (session: string) => TestEvent]>([
    ['another currency', 'currency', (session) => paidSession(session, 2500, { currency: 'eur' })],
    ['no amount', 'amount', (session) => paidSession(session, 0, { amount_total: null })],
    ['nothing', 'amount', (session) => paidSession(session, 0)],
    ['an amount below zero', 'amount', (session) => paidSession(session, -5)],
    ['a foreign session', 'unknown_order', () => paidSession('cs_foreign', 2500)],
    [
      'a session that names an operator that does not exist',
      'unknown_customer',
      () =>
        paidSession('cs_foreign', 2500, {
          metadata: {
            countersign_operator: 'op_cus_000000000000000000000000',
            countersign_purpose: 'credits',
          },
        }),
    ],
    [
      'an invoice of an unknown customer',
      'unknown_customer',
      () => cycle({ sessionId: 'cs_x', customerId: 'cus_x' }, 1),
    ],
    [
      'an invoice for something else',
      'other_invoice',
      () => cycle({ sessionId: 'cs_x', customerId: 'cus_x' }, 1, { billing_reason: 'manual' }),
    ],
  ])('%s', async (_name, reason, eventOf) => {
    const event = eventOf(await app.topUp(2500));
    expect((await app.send(event)).body).toEqual({ received: true });
    await app.send(event);
    expect(await app.rows('SELECT reason FROM unbooked_payment')).toEqual([{ reason }]);
    expect(app.logged()).toContain('countersign billing unbooked');
    expect(await app.metric('countersign_unbooked_payments')).toBe(1);
    expect(await balances()).toEqual({});
  });

  test('a payment after which a balance would exceed 2^53 − 1', async () => {
    const { trust, firstStart } = app.service;
    await adjustPoolDirectly(trust, firstStart.operatorId, -1_000_000, 'promotional');
    await adjustPoolDirectly(trust, app.otherId, Number.MAX_SAFE_INTEGER - 2000, 'promotional');
    await app.send(paidSession(await app.topUp(2500), 2500));
    expect(await app.rows('SELECT reason FROM unbooked_payment')).toEqual([{ reason: 'balance_limit' }]);
  });

  test('a payment of a closed operator', async () => {
    const session = await app.topUp(2500);
    await app.run(`UPDATE operator SET account_status = 'CLOSED' WHERE operator_id = '${app.otherId}'`);
    await app.send(paidSession(session, 2500));
    expect(await app.rows('SELECT reason FROM unbooked_payment')).toEqual([{ reason: 'account_closed' }]);
  });

  test('and is not listed any more once it is refunded', async () => {
    const listed = async () => (await listUnbooked(app.service.trust, {})).payments;
    const event = { ...paidSession('cs_foreign', 2500), id: 'evt_foreign' };
    await app.send(event);
    await app.send(refunded('pi_cs_foreign', 2499));
    expect(await app.metric('countersign_unbooked_payments')).toBe(1);
    expect(await listed()).toEqual([
      {
        created_at: new Date(app.time.now()).toISOString(),
        source_id: 'cs_foreign',
        reason: 'unknown_order',
        amount: 2500,
        currency: 'usd',
        purpose: null,
        operator_id: null,
        customer_id: null,
        payment_intent: 'pi_cs_foreign',
        event_id: 'evt_foreign',
        sandbox: false,
      },
    ]);
    await app.send(refunded('pi_cs_foreign', 2500));
    expect(await app.metric('countersign_unbooked_payments')).toBe(0);
    expect(await listed()).toEqual([]);
  });

  test('is booked for one of two sessions that name the same payment intent', async () => {
    const [first, second] = [await app.topUp(2500), await app.topUp(2500)];
    await app.send(paidSession(first, 2500, { payment_intent: 'pi_shared' }));
    await app.send(paidSession(second, 2500, { payment_intent: 'pi_shared' }));
    await app.send(paidSession(first, 2500, { payment_intent: 'pi_shared' }));
    expect(await balances()).toEqual({ 'pool paid': 2500 });
    expect(await app.rows('SELECT source_id, reason FROM unbooked_payment')).toEqual([
      { source_id: second, reason: 'booked_intent' },
    ]);
    await app.send(refunded('pi_shared', 2500));
    expect(await balances()).toEqual({});
    expect(await app.metric('countersign_unbooked_payments')).toBe(0);
  });

  test('and all are listed in pages, oldest first', async () => {
    const sources = Array.from({ length: 101 }, (_, index) => `cs_foreign_${index}`);
    for (const source of sources) await app.send(paidSession(source, 2500));
    const first = await listUnbooked(app.service.trust, { limit: '100' });
    const second = await listUnbooked(app.service.trust, { cursor: String(first.next_cursor) });
    const found = [...first.payments, ...second.payments].map(({ source_id }) => source_id);
    expect([found, second.next_cursor]).toEqual([sources, null]);
  });
});

describe('live and test money', () => {
  test('are never mixed by a live key: it ignores events of test mode', async () => {
    const event = { ...paidSession(await app.topUp(2500), 2500), livemode: false };
    expect((await app.send(event)).body).toEqual({ received: true, ignored: true });
    expect(await app.rows('SELECT 1 FROM processor_event')).toEqual([]);
    expect(await balances()).toEqual({});
  });

  test('are never mixed by a test key: an event about real money is to be sent again', async () => {
    const testMode = await openBillingApp({ live: false });
    const event = paidSession(await testMode.topUp(2500), 2500);
    expect(await testMode.send({ ...event, livemode: true })).toMatchObject({
      status: 409,
      body: { reason_code: 'conflict' },
    });
    expect((await testMode.send({ type: 'payment_intent.created', object: {}, livemode: true })).status).toBe(
      200,
    );
    await testMode.send(event);
    await testMode.send(paidSession(await testMode.topUp(300, 'stake'), 300));
    expect((await billingState(testMode, testMode.otherId)).balances).toEqual({
      'pool sandbox': 2500,
      'stake sandbox_cents': 300,
    });
    expect((await testMode.other.get('/api/v1/operator/status')).body).toMatchObject({
      credits: 0,
      sandboxCredits: 2500,
      stakeBalanceCents: 0,
      sandboxStakeCents: 300,
    });
    await testMode.close();
  });
});

describe('a refund', () => {
  test('takes back what the refunded part gave, once, in parts and in any order', async () => {
    for (const order of permutations([1000, 400, 2500])) {
      const one = await openBillingApp();
      const session = await one.topUp(2500);
      await one.send(paidSession(session, 2500));
      for (const cents of order) await one.send(refunded(`pi_${session}`, cents));
      for (const cents of order) await one.send(refunded(`pi_${session}`, cents));
      expect(await billingState(one, one.otherId)).toMatchObject({ status: 'ACTIVE', balances: {} });
      await one.close();
    }
  });

  test('that is partial takes credits that the rest of the money would not have bought', async () => {
    await app.close();
    app = await openBillingApp({ settings: { 'credits.cents_per_credit': '7' } });
    const session = await app.topUp(1000);
    await app.send(paidSession(session, 1000));
    expect(await balances()).toEqual({ 'pool paid': 142 });
    await app.send(refunded(`pi_${session}`, 1));
    expect(await balances()).toEqual({ 'pool paid': 142 });
    await app.send(refunded(`pi_${session}`, 7));
    expect(await balances()).toEqual({ 'pool paid': 141 });
    await app.send(refunded(`pi_${session}`, 999));
    expect(await balances()).toEqual({});
  });

  test('before its payment waits for it', async () => {
    const session = await app.topUp(2500);
    await app.send(refunded(`pi_${session}`, 900));
    expect(await balances()).toEqual({});
    await app.send(paidSession(session, 2500));
    expect(await balances()).toEqual({ 'pool paid': 1600 });
  });

  test('of more than was paid takes no more', async () => {
    const session = await app.topUp(500, 'stake');
    await app.send(paidSession(session, 500));
    await app.send(refunded(`pi_${session}`, 9999));
    expect(await balances()).toEqual({});
  });

  test('after spending leaves a debt, suspends the operator, and the next payments cover it', async () => {
    const session = await app.topUp(1000);
    await app.send(paidSession(session, 1000));
    await app.spend(700);
    await app.send(refunded(`pi_${session}`, 1000));
    expect(await state()).toMatchObject({ status: 'SUSPENDED', balances: { 'receivable paid': -700 } });
    expect((await app.other.post('/api/v1/operator/api-keys', {})).body).toMatchObject({
      reason_code: 'forbidden',
      error: expect.stringContaining('pay what GET /api/v1/operator/status says that it owes'),
    });
    expect((await app.other.get('/api/v1/operator/status')).body).toMatchObject({ owedCredits: 700 });
    await app.send(paidSession(await app.topUp(300), 300));
    expect(await state()).toMatchObject({ status: 'SUSPENDED', balances: { 'receivable paid': -400 } });
    await app.send(paidSession(await app.topUp(450), 450));
    expect(await state()).toMatchObject({ status: 'ACTIVE', balances: { 'pool paid': 50 } });
    expect((await app.other.post('/api/v1/operator/api-keys', {})).status).toBe(201);
  });

  test('of a stake that was slashed or removed leaves a debt in cents, which stake alone covers', async () => {
    const session = await app.topUp(1000, 'stake');
    await app.send(paidSession(session, 1000));
    await setStake(app.service.trust, app.otherId, 250);
    await app.send(refunded(`pi_${session}`, 1000));
    expect(await state()).toMatchObject({ status: 'SUSPENDED', balances: { 'receivable cents': -750 } });
    expect((await app.other.get('/api/v1/operator/status')).body).toMatchObject({ owedStakeCents: 750 });
    await app.send(paidSession(await app.topUp(5000), 5000));
    expect(await state()).toMatchObject({ status: 'SUSPENDED' });
    await app.send(paidSession(await app.topUp(800, 'stake'), 800));
    expect(await state()).toMatchObject({
      status: 'ACTIVE',
      balances: { 'pool paid': 5000, 'stake cents': 50 },
    });
    expect((await app.other.get('/api/v1/operator/status')).body).not.toHaveProperty('owedStakeCents');
  });

  test.each([
    ['suspended before', 'SUSPENDED', null],
    ['suspended after', null, 'SUSPENDED'],
    ['activated and suspended after', null, 'ACTIVE SUSPENDED'],
  ] as const)('never lifts what an administrator decided: %s', async (_name, before, after) => {
    const session = await app.topUp(1000);
    const cover = await app.topUp(2000);
    await app.send(paidSession(session, 1000));
    await app.spend(700);
    if (before !== null) await setAccountStatus(app.service.trust, app.otherId, before);
    await app.send(refunded(`pi_${session}`, 1000));
    for (const status of after?.split(' ') ?? [])
      await setAccountStatus(app.service.trust, app.otherId, status === 'ACTIVE' ? status : 'SUSPENDED');
    await app.send(paidSession(cover, 2000));
    expect(await state()).toMatchObject({ status: 'SUSPENDED', balances: { 'pool paid': 1300 } });
    const topup = { usd_cents: 100, target: 'credits' };
    expect((await app.other.post('/api/v1/account/topup', topup)).status).toBe(403);
  });
});

test('fsck finds nothing wrong after all of it', async () => {
  await app.close();
  const data = mkdtempSync(join(tmpdir(), 'countersign-billing-'));
  app = await openBillingApp({ data });
  const { sessionId, customerId, claimToken } = await app.subscribe();
  await app.send(subscribed({ sessionId, customerId }));
  await app.send(cycle({ sessionId, customerId }, 1));
  await app.claim(sessionId, claimToken);
  const session = await app.topUp(1000);
  await app.send(paidSession(session, 1000));
  await app.spend(700);
  await app.send(refunded(`pi_${session}`, 800));
  await app.send(paidSession(await app.topUp(3000), 3000));
  await app.send(paidSession(await app.topUp(300, 'stake'), 300));
  await app.send(paidSession('cs_foreign', 2500));
  await app.close();
  const { reported } = await audited(data);
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
  app = await openBillingApp();
  rmSync(data, { recursive: true });
});

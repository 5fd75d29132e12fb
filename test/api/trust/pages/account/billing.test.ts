import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonValue } from '../../../../../src/proof/encoding/json.ts';
import { setStake } from '../../../../../src/trust/pages/dashboard/set-stake.ts';
import { Visitor } from '../../../../support/account.ts';
import {
  type BillingApp,
  openBillingApp,
  paidSession,
  refunded,
  subscribed,
} from '../../../../support/billing-app.ts';
import { client } from '../../../../support/client.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: BillingApp;
beforeAll(async () => {
  app = await openBillingApp();
});
afterAll(() => app.close());

const member = async (): Promise<Visitor> => {
  const person = new Visitor(app.fetch);
  await person.logIn(app.otherKey);
  await person.get('/account/billing');
  return person;
};

describe('a top-up', () => {
  test('orders the exact amount, and leads to the processor by a page and a link', async () => {
    const person = await member();
    const amounts: [string, number][] = [
      ['1', 100],
      ['19.99', 1999],
      ['$1,250.5', 125_050],
      ['100,000.00', 10_000_000],
    ];
    for (const [amount, usdCents] of amounts) {
      for (const target of ['credits', 'stake']) {
        const { status, text } = await person.send('/account/billing/topup', { amount, target });
        expect(status).toBe(200);
        const order = app.processor.orders.at(-1);
        expect(order).toMatchObject({ usdCents, purpose: target, operatorId: app.otherId, ui: 'hosted' });
        expect(text).toContain(`<meta http-equiv="refresh" content="0;url=${order?.url}">`);
        expect(text).toContain(`href="${order?.url}"`);
      }
    }
  });

  const wrong: [string, string, string][] = [
    ['', 'credits', 'Amount in US dollars must be dollars'],
    ['0.99', 'credits', 'must be from $1.00 to $100,000.00'],
    ['100000.01', 'stake', 'must be from $1.00 to $100,000.00'],
    ['25.001', 'credits', 'must be dollars with at most two decimals'],
    ['1.234,50', 'credits', 'must be dollars with at most two decimals'],
    ['1e3', 'credits', 'must be dollars with at most two decimals'],
    ['-5', 'credits', 'must be dollars with at most two decimals'],
    ['"><script>', 'credits', 'must be dollars with at most two decimals'],
    ['25', 'gold', 'Pay for must be one of credits, stake'],
  ];
  for (const [amount, target, problem] of wrong) {
    test(`of "${amount}" for ${target} is refused, and what was entered is kept`, async () => {
      const person = await member();
      const before = app.processor.orders.length;
      const response = await person.send('/account/billing/topup', { amount, target });
      expect([response.status, response.text.includes(problem)]).toEqual([400, true]);
      if (/^[\w.,]+$/.test(amount)) expect(response.text).toContain(`name="amount" value="${amount}"`);
      expect(app.processor.orders.length).toBe(before);
    });
  }

  test('is impossible without a processor, and the page says what to configure', async () => {
    const plain = await openTrustApp();
    const person = new Visitor(plain.fetch);
    await person.logIn(plain.apiKey);
    const page = await person.get('/account/billing');
    expect(page.text).toContain('This service takes no payments');
    const response = await person.send('/account/billing/topup', { amount: '25', target: 'credits' });
    expect([response.status, response.text.includes('billing.processor=sandbox')]).toEqual([503, true]);
    expect((await person.get('/billing')).text).toContain('This service takes no payments');
    expect((await person.post('/billing/subscribe', { email: '' })).status).toBe(503);
    expect((await person.get('/billing/done?session_id=cs_1')).status).toBe(404);
    await plain.close();
  });
});

test('a debt of a refund is shown, can be paid while suspended, and is gone when it is paid', async () => {
  const session = await app.topUp(3000);
  await app.send(paidSession(session, 3000));
  const person = await member();
  expect(person.text).toContain('3,000');
  const stakeSession = await app.topUp(2000, 'stake');
  await app.send(paidSession(stakeSession, 2000));
  // More was taken from the stake by failures than a refund finds there.
  const { trust } = app.service;
  await setStake(trust, app.otherId, 500);
  await app.send(refunded(`pi_${stakeSession}`, 2000));
  const page = await person.get('/account');
  expect(page.text).toContain('This account is suspended');
  expect(page.text).toContain('$15.00 of stake: pay $15.00 for stake');
  const billing = await person.get('/account/billing');
  expect(billing.text).toContain('name="amount" value="15.00"');
  expect(billing.text).toContain('value="stake" checked');
  expect(billing.text).not.toContain('Create the wallet');
  await person.send('/account/billing/topup', { amount: '15.00', target: 'stake' });
  await app.send(paidSession(app.processor.orders.at(-1)?.sessionId ?? '', 1500));
  expect((await person.get('/account')).text).not.toContain('suspended');
});

test('an address below /account that does not exist is a page', async () => {
  const slash = await new Visitor(app.fetch).get('/account/');
  expect([slash.status, slash.location]).toEqual([303, '/account']);
  for (const path of ['/account/nothing', '/account/keys/', '/account/keys/x/y']) {
    const page = await new Visitor(app.fetch).get(path);
    expect(page.status).toBe(404);
    expect(page.text).toContain('The page does not exist');
  }
});

test('the wallet is made by a button, and shown', async () => {
  const person = await member();
  expect(person.text).toContain('You have no wallet yet');
  const made = await person.send('/account/billing/wallet');
  expect([made.status, made.location]).toEqual([303, '/account/billing#wallet']);
  const { address } = (await app.other.get('/api/v1/account/wallet')).body;
  expect((await person.get('/account/billing')).text).toContain(String(address));
});

describe('a subscription', () => {
  test('is ordered on a page, waits for the payment, and shows the key once', async () => {
    const person = new Visitor(app.fetch);
    expect((await person.get('/billing')).text).toContain('$49.00 a month');
    await person.post('/billing/subscribe', { email: 'ada@example.com' });
    const order = app.processor.orders.at(-1);
    if (order === undefined) throw new Error('there is no order');
    expect(order).toMatchObject({ purpose: 'subscription', email: 'ada@example.com', usdCents: 4900 });
    expect(person.cookies.get('billing_claim')).toMatch(/^claim_[0-9a-f]{64}$/);

    const done = `/billing/done?session_id=${order.sessionId}`;
    const waiting = await person.get(done);
    expect([
      waiting.status,
      waiting.text.includes('http-equiv="refresh" content="3;url=/billing/done?'),
    ]).toEqual([200, true]);
    const early = await person.post('/billing/done', { session_id: order.sessionId });
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '2']);

    await app.send(subscribed({ sessionId: order.sessionId, customerId: order.customerId ?? '' }));
    expect((await person.get(done)).text).toContain('Show the API key');
    const stranger = new Visitor(app.fetch);
    expect((await stranger.get(done)).status).toBe(404);
    expect((await stranger.post('/billing/done', { session_id: order.sessionId })).status).toBe(404);
    const thief = new Visitor(app.fetch, { 'sec-fetch-site': 'cross-site' });
    thief.cookies = new Map(person.cookies);
    expect((await thief.post('/billing/done', { session_id: order.sessionId })).status).toBe(403);

    const [first, second] = await Promise.all([
      person.post('/billing/done', { session_id: order.sessionId }),
      person.post('/billing/done', { session_id: order.sessionId }),
    ]);
    const keys = [first, second].map(({ text }) => />(pp_[0-9a-f]{64})<\/textarea>/.exec(text)?.[1]);
    expect([first.status, keys[0] === keys[1]]).toEqual([201, true]);
    expect((await person.logIn(keys[0] ?? '')).text).toContain('Pro plan');
    app.time.advance(30_001);
    const late = await person.post('/billing/done', { session_id: order.sessionId });
    expect([late.status, late.text.includes('The key was shown before'), late.text.includes('pp_')]).toEqual([
      409,
      true,
      false,
    ]);
    expect((await person.get(done)).text).toContain('The key was shown before');
  });

  test('is refused with a wrong address, which is kept', async () => {
    const response = await new Visitor(app.fetch).post('/billing/subscribe', { email: 'no address"><b>' });
    expect([response.status, response.text.includes('must be an email address')]).toEqual([400, true]);
    expect(response.text).toContain('value="no address&quot;&gt;&lt;b&gt;"');
  });

  test('shows that nothing was paid to who leaves', async () => {
    expect((await new Visitor(app.fetch).get('/billing/cancelled')).text).toContain('Nothing was paid');
    for (const path of [
      '/billing/done',
      '/billing/done?session_id=',
      `/billing/done?session_id=${encodeURIComponent('"><b>')}`,
    ]) {
      expect((await new Visitor(app.fetch).get(path)).status).toBe(404);
    }
  });
});

test('a canceled subscription ends on a day that the page says, as the newest event has it', async () => {
  const { sessionId, customerId, claimToken } = await app.subscribe();
  await app.send(subscribed({ sessionId, customerId }));
  const { body } = await app.claim(sessionId, claimToken);
  const person = new Visitor(app.fetch);
  await person.logIn(String(body.api_key));
  const shown = async () =>
    /The subscription ends on [^<]*<[^>]*>?[^<]*/.exec((await person.get('/account/billing')).text)?.[0] ??
    null;
  const updated = async (created: number, cancel_at: JsonValue, id = `sub_${sessionId}`) => {
    const object = { id, object: 'subscription', cancel_at, cancel_at_period_end: cancel_at !== null };
    return (await app.send({ type: 'customer.subscription.updated', object, created })).body;
  };
  expect(await shown()).toBeNull();
  const stated = async () => {
    const own = client(app.fetch, 'http://localhost', String(body.api_key));
    return (await own.get('/api/v1/operator/status')).body.subscription_ends_at;
  };
  expect(await stated()).toBeUndefined();
  await updated(1_800_000_100, 1_802_000_000);
  expect(await shown()).toContain('2027-02-07');
  expect(await stated()).toBe('2027-02-07T11:33:20.000Z');
  // An older event that arrives late changes nothing.
  await updated(1_800_000_000, null);
  expect(await shown()).toContain('2027-02-07');
  await updated(1_800_000_200, null);
  expect(await shown()).toBeNull();
  expect(await stated()).toBeUndefined();
  for (const wrong of ['soon', -1, 1e300, {}]) await updated(1_800_000_300, wrong);
  expect(await shown()).toBeNull();
  await updated(1_800_000_400, 1_802_000_000);
  await app.send({ type: 'customer.subscription.deleted', object: { id: `sub_${sessionId}` } });
  expect(await shown()).toBeNull();
});

test('the subscription of another product of the same account at the processor has no effect', async () => {
  const object = { id: 'sub_of_another', object: 'subscription', cancel_at: 1_802_000_000 };
  const { body } = await app.send({ type: 'customer.subscription.updated', object });
  expect(body).toMatchObject({ received: true, ignored: true });
  expect(await app.rows("SELECT 1 FROM subscription WHERE subscription_id = 'sub_of_another'")).toEqual([]);
});

test('credits that were paid by card are held, and the page says how many until when', async () => {
  const time = new VirtualTime();
  const held = await openBillingApp({ time });
  const person = new Visitor(held.fetch);
  const shown = async () => (await person.get('/account/billing')).text;
  const tile = (text: string, name: string): string | undefined =>
    new RegExp(`<dt>${name}</dt><dd>([^<]*)</dd>`).exec(text)?.[1];
  for (let day = 0; day < 7; day++) {
    const session = await held.topUp(1000 + day);
    await held.send(paidSession(session, 1000 + day));
    time.advance(day < 6 ? 86_400_000 : 0);
  }
  await person.logIn(held.otherKey);
  const text = await shown();
  expect(['Paid credits', 'Withdrawable', 'Held'].map((name) => tile(text, name))).toEqual([
    '7,021',
    '0',
    '7,021',
  ]);
  expect(text.match(/<dt>1,00\d<\/dt><dd>until <time datetime="[^"]*:00:00\.000Z">/g)).toHaveLength(5);
  expect(text).toMatch(/Another 2,011 until <time[^>]*>[^<]* UTC<\/time> at the latest/);
  time.advance(2 * 86_400_000 + 3_600_000);
  await person.logIn(held.otherKey);
  const later = await shown();
  expect([tile(later, 'Withdrawable'), tile(later, 'Held')]).toEqual(['2,001', '5,020']);
  await held.close();
});

describe('the payments of the account', () => {
  test('are on the page of billing, by kind on a page of their own, and a file for spreadsheets', async () => {
    const person = await member();
    const session = await app.topUp(1200);
    await app.send(paidSession(session, 1200, { payment_intent: 'pi_shown' }));
    const object = {
      id: 'ch_shown',
      payment_intent: 'pi_shown',
      receipt_url: 'https://pay.example/receipt?a=1&b="2"',
      payment_method_details: { type: 'card' },
    };
    await app.send({ type: 'charge.succeeded', object });
    await app.send({ type: 'charge.succeeded', object: { ...object, receipt_url: 'javascript:alert(1)' } });
    const { text } = await person.get('/account/billing');
    expect(text).toContain(session);
    expect(text).toContain('href="https://pay.example/receipt?a=1&amp;b=&quot;2&quot;" rel="noreferrer"');
    expect(text).not.toContain('javascript:');
    expect((await person.get('/account/billing/payments?kind=topup')).text).toContain(session);
    expect((await person.get('/account/billing/payments?kind=dispute')).text).toContain(
      'No payments of this kind.',
    );
    const file = await person.get('/account/billing/payments.csv?kind=topup');
    expect(file.text.split('\r\n')[0]).toStartWith('created_at,kind,');
    expect(file.text).toContain(session);
    expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="payments.csv"',
    ]);
  });

  test('are shown with a valid filter and a session only', async () => {
    const person = await member();
    for (const path of ['/account/billing/payments', '/account/billing/payments.csv']) {
      expect((await person.get(`${path}?kind=gold`)).status).toBe(400);
      expect((await person.get(`${path}?cursor=x`)).status).toBe(400);
      const stranger = await new Visitor(app.fetch).get(path);
      expect([stranger.status, stranger.text.includes('Log in')]).toEqual([200, true]);
    }
  });
});

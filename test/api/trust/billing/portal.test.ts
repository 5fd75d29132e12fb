import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { billingErrors } from '../../../../src/trust/billing/errors.ts';
import { Visitor } from '../../../support/account.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import {
  type BillingApp,
  openBillingApp,
  paidSession,
  refunded,
  subscribed,
} from '../../../support/billing-app.ts';
import { holderOf } from '../../../support/credits.ts';

const PATH = '/api/v1/account/billing-portal';

let app: BillingApp;
beforeEach(async () => {
  app = await openBillingApp();
});
afterEach(() => app.close());

const open = (key: string) => app.post(PATH, {}, { authorization: `Bearer ${key}` });

/** Pays a top-up of the second operator. @returns its customer */
async function paid(): Promise<string> {
  const session = await app.topUp(1000);
  const customer = app.processor.orders.at(-1)?.customerId ?? '';
  await app.send(paidSession(session, 1000, { customer }));
  return customer;
}

describe('the portal is opened', () => {
  test('for the customer of the subscription, though a newer one topped up', async () => {
    const order = await app.subscribe();
    await app.send(subscribed(order));
    const { body } = await app.claim(order.sessionId, order.claimToken);
    const key = String(body.api_key);
    await app.topUp(500, 'credits', key);
    await app.send(paidSession(app.processor.orders.at(-1)?.sessionId ?? '', 500, { customer: 'cus_newer' }));
    const { status, body: opened } = await open(key);
    expect([status, opened]).toEqual([200, { url: `https://pay.example/portal/${order.customerId}` }]);
  });

  test('for an operator on plan FREE that paid, and one that a debt or the administrator suspended', async () => {
    const customer = await paid();
    const url = { url: `https://pay.example/portal/${customer}` };
    expect((await open(app.otherKey)).body).toEqual(url);
    await app.spend(700);
    const [{ intent = '' } = {}] = await app.rows<{ intent: string }>(
      'SELECT payment_intent AS intent FROM booked_payment',
    );
    await app.send(refunded(intent, 1000));
    expect((await open(app.otherKey)).body).toEqual(url);
  });

  test('from the account page, which says what the processor is for', async () => {
    const person = new Visitor(app.fetch);
    await person.logIn(app.otherKey);
    expect((await person.get('/account/billing')).text).not.toContain('id="portal"');
    const customer = await paid();
    expect((await person.get('/account/billing')).text).toContain('id="portal"');
    const left = await person.send('/account/billing/portal');
    expect(left.text).toContain(`href="https://pay.example/portal/${customer}"`);
    expect(left.text).toContain('You manage the subscription and the card at');
    app.processor.failure = billingErrors.processor_unavailable({ headers: { 'retry-after': '5' } });
    await person.get('/account/billing');
    const failed = await person.send('/account/billing/portal');
    expect([failed.status, failed.text.includes('did not open its page for customers')]).toEqual([503, true]);
  });
});

describe('the portal is not opened', () => {
  test('for an operator that never paid, or whom the processor does not know', async () => {
    expect(await open(app.otherKey)).toMatchObject({ status: 409, body: { reason_code: 'invalid_state' } });
    app.processor.unknown.add(await paid());
    expect(await open(app.otherKey)).toMatchObject({ status: 409, body: { reason_code: 'invalid_state' } });
  });

  test('while the processor is down, with words of its own', async () => {
    await paid();
    app.processor.failure = billingErrors.processor_unavailable({ headers: { 'retry-after': '5' } });
    const { status, body, headers } = await open(app.otherKey);
    expect([status, body.reason_code, headers.get('retry-after')]).toEqual([
      503,
      'processor_unavailable',
      '5',
    ]);
    expect(String(body.error)).toContain('did not open its page for customers. Nothing was changed.');
  });

  test('with a holder key', async () => {
    const agent = await enrolledAgent(app, { sponsor: app.otherId });
    await paid();
    const holder = await holderOf(app, agent, { operatorId: app.otherId });
    expect(await holder.post(PATH, {})).toMatchObject({ status: 403, body: { reason_code: 'forbidden' } });
  });

  test('for an eleventh request that waits for a slow processor', async () => {
    await paid();
    const { promise: slow, resolve: respond } = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    const openPortal = app.processor.openPortal.bind(app.processor);
    app.processor.openPortal = async (customer) => {
      first.resolve();
      await slow;
      return openPortal(customer);
    };
    const answers = Array.from({ length: 11 }, () => open(app.otherKey));
    await first.promise;
    const refused = await Promise.race(answers);
    expect([refused.status, refused.body.reason_code, refused.headers.get('retry-after')]).toEqual([
      503,
      'overloaded',
      '5',
    ]);
    respond();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  });

  test('without a processor, and without a key', async () => {
    await paid();
    expect((await app.post(PATH, {})).status).toBe(401);
    app.service.trust.processor = async () => null;
    expect((await open(app.otherKey)).body.reason_code).toBe('not_configured');
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { billingErrors } from '../../../../src/trust/billing/errors.ts';
import {
  billingState,
  cycle,
  openBillingApp,
  paidSession,
  refunded,
  subscribed,
  type TestEvent,
} from '../../../support/billing-app.ts';
import { type CreditedAgent, creditedAgent } from '../../../support/credits.ts';
import { disputed, openDisputes, refund, warned } from '../../../support/disputes.ts';

type Disputes = Awaited<ReturnType<typeof openDisputes>>;

let holds: Disputes;
beforeEach(async () => {
  holds = await openDisputes();
});
afterEach(async () => {
  expect(await holds.closed()).toEqual([]);
});

/** What is left of a payment of 1000 in the pool after events, and how much of it is held. */
type Row = readonly [
  name: string,
  events: (intent: string) => readonly (TestEvent | number)[],
  pool: number,
  held: number,
];

const OTHER_CURRENCY = { currency: 'eur' };

describe('a payment of 1,000 in the pool, after', () => {
  // A number is a time that passes, in seconds.
  const rows: readonly Row[] = [
    ['a dispute', (of) => [disputed(of, 'created')], 1000, 1000],
    ['a dispute of 1 cent', (of) => [disputed(of, 'created', { amount: 1 })], 1000, 1],
    ['a dispute of more than was paid', (of) => [disputed(of, 'created', { amount: 9999 })], 1000, 1000],
    [
      'a dispute in another currency',
      (of) => [disputed(of, 'created', { amount: 5, ...OTHER_CURRENCY })],
      1000,
      1000,
    ],
    [
      'a dispute twice',
      (of) => [disputed(of, 'created', { amount: 400 }), disputed(of, 'created', { amount: 400 })],
      1000,
      400,
    ],
    [
      'two disputes',
      (of) => [
        disputed(of, 'created', { amount: 400 }),
        disputed(of, 'created', { amount: 300, id: 'dp_2' }),
      ],
      1000,
      700,
    ],
    [
      'two disputes of everything',
      (of) => [disputed(of, 'funds_withdrawn'), disputed(of, 'funds_withdrawn', { id: 'dp_2' })],
      0,
      0,
    ],
    [
      'money that is gone twice',
      (of) => [
        disputed(of, 'funds_withdrawn', { amount: 400 }),
        disputed(of, 'funds_withdrawn', { amount: 400 }),
      ],
      600,
      0,
    ],
    [
      'a lost dispute without a withdrawal',
      (of) => [disputed(of, 'closed', { status: 'lost', amount: 400 })],
      600,
      0,
    ],
    [
      'a withdrawal and a loss',
      (of) => [
        disputed(of, 'funds_withdrawn', { amount: 400 }),
        60,
        disputed(of, 'closed', { status: 'lost', amount: 400 }),
      ],
      600,
      0,
    ],
    ['a dispute after a refund', (of) => [refunded(of, 700), disputed(of, 'created')], 300, 300],
    ['money that is gone after a refund', (of) => [refunded(of, 700), disputed(of, 'funds_withdrawn')], 0, 0],
    [
      'a refund after a dispute',
      (of) => [disputed(of, 'funds_withdrawn', { amount: 400 }), refunded(of, 700)],
      0,
      0,
    ],
    [
      'a reinstatement without a dispute',
      (of) => [disputed(of, 'funds_reinstated', { status: 'won' })],
      1000,
      0,
    ],
    [
      'a win that arrives before its dispute',
      (of) => [disputed(of, 'closed', { status: 'won' }), -60, disputed(of, 'funds_withdrawn')],
      1000,
      0,
    ],
    [
      'a win and then a loss',
      (of) => [
        disputed(of, 'funds_withdrawn'),
        60,
        disputed(of, 'closed', { status: 'won' }),
        60,
        disputed(of, 'closed', { status: 'lost' }),
      ],
      0,
      0,
    ],
    ['a warning', (of) => [warned(of)], 1000, 1000],
    ['a warning of another payment', () => [warned('pi_other')], 1000, 0],
    [
      'a dispute that names no payment intent',
      (of) => [disputed(of, 'created', { payment_intent: null })],
      1000,
      0,
    ],
    ['a dispute that names no charge', (of) => [disputed(of, 'created', { charge: null })], 1000, 0],
    ['an inquiry', (of) => [disputed(of, 'created', { status: 'warning_needs_response' })], 1000, 1000],
    [
      'an inquiry that is closed',
      (of) => [
        disputed(of, 'created', { status: 'warning_needs_response' }),
        60,
        disputed(of, 'closed', { status: 'warning_closed' }),
      ],
      1000,
      0,
    ],
    ['a failed refund', (of) => [refunded(of, 1000), refund(of, 'failed', { status: 'failed' })], 1000, 0],
    [
      'a failed refund before it',
      (of) => [refund(of, 'failed', { status: 'failed' }), refunded(of, 1000)],
      1000,
      0,
    ],
    [
      'a canceled refund',
      (of) => [refunded(of, 400), refund(of, 'updated', { status: 'canceled', amount: 400 })],
      1000,
      0,
    ],
    [
      'a refund that is made and fails, backwards',
      (of) => [
        refund(of, 'failed', { amount: 300 }),
        refund(of, 'created', { amount: 300 }),
        refunded(of, 300),
      ],
      1000,
      0,
    ],
    [
      'a further refund after a failed one',
      (of) => [
        refunded(of, 1000),
        refund(of, 'failed'),
        refund(of, 'created', { id: 're_2', amount: 400 }),
        refunded(of, 400),
      ],
      600,
      0,
    ],
    ['a refund of another currency', (of) => [refund(of, 'failed', OTHER_CURRENCY)], 1000, 0],
    ['an amount that is no number', (of) => [refund(of, 'created', { amount: -5 })], 1000, 0],
    [
      'another kind of report with the same id',
      (of) => [disputed(of, 'created', { amount: 400 }), refund(of, 'failed', { id: `dp_${of}` })],
      1000,
      400,
    ],
  ];
  test.each(rows)('%s', async (_name, eventsOf, pool, held) => {
    const intent = await holds.pay(1000);
    for (const event of eventsOf(intent)) {
      if (typeof event === 'number') holds.time.jump(event * 1000);
      else await holds.send(event);
    }
    expect((await holds.pool()).paid ?? 0).toBe(pool);
    expect((await holds.lots()).reduce((sum, { amount }) => sum + amount, 0)).toBe(held);
    expect((await holds.state()).status).toBe('ACTIVE');
  });
});

describe('an event about a payment that is not booked', () => {
  test('waits for it, in a response of its own, and has its effect in the same transaction', async () => {
    const session = await holds.app.topUp(1000);
    const intent = `pi_${session}`;
    expect(await holds.send(disputed(intent, 'created', { amount: 400 }))).toEqual([
      { received: true, waiting: true },
    ]);
    expect(await holds.app.metric('countersign_waiting_payment_reports')).toBe(1);
    await holds.send(paidSession(session, 1000));
    expect(await holds.lots()).toEqual([{ place: 'pool paid', amount: 400, days: 30 }]);
    expect(await holds.app.metric('countersign_waiting_payment_reports')).toBe(0);
  });

  test('is deleted after 90 days, and the oldest gives way to a newer one', async () => {
    await holds.send(disputed('pi_unknown', 'created'));
    const task = 'delete unpaid checkouts and old events of the payment processor';
    await holds.app.runTask(task, 90 * DAY_MS);
    expect(await holds.app.rows('SELECT 1 FROM payment_report')).toHaveLength(1);
    await holds.app.runTask(task, 1);
    expect(await holds.app.rows('SELECT 1 FROM payment_report')).toEqual([]);
    await holds.app.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO payment_report SELECT 'dp_' || i, 'dispute', 'pi_' || i, 'ch_' || i, 5, 'open', 0, 'none', 0, 0, 1, i FROM n`,
    );
    await holds.send(disputed('pi_unknown', 'created'));
    expect(
      await holds.app.rows('SELECT count(*) AS reports, min(received_at) AS oldest FROM payment_report'),
    ).toEqual([{ reports: 10_000, oldest: 2 }]);
  });

  test('of a live key about test money is ignored', async () => {
    const intent = await holds.pay(1000);
    const { body } = await holds.app.send({ ...disputed(intent, 'created'), livemode: false });
    expect(body).toEqual({ received: true, ignored: true });
  });
});

describe('the processor is asked', () => {
  test('for the invoice of a disputed payment, and the event is repeated while its API is down', async () => {
    const { app } = holds;
    const of = await app.subscribe();
    await app.send(subscribed(of));
    await app.send(cycle(of, 1));
    app.processor.intents.set(`in_${of.sessionId}_1`, 'pi_month');
    app.processor.failure = billingErrors.processor_unavailable({ headers: { 'retry-after': '5' } });
    for (const event of [
      disputed('pi_month', 'funds_withdrawn', { amount: 4900 }),
      refunded('pi_month', 100, { customer: of.customerId }),
    ]) {
      const answer = await app.send(event);
      expect([answer.status, answer.body.reason_code]).toEqual([503, 'processor_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(String(answer.body.error)).toContain('does not say which payment this event is about');
      expect(String(answer.body.error)).not.toContain('order');
    }
    app.processor.failure = null;
    await holds.send(disputed('pi_month', 'funds_withdrawn', { amount: 4900 }));
    expect(await billingState(app, of.operatorId)).toMatchObject({
      status: 'ACTIVE',
      balances: { 'pool paid': 4900, 'pool promotional': 5100 },
    });
  });
});

describe('a payment with a stablecoin', () => {
  const crypto = (intent: string): TestEvent => ({
    type: 'charge.succeeded',
    object: {
      id: `ch_${intent}`,
      object: 'charge',
      payment_intent: intent,
      payment_method_details: { type: 'crypto' },
    },
  });
  test.each([
    ['after', false],
    ['before', true],
  ])('matures at once, if its charge is known %s it is booked', async (_name, isBefore) => {
    const session = await holds.app.topUp(1000);
    const events = [paidSession(session, 1000), crypto(`pi_${session}`)];
    await holds.send(...(isBefore ? events.reverse() : events));
    await holds.grant(holds.payer, 1000);
    expect((await holds.withdraw(holds.payer, 1000)).status).toBe(201);
  });
});

test('what a crash left to be held is held by a task within a minute, and a metric counts open disputes', async () => {
  const { app, time } = holds;
  const intent = await holds.pay(1000);
  await app.run(
    `INSERT INTO payment_report VALUES ('dp_1', 'dispute', '${intent}', 'ch_1', 400, 'open', 0, 'none', 0,
       ${time.now() + 30 * DAY_MS}, 0, ${time.now()})`,
  );
  await app.run('INSERT INTO pending_hold SELECT payment_seq FROM booked_payment');
  await app.runTask('hold the credits of disputed payments', 60_000);
  expect((await holds.lots()).map(({ amount }) => amount)).toEqual([400]);
  expect(await app.rows('SELECT 1 FROM pending_hold')).toEqual([]);
  expect(await app.metric('countersign_disputes_open')).toBe(1);
  time.advance(30 * DAY_MS);
  expect(await app.metric('countersign_disputes_open')).toBe(0);
});

test('a stake is taken and given back cent by cent, and a month with its promotional credits', async () => {
  const { app, time, send } = holds;
  const session = await app.topUp(500, 'stake');
  const of = await app.subscribe();
  await send(paidSession(session, 500), subscribed(of), cycle(of, 1, { payment_intent: 'pi_month' }));
  const dispute = { amount: 2450, id: 'dp_month' };
  await send(disputed(`pi_${session}`, 'funds_withdrawn', { amount: 200 }));
  await send(disputed('pi_month', 'funds_withdrawn', dispute));
  expect(await holds.state()).toMatchObject({ balances: { 'stake cents': 300 } });
  expect(await billingState(app, of.operatorId)).toMatchObject({
    balances: { 'pool paid': 7350, 'pool promotional': 7650 },
  });
  time.advance(1000);
  await send(disputed(`pi_${session}`, 'closed', { amount: 200, status: 'won' }));
  await send(disputed('pi_month', 'closed', { ...dispute, status: 'won' }));
  expect(await holds.state()).toMatchObject({ balances: { 'stake cents': 500 } });
  expect(await billingState(app, of.operatorId)).toMatchObject({
    balances: { 'pool paid': 9800, 'pool promotional': 10_200 },
  });
});

test('sandbox credits are taken and given back, and never held', async () => {
  const app = await openBillingApp({ live: false });
  const session = await app.topUp(1000);
  const intent = `pi_${session}`;
  await app.send(paidSession(session, 1000));
  await app.send(disputed(intent, 'created', { amount: 400 }));
  await app.send(disputed(intent, 'funds_withdrawn', { amount: 400 }));
  expect(await billingState(app, app.otherId)).toMatchObject({ balances: { 'pool sandbox': 600 } });
  app.time.advance(1000);
  await app.send(disputed(intent, 'funds_reinstated', { status: 'won', amount: 400 }));
  expect(await billingState(app, app.otherId)).toMatchObject({ balances: { 'pool sandbox': 1000 } });
  await app.close();
});

test('a payment from before there were lots: its dispute holds what is in the pool and the own agents', async () => {
  const { app, payer, grant } = holds;
  const intent = await holds.dispersed();
  // As the migration leaves it: the lots name no payment.
  await app.run('DROP TRIGGER lot_payment_keeps_its_lots');
  await app.run('UPDATE lot_payment SET unnamed = 1');
  await app.run('DROP TRIGGER credit_lot_keeps');
  await app.run('UPDATE credit_lot SET payment_seq = 0');
  await app.run('DROP TRIGGER lot_payment_keeps');
  await app.run('UPDATE lot_payment SET matures_at = 0');
  await holds.send(disputed(intent, 'created', { amount: 500 }));
  expect(await holds.heldOf(payer)).toEqual([[300, 30]]);
  expect(await holds.heldOf(holds.stranger, app.own)).toEqual([]);
  expect((await grant(payer, 200)).status).toBe(201);
  holds.time.advance(1000);
  await holds.send(disputed(intent, 'closed', { status: 'won', amount: 500 }));
  expect(await holds.heldOf(payer)).toEqual([]);
});

test('a payment spread over 1,000 agents is held, taken and given back in bounded transactions', async () => {
  const { app, pay, payer } = holds;
  const intent = await pay(3000);
  await holds.grant(payer, 3000);
  const agents: CreditedAgent[] = [];
  for (let made = 0; made < 250; made += 1) agents.push(await creditedAgent(app, { sponsor: app.otherId }));
  for (const agent of agents) await holds.transfer(payer, agent, 10);
  await holds.send(disputed(intent, 'created', { amount: 3000 }));
  const [held] = await app.rows(
    "SELECT count(*) AS lots, sum(amount) AS amount FROM credit_lot WHERE kind = 'agent' AND matures_at > 0",
  );
  expect(held).toEqual({ lots: 251, amount: 3000 });
  expect(await app.rows('SELECT 1 FROM pending_hold')).toEqual([]);
  await holds.send(disputed(intent, 'funds_withdrawn', { amount: 3000 }));
  expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: {} });
  holds.time.advance(1000);
  await holds.send(disputed(intent, 'closed', { status: 'won', amount: 3000 }));
  expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: { 'pool paid': 3000 } });
}, 60_000);

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { refunded, type TestEvent } from '../../../support/billing-app.ts';
import type { ApiResponse } from '../../../support/client.ts';
import { creditedAgent, fundPool } from '../../../support/credits.ts';
import { disputed, openDisputes, refund } from '../../../support/disputes.ts';

type Disputes = Awaited<ReturnType<typeof openDisputes>>;

let holds: Disputes;
beforeEach(async () => {
  holds = await openDisputes();
});
afterEach(async () => {
  expect(await holds.closed()).toEqual([]);
});

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
/** What is held of the agent of the other operator: a friend of who paid. */
const heldOfFriend = () => holds.heldOf(holds.stranger, holds.app.own);

describe('the debt of a refund', () => {
  test('is held with others whom the credits were paid to, until 30 days are over', async () => {
    const { app, stranger, time, withdraw } = holds;
    const intent = await holds.dispersed(1);
    await holds.send(refunded(intent, 1000));
    expect(await holds.state()).toMatchObject({ status: 'SUSPENDED', balances: { 'receivable paid': -400 } });
    expect(await heldOfFriend()).toEqual([[400, 30]]);
    time.advance(30 * DAY_MS - 1);
    expect(codeOf(await withdraw(stranger, 1, app.own))).toEqual([409, 'credits_held']);
    time.advance(1);
    expect((await withdraw(stranger, 400, app.own)).status).toBe(201);
  });

  test('is held wherever the credits went, and stays held with who gets them', async () => {
    const { app, stranger, transfer } = holds;
    const intent = await holds.dispersed(1);
    const second = await creditedAgent(app);
    await transfer(stranger, second, 150, app.own);
    await holds.send(refunded(intent, 1000));
    await transfer(second, stranger, 50, app.own);
    expect(await heldOfFriend()).toEqual([[300, 30]]);
    expect(await holds.heldOf(second, app.own)).toEqual([[100, 30]]);
  });

  test('holds no more than is owed, and nothing of what others could withdraw', async () => {
    const intent = await holds.dispersed(1);
    await fundPool(holds.app, holds.app.otherId, { paid: 300 });
    await holds.send(refunded(intent, 1000));
    expect(await holds.state()).toMatchObject({ balances: { 'receivable paid': -100 } });
    expect(await heldOfFriend()).toEqual([
      [300, 6],
      [100, 30],
    ]);
    // The next payment covers the debt. What it paid to others is mature when it is refunded.
    await holds.send(refunded(await holds.dispersed(), 1000));
    expect(await holds.state()).toMatchObject({ status: 'SUSPENDED' });
    expect(await heldOfFriend()).toEqual([]);
  });

  test('grows with partial refunds, whose newest one says until when', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(refunded(intent, 700));
    expect(await heldOfFriend()).toEqual([
      [300, 6],
      [100, 30],
    ]);
    holds.time.advance(2 * DAY_MS);
    await holds.send(refunded(intent, 800), refunded(intent, 700));
    expect(await holds.state()).toMatchObject({ balances: { 'receivable paid': -200 } });
    expect(await heldOfFriend()).toEqual([
      [200, 4],
      [200, 30],
    ]);
  });

  test('leaves to others what matured with them before a later refund', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(refunded(intent, 700));
    expect(await heldOfFriend()).toEqual([
      [300, 6],
      [100, 30],
    ]);
    holds.time.advance(31 * DAY_MS);
    await holds.send(refunded(intent, 800));
    expect(await holds.state()).toMatchObject({ balances: { 'receivable paid': -200 } });
    expect(await heldOfFriend()).toEqual([]);
  });

  test('of refunds that are reported one by one is held by the time of each, the latest first', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(refund(intent, 'created', { id: 're_1', amount: 700 }));
    holds.time.advance(2 * DAY_MS);
    await holds.send(refund(intent, 'created', { id: 're_2', amount: 50 }), refunded(intent, 750));
    expect(await heldOfFriend()).toEqual([
      [250, 4],
      [100, 28],
      [50, 30],
    ]);
  });

  test('is released at once when payments cover it', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(refunded(intent, 1000));
    await holds.pay(300);
    expect(await heldOfFriend()).toEqual([
      [300, 6],
      [100, 30],
    ]);
    await holds.pay(100);
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: {} });
    expect(await heldOfFriend()).toEqual([[400, 6]]);
  });

  test('is released when the refund fails, and what was taken returns', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(refunded(intent, 1000), refund(intent, 'failed', { amount: 1000, status: 'failed' }));
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: { 'pool paid': 600 } });
    expect(await heldOfFriend()).toEqual([[400, 6]]);
    expect(await holds.lots()).toEqual([]);
  });

  test('of another payment is held with those who got credits of any refunded one', async () => {
    const { stranger, grant, pay, time } = holds;
    const first = await pay(1000);
    const second = await pay(1000);
    await grant(stranger, 1000);
    time.advance(DAY_MS);
    // The pool still covers the first refund with the credits of the other payment.
    await holds.send(refunded(first, 1000));
    expect(await heldOfFriend()).toEqual([[1000, 6]]);
    await holds.send(refunded(second, 1000));
    expect(await holds.state()).toMatchObject({ balances: { 'receivable paid': -1000 } });
    expect(await heldOfFriend()).toEqual([[1000, 30]]);
    await pay(1000);
    expect(await heldOfFriend()).toEqual([[1000, 6]]);
  });
});

describe('a refund and a dispute of the same payment', () => {
  const orders: readonly (readonly [string, (of: string) => TestEvent[]])[] = [
    ['the refund first', (of) => [refunded(of, 700), disputed(of, 'funds_withdrawn', { amount: 300 })]],
    ['the dispute first', (of) => [disputed(of, 'funds_withdrawn', { amount: 300 }), refunded(of, 700)]],
  ];
  test.each(orders)('hold the debt of both together once, %s', async (_name, eventsOf) => {
    const intent = await holds.dispersed(1);
    await holds.send(...eventsOf(intent));
    expect(await holds.state()).toMatchObject({ status: 'SUSPENDED', balances: { 'receivable paid': -400 } });
    expect(await heldOfFriend()).toEqual([[400, 30]]);
  });

  test.each(orders)('take queued withdrawals of own agents back, %s', async (_name, eventsOf) => {
    const { app, payer, withdraw, grant } = holds;
    const intent = await holds.pay(1000);
    await grant(payer, 1000);
    holds.time.advance(7 * DAY_MS);
    const { body } = await withdraw(payer, 900);
    await holds.send(...eventsOf(intent));
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: {} });
    const { withdrawal } = (await app.other.get(`/api/v1/agent-pay/withdrawals/${body.withdrawal_id}`)).body;
    expect(withdrawal).toMatchObject({ status: 'failed' });
  });
});

describe('of queued withdrawals a refund takes', () => {
  const statusOf = async (id: unknown) => {
    const { body } = await holds.app.other.get(`/api/v1/agent-pay/withdrawals/${id}`);
    const { status, disputed: cut } = Object(body.withdrawal);
    return { status, cut };
  };

  test('only what the pool and the own agents lack, and the rest is paid', async () => {
    const intent = await holds.dispersed();
    await holds.transfer(holds.payer, holds.stranger, 100);
    const { body } = await holds.withdraw(holds.payer, 200);
    await holds.send(refunded(intent, 350));
    expect(await statusOf(body.withdrawal_id)).toEqual({ status: 'queued', cut: 50 });
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: {} });
  });

  test('nothing while other credits of the pool suffice', async () => {
    const intent = await holds.dispersed();
    const { body } = await holds.withdraw(holds.payer, 400);
    await fundPool(holds.app, holds.app.otherId, { paid: 1000 });
    await holds.send(refunded(intent, 1000));
    expect(await statusOf(body.withdrawal_id)).toEqual({ status: 'queued', cut: 0 });
    expect(await holds.pool()).toEqual({ paid: 200 });
  });

  test('nothing of one that a rail has begun to pay', async () => {
    const intent = await holds.dispersed();
    const id = String((await holds.withdraw(holds.payer, 400)).body.withdrawal_id);
    await holds.app.run(
      `UPDATE payout SET status = 'submitted', rail = 'manual' WHERE lower(hex(withdrawal_id)) = '${id.slice(4)}'`,
    );
    await holds.send(refunded(intent, 1000));
    expect(await statusOf(id)).toEqual({ status: 'submitted', cut: 0 });
    expect(await holds.state()).toMatchObject({ balances: { 'receivable paid': -800 } });
  });

  test('all of 60, in bounded transactions', async () => {
    const { app, payer, withdraw, grant } = holds;
    const intent = await holds.pay(1000);
    await grant(payer, 600);
    holds.time.advance(7 * DAY_MS);
    for (let made = 0; made < 60; made += 1) expect((await withdraw(payer, 10)).status).toBe(201);
    await holds.send(refunded(intent, 990));
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: {} });
    expect(await app.rows('SELECT status, count(*) AS payouts FROM payout GROUP BY status')).toEqual([
      { status: 'failed', payouts: 59 },
      { status: 'queued', payouts: 1 },
    ]);
  }, 60_000);
});

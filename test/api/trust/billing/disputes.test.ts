import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { confirmPayout } from '../../../../src/trust/payments/payouts/confirm.ts';
import type { ApiResponse } from '../../../support/client.ts';
import { fundPool } from '../../../support/credits.ts';
import { disputed, openDisputes, warned } from '../../../support/disputes.ts';

type Disputes = Awaited<ReturnType<typeof openDisputes>>;

let holds: Disputes;
beforeEach(async () => {
  holds = await openDisputes();
});
afterEach(async () => {
  expect(await holds.closed()).toEqual([]);
});

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];

describe('a dispute holds for 30 days', () => {
  test('what is disputed: of the pool, the own agents, and what is not mature at others', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(disputed(intent, 'created', { amount: 700 }));
    expect(await holds.lots()).toEqual([
      { place: 'agent paid', amount: 400, days: 30 },
      { place: 'agent paid', amount: 100, days: 30 },
      { place: 'pool paid', amount: 200, days: 30 },
    ]);
    expect(await holds.heldOf(holds.stranger, holds.app.own)).toEqual([
      [300, 6],
      [100, 30],
    ]);
  });

  test('never what is mature at others', async () => {
    const intent = await holds.dispersed();
    await holds.send(disputed(intent, 'created'));
    expect(await holds.heldOf(holds.stranger, holds.app.own)).toEqual([]);
    expect(await holds.heldOf(holds.payer)).toEqual([[400, 30]]);
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: { 'pool paid': 200 } });
    holds.time.advance(30 * DAY_MS - 1);
    expect(codeOf(await holds.withdraw(holds.payer, 1))).toEqual([409, 'credits_held']);
    holds.time.advance(1);
    expect((await holds.withdraw(holds.payer, 400)).status).toBe(201);
  });

  test('and no longer if it is won, or an inquiry is closed', async () => {
    const intent = await holds.dispersed();
    for (const [first, last] of [
      ['needs_response', 'won'],
      ['warning_needs_response', 'warning_closed'],
      ['needs_response', 'prevented'],
    ] as const) {
      holds.time.advance(1000);
      await holds.send(disputed(intent, 'created', { status: first, id: `dp_${last}` }));
      expect(await holds.heldOf(holds.payer)).toHaveLength(1);
      holds.time.advance(1000);
      await holds.send(disputed(intent, 'closed', { status: last, id: `dp_${last}` }));
      expect([last, await holds.lots()]).toEqual([last, []]);
    }
    expect((await holds.withdraw(holds.payer, 400)).status).toBe(201);
  });

  test('of a warning of fraud: the whole payment, and nothing is booked', async () => {
    const intent = await holds.dispersed();
    await holds.send(warned(intent));
    expect(await holds.heldOf(holds.payer)).toEqual([[400, 30]]);
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: { 'pool paid': 200 } });
  });

  test('after a warning: the rest of the days of each, and no credit twice', async () => {
    const intent = await holds.dispersed();
    await holds.send(warned(intent));
    holds.time.advance(20 * DAY_MS);
    await holds.send(disputed(intent, 'created', { amount: 1 }));
    expect(await holds.heldOf(holds.payer)).toEqual([[400, 10]]);
    expect(await holds.lots()).toEqual([
      { place: 'agent paid', amount: 400, days: 10 },
      { place: 'pool paid', amount: 199, days: 10 },
      { place: 'pool paid', amount: 1, days: 30 },
    ]);
  });

  test('whatever moves: held credits can be spent, and stay held with who gets them', async () => {
    const intent = await holds.dispersed();
    await holds.send(disputed(intent, 'created'));
    expect((await holds.transfer(holds.payer, holds.stranger, 400)).status).toBe(201);
    expect(await holds.heldOf(holds.stranger, holds.app.own)).toEqual([[400, 30]]);
    expect((await holds.withdraw(holds.stranger, 400, holds.app.own)).status).toBe(201);
  });
});

describe('of open withdrawals a dispute holds', () => {
  /** A withdrawal of 300 credits of a disputed payment and 100 others. */
  async function withdrawn() {
    const intent = await holds.dispersed();
    const { app, payer, grant } = holds;
    await holds.transfer(payer, holds.stranger, 100);
    await fundPool(app, app.otherId, { paid: 100 });
    await grant(payer, 100);
    const { body } = await holds.withdraw(payer, 400);
    return { intent, id: String(body.withdrawal_id) };
  }
  const payoutOf = async (id: string) => {
    const { body } = await holds.app.other.get(`/api/v1/agent-pay/withdrawals/${id}`);
    const { status, amount, disputed: cut } = body.withdrawal as Record<string, unknown>;
    return { status, amount, disputed: cut };
  };

  test('the part that is disputed, and the rest is paid', async () => {
    const { intent, id } = await withdrawn();
    await holds.send(disputed(intent, 'created'));
    const [{ cut = 0 } = {}] = await holds.app.rows<{ cut: number }>('SELECT amount AS cut FROM payout_cut');
    expect(cut).toBeGreaterThan(0);
    expect(await payoutOf(id)).toEqual({ status: 'queued', amount: 400, disputed: cut });
    expect(await holds.heldOf(holds.payer)).toEqual([[cut, 30]]);
    const { payout } = await confirmPayout(holds.app.service.trust, id, 'paid by hand');
    expect(payout).toMatchObject({ status: 'confirmed', pays_credits: 400 - cut, pays_usd_cents: 400 - cut });
    expect(await holds.heldOf(holds.payer)).toEqual([[cut, 30]]);
  });

  test('all of one with nothing else: it fails, and its credits are held', async () => {
    const intent = await holds.dispersed();
    const { body } = await holds.withdraw(holds.payer, 400);
    const id = String(body.withdrawal_id);
    await holds.send(disputed(intent, 'created'));
    expect(await payoutOf(id)).toEqual({ status: 'failed', amount: 400, disputed: 0 });
    expect(await holds.heldOf(holds.payer)).toEqual([[400, 30]]);
  });

  test('the same, if the loss is reported before the dispute: nothing is owed', async () => {
    const intent = await holds.dispersed(1);
    await holds.transfer(holds.stranger, holds.payer, 400, holds.app.own);
    holds.time.advance(7 * DAY_MS);
    const { body } = await holds.withdraw(holds.payer, 800);
    await holds.send(disputed(intent, 'funds_withdrawn'), disputed(intent, 'created'));
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: {} });
    expect(await payoutOf(String(body.withdrawal_id))).toEqual({
      status: 'failed',
      amount: 800,
      disputed: 0,
    });
  });

  test('nothing of one that a rail has begun to pay, and nothing of others', async () => {
    const intent = await holds.dispersed();
    const own = String((await holds.withdraw(holds.payer, 400)).body.withdrawal_id);
    const other = String((await holds.withdraw(holds.stranger, 400, holds.app.own)).body.withdrawal_id);
    await holds.app.run(
      `UPDATE payout SET status = 'submitted', rail = 'manual' WHERE lower(hex(withdrawal_id)) = '${own.slice(4)}'`,
    );
    await holds.send(disputed(intent, 'created'));
    expect(await payoutOf(own)).toEqual({ status: 'submitted', amount: 400, disputed: 0 });
    const { body } = await holds.app.own.get(`/api/v1/agent-pay/withdrawals/${other}`);
    expect(body.withdrawal).toMatchObject({ status: 'queued', disputed: 0 });
  });
});

describe('money that is gone', () => {
  test('is taken like a refund: from the pool and the own agents; the rest is owed, and held at others', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(disputed(intent, 'created'), disputed(intent, 'funds_withdrawn'));
    expect(await holds.state()).toMatchObject({ status: 'SUSPENDED', balances: { 'receivable paid': -400 } });
    expect(await holds.heldOf(holds.stranger, holds.app.own)).toEqual([[400, 30]]);
  });

  test('and comes back: reversed and released, and the operator is active again', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(disputed(intent, 'created'), disputed(intent, 'funds_withdrawn'));
    holds.time.advance(DAY_MS);
    await holds.send(
      disputed(intent, 'closed', { status: 'won' }),
      disputed(intent, 'funds_reinstated', { status: 'won' }),
    );
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: { 'pool paid': 600 } });
    expect(await holds.lots()).toEqual([]);
    expect(await holds.heldOf(holds.stranger, holds.app.own)).toEqual([[400, 5]]);
  });

  test('is covered by payments, which also end what is held at others for it', async () => {
    const intent = await holds.dispersed(1);
    await holds.send(disputed(intent, 'created'), disputed(intent, 'funds_withdrawn'));
    await holds.pay(500);
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: { 'pool paid': 100 } });
    expect(await holds.heldOf(holds.stranger, holds.app.own)).toEqual([[400, 6]]);
  });

  test('is no reason to make a debtor of who spent promotional credits', async () => {
    const intent = await holds.pay(1000);
    await fundPool(holds.app, holds.app.otherId, { promotional: 500 });
    await holds.app.spend(500);
    await holds.send(disputed(intent, 'funds_withdrawn'));
    expect(await holds.state()).toMatchObject({ status: 'ACTIVE', balances: {} });
  });
});

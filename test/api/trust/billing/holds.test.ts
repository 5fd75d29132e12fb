import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { audited as billingTables } from '../../../../src/trust/billing/audit.ts';
import { audited as escrowTables } from '../../../../src/trust/hires/escrow/audit.ts';
import { creditsOf, poolOf, REVENUE } from '../../../../src/trust/ledger/accounts.ts';
import { audited as ledgerTables } from '../../../../src/trust/ledger/audit.ts';
import { postIn } from '../../../../src/trust/ledger/post.ts';
import { failPayout } from '../../../../src/trust/payments/payouts/fail.ts';
import { audited } from '../../../support/audit.ts';
import { billingState, refunded, subscribed } from '../../../support/billing-app.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { type CreditedAgent, creditedAgent, fundPool } from '../../../support/credits.ts';
import { ENGAGEMENTS, marketOf } from '../../../support/engagements.ts';
import { openHolds } from '../../../support/holds.ts';

type Holds = Awaited<ReturnType<typeof openHolds>>;

let holds: Holds;
const opened = async (settings: Record<string, string> = {}) => {
  await holds.app.close();
  holds = await openHolds(settings);
};
beforeEach(async () => {
  holds = await openHolds();
});
afterEach(async () => {
  const { reported } = await audited(holds.app.directory, {
    only: [...ledgerTables, ...billingTables, ...escrowTables],
  });
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
  await holds.app.close();
});

const UNTIL = '2030-01-22T12:00:00.000Z';
const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];

describe('credits that were paid by card', () => {
  test('cannot be withdrawn for 7 days, and the refusal and the wallet say until when', async () => {
    const { pay, grant, payer, wallet, withdraw, time } = holds;
    await pay(1000);
    await grant(payer, 600);
    expect(await wallet(payer)).toEqual({
      available: 600,
      withdrawable: 0,
      held: [{ amount: 600, until: UNTIL }],
    });
    const refused = await withdraw(payer, 1);
    expect(codeOf(refused)).toEqual([409, 'credits_held']);
    expect(String(refused.body.error)).toContain(
      `0 can be withdrawn now. Others are held: 600 until ${UNTIL}.`,
    );
    expect(codeOf(await withdraw(payer, 601))).toEqual([402, 'insufficient_treasury']);
    time.advance(7 * DAY_MS - 1);
    expect(codeOf(await withdraw(payer, 1))).toEqual([409, 'credits_held']);
    time.advance(1);
    expect(await wallet(payer)).toEqual({ available: 600, withdrawable: 600, held: [] });
    expect((await withdraw(payer, 600)).status).toBe(201);
  });

  test('are held again when the clock goes back over the end of the hold', async () => {
    const { pay, grant, payer, withdraw, wallet, time } = holds;
    await pay(1000);
    await grant(payer, 1000);
    time.advance(7 * DAY_MS);
    expect((await withdraw(payer, 400)).status).toBe(201);
    time.jump(-DAY_MS);
    expect(await wallet(payer)).toEqual({
      available: 600,
      withdrawable: 0,
      held: [{ amount: 600, until: UNTIL }],
    });
    expect(codeOf(await withdraw(payer, 1))).toEqual([503, 'clock_wrong']);
    time.jump(DAY_MS);
  });

  test('are held again when they were transferred while the clock was far ahead', async () => {
    const { app, pay, grant, payer, stranger, transfer, wallet, withdraw, time } = holds;
    await pay(1000);
    await grant(payer, 1000);
    time.jump(40 * DAY_MS);
    expect((await transfer(payer, stranger, 1000)).status).toBe(201);
    time.jump(-40 * DAY_MS);
    expect(await wallet(stranger, app.own)).toMatchObject({ available: 1000, withdrawable: 0 });
    expect(codeOf(await withdraw(stranger, 1, app.own))).toEqual([409, 'credits_held']);
    time.advance(40 * DAY_MS);
    expect((await withdraw(stranger, 1000, app.own)).status).toBe(201);
  });

  test('are debited after those that mature earlier, and stay held with whom they are transferred to', async () => {
    const { app, pay, grant, payer, stranger, transfer, wallet, withdraw } = holds;
    await fundPool(app, app.otherId, { paid: 50 });
    await grant(payer, 50);
    await pay(100);
    await grant(payer, 100);
    expect(await wallet(payer)).toMatchObject({ withdrawable: 50, held: [{ amount: 100, until: UNTIL }] });
    expect((await transfer(payer, stranger, 70)).status).toBe(201);
    expect(await wallet(stranger, app.own)).toEqual({
      available: 70,
      withdrawable: 50,
      held: [{ amount: 20, until: UNTIL }],
    });
    expect(codeOf(await withdraw(stranger, 51, app.own))).toEqual([409, 'credits_held']);
    expect((await withdraw(stranger, 50, app.own)).status).toBe(201);
  });

  test('stay held through a hire, even beside a withdrawal of others and with its id as task_id', async () => {
    const { app, pay, grant, payer, stranger, wallet, withdraw } = holds;
    const market = marketOf(app);
    await fundPool(app, app.otherId, { paid: 100 });
    await grant(payer, 100);
    await pay(100);
    await grant(payer, 100);
    const withdrawal = await withdraw(payer, 100);
    expect(withdrawal.status).toBe(201);
    const task_id = String(withdrawal.body.withdrawal_id);
    const hired = await app.other.post(ENGAGEMENTS, {
      task_id,
      hirer_commitment: payer.commitment,
      worker_commitment: stranger.commitment,
      amount: 100,
    });
    expect(hired.status).toBe(201);
    await market.deliver(stranger, task_id);
    expect((await app.other.post(`${ENGAGEMENTS}/${task_id}/accept`, {})).status).toBe(200);
    expect(await wallet(stranger, app.own)).toEqual({
      available: 100,
      withdrawable: 0,
      held: [{ amount: 100, until: UNTIL }],
    });
    await failPayout(app.service.trust, task_id, { reason: 'not paid', isUnpaid: true });
    expect(await wallet(payer)).toEqual({ available: 100, withdrawable: 100, held: [] });
  });

  test('mature at once where payouts.hold_days is 0', async () => {
    await opened({ 'payouts.hold_days': '0' });
    const { pay, grant, payer, withdraw } = holds;
    await pay(1000);
    await grant(payer, 600);
    expect((await withdraw(payer, 600)).status).toBe(201);
  });

  test('of 10,000 payments in one account: each debit takes only the lots that it needs', async () => {
    const { app, payer, stranger, transfer, wallet } = holds;
    const { trust } = app.service;
    const operator = await app.rows<{ operatorSeq: number }>(
      `SELECT operator_seq AS operatorSeq FROM operator WHERE operator_id = '${app.otherId}'`,
    );
    const pool = poolOf({ operatorSeq: operator[0]?.operatorSeq ?? 0, operatorId: app.otherId });
    await fundPool(app, app.otherId, { paid: 20_000 });
    await trust.store.writeAsService((tx) =>
      postIn(tx, trust, {
        kind: 'OPERATOR_GRANT',
        from: pool,
        to: creditsOf(payer.agent),
        portions: { paid: 20_000 },
      }),
    );
    // As if 10,000 settlements of 2 credits with holds of different ends had paid them.
    await app.run("DELETE FROM credit_lot WHERE kind = 'agent'");
    await app.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO credit_lot SELECT 'agent', ${payer.agent.agentSeq}, 'paid', zeroblob(16),
         ${holds.time.now()} + i * 1000, 0, 2 FROM n`,
    );
    expect((await transfer(payer, stranger, 3)).status).toBe(201);
    expect(await app.rows("SELECT count(*) AS lots FROM credit_lot WHERE kind = 'agent'")).toEqual([
      { lots: 10_001 },
    ]);
    expect(Object((await wallet(payer)).held).length).toBe(200);
    // 10,000 lots would hold up everybody, so the payer sends a part at a time.
    const all = await transfer(payer, stranger, 19_997);
    expect(codeOf(all)).toEqual([409, 'conflict']);
    expect(String(all.body.error)).toContain('At most 999 can be moved at once.');
    expect((await transfer(payer, stranger, 1000)).status).toBe(409);
    expect((await transfer(payer, stranger, 999)).status).toBe(201);
    const hire = {
      task_id: 'all',
      hirer_commitment: payer.commitment,
      worker_commitment: stranger.commitment,
      amount: 18_998,
    };
    expect(codeOf(await app.other.post(ENGAGEMENTS, hire))).toEqual([409, 'conflict']);
    expect((await app.other.post(ENGAGEMENTS, { ...hire, amount: 1000 })).status).toBe(201);
    expect((await app.other.post(`${ENGAGEMENTS}/all/cancel`)).status).toBe(200);
    // The credits of a revoked agent return in several runs.
    await app.other.post(`/api/v1/passport/agents/${payer.commitment}/revoke`);
    const left = async () => Object(await wallet(payer)).available;
    const seen = [await left()];
    for (let run = 0; run < 19; run++) {
      await marketOf(app).returnCredits();
      seen.push(await left());
    }
    expect(seen).toEqual([...Array.from({ length: 19 }, (_, run) => 18_998 - 1000 * run), 0]);
    expect(await wallet(payer)).toEqual({ available: 0, withdrawable: 0, held: [] });
  });
});

describe('the promotional credits of a purchase', () => {
  const INTENT = 'pi_subscription';

  /** Subscribes: 4,900 paid and 5,100 promotional credits. */
  async function bought() {
    const { app } = holds;
    const of = await app.subscribe();
    await app.send(subscribed(of, { payment_intent: INTENT }));
    const { body } = await app.claim(of.sessionId, of.claimToken);
    const by = client(app.fetch, 'http://localhost', String(body.api_key));
    const grant = (agent: CreditedAgent, amount: number) =>
      by.post('/api/v1/passport/credits/grants', { subject_commitment: agent.commitment, amount });
    const own = await creditedAgent(app, { sponsor: of.operatorId });
    return { ...of, by, grant, own };
  }
  const promotionalOf = async ({ agent }: CreditedAgent): Promise<number> =>
    (await marketOf(holds.app).figures({ agent })).promotional.available;

  test('pay nobody else for 7 days: others get paid ones, and then nothing', async () => {
    const { stranger, time } = holds;
    const { grant, own } = await bought();
    expect((await grant(stranger, 4000)).status).toBe(201);
    expect(await promotionalOf(stranger)).toBe(0);
    const refused = await grant(stranger, 901);
    expect(codeOf(refused)).toEqual([402, 'insufficient_credits']);
    expect(String(refused.body.error)).toContain(
      'Another 5100 promotional credits of a purchase can be paid only to agents of the operator that bought ' +
        `them until ${UNTIL}.`,
    );
    expect((await grant(own, 100)).status).toBe(201);
    expect(await promotionalOf(own)).toBe(100);
    time.advance(7 * DAY_MS);
    expect((await grant(stranger, 901)).status).toBe(201);
  });

  test('stay with the own agents through transfers and hires', async () => {
    const { app, stranger, transfer } = holds;
    const { by, grant, own, operatorId } = await bought();
    const second = await creditedAgent(app, { sponsor: operatorId });
    expect((await grant(own, 5100)).status).toBe(201);
    expect((await transfer(own, second, 5100, by)).status).toBe(201);
    expect(codeOf(await transfer(second, stranger, 1, by))).toEqual([402, 'insufficient_credits']);
    const hire = (worker: CreditedAgent) =>
      by.post(ENGAGEMENTS, {
        task_id: `task-${worker.commitment}`,
        hirer_commitment: second.commitment,
        worker_commitment: worker.commitment,
        amount: 10,
      });
    expect(codeOf(await hire(stranger))).toEqual([402, 'insufficient_credits']);
    expect((await hire(own)).status).toBe(201);
  });

  test('return with a refund from the pool and the own agents; nobody owes what was spent on products', async () => {
    const { app } = holds;
    const { grant, own, operatorId } = await bought();
    await grant(own, 5100);
    await app.service.trust.store.writeAsService((tx) =>
      postIn(tx, app.service.trust, {
        kind: 'SPEND',
        from: creditsOf(own.agent),
        to: REVENUE,
        portions: { promotional: 100 },
      }),
    );
    await app.send(refunded(INTENT, 4900));
    expect(await promotionalOf(own)).toBe(0);
    expect(await billingState(app, operatorId)).toMatchObject({ status: 'ACTIVE', balances: {} });
  });

  test('that left with an agent, or reached another pool, never pay others after a refund', async () => {
    const { app, stranger, transfer, time } = holds;
    const { grant, own, operatorId } = await bought();
    const second = await creditedAgent(app, { sponsor: operatorId });
    await grant(own, 3000);
    await grant(second, 2100);
    for (const { commitment } of [own, second]) {
      const path = `/api/v1/passport/agents/${commitment}/sponsor`;
      expect((await app.own.call('PUT', path, { operator_id: app.otherId })).status).toBe(200);
    }
    await app.other.post(`/api/v1/passport/agents/${second.commitment}/revoke`);
    await marketOf(app).returnCredits();
    await app.send(refunded(INTENT, 4900));
    expect(await billingState(app, operatorId)).toMatchObject({ status: 'ACTIVE', balances: {} });
    time.advance(300 * DAY_MS);
    expect(codeOf(await transfer(own, stranger, 1))).toEqual([402, 'insufficient_credits']);
    expect(await holds.pool()).toEqual({ promotional: 2100 });
    expect(codeOf(await holds.grant(stranger, 1))).toEqual([402, 'insufficient_credits']);
  });

  test('that left are all bound, also if the pool still has some that the refund takes', async () => {
    const { app, stranger, transfer, time } = holds;
    const { grant, own, operatorId } = await bought();
    await grant(own, 3000);
    const path = `/api/v1/passport/agents/${own.commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id: app.otherId })).status).toBe(200);
    await app.send(refunded(INTENT, 4900));
    expect(await billingState(app, operatorId)).toMatchObject({ status: 'ACTIVE', balances: {} });
    time.advance(300 * DAY_MS);
    expect(codeOf(await transfer(own, stranger, 1))).toEqual([402, 'insufficient_credits']);
  });

  test('that are locked during the refund never pay others', async () => {
    const { app, stranger, transfer, time } = holds;
    const { by, grant, own, operatorId } = await bought();
    const second = await creditedAgent(app, { sponsor: operatorId });
    await grant(own, 5100);
    const task_id = 'task-during-refund';
    await by.post(ENGAGEMENTS, {
      task_id,
      hirer_commitment: own.commitment,
      worker_commitment: second.commitment,
      amount: 5100,
    });
    await app.send(refunded(INTENT, 4900));
    expect((await by.post(`${ENGAGEMENTS}/${task_id}/cancel`, {})).status).toBe(200);
    time.advance(300 * DAY_MS);
    expect(await promotionalOf(own)).toBe(5100);
    expect(codeOf(await transfer(own, stranger, 1, by))).toEqual([402, 'insufficient_credits']);
  });
});

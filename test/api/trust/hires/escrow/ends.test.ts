import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../../../src/platform/time/units.ts';
import { escrowByTask, insertEscrow } from '../../../../../src/trust/hires/escrow/store.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { creditedAgent, holderOf } from '../../../../support/credits.ts';
import { ACP, DELIVERABLE, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let market: Market;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime();
  market = await openMarket({}, time);
});
afterEach(() => market.app.close());

const inHours = (hours: number): string => new Date(time.now() + hours * HOUR_MS).toISOString();

const suspend = (operatorId: string) => setAccountStatus(market.app.service.trust, operatorId, 'SUSPENDED');

async function revoke({ commitment }: { commitment: string }, by = market.app.own): Promise<void> {
  const { status } = await by.post(`/api/v1/passport/agents/${commitment}/revoke`);
  expect(status).toBe(200);
}

describe('by date', () => {
  test('a HELD engagement expires at its deadline and not before, and one without a deadline never', async () => {
    const { hirer, worker, hire, read, endDue } = market;
    const [due, later, never] = [
      await hire(hirer, worker, { deadline: inHours(1) }),
      await hire(hirer, worker, { deadline: inHours(2) }),
      await hire(hirer, worker),
    ];
    time.advance(HOUR_MS - 1);
    await endDue();
    expect((await read(due)).status).toBe('HELD');
    time.advance(1);
    await endDue();
    expect((await read(due)).status).toBe('EXPIRED');
    expect((await read(later)).status).toBe('HELD');
    time.advance(365 * DAY_MS);
    await endDue();
    expect([(await read(later)).status, (await read(never)).status]).toEqual(['EXPIRED', 'HELD']);
  });

  test('a DELIVERED engagement is paid at accept_by, with a receipt, also past its deadline', async () => {
    const { app, hirer, worker, hire, deliver, read, endDue, figures } = market;
    const task = await hire(hirer, worker, { deadline: inHours(1) });
    await deliver(worker, task);
    time.advance(3 * DAY_MS - 1);
    await endDue();
    expect((await read(task)).status).toBe('DELIVERED');
    time.advance(1);
    await endDue();
    const paid = await read(task);
    expect(paid).toMatchObject({ status: 'PAID', ended_by: 'service' });
    expect((await figures(worker)).promotional.earned).toBe(10);
    expect((await app.own.get(`/api/v1/receipts/${paid.receipt_id}`)).body.agent_id).toBe(worker.commitment);
  });

  test('more engagements than one batch has end in one run', async () => {
    const { hirer, worker, hire, endDue, figures } = market;
    for (let index = 0; index < 99; index++) await hire(hirer, worker, { amount: 1, deadline: inHours(1) });
    await hire(hirer, worker, { amount: 1, deadline: inHours(1) });
    await hire(hirer, worker, { amount: 1, deadline: inHours(1) });
    time.advance(HOUR_MS);
    await endDue();
    expect((await figures(hirer)).promotional).toMatchObject({ locked: 0, available: 1000 });
  });

  test('the setting engagements.accept_hours says when a delivery is paid', async () => {
    const short = await openMarket({ settings: { 'engagements.accept_hours': '1' } }, time);
    const task = await short.hire(short.hirer, short.worker);
    await short.deliver(short.worker, task);
    time.advance(HOUR_MS);
    await short.endDue();
    expect((await short.read(task)).status).toBe('PAID');
    await short.app.close();
  });
});

describe('while the clock is known to be wrong', () => {
  test.each([
    ['ahead', 10 * DAY_MS],
    ['behind', -DAY_MS],
  ])(
    '%s, nothing expires or is paid, and a delivery has no accept_by until the clock is right',
    async (_, ms) => {
      const { app, hirer, worker, hire, deliver, deliverSuspended, read, endDue } = market;
      const held = await hire(hirer, worker, { deadline: inHours(24) });
      const delivered = await hire(hirer, worker);
      await deliver(worker, delivered);
      const early = await hire(hirer, worker, { deadline: inHours(24) });
      const evidence_event_hash = await deliverSuspended(worker, early);
      time.jump(ms);
      await endDue();
      expect([(await read(held)).status, (await read(delivered)).status]).toEqual(['HELD', 'DELIVERED']);
      const named = { deliverable_digest: DELIVERABLE, evidence_event_hash };
      expect((await app.anyone.post(`${ACP}/${early}/deliver`, named)).status).toBe(200);
      expect(await read(early)).toMatchObject({ status: 'DELIVERED', accept_by: null });
      await endDue();
      expect((await read(early)).accept_by).toBeNull();
      time.jump(-ms);
      await endDue();
      expect(Date.parse(String((await read(early)).accept_by))).toBe(time.now() + 3 * DAY_MS);
      expect((await read(held)).status).toBe('HELD');
      time.advance(3 * DAY_MS);
      await endDue();
      expect([(await read(held)).status, (await read(early)).status]).toEqual(['EXPIRED', 'PAID']);
    },
  );
});

describe('a party that can no longer act:', () => {
  test.each([
    ['a revoked hirer', () => revoke(market.hirer)],
    ['a revoked worker', () => revoke(market.worker, market.app.other)],
  ])(
    '%s gets its HELD engagements refunded, and its DELIVERED ones are paid when they are due',
    async (_, end) => {
      const { app, hirer, worker, hire, deliver, deliverSuspended, endDue, refundInactive, figures } = market;
      const colleague = await creditedAgent(app);
      const [held, delivered] = [await hire(hirer, worker), await hire(hirer, worker)];
      const waiting = await hire(hirer, worker);
      const evidence_event_hash = await deliverSuspended(worker, waiting);
      await deliver(worker, delivered);
      const statusOf = async (task: string) => (await app.anyone.get(`${ACP}/${task}`)).body.status;
      await end();
      const late = { deliverable_digest: DELIVERABLE, evidence_event_hash };
      expect((await app.anyone.post(`${ACP}/${waiting}/deliver`, late)).body.reason_code).toBe(
        'invalid_state',
      );
      await refundInactive();
      expect([await statusOf(held), await statusOf(waiting), await statusOf(delivered)]).toEqual([
        'cancelled',
        'cancelled',
        'delivered',
      ]);
      expect((await figures(hirer)).promotional).toMatchObject({ locked: 10, available: 990 });
      time.advance(3 * DAY_MS);
      await endDue();
      expect(await statusOf(delivered)).toBe('paid');
      expect((await figures(worker)).promotional.earned).toBe(10);
      expect((await figures(colleague)).promotional.locked).toBe(0);
    },
  );

  test('more hires than one run ends are refunded by the next, and an operator that is active again keeps its own', async () => {
    const { app, hirer, worker, hire, refundInactive } = market;
    const { trust } = app.service;
    const task = await hire(hirer, worker, { amount: 1 });
    // As many hires as one run ends, without their requests.
    const copies = 2000;
    await trust.store.writeAsService(async (tx) => {
      const state = await escrowByTask(tx, task);
      if (state === null) throw new Error('there is no task');
      const { escrow } = state;
      for (let index = 0; index < copies; index++)
        await insertEscrow(tx, { ...escrow, taskId: `${task}-${index}` });
    });
    const held = () =>
      trust.store.read(({ connection: { sqlite } }) =>
        Promise.resolve(sqlite.query("SELECT count(*) FROM escrow WHERE status = 'HELD'").values()),
      );
    const { operatorId } = app.service.firstStart;
    await suspend(operatorId);
    await setAccountStatus(trust, operatorId, 'ACTIVE');
    time.advance(DAY_MS);
    await refundInactive();
    expect(await held()).toEqual([[copies + 1]]);
    await trust.store.writeAsService(({ connection: { sqlite } }) =>
      sqlite.run("UPDATE ledger_account SET balance = 3000 WHERE kind = 'locked'"),
    );
    await suspend(operatorId);
    await refundInactive();
    expect(await held()).toEqual([[copies + 1]]);
    time.advance(DAY_MS);
    await refundInactive();
    expect(await held()).toEqual([[1]]);
    await refundInactive();
    expect(await held()).toEqual([[0]]);
  });

  test('an engagement that cannot be refunded does not stop the refunds of other parties, and stays queued', async () => {
    const { app, hirer, hire, refundInactive, read } = market;
    const [one, other] = [await creditedAgent(app), await creditedAgent(app)];
    const poor = await creditedAgent(app, { credits: { promotional: 10 } });
    const [stuck, free] = [await hire(poor, one), await hire(hirer, other)];
    const setLocked = (balance: number) =>
      app.service.trust.store.writeAsService(({ connection: { sqlite } }) =>
        sqlite.run("UPDATE ledger_account SET balance = ? WHERE kind = 'locked' AND owner_seq = ?", [
          balance,
          poor.agent.agentSeq,
        ]),
      );
    // A damaged database.
    await setLocked(0);
    await revoke(one);
    await revoke(other);
    const failure = await refundInactive().then(() => null, String);
    expect(failure).toContain('1 engagements of inactive parties cannot be ended');
    expect([(await read(stuck)).status, (await read(free)).status]).toEqual(['HELD', 'CANCELLED']);
    await setLocked(10);
    await refundInactive();
    expect((await read(stuck)).status).toBe('CANCELLED');
  });

  test('it cannot hire, cannot be hired, and its keys cannot accept', async () => {
    const { app, hirer, worker, hire, deliver } = market;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    const holder = await holderOf(app, hirer);
    await revoke(hirer);
    const request = {
      task_id: 'x',
      hirer_commitment: hirer.commitment,
      worker_commitment: worker.commitment,
      amount: 1,
    };
    const refused = async (by = app.own, body: object = request, path = ENGAGEMENTS) => {
      const { status, body: problem } = await by.post(path, body);
      return [status, problem.reason_code];
    };
    expect(await refused()).toEqual([403, 'agent_not_enrolled']);
    expect(await refused(holder)).toEqual([403, 'agent_not_enrolled']);
    expect(await refused(app.own, {}, `${ENGAGEMENTS}/${task}/accept`)).toEqual([403, 'agent_not_enrolled']);
    const rich = await creditedAgent(app, { credits: { promotional: 10 } });
    const hiring = { ...request, hirer_commitment: rich.commitment };
    await suspend(app.otherId);
    expect(await refused(app.own, hiring)).toEqual([403, 'forbidden']);
    await revoke(worker);
    expect(await refused(app.own, hiring)).toEqual([403, 'agent_not_enrolled']);
  });
});

test('a request whose key is deleted while it is under way hires nobody and pays nothing', async () => {
  const { app, hirer, worker, hire, deliver, figures, read } = market;
  const task = await hire(hirer, worker);
  await deliver(worker, task);
  const { body } = await app.own.post('/api/v1/operator/api-keys', { name: 'second' });
  const key = { authorization: `Bearer ${body.api_key}` };
  const before = await figures(hirer);
  const [deleted, hired, accepted] = await Promise.all([
    app.own.call('DELETE', `/api/v1/operator/api-keys/${body.keyHash}`),
    app.anyone.post(
      ENGAGEMENTS,
      {
        task_id: 'under-way',
        hirer_commitment: hirer.commitment,
        worker_commitment: worker.commitment,
        amount: 1,
      },
      key,
    ),
    app.anyone.post(`${ENGAGEMENTS}/${task}/accept`, {}, key),
  ]);
  expect([deleted?.status, hired?.status, accepted?.status]).toEqual([200, 401, 401]);
  expect(await figures(hirer)).toEqual(before);
  expect((await read(task)).status).toBe('DELIVERED');
});

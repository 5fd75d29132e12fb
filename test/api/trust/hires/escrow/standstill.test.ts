import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Once } from '../../../../../src/platform/http/idempotency/once.ts';
import { HOUR_MS } from '../../../../../src/platform/time/units.ts';
import { freezeAgent, unfreezeAgent } from '../../../../../src/trust/agents/freeze.ts';
import { LOCAL_ADMINISTRATOR } from '../../../../../src/trust/operators/auth/actor.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import {
  ACP,
  DELIVERABLE,
  ENGAGEMENTS,
  type Market,
  marketOf,
  openMarket,
  SERVICE_TOKEN,
} from '../../../../support/engagements.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const AGENTS = '/api/v1/passport/agents';

let market: Market;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime();
  market = await openMarket({}, time);
});
afterEach(() => market.app.close());

const operatorId = () => market.app.service.firstStart.operatorId;
const suspend = (operator = operatorId()) =>
  setAccountStatus(market.app.service.trust, operator, 'SUSPENDED');
const activate = (operator = operatorId()) => setAccountStatus(market.app.service.trust, operator, 'ACTIVE');
const inHours = (hours: number): string => new Date(time.now() + hours * HOUR_MS).toISOString();
const later = (hours: number): void => time.advance(hours * HOUR_MS);

/** Freezes an agent as the local administrator, or ends its freeze. */
async function freeze({ commitment }: { commitment: string }, isOn = true): Promise<void> {
  const { trust } = market.app.service;
  const once: Once = (_tx, act) => act();
  if (isOn) await freezeAgent(trust, LOCAL_ADMINISTRATOR, commitment, { reason: 'disputed' }, once);
  else await unfreezeAgent(trust, LOCAL_ADMINISTRATOR, commitment, once);
}
const unfreeze = (agent: { commitment: string }) => freeze(agent, false);

async function runAll(): Promise<void> {
  await market.refundInactive();
  await market.endDue();
}

test('health says how many delivered hires wait for an administrator, from 24 hours on', async () => {
  const { app, hirer, worker, hire, deliver } = market;
  const problems = async () => {
    // A late checkpoint is another problem.
    await app.service.trust.log.publisher.publish();
    return (await app.anyone.get('/api/health')).body.problems;
  };
  const tasks = [await hire(hirer, worker), await hire(hirer, worker)];
  await deliver(worker, tasks[0] ?? '');
  await deliver(worker, tasks[1] ?? '');
  later(60);
  await freeze(hirer);
  later(12);
  await runAll();
  // They would be paid now, and stand still for 12 hours only.
  expect(await problems()).toEqual([]);
  later(12);
  expect(await problems()).toEqual([
    expect.stringMatching(/^2 delivered engagements stand still for more than 24 hours/),
  ]);
  await app.own.post(`${ENGAGEMENTS}/${tasks[0]}/accept`, {});
  expect(await problems()).toEqual([expect.stringMatching(/^1 delivered engagement stands still/)]);
  await unfreeze(hirer);
  expect(await problems()).toEqual([]);
});

describe('the hires of a frozen hirer', () => {
  test('stand still, and then expire or are paid exactly later by the time that they stood still', async () => {
    const { hirer, worker, hire, deliver, read } = market;
    const held = await hire(hirer, worker, { deadline: inHours(2) });
    const delivered = await hire(hirer, worker);
    await deliver(worker, delivered);
    const acceptBy = Date.parse(String((await read(delivered)).accept_by));
    const terms = await read(held);
    later(1);
    await freeze(hirer);
    later(10);
    await unfreeze(hirer);
    later(0.5);
    await freeze(hirer);
    const since = new Date(time.now()).toISOString();
    later(5);
    await runAll();
    expect(await read(held)).toMatchObject({
      status: 'HELD',
      stands_still_since: since,
      input_digest: terms.input_digest,
      deadline_moved_ms: 10 * HOUR_MS,
    });
    await unfreeze(hirer);
    await runAll();
    const view = await read(held);
    expect(view).toMatchObject({ status: 'HELD', stands_still_since: null, deadline_moved_ms: 15 * HOUR_MS });
    expect(Date.parse(String(view.deadline))).toBe(Date.parse(String(terms.deadline)) + 15 * HOUR_MS);
    expect(Date.parse(String((await read(delivered)).accept_by))).toBe(acceptBy + 15 * HOUR_MS);
    time.advance(HOUR_MS / 2 - 1);
    await runAll();
    expect((await read(held)).status).toBe('HELD');
    time.advance(1);
    await runAll();
    expect((await read(held)).status).toBe('EXPIRED');
    expect((await read(held)).deadline).toBe(view.deadline);
    time.advance(acceptBy + 15 * HOUR_MS - time.now() - 1);
    await runAll();
    expect((await read(delivered)).status).toBe('DELIVERED');
    time.advance(1);
    await runAll();
    expect((await read(delivered)).status).toBe('PAID');
  });

  test('count a freeze and a suspension that overlap once, in each order', async () => {
    const { hirer, worker, hire, read } = market;
    const task = await hire(hirer, worker, { deadline: inHours(100) });
    const deadline = Date.parse(String((await read(task)).deadline));
    const begin = new Date(time.now()).toISOString();
    await suspend();
    later(3);
    await freeze(hirer);
    later(2);
    await activate();
    expect((await read(task)).stands_still_since).toBe(begin);
    later(1);
    await suspend();
    later(4);
    await unfreeze(hirer);
    later(1);
    expect((await read(task)).stands_still_since).toBe(begin);
    await activate();
    later(7);
    await suspend();
    const again = new Date(time.now()).toISOString();
    later(5);
    expect(await read(task)).toMatchObject({ stands_still_since: again, deadline_moved_ms: 11 * HOUR_MS });
    await activate();
    await runAll();
    const view = await read(task);
    expect(view).toMatchObject({ stands_still_since: null, deadline_moved_ms: 16 * HOUR_MS });
    expect(Date.parse(String(view.deadline))).toBe(deadline + 16 * HOUR_MS);
  });

  test('move by the time at the former sponsor only, when an administrator changes the sponsor', async () => {
    const { app, hirer, worker, hire } = market;
    const task = await hire(hirer, worker, { deadline: inHours(10) });
    await suspend(app.otherId);
    later(4);
    await activate(app.otherId);
    await freeze(hirer);
    later(2);
    const sponsor = `${AGENTS}/${hirer.commitment}/sponsor`;
    expect((await app.own.call('PUT', sponsor, { operator_id: app.otherId })).status).toBe(200);
    later(1);
    await unfreeze(hirer);
    const state = await app.anyone.get(`${ACP}/${task}`);
    expect(state.body.status).toBe('held');
    const view = (await app.other.get(`${ENGAGEMENTS}/${task}`)).body.engagement;
    expect(view).toMatchObject({ stands_still_since: null, deadline_moved_ms: 3 * HOUR_MS });
  });

  test('are paid and expire when the hirer goes on after their time was over', async () => {
    const { hirer, worker, hire, deliver, read } = market;
    const [held, delivered] = [
      await hire(hirer, worker, { deadline: inHours(1) }),
      await hire(hirer, worker),
    ];
    await deliver(worker, delivered);
    await freeze(hirer);
    later(20);
    await runAll();
    expect([(await read(held)).status, (await read(delivered)).status]).toEqual(['HELD', 'DELIVERED']);
    await unfreeze(hirer);
    later(1);
    await runAll();
    expect([(await read(held)).status, (await read(delivered)).status]).toEqual(['EXPIRED', 'DELIVERED']);
    later(72);
    await runAll();
    expect((await read(delivered)).status).toBe('PAID');
  });

  test('record deliveries, and their accept_by moves by the rest of the standstill', async () => {
    const { app, hirer, worker, hire, deliver, read } = market;
    const task = await hire(hirer, worker, { deadline: inHours(1) });
    await freeze(hirer);
    later(5);
    await deliver(worker, task);
    expect(await read(task)).toMatchObject({ status: 'DELIVERED', deliverable_digest: DELIVERABLE });
    const refused = await app.other.post(`${ENGAGEMENTS}/${task}/refund`);
    expect([refused.status, refused.body.reason_code]).toEqual([409, 'invalid_state']);
    const deliveredAt = time.now();
    later(6);
    await unfreeze(hirer);
    expect(Date.parse(String((await read(task)).accept_by))).toBe(deliveredAt + 78 * HOUR_MS);
  });
});

test('restarts within a freeze and a suspension change nothing: deadlines move exactly by the whole of it', async () => {
  await market.app.close();
  const data = mkdtempSync(join(tmpdir(), 'standstill-'));
  market = await openMarket({ data }, time);
  const restart = async (): Promise<void> => {
    await market.app.close();
    const app = await openTrustApp({ service_token: SERVICE_TOKEN }, time, data);
    const { hirer, worker } = market;
    market = { app, hirer, worker, ...marketOf(app) };
  };
  const { hirer, worker } = market;
  const held = await market.hire(hirer, worker, { deadline: inHours(2) });
  const delivered = await market.hire(hirer, worker);
  await market.deliver(worker, delivered);
  const deadline = Date.parse(String((await market.read(held)).deadline));
  const acceptBy = Date.parse(String((await market.read(delivered)).accept_by));
  const since = new Date(time.now()).toISOString();
  await freeze(hirer);
  later(5);
  await restart();
  later(4);
  await suspend();
  await unfreeze(hirer);
  later(3);
  await restart();
  await runAll();
  expect(await market.read(held)).toMatchObject({ status: 'HELD', stands_still_since: since });
  later(3);
  await activate();
  await restart();
  await runAll();
  expect(await market.read(held)).toMatchObject({
    status: 'HELD',
    stands_still_since: null,
    deadline: new Date(deadline + 15 * HOUR_MS).toISOString(),
  });
  expect(Date.parse(String((await market.read(delivered)).accept_by))).toBe(acceptBy + 15 * HOUR_MS);
  time.advance(2 * HOUR_MS - 1);
  await runAll();
  expect((await market.read(held)).status).toBe('HELD');
  time.advance(1);
  await restart();
  await runAll();
  expect([(await market.read(held)).status, (await market.read(delivered)).status]).toEqual([
    'EXPIRED',
    'DELIVERED',
  ]);
});

describe('after the grace', () => {
  test('HELD hires of a suspended hirer return to it, and DELIVERED ones wait for an administrator', async () => {
    const { app, hirer, worker, hire, deliver, read, figures, refundInactive, endDue } = market;
    const admin = await creditedAgent(app, { sponsor: app.otherId });
    const [held, delivered] = [await hire(hirer, worker), await hire(hirer, worker)];
    await deliver(worker, delivered);
    await freeze(hirer);
    time.advance(24 * HOUR_MS - 1);
    await refundInactive();
    expect((await read(held)).status).toBe('HELD');
    time.advance(1);
    await refundInactive();
    expect(await read(held)).toMatchObject({ status: 'CANCELLED', ended_by: 'service' });
    expect((await figures(hirer)).promotional).toMatchObject({ locked: 10, available: 990 });
    later(1000);
    await endDue();
    expect((await read(delivered)).status).toBe('DELIVERED');
    const spend = { from_commitment: hirer.commitment, to_commitment: admin.commitment, amount: 1 };
    expect((await app.own.post('/api/v1/passport/credits/transfers', spend)).status).toBe(403);
    // The hirer's key is an admin key.
    const accepted = await app.own.post(`${ENGAGEMENTS}/${delivered}/accept`);
    expect(accepted.body.engagement).toMatchObject({ status: 'PAID', ended_by: 'administrator' });
  });

  test('the setting engagements.suspension_grace_hours says when', async () => {
    const short = await openMarket({ settings: { 'engagements.suspension_grace_hours': '1' } }, time);
    const task = await short.hire(short.hirer, short.worker);
    await setAccountStatus(short.app.service.trust, short.app.service.firstStart.operatorId, 'SUSPENDED');
    later(1);
    await short.refundInactive();
    expect((await short.read(task)).status).toBe('CANCELLED');
    await short.app.close();
  });

  test('hires of a hirer that is revoked while it is frozen are not paid, and its credits stay', async () => {
    const { app, hirer, worker, hire, deliver, read, figures, endDue, refundInactive, returnCredits } =
      market;
    const [held, delivered] = [await hire(hirer, worker), await hire(hirer, worker)];
    await deliver(worker, delivered);
    await freeze(hirer);
    expect((await app.own.post(`${AGENTS}/${hirer.commitment}/revoke`)).status).toBe(200);
    later(100);
    await refundInactive();
    await endDue();
    await returnCredits();
    expect([(await read(held)).status, (await read(delivered)).status]).toEqual(['CANCELLED', 'DELIVERED']);
    expect((await figures(hirer)).promotional.available).toBe(990);
    await unfreeze(hirer);
    later(100);
    await refundInactive();
    await endDue();
    await returnCredits();
    expect((await read(delivered)).status).toBe('PAID');
    expect((await figures(hirer)).promotional.available).toBe(0);
  });
});

test.each([
  ['frozen', () => freeze(market.worker)],
  ['of a suspended sponsor', () => suspend(market.app.otherId)],
])('a worker that is %s delivers nothing, its deadlines run, and it is paid', async (_, stop) => {
  const { app, hirer, worker, hire, deliver, read, figures, refundInactive, endDue } = market;
  const [held, delivered, due] = [
    await hire(hirer, worker),
    await hire(hirer, worker),
    await hire(hirer, worker, { deadline: inHours(1) }),
  ];
  await deliver(worker, delivered);
  await stop();
  const evidence_event_hash = await deliver(worker, held);
  const named = { deliverable_digest: DELIVERABLE, evidence_event_hash };
  expect((await app.anyone.post(`${ACP}/${held}/deliver`, named)).body.reason_code).toBe('invalid_state');
  later(72);
  await refundInactive();
  await endDue();
  const statuses = await Promise.all([held, delivered, due].map(async (task) => (await read(task)).status));
  expect(statuses).toEqual(['HELD', 'PAID', 'EXPIRED']);
  expect((await figures(worker)).promotional.earned).toBe(10);
  const hiring = {
    task_id: 'new',
    hirer_commitment: hirer.commitment,
    worker_commitment: worker.commitment,
    amount: 1,
  };
  expect((await app.own.post(ENGAGEMENTS, hiring)).status).toBe(403);
});

test('a freeze beside an acceptance and the scheduler: the task is paid, or stands still', async () => {
  const { app, hirer, worker, hire, deliver, read } = market;
  const key = await app.own.post('/api/v1/operator/api-keys', { name: 'not an admin' });
  const headers = { authorization: `Bearer ${key.body.api_key}` };
  for (let round = 0; round < 8; round++) {
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    later(72);
    const accept = () => app.anyone.post(`${ENGAGEMENTS}/${task}/accept`, {}, headers);
    const [accepted] = await Promise.all(
      round % 2 === 0
        ? [accept(), freeze(hirer), market.endDue()]
        : [freeze(hirer).then(accept), market.endDue()],
    );
    const { status } = await read(task);
    if (accepted?.status === 200) expect(status).toBe('PAID');
    expect(['PAID', 'DELIVERED']).toContain(String(status));
    await Promise.all([unfreeze(hirer), market.endDue(), market.refundInactive()]);
    await runAll();
    expect(['PAID', 'DELIVERED']).toContain(String((await read(task)).status));
  }
});

test('fsck finds no problem in frozen agents and their hires', async () => {
  const { hirer, worker, hire, deliver } = market;
  await hire(hirer, worker, { deadline: inHours(1) });
  const delivered = await hire(hirer, worker);
  await deliver(worker, delivered);
  await freeze(hirer);
  later(2);
  await runAll();
  await market.app.service.trust.log.publisher.publish();
  const { reported } = await audited(market.app.directory);
  // The clock of the test is ahead, which the checkpoints of the logs show.
  expect(reported.filter(({ table }) => table !== 'log')).toEqual([]);
});

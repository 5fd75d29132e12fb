import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '../../../../../src/platform/time/units.ts';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { ACP, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let market: Market;
let time: VirtualTime;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-return-receipts-'));
  time = new VirtualTime(Date.now() - 100 * DAY_MS);
  market = await openMarket({ data: join(directory, 'data') }, time);
});
afterEach(async () => {
  await market.app.service.trust.log.publisher.publish();
  await market.app.close();
  const { reported } = await audited(join(directory, 'data'));
  rmSync(directory, { recursive: true });
  // Virtual time is not that of the audit.
  expect(reported.filter(({ table }) => table !== 'checkpoint').map(({ sentence }) => sentence)).toEqual([]);
});

const path = (task: string, move: string): string => `${ENGAGEMENTS}/${task}/${move}`;
const receiptOf = async (id: unknown) => (await market.app.own.get(`/api/v1/receipts/${id}`)).body;
const issueOwed = async (): Promise<void> => {
  const { tasks } = await market.app.service.background();
  await tasks.find(({ name }) => name === 'issue owed receipts of engagements')?.run();
};

/** Runs a query with one row of numbers. */
const counted = (query: string) =>
  market.app.service.trust.store.read(async ({ connection: { sqlite } }) => sqlite.query(query).get());

/** What can end without a payment, each after a hire; and what its receipt says. */
const ENDS: readonly [name: string, end: (task: string) => Promise<unknown>, says: string][] = [
  ['a cancellation', (task) => market.app.own.post(path(task, 'cancel')), 'CANCELLED by hirer'],
  ['a decline', (task) => market.app.other.post(path(task, 'decline')), 'DECLINED by worker'],
  [
    'a refund',
    async (task) => {
      await market.deliver(market.worker, task);
      await market.app.other.post(path(task, 'refund'));
    },
    'CANCELLED by worker',
  ],
  [
    'a decision of 0',
    async (task) => {
      await market.deliver(market.worker, task);
      await market.app.own.post(path(task, 'dispute'), { reason: 'Nothing of it.' });
      await market.app.own.post(path(task, 'resolve'), { worker_amount: 0, note: 'Nothing.' });
    },
    'RESOLVED by administrator',
  ],
  [
    'a deadline',
    async () => {
      time.advance(2 * HOUR_MS);
      await market.endDue();
    },
    'EXPIRED by service',
  ],
  [
    'the revocation of the worker',
    async () => {
      await market.app.other.post(`/api/v1/passport/agents/${market.worker.commitment}/revoke`);
      await market.refundInactive();
    },
    'CANCELLED by service',
  ],
  [
    'the revocation of the hirer',
    async () => {
      await market.app.own.post(`/api/v1/passport/agents/${market.hirer.commitment}/revoke`);
      await market.refundInactive();
    },
    'CANCELLED by service',
  ],
  [
    'a standstill of a day',
    async () => {
      await market.freeze(market.hirer);
      time.advance(25 * HOUR_MS);
      await market.refundInactive();
    },
    'CANCELLED by service',
  ],
];

test.each(ENDS)('%s has a receipt of the service, which is the hirer’s', async (name, end, says) => {
  const { app, hirer, worker, hire, read } = market;
  const deadline = name === 'a deadline' ? { deadline: new Date(time.now() + HOUR_MS).toISOString() } : {};
  const task = await hire(hirer, worker, deadline);
  const moved = Object(await end(task));
  const shown = await read(task);
  expect(shown.paid_at).toBeNull();
  if (moved.body !== undefined) expect(moved.body.receipt_id).toBe(shown.receipt_id);
  expect((await app.anyone.get(`${ACP}/${task}`)).body.receipt_id).toBe(shown.receipt_id);
  expect(await receiptOf(shown.receipt_id)).toMatchObject({
    operator_id: app.service.firstStart.operatorId,
    agent_id: hirer.commitment,
    receipt_type: 'custody',
    domain: 'SYSTEM_INTEGRATION',
    authority_scope: `engagement:${task}`,
    input_digest: shown.input_digest,
    status: 'null',
    refusal_reason: `${says}: 10 credits returned`,
    error_tranche: 'NONE',
  });
  // Neither another move nor another run of the scheduler issues a second one.
  await app.own.post(path(task, 'cancel'));
  await market.endDue();
  await issueOwed();
  expect((await read(task)).receipt_id).toBe(shown.receipt_id);
  expect(await counted('SELECT count(*) AS rows FROM service_receipt')).toEqual({ rows: 1 });
});

test('a payment has only the receipt of the worker', async () => {
  const { app, hirer, worker, hire, deliver } = market;
  const task = await hire(hirer, worker);
  await deliver(worker, task);
  const { body } = await app.own.post(path(task, 'accept'));
  expect((await receiptOf(body.receipt_id)).agent_id).toBe(worker.commitment);
  expect(await counted('SELECT count(*) AS rows FROM return_receipt')).toEqual({ rows: 0 });
});

test('a hirer that hires and cancels gains nothing: no receipt counts for anybody', async () => {
  const { app, hirer, worker, hire } = market;
  const colleague = await creditedAgent(app);
  const seen = async () => ({
    profiles: await Promise.all(
      [hirer, worker, colleague].map(
        async ({ commitment }) => (await app.anyone.get(`/api/v1/profiles/${commitment}`)).body,
      ),
    ),
    counts:
      await counted(`SELECT (SELECT count(*) FROM agent_receipt) AS receipts, (SELECT count(*) FROM gate_outcome) AS gate,
      (SELECT count(*) FROM accepted_delivery) AS accepted, (SELECT coalesce(sum(receipt_count), 0) FROM agent_standing) AS standing,
      (SELECT coalesce(sum(credits), 0) FROM sponsor_flow) AS flow`),
    gate: (
      await app.anyone.post('/api/v1/gate/verify', {
        ...{ operator_id: app.service.firstStart.operatorId, domain: 'SYSTEM_INTEGRATION' },
      })
    ).body.reason,
  });
  const before = await seen();
  expect(before.profiles.map((profile) => profile.subject_commitment)).toContain(hirer.commitment);
  for (let index = 0; index < 30; index++)
    await app.own.post(path(await hire(hirer, index % 2 === 0 ? worker : colleague), 'cancel'));
  expect(await seen()).toEqual(before);
  expect(await counted('SELECT count(*) AS rows FROM return_receipt WHERE receipt_seq IS NOT NULL')).toEqual({
    rows: 30,
  });
});

test('while the clock is wrong credits return at once, and the receipt is owed until it is right', async () => {
  const { app, hirer, worker, hire, read, figures } = market;
  const task = await hire(hirer, worker);
  time.jump(10 * DAY_MS);
  const { status, body } = await app.own.post(path(task, 'cancel'));
  expect([status, body.receipt_id, Object(body.engagement).status]).toEqual([200, null, 'CANCELLED']);
  expect((await figures(hirer)).promotional).toMatchObject({ available: 1000, locked: 0 });
  await issueOwed();
  expect((await read(task)).receipt_id).toBeNull();
  time.jump(-10 * DAY_MS);
  await issueOwed();
  const { receipt_id } = await read(task);
  expect(await receiptOf(receipt_id)).toMatchObject({
    ...{ agent_id: hirer.commitment, status: 'null' },
    refusal_reason: 'CANCELLED by hirer: 10 credits returned',
  });
});

test('more owed receipts than one read has are issued in one run, each once, by two runs at once', async () => {
  const { app, hirer, worker, hire } = market;
  const tasks: string[] = [];
  for (let index = 0; index < 105; index++) tasks.push(await hire(hirer, worker, { amount: 1 }));
  time.jump(10 * DAY_MS);
  for (const task of tasks) await app.own.post(path(task, 'cancel'));
  time.jump(-10 * DAY_MS);
  await Promise.all([issueOwed(), issueOwed()]);
  expect(await counted('SELECT count(*) AS rows, count(receipt_seq) AS issued FROM return_receipt')).toEqual({
    rows: 105,
    issued: 105,
  });
});

test('only an administrator revokes the receipt, and the credits stay returned', async () => {
  const { app, hirer, worker, hire, read } = market;
  const task = await hire(hirer, worker);
  const { body } = await app.own.post(path(task, 'cancel'));
  expect((await app.other.revoke(body.receipt_id)).status).toBeGreaterThanOrEqual(403);
  expect((await app.own.revoke(body.receipt_id)).status).toBe(200);
  expect(await read(task)).toMatchObject({ status: 'CANCELLED', receipt_id: body.receipt_id });
});

describe('the database refuses', () => {
  test.each([
    ['to delete what is owed', 'DELETE FROM return_receipt'],
    ['to take a receipt back', 'UPDATE return_receipt SET receipt_seq = NULL'],
    [
      'a receipt for an open hire',
      "INSERT INTO return_receipt SELECT escrow_seq, NULL FROM escrow WHERE status = 'HELD'",
    ],
    ['another start', 'UPDATE return_receipt_start SET movement_seq = 9'],
    ['a second start', 'INSERT INTO return_receipt_start VALUES (2, 0)'],
  ])('%s', async (_, statement) => {
    const { app, hirer, worker, hire } = market;
    await app.own.post(path(await hire(hirer, worker), 'cancel'));
    await hire(hirer, worker);
    const { store } = app.service.trust;
    const attempt = store.writeAsService(({ connection: { sqlite } }) => void sqlite.run(statement));
    expect(
      await attempt.then(
        () => 'allowed',
        () => 'refused',
      ),
    ).toBe('refused');
  });
});

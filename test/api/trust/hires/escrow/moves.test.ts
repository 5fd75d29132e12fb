import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../../../../src/platform/time/units.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { ACP, DELIVERABLE, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const STATES = [
  'HELD',
  'DELIVERED',
  'DISPUTED',
  'PAID',
  'CANCELLED',
  'REFUNDED',
  'EXPIRED',
  'DECLINED',
  'RESOLVED',
] as const;
type State = (typeof STATES)[number];

let market: Market;
let time: VirtualTime;

beforeAll(async () => {
  time = new VirtualTime();
  market = await openMarket({ credits: { promotional: 100_000 } }, time);
});
afterAll(() => market.app.close());

const DISPUTE = { reason: 'A page is missing.' };
const RESOLUTION = { worker_amount: 4, note: 'One of two pages.' };

const path = (task: string, move: string): string => `${ENGAGEMENTS}/${task}/${move}`;

/** Makes an engagement in a state. REFUNDED is CANCELLED after a delivery. */
async function engagementIn(state: State): Promise<string> {
  const { app, hirer, worker, hire, deliver, endDue } = market;
  const deadline = new Date(time.now() + HOUR_MS).toISOString();
  const task = await hire(hirer, worker, state === 'EXPIRED' ? { deadline } : {});
  if (state === 'CANCELLED') await app.own.post(path(task, 'cancel'));
  if (state === 'EXPIRED') {
    time.advance(HOUR_MS);
    await endDue();
  }
  if (state === 'DECLINED') await app.other.post(path(task, 'decline'));
  if (['DELIVERED', 'DISPUTED', 'PAID', 'REFUNDED', 'RESOLVED'].includes(state)) await deliver(worker, task);
  if (['DISPUTED', 'RESOLVED'].includes(state)) await app.own.post(path(task, 'dispute'), DISPUTE);
  if (state === 'RESOLVED') await app.own.post(path(task, 'resolve'), RESOLUTION);
  if (state === 'PAID') await app.own.post(path(task, 'accept'));
  if (state === 'REFUNDED') await app.other.post(path(task, 'refund'));
  const { status } = await market.read(task);
  expect(status).toBe(state === 'REFUNDED' ? 'CANCELLED' : state);
  return task;
}

/**
 * Every move, with the states that it is allowed in and where it leads. In all other states it is refused
 * with 409.
 */
const MOVES: readonly {
  move: string;
  act: (task: string) => Promise<ApiResponse>;
  leads: Partial<Record<State, string>>;
}[] = [
  { move: 'cancel', act: (task) => market.app.own.post(path(task, 'cancel')), leads: { HELD: 'CANCELLED' } },
  {
    move: 'decline',
    act: (task) => market.app.other.post(path(task, 'decline')),
    leads: { HELD: 'DECLINED' },
  },
  {
    move: 'dispute',
    act: (task) => market.app.own.post(path(task, 'dispute'), DISPUTE),
    leads: { DELIVERED: 'DISPUTED' },
  },
  {
    move: 'resolve',
    act: (task) => market.app.own.post(path(task, 'resolve'), RESOLUTION),
    leads: { DISPUTED: 'RESOLVED' },
  },
  {
    move: 'accept',
    act: (task) => market.app.own.post(path(task, 'accept')),
    leads: { DELIVERED: 'PAID', DISPUTED: 'PAID' },
  },
  {
    move: 'accept by ACP',
    act: (task) => market.app.own.post(`${ACP}/${task}/accept`),
    leads: { DELIVERED: 'PAID', DISPUTED: 'PAID' },
  },
  {
    move: 'refund',
    act: (task) => market.app.other.post(path(task, 'refund')),
    leads: { DELIVERED: 'CANCELLED', DISPUTED: 'CANCELLED' },
  },
];

describe.each(MOVES.map((move) => [move.move, move] as const))('%s', (_, { act, leads }) => {
  test.each(STATES)('of an engagement that is %s', async (state) => {
    const task = await engagementIn(state);
    const { hirer, worker, read, figures } = market;
    const before = await read(task);
    const money = async () => [await figures(hirer), await figures(worker)];
    const credits = await money();
    const answer = await act(task);
    const led = leads[state];
    if (led === undefined) {
      expect([answer.status, answer.body.reason_code]).toEqual([409, 'invalid_state']);
      expect(answer.body.engagement).toEqual(before);
      expect(await read(task)).toEqual(before);
      expect(await money()).toEqual(credits);
    } else {
      expect(answer.status).toBe(200);
      expect((await read(task)).status).toBe(led);
    }
  });
});

describe('each move by each party:', () => {
  const PARTIES = ['hirer', 'worker', 'stranger', 'administrator', 'nobody'] as const;
  const table: [move: string, state: State, body: object, allowed: readonly (typeof PARTIES)[number][]][] = [
    ['cancel', 'HELD', {}, ['hirer']],
    ['decline', 'HELD', {}, ['worker']],
    ['accept', 'DELIVERED', {}, ['hirer']],
    ['refund', 'DELIVERED', {}, ['worker']],
    ['dispute', 'DELIVERED', DISPUTE, ['hirer']],
    ['accept', 'DISPUTED', {}, ['hirer']],
    ['refund', 'DISPUTED', {}, ['worker']],
    ['resolve', 'DISPUTED', RESOLUTION, ['administrator']],
  ];

  test.each(table)('%s of a %s engagement', async (move, state, body, allowed) => {
    const { app, worker, deliver, independentAgent } = market;
    const { key: sponsor, operatorId } = await independentAgent();
    const { key: stranger } = await independentAgent();
    const hirer = await creditedAgent(app, { sponsor: operatorId, credits: { promotional: 100 } });
    const keys = {
      hirer: sponsor,
      worker: app.other,
      stranger,
      administrator: app.own,
      nobody: app.anyone,
    };
    for (const party of PARTIES) {
      const task_id = `by-${crypto.randomUUID()}`;
      const terms = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 10 };
      expect((await sponsor.post(ENGAGEMENTS, { task_id, ...terms })).status).toBe(201);
      if (state !== 'HELD') await deliver(worker, task_id);
      if (state === 'DISPUTED') await sponsor.post(path(task_id, 'dispute'), DISPUTE);
      const { status } = await keys[party].post(path(task_id, move), body);
      const isAllowed = allowed.includes(party);
      const refused = { hirer: 403, worker: 403, stranger: 404, administrator: 404, nobody: 401 };
      expect([party, status]).toEqual([party, isAllowed ? 200 : refused[party]]);
    }
  });
});

describe('a delivery', () => {
  test.each(STATES)('of an engagement that is %s changes only one that is HELD', async (state) => {
    const { worker, deliver, read } = market;
    const task = await engagementIn(state);
    const before = await read(task);
    const eventHash = await deliver(worker, task, { deliverable_digest: 'cd'.repeat(32) });
    if (state === 'HELD') {
      expect(await read(task)).toMatchObject({ status: 'DELIVERED', evidence_event_hash: eventHash });
    } else {
      expect(await read(task)).toEqual(before);
    }
  });

  test('of another agent, of another task or of a failure leaves the engagement HELD, and a success after a failure delivers it', async () => {
    const { app, worker, deliver, read } = market;
    const task = await engagementIn('HELD');
    await deliver(await creditedAgent(app), task);
    await deliver(worker, `${task}-2`);
    expect(await read(task)).toMatchObject({ status: 'HELD', last_failure_event_hash: null });
    const failure = await deliver(worker, task, { outcome: 'failure' });
    expect(await read(task)).toMatchObject({ status: 'HELD', last_failure_event_hash: failure });
    const newer = await deliver(worker, task, { error_classification: 'timeout' });
    expect((await read(task)).last_failure_event_hash).toBe(newer);
    const again = await deliver(worker, task, { outcome: 'failure' });
    expect(again).toBe(failure);
    expect((await read(task)).last_failure_event_hash).toBe(newer);
    await deliver(worker, task);
    expect(await read(task)).toMatchObject({ status: 'DELIVERED', last_failure_event_hash: newer });
  });

  test('with evidence that came while the worker was suspended counts when the evidence is sent again', async () => {
    const { hirer, worker, hire, deliver, deliverSuspended, read } = market;
    const task_id = await hire(hirer, worker);
    const eventHash = await deliverSuspended(worker, task_id);
    expect((await read(task_id)).status).toBe('HELD');
    expect(await deliver(worker, task_id)).toBe(eventHash);
    expect(await read(task_id)).toMatchObject({
      ...{ status: 'DELIVERED', evidence_event_hash: eventHash, attested_by: 'service' },
    });
  });

  test('after the deadline does not count, also before the scheduler has looked', async () => {
    const { hirer, worker, hire, deliver, read, endDue, figures } = market;
    const task = await hire(hirer, worker, { deadline: new Date(time.now() + HOUR_MS).toISOString() });
    const { available } = (await figures(hirer)).promotional;
    time.advance(HOUR_MS);
    await deliver(worker, task);
    expect((await read(task)).status).toBe('HELD');
    await endDue();
    expect(await read(task)).toMatchObject({
      ...{ status: 'EXPIRED', ended_by: 'service', receipt_id: expect.any(String) },
    });
    expect((await figures(hirer)).promotional.available).toBe(available + 10);
  });
});

describe('at the same moment', () => {
  test('two accepts pay once', async () => {
    const task = await engagementIn('DELIVERED');
    const { app, worker, figures } = market;
    const { earned } = (await figures(worker)).promotional;
    const accepts = [1, 2, 3].map(() => app.own.post(path(task, 'accept')));
    const answers = await Promise.all([...accepts, app.own.post(`${ACP}/${task}/accept`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await figures(worker)).promotional.earned).toBe(earned + 10);
  });

  test('an accept and a refund have one winner', async () => {
    const task = await engagementIn('DELIVERED');
    const { app, read } = market;
    const [accepted, refunded] = await Promise.all([
      app.own.post(path(task, 'accept')),
      app.other.post(path(task, 'refund')),
    ]);
    expect([accepted?.status, refunded?.status].sort()).toEqual([200, 409]);
    expect((await read(task)).status).toBe(accepted?.status === 200 ? 'PAID' : 'CANCELLED');
  });

  test('a cancellation and a delivery have one winner', async () => {
    const task = await engagementIn('HELD');
    const { app, worker, deliver, read } = market;
    const [cancelled] = await Promise.all([app.own.post(path(task, 'cancel')), deliver(worker, task)]);
    expect((await read(task)).status).toBe(cancelled?.status === 200 ? 'CANCELLED' : 'DELIVERED');
  });
});

test('64 connections that hire with the same credits lock no credit twice', async () => {
  const { app, worker, figures } = market;
  const poor = await creditedAgent(app, { credits: { promotional: 100 } });
  const hires = Array.from({ length: 64 }, (_, index) =>
    app.own.post(ENGAGEMENTS, {
      task_id: `race-${index}-${crypto.randomUUID()}`,
      hirer_commitment: poor.commitment,
      worker_commitment: worker.commitment,
      amount: 7,
    }),
  );
  const statuses = (await Promise.all(hires)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(14);
  expect(statuses.filter((status) => status === 402)).toHaveLength(50);
  expect((await figures(poor)).promotional).toMatchObject({ locked: 98, available: 2 });
});

describe('credits of several classes', () => {
  test('return to their classes, and arrive in them', async () => {
    const { app, hire, deliver, figures, read } = market;
    const rich = await creditedAgent(app, { credits: { promotional: 6, paid: 20, sandbox: 3 } });
    const worker = await creditedAgent(app, { sponsor: app.otherId });
    const before = await figures(rich);
    const cancelled = await hire(rich, worker, { amount: 11 });
    expect((await read(cancelled)).portions).toEqual({ promotional: 6, paid: 5, sandbox: 0 });
    const held = await figures(rich);
    expect([held.promotional.locked, held.paid.locked, held.sandbox.locked]).toEqual([6, 5, 0]);
    await app.own.post(path(cancelled, 'cancel'));
    expect(await figures(rich)).toEqual(before);
    const paid = await hire(rich, worker, { amount: 11 });
    await deliver(worker, paid);
    await app.own.post(path(paid, 'accept'));
    const { promotional, paid: real, sandbox } = await figures(worker);
    expect([promotional.earned, real.earned, sandbox.earned]).toEqual([6, 5, 0]);
    expect((await figures(rich)).paid).toMatchObject({ spent: 5, locked: 0, available: 15 });
  });

  test('are never mixed with sandbox credits', async () => {
    const { app, worker, hire, read } = market;
    const agent = await creditedAgent(app, { credits: { promotional: 5, sandbox: 20 } });
    const task = await hire(agent, worker, { amount: 10 });
    expect((await read(task)).portions).toEqual({ promotional: 0, paid: 0, sandbox: 10 });
  });
});

test('the hirer and the worker may belong to one operator', async () => {
  const { app, hirer, hire, deliver, read } = market;
  const colleague = await creditedAgent(app);
  const task = await hire(hirer, colleague);
  await deliver(colleague, task);
  expect((await app.own.post(path(task, 'accept'))).status).toBe(200);
  expect(await read(task)).toMatchObject({ status: 'PAID', deliverable_digest: DELIVERABLE });
});

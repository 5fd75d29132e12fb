import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { allEscrows, disputes } from '../../../../../src/trust/hires/escrow/list.ts';
import { waitingDisputesMetric } from '../../../../../src/trust/hires/escrow/waiting-disputes.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import { audited } from '../../../../support/audit.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { type Credits, creditedAgent } from '../../../../support/credits.ts';
import { ACP, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const DISPUTE = { reason: 'A page is missing.' };
const NOTE = { note: 'One of two pages.' };

let market: Market;
let time: VirtualTime;
let directory: string;

async function open(settings: Record<string, string> = {}): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), 'countersign-disputes-'));
  time = new VirtualTime(Date.now() - 100 * DAY_MS);
  market = await openMarket(
    { credits: { promotional: 1000 }, settings, data: join(directory, 'data') },
    time,
  );
}
async function close(): Promise<void> {
  await market.app.service.trust.log.publisher.publish();
  await market.app.close();
  const { reported } = await audited(join(directory, 'data'));
  rmSync(directory, { recursive: true });
  // Virtual time is not that of the audit.
  expect(reported.filter(({ table }) => table !== 'checkpoint').map(({ sentence }) => sentence)).toEqual([]);
}
beforeEach(() => open());
afterEach(() => close());

const path = (task: string, move: string): string => `${ENGAGEMENTS}/${task}/${move}`;
const codeOf = ({ status, body }: ApiResponse) => [
  status,
  body.reason_code,
  ...Object.keys(Object(body.issues)),
];

/** A disputed engagement of the hirer, or of another agent. */
async function disputed({ by = market.hirer, amount = 10 } = {}): Promise<string> {
  const { app, worker, hire, deliver } = market;
  const task = await hire(by, worker, { amount });
  await deliver(worker, task);
  const { status } = await app.own.post(path(task, 'dispute'), DISPUTE);
  expect(status).toBe(200);
  return task;
}

test('disputes of all agents are listed newest first, page by page, without hires in another status', async () => {
  const { app, hirer, worker, hire } = market;
  const tasks = [await disputed(), await disputed(), await disputed()];
  await hire(hirer, worker);
  const { store } = app.service.trust;
  const page = await store.read((snapshot) => disputes(snapshot, undefined, 2));
  const rest = await store.read((snapshot) => disputes(snapshot, page.at(-1)?.escrow.escrowSeq, 2));
  expect([...page, ...rest].map(({ escrow }) => escrow.taskId)).toEqual(tasks.toReversed());
  expect(await store.read((snapshot) => allEscrows(snapshot, undefined, 10))).toHaveLength(4);
});

test('a worker declines what it did not ask for, and the credits return', async () => {
  const { app, hirer, worker, hire, read, figures } = market;
  const before = await figures(hirer);
  const task = await hire(hirer, worker);
  const declined = await app.other.post(path(task, 'decline'));
  expect(declined.body.engagement).toMatchObject({
    status: 'DECLINED',
    ended_by: 'worker',
    paid_at: null,
  });
  expect(await figures(hirer)).toEqual(before);
  expect((await app.anyone.get(`${ACP}/${task}`)).body.status).toBe('declined');
  expect((await app.own.post(path(task, 'cancel'))).status).toBe(409);
  expect((await read(task)).status).toBe('DECLINED');
});

describe('a dispute', () => {
  test('is not paid at accept_by, and is shown to both sides', async () => {
    const { app, endDue, read } = market;
    const task = await disputed();
    time.advance(4 * DAY_MS);
    await endDue();
    const { status, dispute } = await read(task);
    const { reason, disputed_at, until } = Object(dispute);
    expect([status, reason]).toEqual(['DISPUTED', DISPUTE.reason]);
    expect(Date.parse(until) - Date.parse(disputed_at)).toBe(30 * DAY_MS);
    expect(Object((await app.other.get(`${ENGAGEMENTS}/${task}`)).body.engagement).dispute).toEqual(dispute);
    expect((await app.anyone.get(`${ACP}/${task}`)).body).not.toHaveProperty('dispute');
  });

  test('is refused after accept_by, also before the scheduler has looked', async () => {
    const { app, hirer, worker, hire, deliver, endDue, read } = market;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    time.advance(3 * DAY_MS);
    expect(codeOf(await app.own.post(path(task, 'dispute'), DISPUTE))).toEqual([409, 'invalid_state']);
    await endDue();
    expect(await read(task)).toMatchObject({ status: 'PAID', ended_by: 'service', dispute: null });
  });

  test.each([
    ['no reason', {}],
    ['an empty reason', { reason: '' }],
    ['a reason with a control character', { reason: 'a\u0000b' }],
    ['a reason of 1025 characters', { reason: 'x'.repeat(1025) }],
  ])('with %s is refused', async (_, body) => {
    const { app, hirer, worker, hire, deliver, read } = market;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    expect(codeOf(await app.own.post(path(task, 'dispute'), body))).toEqual([
      400,
      'validation_error',
      'reason',
    ]);
    expect((await read(task)).status).toBe('DELIVERED');
  });

  test('that nobody decides is paid after 30 days, which is no acceptance', async () => {
    const { endDue, read, figures, worker } = market;
    const task = await disputed();
    time.advance(30 * DAY_MS - 1);
    await endDue();
    expect((await read(task)).status).toBe('DISPUTED');
    time.advance(1);
    await endDue();
    expect(await read(task)).toMatchObject({ status: 'PAID', ended_by: 'service', resolution: null });
    expect((await figures(worker)).promotional.earned).toBe(10);
  });

  test('and an acceptance and a refund at once have one winner', async () => {
    const { app, read } = market;
    const task = await disputed();
    const answers = await Promise.all([
      app.own.post(path(task, 'accept')),
      app.other.post(path(task, 'refund')),
      app.own.post(path(task, 'resolve'), { worker_amount: 5, ...NOTE }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(['PAID', 'CANCELLED', 'RESOLVED']).toContain(String((await read(task)).status));
  });

  test('twice at once is one dispute', async () => {
    const { app, hirer, worker, hire, deliver } = market;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    const answers = [1, 2, 3].map(() => app.own.post(path(task, 'dispute'), DISPUTE));
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('while the clock is wrong gets its end when the clock is right', async () => {
    const { app, hirer, worker, hire, deliver, endDue, read } = market;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    time.jump(10 * DAY_MS);
    await endDue();
    expect((await app.own.post(path(task, 'dispute'), DISPUTE)).status).toBe(200);
    expect(await read(task)).toMatchObject({ status: 'DISPUTED', dispute: { until: null } });
    time.jump(-10 * DAY_MS);
    await endDue();
    expect(Date.parse(String(Object((await read(task)).dispute).until))).toBe(time.now() + 30 * DAY_MS);
    time.advance(30 * DAY_MS);
    await endDue();
    expect((await read(task)).status).toBe('PAID');
  });
});

test('health and a metric say how many disputes wait for a decision, from 7 days on', async () => {
  const { app, endDue } = market;
  const problems = async () => {
    // A late checkpoint is another problem.
    await app.service.trust.log.publisher.publish();
    return (await app.anyone.get('/api/health')).body.problems;
  };
  const metric = () => waitingDisputesMetric(app.service.trust).read();
  const [first] = [await disputed(), await disputed()];
  time.advance(7 * DAY_MS - 1);
  await endDue();
  expect(await problems()).toEqual([]);
  time.advance(1);
  await endDue();
  expect(await problems()).toEqual([
    expect.stringMatching(/^2 disputed engagements wait for a decision for more than 7 days/),
  ]);
  expect(await metric()).toEqual([{ labels: {}, value: 2 }]);
  await app.own.post(path(first, 'accept'));
  expect(await problems()).toEqual([expect.stringMatching(/^1 disputed engagement waits/)]);
});

describe('a decision', () => {
  test.each<[number, Credits, object, object]>([
    [0, { promotional: 6, paid: 20 }, { promotional: 0, paid: 0 }, { promotional: 6, paid: 20 }],
    [4, { promotional: 6, paid: 20 }, { promotional: 4, paid: 0 }, { promotional: 2, paid: 20 }],
    [6, { promotional: 6, paid: 20 }, { promotional: 6, paid: 0 }, { promotional: 0, paid: 20 }],
    [9, { promotional: 6, paid: 20 }, { promotional: 6, paid: 3 }, { promotional: 0, paid: 17 }],
    [11, { promotional: 6, paid: 20 }, { promotional: 6, paid: 5 }, { promotional: 0, paid: 15 }],
    [5, { sandbox: 11 }, { sandbox: 5 }, { sandbox: 6 }],
  ])(
    'of %d of 11 credits gives the worker promotional ones first, and returns the rest',
    async (amount, credits, earned, left) => {
      const { app, worker, read, figures } = market;
      const rich = await creditedAgent(app, { credits });
      const task = await disputed({ by: rich, amount: 11 });
      const decision = { worker_amount: amount, ...NOTE };
      const { status, body } = await app.own.post(path(task, 'resolve'), decision);
      expect(status).toBe(200);
      const engagement = await read(task);
      expect(body.engagement).toEqual(engagement);
      expect(engagement).toMatchObject({
        ...{ status: 'RESOLVED', ended_by: 'administrator' },
        resolution: { worker_amount: amount, note: NOTE.note },
      });
      const got = await figures(worker);
      const has = await figures(rich);
      for (const [name, value] of Object.entries(earned)) expect(Object(got)[name].earned).toBe(value);
      for (const [name, value] of Object.entries(left))
        expect(Object(has)[name]).toMatchObject({ available: value, locked: 0 });
      const { receipt_id, paid_at, end_transaction_id } = engagement;
      const { return_transaction_id } = Object(engagement.resolution);
      expect(paid_at === null).toBe(amount === 0);
      expect(return_transaction_id === null).toBe(amount === 0 || amount === 11);
      expect(end_transaction_id).not.toBeNull();
      expect(body.receipt_id).toBe(receipt_id);
      const { return_receipt_id } = Object(engagement.resolution);
      expect(return_receipt_id === null).toBe(return_transaction_id === null);
      const returned = amount === 0 ? receipt_id : return_receipt_id;
      const authority_scope = `engagement:${task}`;
      if (amount > 0)
        expect((await app.own.get(`/api/v1/receipts/${receipt_id}`)).body).toMatchObject({
          ...{ agent_id: worker.commitment, authority_scope, status: 'success' },
        });
      if (returned !== null)
        expect((await app.own.get(`/api/v1/receipts/${returned}`)).body).toMatchObject({
          ...{ agent_id: rich.commitment, authority_scope, status: 'null' },
          refusal_reason: `RESOLVED by administrator: ${11 - amount}${amount === 0 ? '' : ' of 11'} credits returned`,
        });
    },
  );

  test.each<[string, object, string]>([
    ['of more than is held', { worker_amount: 11, ...NOTE }, 'worker_amount'],
    ['of a negative amount', { worker_amount: -1, ...NOTE }, 'worker_amount'],
    ['of a fraction', { worker_amount: 1.5, ...NOTE }, 'worker_amount'],
    ['without an amount', NOTE, 'worker_amount'],
    ['without a note', { worker_amount: 5 }, 'note'],
  ])('%s is refused and moves nothing', async (_, body, field) => {
    const { app, hirer, read, figures } = market;
    const task = await disputed();
    const before = await figures(hirer);
    expect(codeOf(await app.own.post(path(task, 'resolve'), body))).toEqual([400, 'validation_error', field]);
    expect([await figures(hirer), (await read(task)).status]).toEqual([before, 'DISPUTED']);
  });

  test('twice at once, and with the same Idempotency-Key, is one', async () => {
    const { app, worker, figures } = market;
    const task = await disputed();
    const decision = { worker_amount: 5, ...NOTE };
    const answers = await Promise.all([1, 2, 3].map(() => app.own.post(path(task, 'resolve'), decision)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const other = await disputed();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const repeated = [1, 2].map(() => app.own.post(path(other, 'resolve'), decision, key));
    expect((await Promise.all(repeated)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await figures(worker)).promotional.earned).toBe(10);
  });

  test('by the signature of a party, or of a stranger, is refused', async () => {
    const { app, hirer, worker, read } = market;
    const task = await disputed();
    const audience = await audienceOf(app);
    const resolveBy = (agent: Pick<typeof hirer, 'sign' | 'commitment'>) => {
      const [body, line] = [
        { worker_amount: 5, ...NOTE },
        { method: 'POST', path: path(task, 'resolve') },
      ];
      const agent_auth = agentAuth(agent, { ...line, body, audience }, time.now());
      return app.anyone.post(line.path, { ...body, agent_auth });
    };
    expect((await resolveBy(hirer)).status).toBe(403);
    expect((await resolveBy(worker)).status).toBe(403);
    expect((await resolveBy(await creditedAgent(app))).status).toBe(404);
    expect((await read(task)).status).toBe('DISPUTED');
  });
});

describe('while the hirer is frozen, a dispute', () => {
  test('stands still, and only an administrator ends it', async () => {
    const { app, hirer, endDue, refundInactive, read, freeze } = market;
    const [waiting, decided] = [await disputed(), await disputed()];
    await freeze(hirer);
    time.advance(40 * DAY_MS);
    await endDue();
    await refundInactive();
    expect((await app.other.post(path(waiting, 'refund'))).status).toBe(409);
    const { status } = await app.own.post(path(decided, 'resolve'), { worker_amount: 3, ...NOTE });
    expect(status).toBe(200);
    expect(await read(waiting)).toMatchObject({ status: 'DISPUTED', stands_still_since: expect.any(String) });
    expect(await read(decided)).toMatchObject({ status: 'RESOLVED', ended_by: 'administrator' });
  });

  test('goes on when the freeze ends, with the time that was left', async () => {
    const { hirer, endDue, refundInactive, read, freeze } = market;
    const task = await disputed();
    const { until } = Object((await read(task)).dispute);
    time.advance(20 * DAY_MS);
    await freeze(hirer);
    time.advance(40 * DAY_MS);
    await endDue();
    await refundInactive();
    expect((await read(task)).status).toBe('DISPUTED');
    await freeze(hirer, false);
    await refundInactive();
    const moved = await read(task);
    expect(Date.parse(Object(moved.dispute).until) - Date.parse(until)).toBe(40 * DAY_MS);
    time.advance(10 * DAY_MS - 1);
    await endDue();
    expect((await read(task)).status).toBe('DISPUTED');
    time.advance(1);
    await endDue();
    expect((await read(task)).status).toBe('PAID');
  });

  test('is not begun, and a HELD hire is not declined', async () => {
    const { app, hirer, worker, hire, deliver, freeze, read } = market;
    const [held, delivered] = [await hire(hirer, worker), await hire(hirer, worker)];
    await deliver(worker, delivered);
    await freeze(hirer);
    const answers = [
      await app.own.post(path(delivered, 'dispute'), DISPUTE),
      await app.other.post(path(held, 'decline')),
    ];
    for (const { status } of answers) expect([403, 409]).toContain(status);
    expect([(await read(held)).status, (await read(delivered)).status]).toEqual(['HELD', 'DELIVERED']);
  });
});

test('with engagements.dispute_default=refund, and two days, a dispute that nobody decides is refunded', async () => {
  await close();
  await open({ 'engagements.dispute_default': 'refund', 'engagements.dispute_days': '2' });
  const { hirer, endDue, read, figures } = market;
  const task = await disputed();
  time.advance(2 * DAY_MS);
  await endDue();
  expect(await read(task)).toMatchObject({ status: 'CANCELLED', ended_by: 'service', paid_at: null });
  expect((await figures(hirer)).promotional).toMatchObject({ locked: 0, available: 1000 });
});

test('a revoked worker is paid what a dispute leaves it, and its credits return to its pool', async () => {
  const { app, worker, read, returnCredits } = market;
  const task = await disputed();
  expect((await app.other.post(`/api/v1/passport/agents/${worker.commitment}/revoke`)).status).toBe(200);
  expect((await app.other.post(path(task, 'refund'))).status).toBe(403);
  await returnCredits();
  expect((await app.own.post(path(task, 'resolve'), { worker_amount: 7, ...NOTE })).status).toBe(200);
  expect((await read(task)).status).toBe('RESOLVED');
  await returnCredits();
  const { body } = await app.other.get('/api/v1/operator/status');
  expect(body.credits).toBe(7);
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { type Agent, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const DECISION = { worker_amount: 4, note: 'One of two pages.' };

type Arbiter = Awaited<ReturnType<Market['independentAgent']>>;

let market: Market;
let time: VirtualTime;
let audience: string;

beforeAll(async () => {
  time = new VirtualTime();
  market = await openMarket({ credits: { promotional: 100_000 } }, time);
  audience = await audienceOf(market.app);
});
afterAll(() => market.app.close());

const path = (task: string, move: string): string => `${ENGAGEMENTS}/${task}/${move}`;
const codeOf = ({ status, body }: ApiResponse) => [
  status,
  body.reason_code,
  ...Object.keys(Object(body.issues)),
];

/** A delivered engagement whose worker named an arbiter. */
async function named(arbiter: Arbiter): Promise<string> {
  const { hirer, worker, hire, deliverSigned } = market;
  const task = await hire(hirer, worker);
  const { status } = await deliverSigned(worker, task, { arbiter_commitment: arbiter.commitment });
  expect(status).toBe(200);
  return task;
}

async function consent(by: Pick<Agent, 'sign'>, task: string, more: object = {}): Promise<ApiResponse> {
  const { terms_digest } = await market.read(task);
  const payload = {
    ...{ type: 'arbiter-consent', task_id: task, terms_digest: String(terms_digest) },
    ...more,
  };
  return market.app.anyone.post(path(task, 'arbiter-consent'), { payload, signature: by.sign(payload) });
}

async function dispute(task: string, more: object = {}): Promise<void> {
  const { status } = await market.app.own.post(path(task, 'dispute'), {
    reason: 'A page is missing.',
    ...more,
  });
  expect(status).toBe(200);
}

/** A dispute that an arbiter can decide. */
async function arbitrated(arbiter: Arbiter): Promise<string> {
  const task = await named(arbiter);
  expect((await consent(arbiter, task)).status).toBe(200);
  await dispute(task);
  return task;
}

function resolveBy(agent: Pick<Agent, 'sign' | 'commitment'>, task: string): Promise<ApiResponse> {
  const line = { method: 'POST', path: path(task, 'resolve') };
  const agent_auth = agentAuth(agent, { ...line, body: DECISION, audience }, time.now());
  return market.app.anyone.post(line.path, { ...DECISION, agent_auth });
}

test('an arbiter that the worker named and that consented decides a dispute by its signature', async () => {
  const { app, worker, read, figures, independentAgent } = market;
  const arbiter = await independentAgent();
  const task = await named(arbiter);
  const answers = await Promise.all([consent(arbiter, task), consent(arbiter, task)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(JSON.stringify(answers[0]?.body)).not.toContain(worker.commitment);
  await dispute(task);
  expect((await arbiter.key.get(`${ENGAGEMENTS}/${task}`)).status).toBe(200);
  const { earned } = (await figures(worker)).promotional;
  expect((await app.own.post(path(task, 'resolve'), DECISION)).status).toBe(409);
  expect((await resolveBy(arbiter, task)).status).toBe(200);
  expect(await read(task)).toMatchObject({
    ...{ status: 'RESOLVED', ended_by: 'arbiter', arbiter_commitment: arbiter.commitment },
    arbiter_consented_at: expect.any(String),
    resolution: { worker_amount: 4 },
  });
  expect((await figures(worker)).promotional.earned).toBe(earned + 4);
  expect((await resolveBy(arbiter, task)).status).toBe(409);
});

describe('a dispute is not decided', () => {
  test('by an arbiter without a consent; the administrator does', async () => {
    const { app, independentAgent } = market;
    const arbiter = await independentAgent();
    const task = await named(arbiter);
    await dispute(task);
    expect(codeOf(await resolveBy(arbiter, task))).toEqual([403, 'forbidden']);
    expect((await app.own.post(path(task, 'resolve'), DECISION)).status).toBe(200);
  });

  test("by a key of the arbiter, by an arbiter of another hire, by the hirer's other agent, or before the dispute", async () => {
    const { app, read, independentAgent } = market;
    const [arbiter, other] = [await independentAgent(), await independentAgent()];
    await arbitrated(other);
    const task = await named(arbiter);
    expect((await consent(arbiter, task)).status).toBe(200);
    expect(codeOf(await resolveBy(arbiter, task))).toEqual([409, 'invalid_state']);
    await dispute(task);
    expect((await arbiter.key.post(path(task, 'resolve'), DECISION)).status).toBe(403);
    expect(codeOf(await resolveBy(other, task))).toEqual([404, 'not_found']);
    expect(codeOf(await resolveBy(await creditedAgent(app), task))).toEqual([404, 'not_found']);
    expect((await read(task)).status).toBe('DISPUTED');
  });

  test.each<[string, (arbiter: Arbiter) => Promise<unknown>]>([
    ['was revoked', ({ key, commitment }) => key.post(`/api/v1/passport/agents/${commitment}/revoke`)],
    ['is frozen', (arbiter) => market.freeze(arbiter)],
    [
      'has a suspended sponsor',
      ({ operatorId }) => setAccountStatus(market.app.service.trust, operatorId, 'SUSPENDED'),
    ],
    [
      'has the sponsor of a party now',
      ({ agent }) =>
        market.app.service.trust.store.writeAsService(({ connection: { sqlite } }) =>
          sqlite.run('UPDATE agent SET sponsor_seq = 1 WHERE agent_seq = ?', [agent.agentSeq]),
        ),
    ],
    ['is silent for 14 days', async () => time.advance(14 * DAY_MS)],
  ])('by an arbiter that %s; the administrator does', async (_, end) => {
    const { app, read, independentAgent } = market;
    const arbiter = await independentAgent();
    const task = await arbitrated(arbiter);
    expect((await app.own.post(path(task, 'resolve'), DECISION)).status).toBe(409);
    await end(arbiter);
    expect((await resolveBy(arbiter, task)).status).toBe(403);
    expect((await app.own.post(path(task, 'resolve'), DECISION)).status).toBe(200);
    expect(await read(task)).toMatchObject({ status: 'RESOLVED', ended_by: 'administrator' });
  });

  test('by its arbiter while the hirer is frozen; its 14 days stand still, and the administrator can', async () => {
    const { app, worker, hire, deliverSigned, independentAgent, freeze, read } = market;
    const hirer = await creditedAgent(app, { credits: { promotional: 20 } });
    const arbiter = await independentAgent();
    const tasks = [await hire(hirer, worker), await hire(hirer, worker)];
    for (const task of tasks) {
      await deliverSigned(worker, task, { arbiter_commitment: arbiter.commitment });
      expect((await consent(arbiter, task)).status).toBe(200);
      await dispute(task);
    }
    const [one = '', other = ''] = tasks;
    await freeze(hirer);
    expect(codeOf(await resolveBy(arbiter, one))).toEqual([409, 'invalid_state']);
    expect((await app.own.post(path(other, 'resolve'), DECISION)).status).toBe(200);
    time.advance(20 * DAY_MS);
    await freeze(hirer, false);
    expect((await resolveBy(arbiter, one)).status).toBe(200);
    expect((await read(one)).ended_by).toBe('arbiter');
  });
});

describe('an arbiter that the hirer refuses', () => {
  test('decides nothing, even if it had consented, and the administrator decides at once', async () => {
    const arbiter = await market.independentAgent();
    const task = await named(arbiter);
    expect((await consent(arbiter, task)).status).toBe(200);
    await dispute(task, { refuse_arbiter: true });
    expect((await market.read(task)).dispute).toMatchObject({ arbiter_refused: true });
    expect(codeOf(await resolveBy(arbiter, task))).toEqual([403, 'forbidden']);
    expect((await market.app.own.post(path(task, 'resolve'), DECISION)).status).toBe(200);
    expect(await market.read(task)).toMatchObject({ status: 'RESOLVED', ended_by: 'administrator' });
  });

  test('cannot consent any more', async () => {
    const arbiter = await market.independentAgent();
    const task = await named(arbiter);
    await dispute(task, { refuse_arbiter: true });
    expect(codeOf(await consent(arbiter, task))).toEqual([403, 'forbidden']);
    expect((await market.read(task)).arbiter_consented_at).toBeNull();
  });

  test('is one that the delivery names, and only the dispute refuses it', async () => {
    const { app, hirer, worker, hire, deliverSigned } = market;
    const without = await hire(hirer, worker);
    expect((await deliverSigned(worker, without)).status).toBe(200);
    const refusal = { reason: 'A page is missing.', refuse_arbiter: true };
    expect(codeOf(await app.own.post(path(without, 'dispute'), refusal))).toEqual([
      ...[400, 'validation_error', 'refuse_arbiter'],
    ]);
    expect((await market.read(without)).status).toBe('DELIVERED');
    const arbiter = await market.independentAgent();
    const task = await arbitrated(arbiter);
    expect((await market.read(task)).dispute).toMatchObject({ arbiter_refused: false });
    // Neither a second dispute of the hirer nor the worker takes the arbiter away.
    expect(codeOf(await app.own.post(path(task, 'dispute'), refusal))).toEqual([409, 'invalid_state']);
    expect(codeOf(await app.other.post(path(task, 'dispute'), refusal))).toEqual([403, 'forbidden']);
    expect((await resolveBy(arbiter, task)).status).toBe(200);
  });
});

describe('a consent is refused', () => {
  test.each<[string, (arbiter: Arbiter, task: string) => Promise<ApiResponse>, unknown[]]>([
    ['of somebody else', (_, task) => consent(market.worker, task), [401, 'invalid_proof']],
    [
      'for other terms',
      (arbiter, task) => consent(arbiter, task, { terms_digest: 'cd'.repeat(32) }),
      [400, 'validation_error', 'payload.terms_digest'],
    ],
    [
      'for another task',
      (arbiter, task) => consent(arbiter, task, { task_id: 'another' }),
      [400, 'validation_error', 'payload.task_id'],
    ],
    [
      'that is another object',
      (arbiter, task) => consent(arbiter, task, { type: 'agent-auth' }),
      [400, 'validation_error', 'payload.type'],
    ],
    [
      'with another member',
      (arbiter, task) => consent(arbiter, task, { note: 'x' }),
      [400, 'validation_error', 'payload.note'],
    ],
    [
      'of an arbiter with a suspended sponsor',
      async (arbiter, task) => {
        await setAccountStatus(market.app.service.trust, arbiter.operatorId, 'SUSPENDED');
        return consent(arbiter, task);
      },
      [403, 'forbidden'],
    ],
    [
      'for an engagement that ended',
      async (arbiter, task) => {
        await market.app.own.post(path(task, 'accept'));
        return consent(arbiter, task);
      },
      [409, 'invalid_state'],
    ],
  ])('%s', async (_, sent, refused) => {
    const arbiter = await market.independentAgent();
    const task = await named(arbiter);
    expect(codeOf(await sent(arbiter, task))).toEqual(refused);
    expect((await market.read(task)).arbiter_consented_at).toBeNull();
  });

  test('for a delivery that names nobody, and as evidence', async () => {
    const { app, hirer, worker, hire, deliver } = market;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    expect(codeOf(await consent(worker, task))).toEqual([409, 'conflict']);
    const payload = { type: 'arbiter-consent', task_id: task, terms_digest: 'ab'.repeat(32) };
    const evidence = { source_type: 'otel_genai_trace', payload, signature: worker.sign(payload) };
    expect(
      codeOf(await app.other.post(`/api/v1/passport/agents/${worker.commitment}/evidence`, evidence)),
    ).toEqual([400, 'validation_error', 'payload.type']);
  });
});

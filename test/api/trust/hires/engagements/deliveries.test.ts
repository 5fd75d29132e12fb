import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../../../../src/platform/time/units.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import {
  ACP,
  type Agent,
  DELIVERABLE,
  ENGAGEMENTS,
  type Market,
  openMarket,
} from '../../../../support/engagements.ts';
import { evidencePath } from '../../../../support/evidence.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let market: Market;
let time: VirtualTime;

beforeAll(async () => {
  time = new VirtualTime();
  market = await openMarket({ credits: { promotional: 100_000 } }, time);
});
afterAll(() => market.app.close());

const codeOf = ({ status, body }: ApiResponse) => [
  status,
  body.reason_code,
  ...Object.keys(Object(body.issues)),
];

/** How many items of evidence an agent has. */
async function evidenceOf({ commitment }: Agent): Promise<number> {
  const { body } = await market.app.other.get(`${evidencePath(commitment)}?limit=100`);
  return [body.evidence].flat().length;
}

describe.each([
  ['any', ENGAGEMENTS],
  ['worker', ENGAGEMENTS],
  ['any', ACP],
  ['worker', ACP],
])('a hire with delivery %s', (delivery, path) => {
  test(`is delivered at ${path} by what its worker signed for its terms, without a key`, async () => {
    const { app, hirer, hire, read, signedDelivery, figures } = market;
    const worker = await creditedAgent(app, { sponsor: app.otherId });
    const task = await hire(hirer, worker, { delivery, deadline: '2035-01-31T12:00:00Z' });
    const body = await signedDelivery(worker, task);
    const answers = [1, 2].map(() => app.anyone.post(`${path}/${task}/deliver`, body));
    for (const { status, body: shown } of await Promise.all(answers)) {
      const view = Object(path === ACP ? shown : shown.engagement);
      expect([status, view.deliverable_digest]).toEqual([200, DELIVERABLE]);
      expect(JSON.stringify(shown)).not.toContain(hirer.commitment);
    }
    const { body: listed } = await app.other.get(evidencePath(worker.commitment));
    const [item, ...others] = [listed.evidence].flat().map(Object);
    expect([item.source_type, item.outcome, others]).toEqual(['task_deliverable', 'success', []]);
    expect(await read(task)).toMatchObject({
      ...{ status: 'DELIVERED', attested_by: 'worker', arbiter_commitment: null },
      evidence_event_hash: item.event_commitment_hash,
    });
    expect((await app.own.post(`${ENGAGEMENTS}/${task}/accept`)).status).toBe(200);
    expect((await app.anyone.post(`${path}/${task}/deliver`, body)).status).toBe(200);
    expect((await figures(worker)).promotional.earned).toBe(10);
  });
});

test('another delivery than the first is refused and anchors nothing', async () => {
  const { hirer, worker, hire, deliverSigned } = market;
  const task = await hire(hirer, worker);
  expect((await deliverSigned(worker, task)).status).toBe(200);
  const before = await evidenceOf(worker);
  expect(codeOf(await deliverSigned(worker, task, { note: 'better' }))).toEqual([409, 'conflict']);
  expect(await evidenceOf(worker)).toBe(before);
});

test('two deliveries at once have one winner', async () => {
  const { hirer, worker, hire, deliverSigned } = market;
  const task = await hire(hirer, worker);
  const notes = ['one', 'other', 'third'];
  const answers = await Promise.all(notes.map((note) => deliverSigned(worker, task, { note })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('what the service token sent is delivered by the worker itself, if it signed it for the terms', async () => {
  const { app, hirer, worker, hire, deliver, read, signedDelivery } = market;
  const task = await hire(hirer, worker, { delivery: 'worker' });
  const { terms_digest } = await read(task);
  const eventHash = await deliver(worker, task, { terms_digest: String(terms_digest) });
  expect((await read(task)).status).toBe('HELD');
  const { status } = await app.anyone.post(
    `${ENGAGEMENTS}/${task}/deliver`,
    await signedDelivery(worker, task),
  );
  expect(status).toBe(200);
  expect(await read(task)).toMatchObject({ attested_by: 'worker', evidence_event_hash: eventHash });
});

describe('a delivery is refused, anchors nothing and leaves the hire HELD:', () => {
  /** Returns the body of a delivery. */
  type Made = (task: string, worker: Agent) => Promise<object> | object;
  const signed =
    (more: JsonObject, by?: () => Agent): Made =>
    (task, worker) =>
      market.signedDelivery(by?.() ?? worker, task, more);

  test.each<[string, Made, unknown[]]>([
    ['signed by the hirer', signed({}, () => market.hirer), [401, 'invalid_proof']],
    [
      'with a changed payload',
      async (task, worker) => {
        const { payload, signature } = await market.signedDelivery(worker, task);
        return { payload: { ...payload, note: 'changed' }, signature };
      },
      [401, 'invalid_proof'],
    ],
    [
      'with a signature over the raw digest, as evidence may have',
      async (task, worker) => {
        const { payload } = await market.signedDelivery(worker, task);
        const canonical = JSON.stringify(Object.fromEntries(Object.entries(payload).sort()));
        const bytes = new Bun.CryptoHasher('sha256').update(canonical).digest();
        return { payload, signature: worker.signBytes(bytes) };
      },
      [401, 'invalid_proof'],
    ],
    [
      'of other terms',
      signed({ terms_digest: 'cd'.repeat(32) }),
      [400, 'validation_error', 'payload.terms_digest'],
    ],
    [
      'of the terms of another hire',
      async (task, worker) => {
        const other = await market.read(await market.hire(market.hirer, worker));
        return market.signedDelivery(worker, task, { terms_digest: String(other.terms_digest) });
      },
      [400, 'validation_error', 'payload.terms_digest'],
    ],
    [
      'without terms',
      (task, worker) => {
        const payload = { task_id: task, deliverable_digest: DELIVERABLE };
        return { payload, signature: worker.sign(payload) };
      },
      [400, 'validation_error', 'payload.terms_digest'],
    ],
    ['of another task', signed({ task_id: 'another' }), [400, 'validation_error', 'payload.task_id']],
    ['of a failure', signed({ outcome: 'failure' }), [400, 'validation_error', 'payload.outcome']],
    [
      'without a digest',
      async (task, worker) => {
        const { payload } = await market.signedDelivery(worker, task);
        const { deliverable_digest: _, ...rest } = payload;
        return { payload: rest, signature: worker.sign(rest) };
      },
      [400, 'validation_error', 'payload.deliverable_digest'],
    ],
    [
      'that could be another signed object',
      signed({ type: 'assessment' }),
      [400, 'validation_error', 'payload.type'],
    ],
    ['without a body', () => ({}), [400, 'validation_error', 'body']],
    [
      'with half of each form',
      (_, worker) => ({ payload: {}, deliverable_digest: worker.commitment }),
      [400, 'validation_error', 'body'],
    ],
    [
      'in both forms',
      async (task, worker) => ({
        ...(await market.signedDelivery(worker, task)),
        ...{ deliverable_digest: DELIVERABLE, evidence_event_hash: DELIVERABLE },
      }),
      [400, 'validation_error', 'body'],
    ],
    ...(
      [
        ['the hirer', () => market.hirer.commitment],
        ['the worker itself', (worker) => worker.commitment],
        ["another agent of the hirer's sponsor", async () => (await creditedAgent(market.app)).commitment],
        [
          "another agent of the worker's sponsor",
          async () => (await creditedAgent(market.app, { sponsor: market.app.otherId })).commitment,
        ],
        [
          'an agent without a sponsor',
          async () => (await creditedAgent(market.app, { sponsor: null })).commitment,
        ],
        ['an agent that never enrolled', () => 'ab'.repeat(32)],
        [
          'a revoked agent',
          async () => {
            const { commitment, key } = await market.independentAgent();
            await key.post(`/api/v1/passport/agents/${commitment}/revoke`);
            return commitment;
          },
        ],
        [
          'an agent of a suspended operator',
          async () => {
            const { commitment, operatorId } = await market.independentAgent();
            await setAccountStatus(market.app.service.trust, operatorId, 'SUSPENDED');
            return commitment;
          },
        ],
      ] satisfies [string, (worker: Agent) => Promise<string> | string][]
    ).map(([name, named]): [string, Made, unknown[]] => [
      `with ${name} as arbiter`,
      async (task, worker) =>
        market.signedDelivery(worker, task, { arbiter_commitment: await named(worker) }),
      [400, 'validation_error', 'payload.arbiter_commitment'],
    ]),
  ])('%s', async (_, made, refused) => {
    const { app, hirer, hire, read } = market;
    const worker = await creditedAgent(app, { sponsor: app.otherId });
    const task = await hire(hirer, worker);
    const body = await made(task, worker);
    for (const path of [ENGAGEMENTS, ACP])
      expect(codeOf(await app.anyone.post(`${path}/${task}/deliver`, body))).toEqual(refused);
    expect([(await read(task)).status, await evidenceOf(worker)]).toEqual(['HELD', 0]);
  });

  test.each<[string, (task: string, worker: Agent) => Promise<unknown>]>([
    ['after the deadline', async () => time.advance(HOUR_MS)],
    ['of a frozen worker', (_, worker) => market.freeze(worker)],
    [
      'of a worker with a suspended sponsor',
      () => setAccountStatus(market.app.service.trust, market.app.otherId, 'SUSPENDED'),
    ],
    [
      'of a revoked worker',
      (_, { commitment }) => market.app.other.post(`/api/v1/passport/agents/${commitment}/revoke`),
    ],
    ['after the cancellation', (task) => market.app.own.post(`${ENGAGEMENTS}/${task}/cancel`)],
  ])('%s', async (_, before) => {
    const { app, hirer, hire, read, signedDelivery } = market;
    const worker = await creditedAgent(app, { sponsor: app.otherId });
    const task = await hire(hirer, worker, { deadline: new Date(time.now() + HOUR_MS).toISOString() });
    const body = await signedDelivery(worker, task);
    await before(task, worker);
    const answer = await app.anyone.post(`${ENGAGEMENTS}/${task}/deliver`, body);
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    expect(codeOf(answer)).toEqual([409, 'invalid_state']);
    expect([(await read(task)).evidence_event_hash, await evidenceOf(worker)]).toEqual([null, 0]);
  });

  test('of a task that nobody knows', async () => {
    const { app, worker } = market;
    const payload = { task_id: 'none', deliverable_digest: DELIVERABLE, terms_digest: DELIVERABLE };
    const body = { payload, signature: worker.sign(payload) };
    expect((await app.anyone.post(`${ENGAGEMENTS}/none/deliver`, body)).status).toBe(404);
  });
});

test('a hire of a revoked hirer is not delivered, and one of a frozen hirer is', async () => {
  const { app, worker, hire, read, deliverSigned, freeze } = market;
  const credits = { promotional: 20 };
  const [frozen, revoked] = [await creditedAgent(app, { credits }), await creditedAgent(app, { credits })];
  const [still, gone] = [await hire(frozen, worker), await hire(revoked, worker)];
  await freeze(frozen);
  expect((await app.own.post(`/api/v1/passport/agents/${revoked.commitment}/revoke`)).status).toBe(200);
  expect((await deliverSigned(worker, still)).status).toBe(200);
  expect(await read(still)).toMatchObject({ status: 'DELIVERED', attested_by: 'worker' });
  expect(codeOf(await deliverSigned(worker, gone))).toEqual([409, 'invalid_state']);
});

test('a delivery names an arbiter of a sponsor that is neither side', async () => {
  const { hirer, worker, hire, read, deliverSigned, independentAgent } = market;
  const task = await hire(hirer, worker);
  const { commitment } = await independentAgent();
  expect((await deliverSigned(worker, task, { arbiter_commitment: commitment })).status).toBe(200);
  expect(await read(task)).toMatchObject({ arbiter_commitment: commitment, arbiter_consented_at: null });
});

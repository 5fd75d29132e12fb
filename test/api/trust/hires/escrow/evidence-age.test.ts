import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { ACP, DELIVERABLE, ENGAGEMENTS, type Market, openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let market: Market;
let time: VirtualTime;

beforeAll(async () => {
  time = new VirtualTime();
  market = await openMarket({ credits: { promotional: 100_000 } }, time);
});
afterAll(() => market.app.close());

describe('evidence from before the hire delivers nothing:', () => {
  test.each([
    ['in the same millisecond', 0],
    ['an hour before', 3_600_000],
  ])('%s, also when it is sent or named again', async (_, ms) => {
    const { app, hirer, worker, hire, deliver, read } = market;
    const task_id = `old-${crypto.randomUUID()}`;
    const eventHash = await deliver(worker, task_id);
    time.advance(ms);
    await hire(hirer, worker, { task_id });
    expect(await deliver(worker, task_id)).toBe(eventHash);
    const named = { deliverable_digest: DELIVERABLE, evidence_event_hash: eventHash };
    const answer = await app.anyone.post(`${ACP}/${task_id}/deliver`, named);
    expect([answer.status, Object.keys(Object(answer.body.issues))]).toEqual([400, ['evidence_event_hash']]);
    expect((await read(task_id)).status).toBe('HELD');
    expect((await app.own.post(`${ENGAGEMENTS}/${task_id}/cancel`)).status).toBe(200);
  });

  test('nor does its failure count, and new evidence of the same digest delivers', async () => {
    const { hirer, worker, hire, deliver, read } = market;
    const task_id = `old-${crypto.randomUUID()}`;
    await deliver(worker, task_id, { outcome: 'failure' });
    await hire(hirer, worker, { task_id });
    await deliver(worker, task_id, { outcome: 'failure' });
    expect((await read(task_id)).last_failure_event_hash).toBeNull();
    const eventHash = await deliver(worker, task_id, { note: 'after the hire' });
    expect(await read(task_id)).toMatchObject({ status: 'DELIVERED', evidence_event_hash: eventHash });
  });
});

test('evidence that the worker signed for other terms delivers nothing, sent or named, and records no failure', async () => {
  const { app, hirer, worker, hire, deliver, read } = market;
  const first = await hire(hirer, worker, { amount: 500 });
  const task = await hire(hirer, worker);
  const terms_digest = String((await read(first)).terms_digest);
  const eventHash = await deliver(worker, task, { terms_digest });
  const named = { deliverable_digest: DELIVERABLE, evidence_event_hash: eventHash };
  for (const path of [`${ACP}/${task}/deliver`, `${ENGAGEMENTS}/${task}/deliver`]) {
    const answer = await app.anyone.post(path, named);
    expect([answer.status, Object.keys(Object(answer.body.issues))]).toEqual([400, ['evidence_event_hash']]);
  }
  await deliver(worker, task, { terms_digest, outcome: 'failure' });
  expect(await read(task)).toMatchObject({ status: 'HELD', last_failure_event_hash: null });
  await deliver(worker, task, { terms_digest: String((await read(task)).terms_digest) });
  expect(await read(task)).toMatchObject({ status: 'DELIVERED', attested_by: 'service' });
});

describe('a hire whose worker delivers itself', () => {
  test('stays HELD with evidence of the service token, sent, sent again or named', async () => {
    const { app, hirer, worker, hire, deliver, read } = market;
    const task = await hire(hirer, worker, { delivery: 'worker' });
    const eventHash = await deliver(worker, task);
    expect(await deliver(worker, task)).toBe(eventHash);
    const named = { deliverable_digest: DELIVERABLE, evidence_event_hash: eventHash };
    const answer = await app.anyone.post(`${ACP}/${task}/deliver`, named);
    expect([answer.status, answer.body.reason_code]).toEqual([409, 'invalid_state']);
    expect(await read(task)).toMatchObject({ status: 'HELD', delivery: 'worker', attested_by: null });
  });

  test('shows a failure that the service token sent', async () => {
    const { hirer, worker, hire, deliver, read } = market;
    const task = await hire(hirer, worker, { delivery: 'worker' });
    const failure = await deliver(worker, task, { outcome: 'failure' });
    expect(await read(task)).toMatchObject({ status: 'HELD', last_failure_event_hash: failure });
  });

  test('is what the setting engagements.delivery says where a hire does not', async () => {
    const other = await openMarket({ settings: { 'engagements.delivery': 'worker' } });
    const { hirer, worker, hire, deliver, read } = other;
    const task = await hire(hirer, worker);
    await deliver(worker, task);
    expect(await read(task)).toMatchObject({ status: 'HELD', delivery: 'worker' });
    const any = await hire(hirer, worker, { delivery: 'any' });
    await deliver(worker, any);
    expect(await read(any)).toMatchObject({ status: 'DELIVERED', delivery: 'any' });
    await other.app.close();
  });
});

test.each([ENGAGEMENTS, ACP])(
  '%s refuses a delivery that it does not know, and makes a task_id',
  async (path) => {
    const { app, hirer, worker } = market;
    const terms = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 10 };
    expect((await app.own.post(path, { ...terms, delivery: 'hirer' })).status).toBe(400);
    const { status, body } = await app.own.post(path, { ...terms, delivery: 'worker' });
    expect(status).toBe(201);
    const view = Object(path === ACP ? body : body.engagement);
    expect([view.delivery, /^eng_[0-9a-f]{32}$/.test(view.task_id)]).toEqual(['worker', true]);
  },
);

test('terms_digest is the digest of the terms with the time of the hire, as anybody computes it', async () => {
  const { app, hirer, worker, hire, read } = market;
  const task_id = await hire(hirer, worker, { description: 'Sort.', deadline: '2035-01-31T12:00:00+01:00' });
  const { terms_digest, created_at, input_digest } = await read(task_id);
  const canonical =
    `{"amount":10,"created_at":"${created_at}","deadline":"2035-01-31T11:00:00.000Z","description":"Sort.",` +
    `"hirer_commitment":"${hirer.commitment}","input_digest":"${input_digest}","task_id":"${task_id}",` +
    `"worker_commitment":"${worker.commitment}"}`;
  expect(terms_digest).toBe(sha256Hex(canonical));
  expect((await app.anyone.get(`${ACP}/${task_id}`)).body).not.toHaveProperty('terms_digest');
});

describe('a task_id that looks like another is refused:', () => {
  test.each([
    ['a space at the end', 'x '],
    ['a no-break space at the beginning', '\u00a0x'],
    ['only a space', ' '],
    ['a zero-width space', 'a\u200bb'],
    ['a right-to-left override', 'a\u202eb'],
    ['a line separator', 'a\u2028b'],
    ['a soft hyphen', 'a\u00adb'],
    ['a form other than NFC', 'a\u0308'],
  ])('%s', async (_, suffix) => {
    const { app, hirer, worker } = market;
    const terms = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 10 };
    for (const path of [ENGAGEMENTS, ACP]) {
      const { status, body } = await app.own.post(path, { ...terms, task_id: suffix });
      expect([status, Object.keys(Object(body.issues))]).toEqual([400, ['task_id']]);
    }
  });
});

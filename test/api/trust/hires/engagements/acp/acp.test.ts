import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { setAccountStatus } from '../../../../../../src/trust/pages/dashboard/set-account-status.ts';
import type { ApiResponse } from '../../../../../support/client.ts';
import { creditedAgent } from '../../../../../support/credits.ts';
import {
  ACP,
  DELIVERABLE,
  ENGAGEMENTS,
  type Market,
  openMarket,
} from '../../../../../support/engagements.ts';
import { anchored } from '../../../../../support/evidence.ts';

let market: Market;

beforeAll(async () => {
  market = await openMarket({ credits: { promotional: 100_000 } });
});
afterAll(() => market.app.close());

const codeOf = ({ status, body }: ApiResponse) => [
  status,
  body.reason_code,
  Object.keys(Object(body.issues)),
];

const request = (changes: Record<string, unknown> = {}) => ({
  hirer_commitment: market.hirer.commitment,
  worker_commitment: market.worker.commitment,
  amount: 10,
  ...changes,
});

/** A HELD task, and evidence of it that was anchored while the worker could not deliver. */
async function waitingEvidence(more: Record<string, string> = {}) {
  const { app, worker, deliverSuspended } = market;
  const task_id = `acp-${crypto.randomUUID()}`;
  const { status } = await app.own.post(ACP, request({ task_id }));
  expect(status).toBe(201);
  const evidence_event_hash = await deliverSuspended(worker, task_id, more);
  return { task_id, path: `${ACP}/${task_id}/deliver`, evidence_event_hash };
}

test('a task is created, delivered and paid, and its public view names no party', async () => {
  const { app, worker, hirer, deliver } = market;
  const input_digest = 'ef'.repeat(32);
  const made = await app.own.post(ACP, request({ input_digest, description: 'secret' }));
  expect(made.status).toBe(201);
  const task_id = String(made.body.task_id);
  expect(task_id).toMatch(/^eng_[0-9a-f]{32}$/);
  expect(made.body).toMatchObject({ acp_version: '1.0', status: 'held', amount: 10, input_digest });
  const path = `${ACP}/${task_id}`;
  const held = await app.anyone.get(path);
  expect(held.body).toEqual({
    acp_version: '1.0',
    task_id,
    status: 'held',
    amount: 10,
    deliverable_digest: null,
    evidence_event_hash: null,
    receipt_id: null,
    paid_at: null,
  });
  const evidence_event_hash = await deliver(worker, task_id);
  expect((await app.anyone.get(path)).body).toMatchObject({ status: 'delivered', evidence_event_hash });
  const accepted = await app.own.post(`${path}/accept`);
  expect(accepted.body).toMatchObject({ acp_version: '1.0', status: 'paid', payout: { amount: 10 } });
  const paid = await app.anyone.get(path);
  expect(paid.body).toMatchObject({ status: 'paid', receipt_id: accepted.body.receipt_id });
  for (const hidden of [hirer.commitment, worker.commitment, 'secret', input_digest])
    expect(JSON.stringify(paid.body)).not.toContain(hidden);
  expect((await app.own.get(`/api/v1/receipts/${paid.body.receipt_id}`)).body.input_digest).toBe(
    input_digest,
  );
});

test('an engagement is also a task, and a task an engagement', async () => {
  const { app, hire, hirer, worker } = market;
  const engagement = await hire(hirer, worker);
  expect((await app.anyone.get(`${ACP}/${engagement}`)).body.status).toBe('held');
  const { body } = await app.own.post(ACP, request());
  const path = `${ENGAGEMENTS}/${body.task_id}`;
  expect(Object((await app.own.get(path)).body.engagement)).toMatchObject({ purpose: 'acp', status: 'HELD' });
  expect((await app.own.post(`${path}/cancel`)).status).toBe(200);
  expect((await app.anyone.get(`${ACP}/${body.task_id}`)).body.status).toBe('cancelled');
});

test('a task that does not exist is 404 for every operation', async () => {
  const { app } = market;
  const body = { deliverable_digest: DELIVERABLE, evidence_event_hash: DELIVERABLE };
  expect((await app.anyone.get(`${ACP}/none`)).status).toBe(404);
  expect((await app.anyone.post(`${ACP}/none/deliver`, body)).status).toBe(404);
  expect((await app.own.post(`${ACP}/none/accept`)).status).toBe(404);
});

describe('anybody delivers a task with evidence that its worker anchored:', () => {
  test('the same evidence again is 200, and other evidence or another digest 409', async () => {
    const { app, worker, deliver } = market;
    const { path, task_id, evidence_event_hash } = await waitingEvidence();
    const body = { deliverable_digest: DELIVERABLE, evidence_event_hash };
    for (let time = 0; time < 2; time++) {
      const { status, body: view } = await app.anyone.post(path, body);
      expect([status, view.status, view.evidence_event_hash]).toEqual([
        200,
        'delivered',
        evidence_event_hash,
      ]);
    }
    const other = await deliver(worker, task_id, { deliverable_digest: 'cd'.repeat(32) });
    for (const change of [{ deliverable_digest: 'cd'.repeat(32) }, { evidence_event_hash: other }])
      expect(codeOf(await app.anyone.post(path, { ...body, ...change }))).toEqual([409, 'conflict', []]);
    await app.own.post(`${ACP}/${task_id}/accept`);
    expect((await app.anyone.post(path, body)).body.status).toBe('paid');
  });

  test.each<[string, () => Promise<Record<string, string>>, string]>([
    [
      'a hash that nobody anchored',
      async () => ({ evidence_event_hash: 'cd'.repeat(32) }),
      'evidence_event_hash',
    ],
    [
      'another digest than the evidence names',
      async () => ({ deliverable_digest: 'cd'.repeat(32) }),
      'deliverable_digest',
    ],
    [
      'evidence of another task',
      async () => ({ evidence_event_hash: await market.deliver(market.worker, 'another') }),
      'evidence_event_hash',
    ],
    [
      'evidence of another type',
      async () => ({ evidence_event_hash: await anchored(market.app, market.worker) }),
      'evidence_event_hash',
    ],
    ['a hash in capitals', async () => ({ evidence_event_hash: 'CD'.repeat(32) }), 'evidence_event_hash'],
  ])('%s is refused', async (_, change, field) => {
    const { path, task_id, evidence_event_hash } = await waitingEvidence();
    const body = { deliverable_digest: DELIVERABLE, evidence_event_hash, ...(await change()) };
    expect(codeOf(await market.app.anyone.post(path, body))).toEqual([400, 'validation_error', [field]]);
    expect((await market.app.anyone.get(`${ACP}/${task_id}`)).body.status).toBe('held');
  });

  test('evidence of another agent for the task is refused', async () => {
    const { app, deliver } = market;
    const { path, task_id } = await waitingEvidence();
    const evidence_event_hash = await deliver(await creditedAgent(app), task_id);
    const body = { deliverable_digest: DELIVERABLE, evidence_event_hash };
    expect(codeOf(await app.anyone.post(path, body))).toEqual([
      400,
      'validation_error',
      ['evidence_event_hash'],
    ]);
  });

  test('evidence that the task failed is refused', async () => {
    const { path, evidence_event_hash } = await waitingEvidence({ outcome: 'failure' });
    const body = { deliverable_digest: DELIVERABLE, evidence_event_hash };
    expect(codeOf(await market.app.anyone.post(path, body))).toEqual([
      400,
      'validation_error',
      ['evidence_event_hash'],
    ]);
  });

  test('a task that was cancelled is refused', async () => {
    const { app } = market;
    const { path, task_id, evidence_event_hash } = await waitingEvidence();
    await app.own.post(`${ENGAGEMENTS}/${task_id}/cancel`);
    const body = { deliverable_digest: DELIVERABLE, evidence_event_hash };
    expect(codeOf(await app.anyone.post(path, body))).toEqual([409, 'invalid_state', []]);
  });

  test('a task of a suspended sponsor is refused until the sponsor is active again', async () => {
    const { app } = market;
    const { path, evidence_event_hash } = await waitingEvidence();
    const body = { deliverable_digest: DELIVERABLE, evidence_event_hash };
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect(codeOf(await app.anyone.post(path, body))).toEqual([409, 'invalid_state', []]);
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    expect((await app.anyone.post(path, body)).body.status).toBe('delivered');
  });
});

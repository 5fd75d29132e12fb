import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { closeOperator } from '../../../../src/trust/billing/close-operator.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { ACTS_FILE } from '../../../../src/trust/operators/restored/acts-file.ts';
import { adjustPool } from '../../../../src/trust/pages/dashboard/adjust-pool.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { setStake } from '../../../../src/trust/pages/dashboard/set-stake.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { audited } from '../../../support/audit.ts';
import {
  type BillingApp,
  billingState,
  cycle,
  openBillingApp,
  paidSession,
  refunded,
  subscribed,
} from '../../../support/billing-app.ts';
import { client } from '../../../support/client.ts';
import { creditedAgent } from '../../../support/credits.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

let app: BillingApp;
beforeEach(async () => {
  app = await openBillingApp();
});
afterEach(() => app.close());

const dropped: string[] = [];
const trust = () => ({
  ...app.service.trust,
  processor: async () => app.processor,
  dropQueue: (webhookId: string) => dropped.push(webhookId),
});
const close = (operatorId = app.otherId) => closeOperator(trust(), operatorId);
const refusal = (operatorId = app.otherId): Promise<string> =>
  close(operatorId).then(
    () => 'closed',
    (error) => String(error.details?.message ?? error),
  );

/** A subscriber that has spent its credits. */
async function subscriber() {
  const order = await app.subscribe();
  await app.send(subscribed(order));
  await adjustPool(trust(), order.operatorId, { amount: -5100, class: 'promotional' });
  await adjustPool(trust(), order.operatorId, { amount: -4900, class: 'paid' });
  return order;
}

test('closing ends the subscription at the processor, the API keys and the sessions, and is final', async () => {
  const order = await subscriber();
  const { body } = await app.claim(order.sessionId, order.claimToken);
  const key = client(app.fetch, 'http://localhost', String(body.api_key));
  expect((await key.get('/api/v1/operator/status')).status).toBe(200);
  expect(await close(order.operatorId)).toEqual({
    operator_id: order.operatorId,
    accountStatus: 'CLOSED',
    ended_subscriptions: [`sub_${order.sessionId}`],
    deleted_keys: 1,
    deleted_webhooks: 0,
    owedCredits: 0,
    owedStakeCents: 0,
  });
  expect(app.processor.ended).toEqual([`sub_${order.sessionId}`]);
  // No backup that is restored later makes the key valid again.
  expect(readFileSync(join(app.directory, ACTS_FILE), 'utf8')).toContain(sha256Hex(String(body.api_key)));
  expect(await billingState(app, order.operatorId)).toMatchObject({ status: 'CLOSED', plan: 'FREE' });
  expect((await key.get('/api/v1/operator/status')).status).toBe(401);
  const refused = [
    setAccountStatus(trust(), order.operatorId, 'ACTIVE'),
    adjustPool(trust(), order.operatorId, { amount: 1, class: 'promotional' }),
    setStake(trust(), order.operatorId, 1),
    createKeyFor(trust(), order.operatorId, {}),
  ];
  for (const one of refused)
    expect(
      await one.then(
        () => null,
        (error) => error.code,
      ),
    ).toBe('conflict');
  expect(await close(order.operatorId)).toMatchObject({ ended_subscriptions: [], deleted_keys: 0 });
});

test('its webhooks end, even those for the events of all agents, which nobody could delete any more', async () => {
  const { api_key } = await createKeyFor(app.service.trust, app.otherId, { admin: true });
  const admin = client(app.fetch, 'http://localhost', api_key);
  const url = 'https://1.1.1.1/';
  const made = await admin.post('/api/v1/webhooks', { url, events: ['agent.frozen'], all: true });
  expect(made.status).toBe(201);
  dropped.length = 0;
  expect(await close()).toMatchObject({ deleted_webhooks: 1 });
  expect(dropped).toEqual([String(made.body.id)]);
  expect(await app.rows('SELECT 1 FROM webhook')).toEqual([]);
  const { agent } = await enrolledAgent(app);
  await app.own.post(`/api/v1/passport/agents/${agent.subjectCommitment}/freeze`, { reason: 'x' });
  expect(await close()).toMatchObject({ deleted_webhooks: 0 });
});

test('money that arrives later is not booked', async () => {
  const order = await subscriber();
  await close(order.operatorId);
  expect((await app.send(cycle(order, 1))).status).toBe(200);
  expect(await billingState(app, order.operatorId)).toMatchObject({ status: 'CLOSED', balances: {} });
  const [row] = await app.rows<{ reason: string }>('SELECT reason FROM unbooked_payment');
  expect(row?.reason).toBe('account_closed');
});

test('it is refused with agents, credits and a stake, and names them, before anything ends', async () => {
  const order = await subscriber();
  const { agent } = await enrolledAgent(app);
  await app.run(
    `UPDATE agent SET sponsor_seq = (SELECT operator_seq FROM operator WHERE operator_id = '${order.operatorId}')`,
  );
  await adjustPool(trust(), order.operatorId, { amount: 7, class: 'promotional' });
  await setStake(trust(), order.operatorId, 300);
  const message = await refusal(order.operatorId);
  for (const part of [agent.subjectCommitment, '7 credits in the pool', 'a stake of 300 US cents'])
    expect(message).toContain(part);
  expect(app.processor.ended).toEqual([]);
  expect((await billingState(app, order.operatorId)).status).toBe('ACTIVE');
});

test('it names open engagements and withdrawals', async () => {
  const worker = await creditedAgent(app);
  const agent = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 10, paid: 2000 } });
  const hire = {
    task_id: 'task-1',
    hirer_commitment: agent.commitment,
    worker_commitment: worker.commitment,
    amount: 5,
  };
  expect((await app.other.post('/api/v1/passport/engagements', hire)).status).toBe(201);
  const withdrawal = { subject_commitment: agent.commitment, amount: 1000, reference: 'r' };
  const { body } = await app.other.post('/api/v1/agent-pay/withdraw', withdrawal);
  const message = await refusal();
  for (const part of ['open engagements (task-1)', `open withdrawals (${body.withdrawal_id})`])
    expect(message).toContain(part);
});

test('a payment that is booked while the processor ends the subscription prevents the closure', async () => {
  const order = await subscriber();
  app.processor.whileEnding = async () => {
    await app.send(cycle(order, 1));
  };
  expect(await refusal(order.operatorId)).toContain('10000 credits in the pool');
  expect((await billingState(app, order.operatorId)).status).toBe('ACTIVE');
});

test('a closure beside the payment of a month: it is booked, or not booked and the operator closed', async () => {
  const order = await subscriber();
  const [result] = await Promise.all([refusal(order.operatorId), app.send(cycle(order, 1))]);
  const { status, balances } = await billingState(app, order.operatorId);
  const unbooked = await app.rows('SELECT 1 FROM unbooked_payment');
  if (result === 'closed') expect([status, balances, unbooked.length]).toEqual(['CLOSED', {}, 1]);
  else expect([status, unbooked.length]).toEqual(['ACTIVE', 0]);
});

test('an operator that owes something is closed only despite its debt, which stays in the ledger', async () => {
  const session = await app.topUp(5000);
  await app.send(paidSession(session, 5000));
  await app.spendAs(app.otherId, 5000);
  await app.send(refunded(`pi_${session}`, 3000));
  const debt = { 'receivable paid': -3000 };
  expect(await billingState(app, app.otherId)).toMatchObject({ status: 'SUSPENDED', balances: debt });
  expect(await refusal()).toContain('owes 3000 credits after a refund');
  const closed = await closeOperator(trust(), app.otherId, { despite_debt: true });
  expect(closed).toMatchObject({ accountStatus: 'CLOSED', owedCredits: 3000, owedStakeCents: 0 });
  await app.send(refunded(`pi_${session}`, 5000));
  expect(await billingState(app, app.otherId)).toMatchObject({
    status: 'CLOSED',
    balances: { 'receivable paid': -5000 },
  });
  const { reported } = await audited(app.directory);
  expect(reported.filter(({ table }) => table !== 'log')).toEqual([]);
});

test('a refund that makes a debt while the processor ends the subscription prevents the closure', async () => {
  const order = await subscriber();
  app.processor.whileEnding = async () => {
    app.processor.intents.set(`in_${order.sessionId}_0`, `pi_${order.sessionId}`);
    await app.send(refunded(`pi_${order.sessionId}`, 4900, { customer: order.customerId }));
  };
  expect(await refusal(order.operatorId)).toContain('owes 4900 credits after a refund');
  expect((await billingState(app, order.operatorId)).status).toBe('SUSPENDED');
});

test('nothing is closed while the processor fails, and for a subscription that it does not know', async () => {
  const order = await subscriber();
  app.processor.failure = new Error('down');
  expect(await refusal(order.operatorId)).toContain('down');
  app.processor.failure = null;
  app.processor.unknown.add(`sub_${order.sessionId}`);
  expect(await refusal(order.operatorId)).toContain(`does not know the subscription sub_${order.sessionId}`);
  expect((await billingState(app, order.operatorId)).status).toBe('ACTIVE');
});

test('fsck finds no problem after a closure', async () => {
  const order = await subscriber();
  await close(order.operatorId);
  const { reported } = await audited(app.directory);
  expect(reported.filter(({ table }) => table !== 'log')).toEqual([]);
});

test('the operator with the last admin key is not closed, until another active one has an admin key', async () => {
  const { operatorId } = app.service.firstStart;
  const other = await createOperator(trust(), { name: 'other', admin: true });
  await setAccountStatus(trust(), other.operator_id, 'SUSPENDED');
  expect(await refusal(operatorId)).toBe(
    `The operator ${operatorId} has the last admin key, which closing it would delete. Make an admin key of another active operator first (countersign operators create --admin).`,
  );
  await setAccountStatus(trust(), other.operator_id, 'ACTIVE');
  expect(await refusal(operatorId)).toContain('because it still has');
  // One without an admin key is none of it.
  expect(await refusal()).toBe('closed');
});

test('a bootstrap_api_key does not open a closed first operator again: the start says so', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-closed-'));
  const first = await openTrustApp({}, null, directory);
  const { trust } = first.service;
  const { operatorId } = first.service.firstStart;
  await createOperator(trust, { name: 'other', admin: true });
  await adjustPool(trust, operatorId, { amount: -1_000_000, class: 'promotional' });
  await closeOperator({ ...trust, processor: async () => null, dropQueue: () => undefined }, operatorId);
  await first.close();
  // The tests configure a key.
  await expect(openTrustApp({}, null, directory)).rejects.toThrow(
    `bootstrap_api_key cannot be a key of the first operator ${operatorId}, which is closed for good`,
  );
  rmSync(directory, { recursive: true });
});

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { confirmPayout } from '../../../../../src/trust/payments/payouts/confirm.ts';
import { failPayout } from '../../../../../src/trust/payments/payouts/fail.ts';
import {
  noteErrorIn,
  payablePayouts,
  submitPayoutIn,
} from '../../../../../src/trust/payments/payouts/queue.ts';
import { journalOf, verifiedJournal } from '../../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent, holderOf } from '../../../../support/credits.ts';
import { payoutOf, queuePayout, WITHDRAWALS } from '../../../../support/payouts.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
let agent: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp();
  agent = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 10_000 } });
});
afterAll(() => app.close());

/** The withdrawal as its owner sees it. */
async function shown(id: string): Promise<object> {
  const { body } = await app.other.get(`${WITHDRAWALS}/${id}`);
  return Object(body.withdrawal);
}

/** Whether a rail may begin to pay it. */
async function isPayable(id: string): Promise<boolean> {
  const payable = await app.service.trust.store.read((snapshot) =>
    payablePayouts(snapshot, { after: 0, limit: 100 }),
  );
  return payable.some(({ payout }) => payout.withdrawalId === id);
}

async function submit(id: string) {
  const { trust } = app.service;
  const { payout } = await payoutOf(app, id);
  return trust.store.writeAsService((tx) => submitPayoutIn(tx, trust, payout.payoutSeq, 'evm'));
}

test('a withdrawal is shown to those who act for its agent, and to nobody else', async () => {
  const id = await queuePayout(app, agent, { amount: 40, reference: 'may' });
  const holder = await holderOf(app, agent, { operatorId: app.otherId });
  for (const by of [app.other, holder]) {
    const { status, body } = await by.get(`${WITHDRAWALS}/${id}`);
    expect(status).toBe(200);
    expect(body.withdrawal).toMatchObject({
      withdrawal_id: id,
      subject_commitment: agent.commitment,
      amount: 40,
      usd_cents: 40,
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      reference: 'may',
      status: 'queued',
      rail: null,
      waiting_for: 'administrator',
      external_reference: null,
      failure_reason: null,
    });
    const list = await by.get(`${WITHDRAWALS}?subject_commitment=${agent.commitment}`);
    expect(list.body).toEqual({ withdrawals: [body.withdrawal], next_cursor: null });
  }
  const sibling = await creditedAgent(app, { sponsor: app.otherId });
  for (const by of [app.own, await holderOf(app, sibling, { operatorId: app.otherId })]) {
    expect((await by.get(`${WITHDRAWALS}/${id}`)).status).toBe(404);
    const refused = await by.get(`${WITHDRAWALS}?subject_commitment=${agent.commitment}`);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toContain('its holder key');
  }
  expect((await app.anyone.get(`${WITHDRAWALS}/${id}`)).status).toBe(401);
  for (const unknown of [`wdr_${'0'.repeat(32)}`, 'wdr_1', 'x'])
    expect((await app.other.get(`${WITHDRAWALS}/${unknown}`)).status).toBe(404);
  expect((await app.other.get(`${WITHDRAWALS}?subject_commitment=${'0'.repeat(64)}`)).status).toBe(404);
  expect((await app.other.get(WITHDRAWALS)).status).toBe(400);
});

test('its owner sees how it ended, and not why an attempt failed', async () => {
  const { trust } = app.service;
  const [paid, failed] = [await queuePayout(app, agent), await queuePayout(app, agent)];
  const { payout } = await payoutOf(app, failed);
  await trust.store.writeAsService((tx) =>
    noteErrorIn(tx, trust, payout.payoutSeq, `secret ${'x'.repeat(2000)}`),
  );
  expect((await payoutOf(app, failed)).payout.lastError).toHaveLength(1024);
  expect(JSON.stringify(await shown(failed))).not.toContain('secret');
  await confirmPayout(trust, paid, 'transfer 7');
  await failPayout(trust, failed, { reason: 'The bank refused it.', isUnpaid: false });
  expect(await shown(paid)).toMatchObject({
    status: 'confirmed',
    rail: 'manual',
    external_reference: 'transfer 7',
    failure_reason: null,
    waiting_for: null,
  });
  expect(await shown(failed)).toMatchObject({
    status: 'failed',
    external_reference: null,
    failure_reason: 'The bank refused it.',
    waiting_for: null,
  });
});

test('a queued withdrawal waits while the account of the sponsor is suspended; a submitted one continues', async () => {
  const { trust } = app.service;
  const [queued, submitted] = [await queuePayout(app, agent), await queuePayout(app, agent)];
  expect(await submit(submitted)).not.toBeNull();
  await setAccountStatus(trust, app.otherId, 'SUSPENDED');
  expect(await shown(queued)).toMatchObject({ status: 'queued', waiting_for: 'active_operator' });
  expect(await shown(submitted)).toMatchObject({ status: 'submitted', rail: 'evm', waiting_for: null });
  expect(await isPayable(queued)).toBe(false);
  expect(await submit(queued)).toBeNull();
  await setAccountStatus(trust, app.otherId, 'ACTIVE');
  expect(await isPayable(queued)).toBe(true);
  await setAccountStatus(trust, app.otherId, 'SUSPENDED');
  await failPayout(trust, queued, { reason: 'suspended', isUnpaid: false });
  expect(await shown(queued)).toMatchObject({ status: 'failed' });
  await setAccountStatus(trust, app.otherId, 'ACTIVE');
});

test('a revoked agent is paid what it reserved, and gets back what failed', async () => {
  const { trust } = app.service;
  const leaving = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 100 } });
  const [paid, failed] = [await queuePayout(app, leaving), await queuePayout(app, leaving)];
  await app.other.post(`/api/v1/passport/agents/${leaving.commitment}/revoke`);
  expect(await isPayable(paid)).toBe(true);
  expect(await submit(paid)).not.toBeNull();
  await failPayout(trust, failed, { reason: 'no wallet', isUnpaid: false });
  const { body } = await app.anyone.get(`/api/v1/passport/agents/${leaving.commitment}/credits`);
  expect(body).toMatchObject({ available: 60, locked: 40, spent: 0 });
  expect(await shown(paid)).toMatchObject({ status: 'submitted' });
});

test('a confirmed withdrawal is an entry in the journal of its agent, which spent what it had locked', async () => {
  const payer = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 100 } });
  const id = await queuePayout(app, payer, { amount: 30 });
  await confirmPayout(app.service.trust, id, 'transfer 8');
  const entries = await journalOf(app.other, payer.commitment);
  expect(entries[0]).toMatchObject({
    kind: 'WITHDRAWAL',
    asset: 'paid',
    amount: 30,
    direction: 'debit',
    of: 'locked',
    counterparty: 'issuance',
    balance_after: 70,
  });
  expect(entries[1]).toMatchObject({ kind: 'LOCK', amount: 30, balance_after: 70 });
  expect(verifiedJournal(payer.commitment, entries)).toEqual({
    paid: { granted: 100, earned: 0, spent: 30, locked: 0, available: 70 },
  });
});

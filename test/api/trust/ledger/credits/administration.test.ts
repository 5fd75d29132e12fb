import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  grantAction,
  journalAction,
  showAction,
  transferAction,
} from '../../../../../src/trust/ledger/credits/actions.ts';
import { verifiedJournal } from '../../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent, fundPool } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const NIL = '0'.repeat(64);
let app: TrustApp;
let lone: CreditedAgent;
let sponsored: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp();
  lone = await creditedAgent(app, { sponsor: null });
  sponsored = await creditedAgent(app);
});
afterAll(() => app.close());

const grant = (operator: string | null, subject_commitment: string, amount: number) =>
  grantAction.handle(app.service.trust, { operator, subject_commitment, amount });
const transfer = (from: string, to: string, amount: number) =>
  transferAction.handle(app.service.trust, { from_commitment: from, to_commitment: to, amount });
const show = ({ commitment }: { commitment: string }) =>
  showAction.handle(app.service.trust, { subject_commitment: commitment });

test('the administrator grants from the pool of the first operator, or of another one', async () => {
  await fundPool(app, app.otherId, { paid: 8 });
  expect(await grant(null, lone.commitment, 20)).toMatchObject({ balances: { granted: 20, available: 20 } });
  expect(await grant(app.otherId, lone.commitment, 8)).toMatchObject({ balances: { granted: 28 } });
  expect((await show(lone)).credits).toMatchObject({ promotional: { granted: 20 }, paid: { granted: 8 } });
});

test('the administrator grants nothing from an unknown or empty pool, or to an unknown agent', async () => {
  await expect(grant('op_cus_nobody', lone.commitment, 1)).rejects.toMatchObject({ code: 'not_found' });
  await expect(grant(app.otherId, lone.commitment, 1)).rejects.toMatchObject({
    code: 'insufficient_credits',
  });
  await expect(grant(null, NIL, 1)).rejects.toMatchObject({ code: 'agent_not_enrolled' });
});

test('the administrator transfers credits of an agent without a sponsor, and of no other', async () => {
  await grant(null, sponsored.commitment, 5);
  const [from, to] = [lone.commitment, sponsored.commitment];
  expect(await transfer(from, to, 3)).toMatchObject({
    kind: 'TASK_PAYMENT',
    amount: 3,
    balances: { spent: 3 },
  });
  await expect(transfer(to, from, 1)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(transfer(from, from, 1)).rejects.toMatchObject({ code: 'validation_error' });
  await expect(transfer(from, NIL, 1)).rejects.toMatchObject({ code: 'agent_not_enrolled' });
  await expect(transfer(from, to, 1000)).rejects.toMatchObject({ code: 'insufficient_credits' });
});

test('the administrator sees the newest override of a tier with its reason and the operator who set it', async () => {
  expect(await show(sponsored)).toMatchObject({
    sponsor: app.service.firstStart.operatorId,
    newest_override: null,
  });
  const override = { subject_commitment: sponsored.commitment, tier: 'FULL', reason: 'a trial' };
  expect((await app.own.post('/api/v1/passport/access/override', override)).status).toBe(200);
  expect(await show(sponsored)).toMatchObject({
    tier: 'FULL',
    override_tier: 'FULL',
    newest_override: { tier: 'FULL', reason: 'a trial', operator_id: app.service.firstStart.operatorId },
  });
  await expect(show({ commitment: NIL })).rejects.toMatchObject({ code: 'not_found' });
});

test('the administrator reads every entry of a journal with its details, in pages that verify', async () => {
  for (let amount = 1; amount <= 120; amount++) await grant(null, lone.commitment, amount);
  const read = (cursor: { cursor?: string }) =>
    journalAction.handle(app.service.trust, { subject_commitment: lone.commitment, ...cursor });
  const first = await read({});
  const second = await read({ cursor: String(first.next_cursor) });
  const entries = [...first.entries, ...second.entries];
  expect([first.entries.length, entries.length, second.next_cursor]).toEqual([100, first.length, null]);
  expect(entries.every(({ salt }) => salt !== null)).toBe(true);
  expect(verifiedJournal(lone.commitment, entries)).toEqual({
    promotional: (await show(lone)).credits.promotional.available,
    paid: (await show(lone)).credits.paid.available,
  });
  await expect(read({ cursor: 'none' })).rejects.toMatchObject({ code: 'validation_error' });
});

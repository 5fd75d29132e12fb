import { afterAll, beforeAll, expect, test } from 'bun:test';
import { checkedOutput } from '../../../../../src/platform/control/action.ts';
import { JournalResponse } from '../../../../../src/trust/ledger/credits/schema.ts';
import { availableIn, verifiedJournal } from '../../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent, fundPool } from '../../../../support/credits.ts';
import { localAdministrator } from '../../../../support/local-administrator.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const NIL = '0'.repeat(64);
let app: TrustApp;
let lone: CreditedAgent;
let sponsored: CreditedAgent;
let call: Awaited<ReturnType<typeof localAdministrator>>;
let first: string;

beforeAll(async () => {
  app = await openTrustApp();
  lone = await creditedAgent(app, { sponsor: null });
  sponsored = await creditedAgent(app);
  call = await localAdministrator(app);
  first = app.service.firstStart.operatorId;
});
afterAll(() => app.close());

const grant = (operator: string, subject_commitment: string, amount: number) =>
  call('grantCredits', { subject_commitment, amount }, operator);
const transfer = (from: string, to: string, amount: number) =>
  call('transferCredits', { from_commitment: from, to_commitment: to, amount });
const show = async ({ commitment }: { commitment: string }) =>
  Object(await call('showCredits', { id: commitment }));

test('the administrator grants from the pool of the operator that the command names, and of no other', async () => {
  await fundPool(app, app.otherId, { paid: 8 });
  expect(await grant(first, lone.commitment, 20)).toMatchObject({ balances: { granted: 20, available: 20 } });
  expect(await grant(app.otherId, lone.commitment, 8)).toMatchObject({ balances: { granted: 28 } });
  expect((await show(lone)).credits).toMatchObject({ promotional: { granted: 20 }, paid: { granted: 8 } });
});

test('the administrator grants nothing from an unknown or empty pool, or to an unknown agent', async () => {
  await expect(grant('op_cus_nobody', lone.commitment, 1)).rejects.toThrow(/There is no/);
  await expect(grant(app.otherId, lone.commitment, 1)).rejects.toThrow(/has 0 credits/);
  await expect(grant(first, NIL, 1)).rejects.toThrow(/has not completed enrollment/);
});

test('the administrator transfers credits of an agent without a sponsor, and of no other', async () => {
  await grant(first, sponsored.commitment, 5);
  const [from, to] = [lone.commitment, sponsored.commitment];
  expect(await transfer(from, to, 3)).toMatchObject({
    kind: 'TASK_PAYMENT',
    amount: 3,
    balances: { spent: 3 },
  });
  await expect(transfer(to, from, 1)).rejects.toThrow(/Only the agent's sponsor/);
  await expect(transfer(from, from, 1)).rejects.toMatchObject({ exitCode: 2 });
  await expect(transfer(from, NIL, 1)).rejects.toThrow(/has not completed enrollment/);
  await expect(transfer(from, to, 1000)).rejects.toThrow(/credits/);
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
  await expect(show({ commitment: NIL })).rejects.toThrow(/No agent has this commitment/);
});

test('the administrator reads every entry of a journal with its details, in pages that verify', async () => {
  for (let amount = 1; amount <= 120; amount++) await grant(first, lone.commitment, amount);
  const read = async (cursor: { cursor?: string }) =>
    checkedOutput(
      JournalResponse,
      await call('getCreditJournal', { id: lone.commitment, limit: '100', ...cursor }),
      'the operation getCreditJournal',
    );
  const newest = await read({});
  const oldest = await read({ cursor: String(newest.next_cursor) });
  const entries = [...newest.entries, ...oldest.entries];
  expect([newest.entries.length, entries.length, oldest.next_cursor]).toEqual([100, newest.length, null]);
  expect(entries.every(({ salt }) => salt !== null)).toBe(true);
  expect(availableIn(verifiedJournal(lone.commitment, entries))).toEqual({
    promotional: (await show(lone)).credits.promotional.available,
    paid: (await show(lone)).credits.paid.available,
  });
  await expect(read({ cursor: 'none' })).rejects.toMatchObject({ exitCode: 2 });
});

test('without the name of an operator the administrator grants nothing', async () => {
  await expect(call('grantCredits', { subject_commitment: lone.commitment, amount: 1 })).rejects.toThrow(
    'The local administrator has no operator. Name the operator that acts, or the agent that pays.',
  );
});

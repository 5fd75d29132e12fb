import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Scope } from '../../../../../db/trust/operators.ts';
import { audited as tables } from '../../../../../src/trust/ledger/credits/audit.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { audited } from '../../../../support/audit.ts';
import { type ApiResponse, client } from '../../../../support/client.ts';
import { type CreditedAgent, creditedAgent, holderOf } from '../../../../support/credits.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const HOUR = 3_600_000;
const TRANSFERS = '/api/v1/passport/credits/transfers';
const WITHDRAW = '/api/v1/agent-pay/withdraw';

let time: VirtualTime;
let app: TrustApp;
let payer: CreditedAgent;
let payee: CreditedAgent;

beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
  payer = await creditedAgent(app, { credits: { promotional: 10, paid: 990 } });
  payee = await creditedAgent(app);
});
afterEach(() => app.close());

const codeOf = ({ status, body }: ApiResponse) => [status, body.reason_code ?? 'paid'];
const PAID = [201, 'paid'];
const REFUSED = [402, 'scope_violation'];

async function keyWith(scope: Scope) {
  const { trust, firstStart } = app.service;
  const { api_key } = await createKeyFor(trust, firstStart.operatorId, { scope });
  return client(app.fetch, 'http://localhost', api_key);
}
type Caller = Awaited<ReturnType<typeof keyWith>>;

const transfer = (caller: Caller, amount: number, headers: Record<string, string> = {}) =>
  caller.post(
    TRANSFERS,
    { from_commitment: payer.commitment, to_commitment: payee.commitment, amount },
    headers,
  );

async function availableOf({ commitment }: CreditedAgent): Promise<unknown> {
  return (await app.anyone.get(`/api/v1/passport/agents/${commitment}/credits`)).body.available;
}

describe('max_credits_total', () => {
  test('limits what a key spends in all, by transfers, grants, payments and hires together', async () => {
    const key = await keyWith({ max_credits_total: 30 });
    const { commitment } = payer;
    expect(codeOf(await transfer(key, 5))).toEqual(PAID);
    const grant = { subject_commitment: payee.commitment, amount: 5 };
    expect(codeOf(await key.post('/api/v1/passport/credits/grants', grant))).toEqual(PAID);
    const payment = {
      subject_commitment: commitment,
      product: 'portable_credential_issuance',
      max_credits: 10,
      nonce: crypto.randomUUID(),
      expires_at: '2036-01-31T12:00:00Z',
    };
    expect(codeOf(await key.post('/api/v1/agent-pay/spend', payment))).toEqual(PAID);
    const hire = (amount: number) =>
      key.post('/api/v1/passport/engagements', {
        hirer_commitment: commitment,
        worker_commitment: payee.commitment,
        task_id: crypto.randomUUID(),
        amount,
        deadline: new Date(time.now() + HOUR).toISOString(),
      });
    expect(codeOf(await hire(11))).toEqual(REFUSED);
    expect(codeOf(await hire(10))).toEqual(PAID);
    const refused = await transfer(key, 1);
    expect(codeOf(refused)).toEqual(REFUSED);
    expect(String(refused.body.error)).toContain('allows 30 credits in all, of which 30 are spent');
    await time.advance(48 * HOUR);
    expect(codeOf(await transfer(key, 1))).toEqual(REFUSED);
  });

  test('is exact when 64 callers spend at once', async () => {
    const key = await keyWith({ max_credits_total: 100 });
    const responses = await Promise.all(Array.from({ length: 64 }, () => transfer(key, 7)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(14);
    expect(await availableOf(payee)).toBe(98);
  });

  test('counts no debit that was refused, and a repeated request once', async () => {
    const key = await keyWith({ max_credits_total: 2_000 });
    expect(codeOf(await transfer(key, 1_500))).toEqual([402, 'insufficient_credits']);
    const once = { 'idempotency-key': 'once' };
    for (let again = 0; again < 3; again++) expect(codeOf(await transfer(key, 900, once))).toEqual(PAID);
    const withdrawal = { subject_commitment: payer.commitment, amount: 90, reference: 'payout' };
    const holder = await holderOf(app, payer, { scope: { max_credits_total: 90 } });
    for (let again = 0; again < 3; again++)
      expect(codeOf(await holder.post(WITHDRAW, withdrawal))).toEqual(PAID);
    expect(codeOf(await holder.post(WITHDRAW, { ...withdrawal, reference: 'another', amount: 1 }))).toEqual(
      REFUSED,
    );
    expect(await availableOf(payer)).toBe(10);
  });
});

test('max_credits_per_day limits 24 hours of a key, and a clock that is set back forgets nothing', async () => {
  const key = await keyWith({ max_credits_per_day: 20 });
  expect(codeOf(await transfer(key, 15))).toEqual(PAID);
  await time.advance(12 * HOUR);
  expect(codeOf(await transfer(key, 5))).toEqual(PAID);
  await time.advance(11 * HOUR);
  expect(codeOf(await transfer(key, 1))).toEqual(REFUSED);
  await time.advance(2 * HOUR);
  expect(codeOf(await transfer(key, 15))).toEqual(PAID);
  expect(codeOf(await transfer(key, 1))).toEqual(REFUSED);
});

describe('a key with a limit over time', () => {
  const newKey = (caller: Caller, scope?: Scope) =>
    caller.post('/api/v1/operator/api-keys', { name: 'more', ...(scope === undefined ? {} : { scope }) });

  test('makes no other key that can spend, even with the same limits', async () => {
    const scope = { max_credits_total: 10 };
    const key = await keyWith(scope);
    expect((await newKey(key)).status).toBe(403);
    expect((await newKey(key, scope)).status).toBe(403);
    expect((await newKey(key, { max_credits: 1 })).status).toBe(403);
    expect((await newKey(key, { ...scope, products: [] })).status).toBe(201);
  });

  test('is made by one without limits, and shown with them', async () => {
    const scope = { max_credits_total: 10, max_credits_per_day: 5 };
    const { status, body } = await newKey(app.own, scope);
    expect([status, body.scope]).toEqual([201, scope]);
    for (const bad of [{ max_credits_total: -1 }, { max_credits_per_day: 1.5 }])
      expect((await newKey(app.own, bad)).status).toBe(400);
  });
});

test('fsck finds that a key spent something else than its hours', async () => {
  const key = await keyWith({ max_credits_total: 30 });
  expect(codeOf(await transfer(key, 5))).toEqual(PAID);
  const copy = `${app.directory}-copy`;
  copyOf(app.directory, copy);
  expect((await audited(copy, { only: tables })).reported).toEqual([]);
  const database = openUnguarded(copy);
  database.run('UPDATE key_spending SET credits = 4');
  database.close();
  const { reported } = await audited(copy, { only: tables });
  expect(reported.map(({ sentence }) => sentence).join('\n')).toContain(
    'credits is not the sum of its hours: expected 5, found 4',
  );
});

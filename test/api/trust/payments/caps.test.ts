import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { bookSettlement } from '../../../../src/trust/payments/book-settlement.ts';
import { listUnbookedSettlements } from '../../../../src/trust/payments/list-unbooked-settlements.ts';
import { audited } from '../../../support/audit.ts';
import type { ApiResponse } from '../../../support/client.ts';
import { type CreditedAgent, creditedAgent } from '../../../support/credits.ts';
import { sendSettlement, settlementSettings } from '../../../support/settlements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const HOUR = 3_600_000;
const CAPS = {
  ...settlementSettings,
  'payments.settlement.x402.max_credits': '100',
  'payments.settlement.x402.max_credits_per_day': '250',
  'payments.settlement.stripe_agent.max_credits': '1000',
  'payments.settlement.max_credits_per_day': '400',
};

let time: VirtualTime;
let app: TrustApp;
let agent: CreditedAgent;

beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp(CAPS, time);
  agent = await creditedAgent(app);
});
afterEach(() => app.close());

let references = 0;
const bodyOf = (credits: number, changes: Record<string, string> = {}) => ({
  rail: 'x402',
  reference: `order ${++references}`,
  subject_commitment: agent.commitment,
  credits,
  ...changes,
});
const send = (body: ReturnType<typeof bodyOf>, more: Record<string, string> = {}) =>
  sendSettlement(app, body, { now: time.now(), more });
const codeOf = ({ status, body }: ApiResponse) => [status, body.reason_code ?? 'booked'];
const BOOKED = [201, 'booked'];
const EXCEEDED = [409, 'limit_exceeded'];

async function earned(): Promise<unknown> {
  return (await app.anyone.get(`/api/v1/passport/agents/${agent.commitment}/credits`)).body.earned;
}
const waiting = async () =>
  (await listUnbookedSettlements(app.service.trust, {})).settlements.map(({ reference }) => reference);

describe('a settlement above', () => {
  test('the cap of one settlement is stored and not booked, and the response names the cap', async () => {
    expect(codeOf(await send(bodyOf(100)))).toEqual(BOOKED);
    const body = bodyOf(101);
    const refused = await send(body);
    expect(codeOf(refused)).toEqual(EXCEEDED);
    expect(String(refused.body.error)).toContain('at most 100 credits');
    expect([await waiting(), await earned()]).toEqual([[body.reference], 100]);
  });

  test('the cap of a day of its rail is booked by the same body a day later', async () => {
    for (const credits of [100, 100]) expect(codeOf(await send(bodyOf(credits)))).toEqual(BOOKED);
    const body = bodyOf(51);
    expect(codeOf(await send(body))).toEqual(EXCEEDED);
    expect(codeOf(await send(bodyOf(50)))).toEqual(BOOKED);
    expect(codeOf(await send(bodyOf(1)))).toEqual(EXCEEDED);
    await time.advance(23 * HOUR);
    expect(codeOf(await send(body))).toEqual(EXCEEDED);
    await time.advance(2 * HOUR);
    expect(codeOf(await send(body))).toEqual(BOOKED);
    expect(await earned()).toBe(301);
    expect(await waiting()).toHaveLength(1);
  });

  test('the cap of all rails is stored, though its own rail has settled nothing', async () => {
    for (const credits of [100, 100, 50]) expect(codeOf(await send(bodyOf(credits)))).toEqual(BOOKED);
    const stripe = { rail: 'stripe_agent' };
    expect(codeOf(await send(bodyOf(151, stripe)))).toEqual(EXCEEDED);
    expect(codeOf(await send(bodyOf(150, stripe)))).toEqual(BOOKED);
    expect(await earned()).toBe(400);
  });

  test('a cap of 2^53 − 1 does not stop those of others', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(codeOf(await send(bodyOf(most, { rail: 'stripe_agent' })))).toEqual(EXCEEDED);
    expect(codeOf(await send(bodyOf(25)))).toEqual(BOOKED);
  });
});

test('of many settlements at once, no more are booked than the cap of a day allows', async () => {
  const responses = await Promise.all(Array.from({ length: 64 }, () => send(bodyOf(10))));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(25);
  expect([await earned(), (await waiting()).length]).toEqual([250, 39]);
});

test('settlements that are refused beside others leave the cap of a day and its sum exact', async () => {
  const [taken, stranger] = [bodyOf(1), { subject_commitment: 'f'.repeat(64) }];
  expect(codeOf(await send(taken))).toEqual(BOOKED);
  const mixed = Array.from({ length: 60 }, (_, at) => {
    if (at % 3 === 0) return bodyOf(10);
    return at % 3 === 1 ? bodyOf(10, stranger) : { ...taken, credits: 2 + at };
  });
  const statuses = (await Promise.all(mixed.map((body) => send(body)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  expect(statuses.filter((status) => status !== 201 && status !== 409 && status !== 403)).toEqual([]);
  expect(codeOf(await send(bodyOf(50)))).toEqual(EXCEEDED);
  expect(codeOf(await send(bodyOf(49)))).toEqual(BOOKED);
  expect(await earned()).toBe(250);
  expect((await audited(app.directory)).reported).toEqual([]);
});

test('a settlement that waits is stored once, and another body with its reference is a conflict', async () => {
  const body = bodyOf(101);
  for (let again = 0; again < 3; again++) expect(codeOf(await send(body))).toEqual(EXCEEDED);
  expect(await waiting()).toEqual([body.reference]);
  expect(codeOf(await send({ ...body, credits: 1 }))).toEqual([409, 'conflict']);
  expect(await earned()).toBe(0);
});

test('an Idempotency-Key keeps no refusal: the same request is booked once the cap allows it', async () => {
  await send(bodyOf(100));
  await send(bodyOf(100));
  const body = bodyOf(100);
  const more = { 'idempotency-key': 'once' };
  expect(codeOf(await send(body, more))).toEqual(EXCEEDED);
  await time.advance(25 * HOUR);
  const booked = await send(body, more);
  expect(codeOf(booked)).toEqual(BOOKED);
  expect((await send(body, more)).body).toEqual(booked.body);
});

describe('the administrator', () => {
  const book = ({ rail, reference }: ReturnType<typeof bodyOf>) =>
    bookSettlement(app.service.trust, { rail: rail === 'x402' ? 'x402' : 'stripe_agent', reference }).then(
      ({ credits }) => credits,
      (error: unknown) => Object(error).code,
    );

  test('books a settlement above a cap once, and it counts for its day', async () => {
    const body = bodyOf(220);
    await send(body);
    expect(await book(body)).toBe(220);
    expect(await book(body)).toBe('invalid_state');
    expect([await earned(), await waiting()]).toEqual([220, []]);
    // The rail gets the response of the one that was booked.
    expect(codeOf(await send(body))).toEqual(BOOKED);
    expect(codeOf(await send(bodyOf(31)))).toEqual(EXCEEDED);
    expect(await earned()).toBe(220);
  });

  test('books none that never came, and none of an agent that was revoked meanwhile', async () => {
    expect(await book(bodyOf(220))).toBe('not_found');
    const body = bodyOf(220);
    await send(body);
    await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`);
    expect(await book(body)).toBe('agent_not_enrolled');
    expect(await earned()).toBe(0);
  });
});

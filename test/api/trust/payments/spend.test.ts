import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { agentAuth, audienceOf } from '../../../support/agent.ts';
import type { ApiResponse } from '../../../support/client.ts';
import {
  type CreditedAgent,
  creditedAgent,
  fundPool,
  grantFrom,
  holderOf,
} from '../../../support/credits.ts';
import { isSigned } from '../../../support/statements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const SPEND = '/api/v1/agent-pay/spend';

const time = new VirtualTime();
let app: TrustApp;
let audience: string;
let payer: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp({ 'metering.price.audit_package_generation': '30' }, time);
  audience = await audienceOf(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  payer = await creditedAgent(app, { credits: { promotional: 20, paid: 15 } });
});

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
const inAnHour = () => new Date(time.now() + 3_600_000).toISOString();
const bodyOf = (changes: JsonObject = {}): JsonObject => ({
  subject_commitment: payer.commitment,
  product: 'portable_credential_issuance',
  max_credits: 10,
  merchant: 'shop.example',
  nonce: crypto.randomUUID(),
  expires_at: inAnHour(),
  ...changes,
});
const available = async () =>
  (await app.anyone.get(`/api/v1/passport/agents/${payer.commitment}/credits`)).body.available;

/**
 * SHA-256 of canonical JSON, written without the code of the service: all members are text, integers or null.
 */
function digestOf(terms: Record<string, unknown>): string {
  const members = Object.keys(terms).sort();
  const text = `{${members.map((name) => `${JSON.stringify(name)}:${JSON.stringify(terms[name])}`).join(',')}}`;
  return createHash('sha256').update(text).digest('hex');
}

describe('a payment', () => {
  test('charges the price, and its signed receipt has the digest of its terms, which a merchant computes again', async () => {
    const body = bodyOf();
    const response = await app.own.post(SPEND, body);
    const { meter_receipt: receipt, ...payment } = Object(response.body);
    const payment_digest = digestOf({
      subject_commitment: payer.commitment,
      product: body.product,
      credits_charged: 10,
      merchant: 'shop.example',
      nonce: body.nonce,
      expires_at: body.expires_at,
      meter_ref: payment.meter_ref,
    });
    expect([response.status, payment]).toEqual([
      201,
      {
        authorized: true,
        product: 'portable_credential_issuance',
        credits_charged: 10,
        remaining_credits: 25,
        meter_ref: expect.stringMatching(/^txn_[0-9a-f]{31}0$/),
        payment_digest,
      },
    ]);
    expect(receipt).toMatchObject({
      type: 'meter',
      payer: payer.commitment,
      merchant: 'shop.example',
      nonce: body.nonce,
      expires_at: body.expires_at,
      payment_digest,
    });
    expect(await isSigned(app, receipt)).toBe(true);
    const { entries } = (await app.own.get(`/api/v1/passport/agents/${payer.commitment}/credit-journal`))
      .body;
    expect(Object(entries)[0]).toMatchObject({
      kind: 'SPEND',
      asset: 'promotional',
      amount: 10,
      counterparty: 'revenue',
      reference: 'portable_credential_issuance',
    });
  });

  test('without a merchant has null in its digest and its receipt', async () => {
    const { merchant: _, ...body } = bodyOf();
    const { body: paid } = await app.own.post(SPEND, body);
    expect(Object(paid.meter_receipt).merchant).toBeNull();
    expect(paid.payment_digest).toBe(
      digestOf({
        subject_commitment: payer.commitment,
        product: body.product,
        credits_charged: 10,
        merchant: null,
        nonce: body.nonce,
        expires_at: body.expires_at,
        meter_ref: paid.meter_ref,
      }),
    );
  });

  test('takes promotional credits, then paid ones; where these do not suffice only sandbox ones, and says so', async () => {
    const product = 'audit_package_generation';
    const spend = () => app.own.post(SPEND, bodyOf({ product, max_credits: 30 }));
    expect((await spend()).body.remaining_credits).toBe(5);
    expect(codeOf(await spend())).toEqual([402, 'insufficient_credits']);
    await fundPool(app, app.service.firstStart.operatorId, { sandbox: 40 });
    await grantFrom(app, app.service.firstStart.operatorId, payer.agent, { sandbox: 40 });
    const { status, body } = await spend();
    expect([status, body.remaining_credits, Object(body.meter_receipt).sandbox]).toEqual([201, 10, true]);
    const wallet = await app.own.get(`/api/v1/agent-pay/wallet?subject_commitment=${payer.commitment}`);
    expect(wallet.body).toMatchObject({
      available: 5,
      withdrawable: 5,
      sandbox: { available: 10, locked: 0 },
    });
  });

  test('is authorized by a holder key, by the signature of the agent without a key, and with an Idempotency-Key once', async () => {
    expect((await (await holderOf(app, payer)).post(SPEND, bodyOf())).status).toBe(201);
    const body = bodyOf();
    const call = { method: 'POST', path: SPEND, body, audience };
    const signed = { ...body, agent_auth: agentAuth(payer, call, time.now()) };
    expect((await app.anyone.post(SPEND, signed)).status).toBe(201);
    const again = bodyOf();
    const headers = { 'idempotency-key': 'paid-once' };
    const first = await app.own.post(SPEND, again, headers);
    const second = await app.own.post(SPEND, again, headers);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await available()).toBe(5);
  });
});

describe('a payment is refused, and nothing is charged,', () => {
  const cases: Record<string, [() => Promise<ApiResponse>, number, string]> = {
    'with a price above max_credits': [
      () => app.own.post(SPEND, bodyOf({ max_credits: 9 })),
      402,
      'scope_violation',
    ],
    'with a key whose scope has other products': [
      async () =>
        (await holderOf(app, payer, { scope: { products: ['reputation_lookup_verified'] } })).post(
          SPEND,
          bodyOf(),
        ),
      402,
      'scope_violation',
    ],
    'with a key whose scope allows less': [
      async () => (await holderOf(app, payer, { scope: { max_credits: 9 } })).post(SPEND, bodyOf()),
      402,
      'scope_violation',
    ],
    'with a key whose scope has ended': [
      async () => {
        const expires_at = new Date(time.now() + 1000).toISOString();
        const holder = await holderOf(app, payer, { scope: { expires_at } });
        await time.advance(1000);
        return holder.post(SPEND, bodyOf());
      },
      403,
      'scope_ended',
    ],
    'after its time': [
      () => app.own.post(SPEND, bodyOf({ expires_at: new Date(time.now()).toISOString() })),
      400,
      'validation_error',
    ],
    'with the key of another operator': [() => app.other.post(SPEND, bodyOf()), 403, 'forbidden'],
    'with the holder key of another agent': [
      async () => (await holderOf(app, await creditedAgent(app))).post(SPEND, bodyOf()),
      403,
      'forbidden',
    ],
    'without a key or a signature': [() => app.anyone.post(SPEND, bodyOf()), 401, 'unauthorized'],
    'for an agent that never enrolled': [
      () => app.own.post(SPEND, bodyOf({ subject_commitment: '0'.repeat(64) })),
      403,
      'agent_not_enrolled',
    ],
    'for an unknown product': [
      () => app.own.post(SPEND, bodyOf({ product: 'coffee' })),
      400,
      'validation_error',
    ],
    'with a short nonce': [() => app.own.post(SPEND, bodyOf({ nonce: 'short' })), 400, 'validation_error'],
    'with max_credits 0': [() => app.own.post(SPEND, bodyOf({ max_credits: 0 })), 400, 'validation_error'],
    'with credits that do not suffice': [
      async () => {
        const poor = await creditedAgent(app, { credits: { promotional: 9 } });
        return app.own.post(SPEND, bodyOf({ subject_commitment: poor.commitment }));
      },
      402,
      'insufficient_credits',
    ],
  };

  for (const [why, [sending, status, code]] of Object.entries(cases)) {
    test(why, async () => {
      expect(codeOf(await sending())).toEqual([status, code]);
      expect(await available()).toBe(35);
    });
  }

  test('with a nonce that the agent has paid with, at once and later, even for other terms; another agent can use it', async () => {
    const body = bodyOf();
    const responses = await Promise.all(Array.from({ length: 6 }, () => app.own.post(SPEND, body)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    await time.advance(48 * 3_600_000);
    const later = { ...body, expires_at: inAnHour(), merchant: 'other.example' };
    expect(codeOf(await app.own.post(SPEND, later))).toEqual([409, 'nonce_reused']);
    expect(await available()).toBe(25);
    const another = await creditedAgent(app, { credits: { promotional: 10 } });
    expect((await app.own.post(SPEND, { ...later, subject_commitment: another.commitment })).status).toBe(
      201,
    );
  });

  test('and a refused payment does not use up its nonce', async () => {
    const body = bodyOf({ max_credits: 9 });
    expect((await app.own.post(SPEND, body)).status).toBe(402);
    expect((await app.own.post(SPEND, { ...body, max_credits: 10 })).status).toBe(201);
  });

  test('as many payments at once as the credits suffice for are charged', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => app.own.post(SPEND, bodyOf())));
    expect(responses.filter(({ status }) => status === 201).length).toBe(3);
    expect(await available()).toBe(5);
  });
});

test('the products are those of the prices', async () => {
  const { body } = await app.anyone.get('/api/v1/agent-pay/products');
  expect(
    Object(body.products).map(({ product, credits }: Record<string, unknown>) => [product, credits]),
  ).toEqual([
    ['reputation_lookup_verified', 1],
    ['portable_credential_issuance', 10],
    ['audit_package_generation', 30],
  ]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import type { ApiResponse } from '../../../support/client.ts';
import { type CreditedAgent, creditedAgent, holderOf } from '../../../support/credits.ts';
import {
  SECRETS,
  SETTLEMENT,
  sendSettlement,
  settlementSettings,
  settlementSignature,
} from '../../../support/settlements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const time = new VirtualTime();
let app: TrustApp;
let agent: CreditedAgent;
let references = 0;

beforeAll(async () => {
  app = await openTrustApp(settlementSettings, time);
});
afterAll(() => app.close());
beforeEach(async () => {
  agent = await creditedAgent(app);
});

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];

/** A settlement of 25 credits for the agent of this test, with a reference of its own. */
const bodyOf = (changes: Record<string, string | number> = {}) => ({
  rail: 'x402',
  reference: `reference ${++references}`,
  subject_commitment: agent.commitment,
  credits: 25,
  amount_label: '0.25 USDC',
  ...changes,
});

const send = (body: ReturnType<typeof bodyOf>, more: Parameters<typeof sendSettlement>[2] = {}) =>
  sendSettlement(app, body, { now: time.now(), ...more });

async function earned(): Promise<unknown> {
  return (await app.anyone.get(`/api/v1/passport/agents/${agent.commitment}/credits`)).body.earned;
}

describe('a settlement', () => {
  test('credits the agent with paid credits, which it can withdraw', async () => {
    const body = bodyOf();
    const { status, body: booked } = await send(body);
    expect([status, booked]).toEqual([
      201,
      {
        settlement_id: expect.stringMatching(/^stl_[0-9a-f]{32}$/),
        rail: 'x402',
        reference: body.reference,
        subject_commitment: agent.commitment,
        credits: 25,
        amount_label: '0.25 USDC',
        status: 'credited',
        transaction_id: expect.stringMatching(/^txn_/),
        credited_at: new Date(time.now()).toISOString(),
      },
    ]);
    expect(
      (await app.own.get(`/api/v1/agent-pay/wallet?subject_commitment=${agent.commitment}`)).body,
    ).toEqual({
      subject_commitment: agent.commitment,
      available: 25,
      locked: 0,
      withdrawable: 25,
      held: [],
    });
    expect(await earned()).toBe(25);
    const journal = await app.own.get(`/api/v1/passport/agents/${agent.commitment}/credit-journal`);
    expect(journal.body.entries).toMatchObject([
      {
        kind: 'SETTLEMENT',
        asset: 'paid',
        amount: 25,
        counterparty: 'issuance',
        reference: `x402:${body.reference}`,
        memo: '0.25 USDC',
      },
    ]);
  });

  test('is booked once: the same body, even signed again by another operator, returns the first response', async () => {
    const body = bodyOf();
    const first = await send(body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await time.advance(60_000);
    for (const key of [app.apiKey, app.otherKey]) {
      const again = await send(body, { key });
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    expect(await earned()).toBe(25);
  });

  test('is booked once when it arrives many times at once', async () => {
    const body = bodyOf();
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(body)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.settlement_id}`)).size).toBe(1);
    expect(await earned()).toBe(25);
  });

  test('with another body and the same reference is 409; the same reference of another rail is another settlement', async () => {
    const body = bodyOf();
    expect((await send(body)).status).toBe(201);
    for (const changed of [{ credits: 26 }, { amount_label: '0.26 USDC' }])
      expect(codeOf(await send({ ...body, ...changed }))).toEqual([409, 'conflict']);
    expect((await send({ ...body, rail: 'stripe_agent' })).status).toBe(201);
    expect(await earned()).toBe(50);
  });

  test('that was booked is replayed even after the agent was revoked; a new one is refused', async () => {
    const body = bodyOf();
    const first = await send(body);
    await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`);
    expect((await send(body)).body).toEqual(first.body);
    expect(codeOf(await send(bodyOf()))).toEqual([403, 'agent_not_enrolled']);
  });

  test('for an agent that never enrolled is refused, and can be booked once it has', async () => {
    expect(codeOf(await send(bodyOf({ subject_commitment: '0'.repeat(64) })))).toEqual([
      403,
      'agent_not_enrolled',
    ]);
  });

  test('takes an Idempotency-Key', async () => {
    const body = bodyOf();
    const more = { 'idempotency-key': 'once' };
    const first = await send(body, { more });
    const again = await send(body, { more });
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(codeOf(await send(bodyOf(), { more }))).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('a settlement is refused, and nothing is booked,', () => {
  const signature = (text: string, seconds = Math.floor(time.now() / 1000)) =>
    settlementSignature(text, SECRETS.x402 ?? '', seconds);

  const refused: Record<string, () => Promise<ApiResponse>> = {
    'with a wrong secret': () => send(bodyOf(), { secret: 'another secret of 32 characters.' }),
    'with the secret of another rail': () => send(bodyOf(), { secret: SECRETS.stripe_agent ?? '' }),
    'with another amount than the one signed': () => {
      const body = bodyOf();
      return send(body, { altered: JSON.stringify({ ...body, credits: 26 }) });
    },
    'with one byte more than the bytes signed': () => {
      const body = bodyOf();
      return send(body, { altered: `${JSON.stringify(body)} ` });
    },
    'with the members in another order than signed': () => {
      const { rail, ...rest } = bodyOf();
      return send({ rail, ...rest }, { altered: JSON.stringify({ ...rest, rail }) });
    },
    'from the future': () => send(bodyOf(), { now: time.now() + 301_000 }),
    'older than 300 seconds': () => send(bodyOf(), { now: time.now() - 301_000 }),
    'without a signature': () => app.own.post(SETTLEMENT, bodyOf()),
    'with the time of another signature': () => {
      const text = JSON.stringify(bodyOf());
      const seconds = Math.floor(time.now() / 1000);
      const forged = signature(text).replace(/t=\d+/, `t=${seconds + 1}`);
      return app.own.post(SETTLEMENT, text, { 'x-settlement-signature': forged });
    },
    ...Object.fromEntries(
      [
        '',
        'v1=00',
        't=,v1=',
        `t=1,v1=${'0'.repeat(63)}`,
        `t=-1,v1=${'0'.repeat(64)}`,
        `t=1e3,v1=${'0'.repeat(64)}`,
        `t=1, v1=${'0'.repeat(64)}`,
        `v1=${'0'.repeat(64)},t=1`,
        `t=1,v1=${'A'.repeat(64)}`,
        `t=${'9'.repeat(400)},v1=${'0'.repeat(64)}`,
      ].map((value) => [
        `with the signature "${value.slice(0, 80)}"`,
        () => app.own.post(SETTLEMENT, bodyOf(), { 'x-settlement-signature': value }),
      ]),
    ),
  };

  for (const [why, sending] of Object.entries(refused)) {
    test(why, async () => {
      expect(codeOf(await sending())).toEqual([401, 'invalid_proof']);
      expect(await earned()).toBe(0);
    });
  }

  test('of a rail that is not configured', async () => {
    for (const rail of ['visa_intelligent_commerce', 'mastercard_agent_pay']) {
      const { status, body } = await send(bodyOf({ rail }), { secret: SECRETS.x402 ?? '' });
      expect([status, body.reason_code]).toEqual([503, 'not_configured']);
      expect(String(body.error)).toContain(`payments.settlement.${rail}.secret`);
    }
    // A client chooses the rail, so it is nothing that an administrator must look at.
    expect(app.logged()).toContain('"msg":"request refused"');
    expect(app.logged()).not.toMatch(/"level":[45]0.*not_configured/);
  });

  test('of an unknown rail, and with anything that the schema refuses', async () => {
    for (const changes of [
      { rail: 'paypal' },
      { credits: 0 },
      { credits: 1.5 },
      { credits: -5 },
      { reference: '' },
      { reference: 'x'.repeat(201) },
      { reference: 'a\u0000b' },
      { amount_label: '' },
      { subject_commitment: 'nobody' },
      { note: 'unknown' },
    ])
      expect(codeOf(await send(bodyOf(changes)))).toEqual([400, 'validation_error']);
  });

  test('with a body of more members than a settlement has, before it is parsed', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m${n}`, n]));
    expect(codeOf(await send({ ...bodyOf(), ...many }))).toEqual([400, 'validation_error']);
  });

  test('with a holder key, and without a key, whatever the signature says', async () => {
    const holder = await holderOf(app, agent);
    expect(codeOf(await send(bodyOf(), { key: holder.key }))).toEqual([403, 'forbidden']);
    expect(codeOf(await send(bodyOf(), { key: null }))).toEqual([401, 'unauthorized']);
  });

  test('before anything is read from the database', async () => {
    const { store } = app.service.trust;
    await app.own.get('/api/v1/operator/status');
    const spies = [spyOn(store, 'read'), spyOn(store, 'write')];
    await send(bodyOf(), { secret: 'another secret of 32 characters.' });
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    for (const spy of spies) spy.mockRestore();
  });
});

test('a settlement 300 seconds old, and one 300 seconds ahead, are taken', async () => {
  for (const difference of [-300_000, 300_000])
    expect((await send(bodyOf(), { now: time.now() + difference })).status).toBe(201);
});

test('the secrets appear in no log', async () => {
  await send(bodyOf());
  for (const secret of Object.values(SECRETS)) expect(app.logged()).not.toContain(secret);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { type Authorizing, agentAuth, audienceOf, enrolledAgent } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { type ApiResponse, client } from '../../../../support/client.ts';
import {
  type CreditedAgent,
  creditedAgent,
  holderOf,
  selfProvisionedAgent,
} from '../../../../support/credits.ts';
import { lateBody } from '../../../../support/late-body.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const TRANSFERS = '/api/v1/passport/credits/transfers';
const AGENTS = '/api/v1/passport/agents';

let app: TrustApp;
let audience: string;
let payer: CreditedAgent;
let payee: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp();
  audience = await audienceOf(app);
  payee = await creditedAgent(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  payer = await creditedAgent(app, { credits: { promotional: 10 } });
});

type Caller = TrustApp['own'];
type Signer = Pick<CreditedAgent, 'sign' | 'commitment'>;

const as = (apiKey: unknown): Caller => client(app.fetch, 'http://localhost', String(apiKey));
const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
const balanceOf = async ({ commitment }: { commitment: string }) =>
  (await app.anyone.get(`${AGENTS}/${commitment}/credits`)).body.available;

function transferOf(from: { commitment: string }, amount = 1): JsonObject {
  return { from_commitment: from.commitment, to_commitment: payee.commitment, amount };
}

/** A body with an agent's authorization of a transfer. `changes` are of what the agent signs. */
function signed(agent: Signer, body: JsonObject, changes: Partial<Authorizing> = {}): JsonObject {
  const call = { method: 'POST', path: TRANSFERS, body, audience, ...changes };
  return { ...body, agent_auth: agentAuth(agent, call) };
}

const send = (caller: Caller, body: unknown, more: Record<string, string> = {}) =>
  caller.post(TRANSFERS, body, more);

describe('a transfer is allowed', () => {
  test("with an issuer key of the payer's sponsor, and with its holder key", async () => {
    expect((await send(app.own, transferOf(payer))).status).toBe(201);
    const holder = await holderOf(app, payer);
    expect((await send(holder, transferOf(payer))).status).toBe(201);
    expect(await balanceOf(payer)).toBe(8);
  });

  test('with a session of a key of the sponsor', async () => {
    const authorization = `Bearer ${app.apiKey}`;
    const session = new Request('http://localhost/api/v1/operator/session', {
      method: 'POST',
      headers: { authorization },
    });
    const opened = await app.fetch(session);
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    expect(codeOf(await send(app.anyone, transferOf(payer), { cookie }))).toEqual([403, 'forbidden']);
    const headers = { cookie, 'x-requested-with': 'test' };
    expect((await send(app.anyone, transferOf(payer), headers)).status).toBe(201);
  });

  test('with an admin key while the payer has no sponsor', async () => {
    const lone = await creditedAgent(app, { sponsor: null, credits: { promotional: 5 } });
    expect(codeOf(await send(app.other, transferOf(lone)))).toEqual([403, 'forbidden']);
    expect((await send(app.own, transferOf(lone))).status).toBe(201);
  });

  test("with the payer's signature: without a key, and with a stranger's key", async () => {
    expect((await send(app.anyone, signed(payer, transferOf(payer)))).status).toBe(201);
    expect((await send(app.other, signed(payer, transferOf(payer)))).status).toBe(201);
    const lone = await creditedAgent(app, { sponsor: null, credits: { promotional: 5 } });
    expect((await send(app.anyone, signed(lone, transferOf(lone)))).status).toBe(201);
    expect([await balanceOf(payer), await balanceOf(lone)]).toEqual([8, 4]);
  });
});

describe('a transfer is refused', () => {
  test('with the self-provisioned key of a stranger, for every agent of others', async () => {
    const stranger = await selfProvisionedAgent(app);
    const holder = await holderOf(app, stranger, { operatorId: stranger.operatorId });
    const issuer = as((await createKeyFor(app.service.trust, stranger.operatorId, {})).api_key);
    const lone = await creditedAgent(app, { sponsor: null, credits: { promotional: 5 } });
    const another = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 5 } });
    for (const key of [holder, issuer]) {
      for (const victim of [payer, lone, another]) {
        const to_commitment = stranger.commitment;
        const body = { ...transferOf(victim), to_commitment };
        expect(codeOf(await send(key, body))).toEqual([403, 'forbidden']);
        // The stranger's own signature is none of the victim.
        const forged = {
          ...body,
          agent_auth: agentAuth(stranger, { method: 'POST', path: TRANSFERS, body, audience }),
        };
        expect(codeOf(await send(key, forged))).toEqual([401, 'invalid_proof']);
        const named = signed({ ...stranger, commitment: victim.commitment }, body);
        expect(codeOf(await send(key, named))).toEqual([401, 'invalid_proof']);
      }
    }
    expect([await balanceOf(payer), await balanceOf(lone), await balanceOf(another)]).toEqual([10, 5, 5]);
  });

  test('with a holder key of another agent of the same sponsor', async () => {
    const holder = await holderOf(app, payee);
    expect(codeOf(await send(holder, transferOf(payer)))).toEqual([403, 'forbidden']);
  });

  test('with an admin key while the payer has another sponsor', async () => {
    const another = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 5 } });
    expect(codeOf(await send(app.own, transferOf(another)))).toEqual([403, 'forbidden']);
  });

  test('with a grant as the only relation to the payer', async () => {
    const another = await creditedAgent(app, { sponsor: app.otherId });
    const grant = { subject_commitment: another.commitment, amount: 5 };
    expect((await app.own.post('/api/v1/passport/credits/grants', grant)).status).toBe(201);
    expect(codeOf(await send(app.own, transferOf(another)))).toEqual([403, 'forbidden']);
  });

  test('while the sponsor of the payer is suspended, even with its signature', async () => {
    const { trust } = app.service;
    const { operator_id: sponsor, api_key } = await createOperator(trust, { name: null, admin: false });
    const from = await creditedAgent(app, { sponsor, credits: { promotional: 5 } });
    await setAccountStatus(trust, sponsor, 'SUSPENDED');
    expect(codeOf(await send(as(api_key), transferOf(from)))).toEqual([403, 'forbidden']);
    const response = await send(app.anyone, signed(from, transferOf(from)));
    expect([codeOf(response), String(response.body.error)]).toEqual([
      [403, 'forbidden'],
      expect.stringContaining('sponsor is not active'),
    ]);
    await setAccountStatus(trust, sponsor, 'ACTIVE');
    expect((await send(as(api_key), transferOf(from))).status).toBe(201);
  });

  const past = () => new Date(Date.now() - 1000).toISOString();
  const far = () => new Date(Date.now() + 11 * 60_000).toISOString();
  const cases: readonly (readonly [name: string, body: () => unknown, status: number, code: string])[] = [
    [
      'that the agent signed for another path',
      () => signed(payer, transferOf(payer), { path: '/api/v1/passport/credits/grants' }),
      401,
      'invalid_proof',
    ],
    [
      'that the agent signed for another method',
      () => signed(payer, transferOf(payer), { method: 'PUT' }),
      401,
      'invalid_proof',
    ],
    [
      'that the agent signed for another amount',
      () => signed(payer, transferOf(payer), { body: transferOf(payer, 2) }),
      401,
      'invalid_proof',
    ],
    [
      'that the agent signed without the kind that it has',
      () => ({ ...signed(payer, transferOf(payer)), kind: 'PEER_GIFT' }),
      401,
      'invalid_proof',
    ],
    [
      'that the agent signed with the default kind, which was not sent',
      () => signed(payer, transferOf(payer), { body: { ...transferOf(payer), kind: 'TASK_PAYMENT' } }),
      401,
      'invalid_proof',
    ],
    [
      'that the agent signed for another installation',
      () => signed(payer, transferOf(payer), { audience: 'other.example+key' }),
      401,
      'invalid_proof',
    ],
    [
      'that the agent signed until a second ago',
      () => signed(payer, transferOf(payer), { expires_at: past() }),
      401,
      'invalid_proof',
    ],
    [
      'that the agent signed for more than ten minutes',
      () => signed(payer, transferOf(payer), { expires_at: far() }),
      400,
      'validation_error',
    ],
    ['that only the payee signed', () => signed(payee, transferOf(payer)), 401, 'invalid_proof'],
    ['whose signature is null', () => ({ ...transferOf(payer), agent_auth: null }), 400, 'validation_error'],
    [
      'whose signature is an empty object',
      () => ({ ...transferOf(payer), agent_auth: {} }),
      400,
      'validation_error',
    ],
  ];
  for (const [name, body, status, code] of cases) {
    test(`as one ${name}`, async () => {
      expect(codeOf(await send(app.anyone, body()))).toEqual([status, code]);
      expect(await balanceOf(payer)).toBe(10);
    });
  }

  test('that only the payee signed, and says who must sign', async () => {
    const response = await send(app.anyone, signed(payee, transferOf(payer)));
    expect(response.body.error).toBe(
      `agent_auth.commitment is not the agent that must sign this request, ${payer.commitment}. Let that agent sign it.`,
    );
  });

  test('that is sent to a URL with a query string and signed by the agent', async () => {
    const response = await app.anyone.post(`${TRANSFERS}?a=1`, signed(payer, transferOf(payer)));
    expect(codeOf(response)).toEqual([400, 'validation_error']);
  });

  test('that repeats a signed one, even 16 times at once and with an Idempotency-Key without an API key', async () => {
    const body = signed(payer, transferOf(payer));
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => send(app.anyone, body, { 'idempotency-key': 'again' })),
    );
    expect(responses.map(codeOf).sort()).toEqual([
      [201, undefined],
      ...Array.from({ length: 15 }, () => [409, 'nonce_reused']),
    ]);
    expect(await balanceOf(payer)).toBe(9);
  });

  test('of a signed body that was refused for lack of credits, until the credits are there', async () => {
    const from = await creditedAgent(app);
    const body = signed(from, transferOf(from));
    expect(codeOf(await send(app.anyone, body))).toEqual([402, 'insufficient_credits']);
    await app.own.post('/api/v1/passport/credits/grants', { subject_commitment: from.commitment, amount: 1 });
    expect((await send(app.anyone, body)).status).toBe(201);
  });
});

describe('the spending scope of a key', () => {
  const ended = '2020-01-01T00:00:00Z';
  const scopes = [
    ['allows its amount', { max_credits: 3 }, 3, 201, undefined],
    ['refuses more than its amount', { max_credits: 3 }, 4, 402, 'scope_violation'],
    ['of 0 credits refuses every debit', { max_credits: 0 }, 1, 402, 'scope_violation'],
    [
      'with products refuses transfers',
      { products: ['portable_credential_issuance'] },
      1,
      402,
      'scope_violation',
    ],
    ['without any product refuses transfers', { products: [] }, 1, 402, 'scope_violation'],
    ['that has ended refuses every debit', { expires_at: ended }, 1, 403, 'scope_ended'],
    ['that has not ended allows a debit', { expires_at: '2099-01-01T00:00:00Z' }, 1, 201, undefined],
  ] as const;
  for (const [name, scope, amount, status, code] of scopes) {
    test(name, async () => {
      const { trust, firstStart } = app.service;
      const given = 'products' in scope ? { products: [...scope.products] } : scope;
      const holder = await holderOf(app, payer, { scope: given });
      const { api_key } = await createKeyFor(trust, firstStart.operatorId, { scope: given });
      for (const key of [holder, as(api_key)])
        expect(codeOf(await send(key, transferOf(payer, amount)))).toEqual([status, code]);
      expect(await balanceOf(payer)).toBe(status === 201 ? 10 - 2 * amount : 10);
    });
  }

  test('does not limit what the agent itself signed', async () => {
    const holder = await holderOf(app, payer, { scope: { max_credits: 0 } });
    expect((await send(holder, signed(payer, transferOf(payer, 5)))).status).toBe(201);
  });
});

describe('a transfer that is under way when its right ends is refused:', () => {
  /** Sends headers, does `meanwhile`, and then sends the body. */
  async function during(
    caller: Caller,
    body: unknown,
    meanwhile: () => Promise<unknown>,
  ): Promise<unknown[]> {
    const late = lateBody(JSON.stringify(body));
    const headers = new Headers({ 'content-type': 'application/json' });
    if (caller.key !== null) headers.set('authorization', `Bearer ${caller.key}`);
    const request = new Request(`http://localhost${TRANSFERS}`, { method: 'POST', headers, body: late.body });
    const pending = app.fetch(request);
    await late.awaited;
    await meanwhile();
    late.arrive();
    const response = await pending;
    return [response.status, Object(await response.json()).reason_code];
  }

  test('its key is deleted', async () => {
    const { api_key } = await createKeyFor(app.service.trust, app.service.firstStart.operatorId, {});
    const deletion = () => app.own.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(String(api_key))}`);
    expect(await during(as(api_key), transferOf(payer), deletion)).toEqual([401, 'unauthorized']);
    expect(await balanceOf(payer)).toBe(10);
  });

  const callers = {
    'a key of the sponsor': async () => [app.own, transferOf(payer)] as const,
    'its holder key': async () => [await holderOf(app, payer), transferOf(payer)] as const,
    'its signature': async () => [app.anyone, signed(payer, transferOf(payer))] as const,
  };
  for (const [what, made] of Object.entries(callers)) {
    test(`the payer, which ${what} acts for, is revoked`, async () => {
      const [caller, body] = await made();
      const revocation = () => app.own.post(`${AGENTS}/${payer.commitment}/revoke`);
      expect(await during(caller, body, revocation)).toEqual([403, 'agent_not_enrolled']);
      expect(await balanceOf(payer)).toBe(10);
    });
  }

  test('the payee is revoked', async () => {
    const to = await enrolledAgent(app);
    const body = { ...transferOf(payer), to_commitment: to.commitment };
    const revocation = () => app.own.post(`${AGENTS}/${to.commitment}/revoke`);
    expect(await during(app.own, body, revocation)).toEqual([403, 'agent_not_enrolled']);
    expect(await balanceOf(payer)).toBe(10);
  });

  test('the sponsor is not active', async () => {
    const { trust } = app.service;
    const { operator_id: sponsor, api_key } = await createOperator(trust, { name: null, admin: false });
    const from = await creditedAgent(app, { sponsor, credits: { promotional: 5 } });
    const suspension = () => setAccountStatus(trust, sponsor, 'SUSPENDED');
    expect(await during(as(api_key), transferOf(from), suspension)).toEqual([403, 'forbidden']);
    await setAccountStatus(trust, sponsor, 'ACTIVE');
    expect(await during(app.anyone, signed(from, transferOf(from)), suspension)).toEqual([403, 'forbidden']);
    expect(await balanceOf(from)).toBe(5);
  });

  test('the payer gets another sponsor', async () => {
    const change = () =>
      app.own.call('PUT', `${AGENTS}/${payer.commitment}/sponsor`, { operator_id: app.otherId });
    const holder = await holderOf(app, payer);
    expect(await during(holder, transferOf(payer), change)).toEqual([403, 'forbidden']);
    expect(codeOf(await send(app.own, transferOf(payer)))).toEqual([403, 'forbidden']);
    expect((await send(app.other, transferOf(payer))).status).toBe(201);
  });
});

describe('transfers without a key', () => {
  test('are limited by address, and those with a key are not', async () => {
    const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_posts': '2' });
    const body = { from_commitment: '0'.repeat(64), to_commitment: '1'.repeat(64), amount: 1 };
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await limited.anyone.post(TRANSFERS, body)).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
    for (let count = 0; count < 4; count++)
      expect(codeOf(await limited.own.post(TRANSFERS, body))).toEqual([403, 'agent_not_enrolled']);
    await limited.close();
  });

  test("count as writes of the payer's sponsor only if the payer signed them", async () => {
    const limited = await openTrustApp({
      rate_limits: 'on',
      'quotas.free.writes_per_minute': '3',
      'limits.public_posts': '1000',
    });
    const free = await creditedAgent(limited, { sponsor: null, credits: { promotional: 100 } });
    const to = await enrolledAgent(limited);
    const itsAudience = await audienceOf(limited);
    const body = { from_commitment: free.commitment, to_commitment: to.commitment, amount: 1 };
    const call = { method: 'POST', path: TRANSFERS, body, audience: itsAudience };
    const post = (auth: object) => limited.anyone.post(TRANSFERS, { ...body, agent_auth: auth });
    for (let count = 0; count < 10; count++) {
      const forged = agentAuth({ ...to, commitment: free.commitment }, call);
      expect(codeOf(await post(forged))).toEqual([401, 'invalid_proof']);
    }
    const statuses: unknown[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await post(agentAuth(free, call))).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    await limited.close();
  });
});

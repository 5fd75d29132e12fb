import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Authorizing, agentAuth, audienceOf, enrolledAgent } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { client, concurrently } from '../../../../support/client.ts';
import {
  type CreditedAgent,
  creditedAgent,
  holderOf,
  selfProvisionedAgent,
} from '../../../../support/credits.ts';
import { accountsOf, byName } from '../../../../support/ledger-accounts.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const GRANTS = '/api/v1/passport/credits/grants';
const TRANSFERS = '/api/v1/passport/credits/transfers';
const MOST = Number.MAX_SAFE_INTEGER;

let app: TrustApp;
let payer: CreditedAgent;
let payee: CreditedAgent;
let audience: string;

beforeAll(async () => {
  app = await openTrustApp({ 'quotas.free.writes_per_minute': '0' });
  payer = await creditedAgent(app, { credits: { promotional: 100 } });
  payee = await creditedAgent(app, { sponsor: app.otherId });
  audience = await audienceOf(app);
});
afterAll(() => app.close());

const parties = () => ({ from_commitment: payer.commitment, to_commitment: payee.commitment });
const accounts = async () => byName(await accountsOf(app));
const creditsOf = async ({ commitment }: { commitment: string }) =>
  Number((await app.anyone.get(`/api/v1/passport/agents/${commitment}/credits`)).body.available);

describe('an amount that is no number of credits is refused and books nothing:', () => {
  // As they stand in the body: JSON.stringify writes some of them differently.
  const amounts = [
    ...[
      '0',
      '-0',
      '-1',
      '1.5',
      '0.1',
      '1e-1',
      '-1e3',
      '"5"',
      '"1e3"',
      '" 5"',
      'true',
      'null',
      '[5]',
      '{"a":5}',
    ],
    ...['9007199254740992', '9007199254740993', '-9007199254740991', '18446744073709551617', '1e16', '1e300'],
    ...[
      '9007199254740992.0',
      '1E400',
      '0x10',
      '010',
      '+5',
      '5.',
      '.5',
      'NaN',
      'Infinity',
      '5n',
      '1_000',
      '5,"amount":6',
    ],
  ];
  test.each(amounts)('%s', async (amount) => {
    const before = await accounts();
    const { from_commitment, to_commitment } = parties();
    const bodies = [
      [
        TRANSFERS,
        `{"from_commitment":"${from_commitment}","to_commitment":"${to_commitment}","amount":${amount}}`,
      ],
      [GRANTS, `{"subject_commitment":"${to_commitment}","amount":${amount}}`],
    ] as const;
    for (const [path, body] of bodies) {
      const { status, body: problem } = await app.own.post(path, body);
      expect([path, status]).toEqual([path, 400]);
      expect(['validation_error', 'invalid_json']).toContain(String(problem.reason_code));
    }
    expect(await accounts()).toEqual(before);
  });

  test.each([
    ['more than the payer has', MOST],
    ['the largest number', MOST - 1],
  ])('%s is 402', async (_name, amount) => {
    const refused = await app.own.post(TRANSFERS, { ...parties(), amount });
    expect([refused.status, refused.body.reason_code]).toEqual([402, 'insufficient_credits']);
  });

  test('1e1 is the number 10, and its repetition as 10 is the same request', async () => {
    const before = await creditsOf(payee);
    const { from_commitment, to_commitment } = parties();
    const body = (amount: string) =>
      `{"from_commitment":"${from_commitment}","to_commitment":"${to_commitment}","amount":${amount}}`;
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await app.own.post(TRANSFERS, body('1e1'), key);
    const again = await app.own.post(TRANSFERS, body('10'), key);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(await creditsOf(payee)).toBe(before + 10);
  });
});

describe('a request that is sent many times at once is booked once:', () => {
  test('by its Idempotency-Key', async () => {
    const before = await creditsOf(payee);
    const key = { 'idempotency-key': crypto.randomUUID() };
    const body = { ...parties(), amount: 3 };
    const responses = await Promise.all(Array.from({ length: 32 }, () => app.own.post(TRANSFERS, body, key)));
    expect(new Set(responses.map(({ status, body: { transaction_id: id } }) => `${status} ${id}`)).size).toBe(
      1,
    );
    expect(responses[0]?.status).toBe(201);
    const other = await app.own.post(TRANSFERS, { ...body, amount: 4 }, key);
    expect([other.status, other.body.reason_code]).toEqual([422, 'idempotency_key_reused']);
    expect(await creditsOf(payee)).toBe(before + 3);
  });

  test('by the nonce of the signature, whatever its Idempotency-Key is', async () => {
    const before = await creditsOf(payee);
    const body = { ...parties(), amount: 2 };
    const auth = agentAuth(payer, { method: 'POST', path: TRANSFERS, body, audience });
    const responses = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        app.anyone.post(TRANSFERS, { ...body, agent_auth: auth }, { 'idempotency-key': `k${index % 3}` }),
      ),
    );
    const codes = responses.map(({ status, body: { reason_code: code } }) => `${status} ${code ?? ''}`);
    expect(codes.sort()).toEqual(['201 ', ...Array.from({ length: 31 }, () => '409 nonce_reused')]);
    expect(await creditsOf(payee)).toBe(before + 2);
  });
});

test('the same credits, spent over 64 connections at once, are spent once', async () => {
  const poor = await creditedAgent(app, { credits: { promotional: 7, paid: 4, sandbox: 3 } });
  const to = (await enrolledAgent(app)).commitment;
  const body = { from_commitment: poor.commitment, to_commitment: to, amount: 1 };
  const responses = await Promise.all(Array.from({ length: 64 }, () => app.own.post(TRANSFERS, body)));
  const statuses = responses.map(({ status }) => status);
  // Eleven of them promotional and paid, three of sandbox credits.
  expect(statuses.filter((status) => status === 201).length).toBe(14);
  expect(statuses.filter((status) => status === 402).length).toBe(50);
  expect(await creditsOf({ commitment: to })).toBe(11);
  expect(await creditsOf(poor)).toBe(0);
});

describe('the signature of an agent over a transfer authorizes nothing else:', () => {
  const body = () => ({ ...parties(), amount: 1 });
  const line = { method: 'POST', path: TRANSFERS };
  const authFor = (changes: Partial<Authorizing> = {}) =>
    agentAuth(payer, { ...line, body: body(), audience, ...changes });
  const cases: [string, () => { path?: string; body: Record<string, unknown> }, string][] = [
    [
      'with a query string',
      () => ({ path: `${TRANSFERS}?amount=1`, body: { ...body(), agent_auth: authFor() } }),
      '400',
    ],
    [
      'with a larger amount',
      () => ({ body: { ...body(), amount: 2, agent_auth: authFor() } }),
      '401 invalid_proof',
    ],
    ['with a memo', () => ({ body: { ...body(), memo: 'x', agent_auth: authFor() } }), '401 invalid_proof'],
    [
      'with the default kind written out',
      () => ({ body: { ...body(), kind: 'TASK_PAYMENT', agent_auth: authFor() } }),
      '401 invalid_proof',
    ],
    [
      'of another method',
      () => ({ body: { ...body(), agent_auth: authFor({ method: 'PUT' }) } }),
      '401 invalid_proof',
    ],
    [
      'of another path',
      () => ({ body: { ...body(), agent_auth: authFor({ path: GRANTS }) } }),
      '401 invalid_proof',
    ],
    [
      'of another installation',
      () => ({ body: { ...body(), agent_auth: authFor({ audience: 'example.com+00' }) } }),
      '401 invalid_proof',
    ],
    [
      'that has expired',
      () => ({ body: { ...body(), agent_auth: authFor({ expires_at: '2020-01-01T00:00:00.000Z' }) } }),
      '401 invalid_proof',
    ],
    [
      'for more than ten minutes',
      () => ({ body: { ...body(), agent_auth: authFor({ expires_at: '2099-01-01T00:00:00.000Z' }) } }),
      '400 validation_error',
    ],
    [
      'for another agent',
      () => ({
        body: {
          ...body(),
          from_commitment: payee.commitment,
          to_commitment: payer.commitment,
          agent_auth: authFor(),
        },
      }),
      '401 invalid_proof',
    ],
    [
      'with the commitment of another agent',
      () => ({ body: { ...body(), agent_auth: { ...authFor(), commitment: payee.commitment } } }),
      '401 invalid_proof',
    ],
    [
      'with another nonce',
      () => ({ body: { ...body(), agent_auth: { ...authFor(), nonce: crypto.randomUUID() } } }),
      '401 invalid_proof',
    ],
  ];
  test.each(cases)('%s', async (_name, request, expected) => {
    const before = await accounts();
    const { path = TRANSFERS, body: sent } = request();
    const { status, body: problem } = await app.anyone.post(path, sent);
    expect(`${status} ${problem.reason_code}`).toStartWith(expected);
    expect(await accounts()).toEqual(before);
  });

  test('on another path to the same operation', async () => {
    const before = await accounts();
    for (const path of [
      `${TRANSFERS}/`,
      `/${TRANSFERS}`,
      TRANSFERS.replace('credits', '%63redits'),
      TRANSFERS.toUpperCase(),
    ]) {
      const { status } = await app.anyone.post(path, { ...body(), agent_auth: authFor() });
      expect([path, status >= 400]).toEqual([path, true]);
    }
    expect(await accounts()).toEqual(before);
  });

  test('with the names of another host, which it does not depend on', async () => {
    const request = new Request(`http://elsewhere.example${TRANSFERS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'elsewhere.example' },
      body: JSON.stringify({ ...body(), agent_auth: authFor({ audience: 'elsewhere.example' }) }),
    });
    expect((await app.fetch(request)).status).toBe(401);
  });
});

test('a self-provisioned agent and its keys can do nothing with the credits of others', async () => {
  const stranger = await selfProvisionedAgent(app);
  const holder = await holderOf(app, stranger, { operatorId: stranger.operatorId });
  const { api_key: key } = await createKeyFor(app.service.trust, stranger.operatorId, {});
  const issuer = client(app.fetch, 'http://localhost', key);
  const before = await accounts();
  const theft = { from_commitment: payer.commitment, to_commitment: stranger.commitment, amount: 1 };
  const grant = { subject_commitment: stranger.commitment, amount: 1 };
  const attempts = [
    await holder.post(TRANSFERS, theft),
    await issuer.post(TRANSFERS, theft),
    await issuer.post(GRANTS, grant),
    await holder.post(GRANTS, grant),
    await issuer.post('/api/v1/passport/access/override', {
      subject_commitment: stranger.commitment,
      tier: 'FULL',
      reason: 'x',
    }),
    await issuer.post('/api/v1/passport/access/evaluate', { subject_commitment: payer.commitment }),
    await issuer.post('/api/v1/operator/api-keys', { role: 'holder', subject_commitment: payer.commitment }),
  ];
  expect(attempts.map(({ status, body }) => `${status} ${body.reason_code}`)).toEqual([
    '403 forbidden',
    '403 forbidden',
    '402 insufficient_credits',
    '403 forbidden',
    '403 forbidden',
    '403 forbidden',
    '403 forbidden',
  ]);
  expect(await accounts()).toEqual(before);
});

test('1,000 agents that nobody paid stay SHELTERED, and move no credit', async () => {
  const before = await accounts();
  const agents = await Promise.all(Array.from({ length: 1000 }, () => enrolledAgent(app, { sponsor: null })));
  const codes = new Map<string, number>();
  await concurrently(agents, 32, async (agent) => {
    const body = { from_commitment: agent.commitment, to_commitment: payee.commitment, amount: 1 };
    const auth = agentAuth(agent, { method: 'POST', path: TRANSFERS, body, audience });
    const paid = await app.anyone.post(TRANSFERS, { ...body, agent_auth: auth });
    const { tier, evaluation_reason } = (
      await app.anyone.get(`/api/v1/passport/agents/${agent.commitment}/access-tier`)
    ).body;
    const code = `${paid.status} ${paid.body.reason_code} ${tier} ${evaluation_reason}`;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  });
  expect([...codes]).toEqual([['402 insufficient_credits SHELTERED safety_net_floor', 1000]]);
  expect(await accounts()).toEqual(before);
});

test('a refused transfer that a stranger repeats uses up no quota of the agent that signed it', async () => {
  const limited = await openTrustApp({ rate_limits: 'on', 'quotas.free.writes_per_minute': '5' });
  const to = (await enrolledAgent(limited)).commitment;
  const agent = await creditedAgent(limited, { sponsor: null, credits: { promotional: 5 } });
  const signed = async (amount: number) => {
    const body = { from_commitment: agent.commitment, to_commitment: to, amount };
    const line = { method: 'POST', path: TRANSFERS, audience: await audienceOf(limited) };
    return { ...body, agent_auth: agentAuth(agent, { ...line, body }) };
  };
  const tooMuch = await signed(6);
  for (let time = 0; time < 20; time++)
    expect((await limited.anyone.post(TRANSFERS, tooMuch)).status).toBe(402);
  const codes: string[] = [];
  for (let time = 0; time < 6; time++) {
    const { status, body } = await limited.anyone.post(TRANSFERS, await signed(time < 5 ? 1 : 7));
    codes.push(`${status} ${body.reason_code ?? ''}`);
  }
  expect(codes).toEqual([...Array.from({ length: 5 }, () => '201 '), '402 insufficient_credits']);
  await limited.close();
});

test('transfers that an agent signs count against its quota, and one beyond it moves nothing', async () => {
  const limited = await openTrustApp({ rate_limits: 'on', 'quotas.free.writes_per_minute': '3' });
  const to = (await enrolledAgent(limited)).commitment;
  const agent = await creditedAgent(limited, { sponsor: null, credits: { promotional: 9 } });
  const line = { method: 'POST', path: TRANSFERS, audience: await audienceOf(limited) };
  const body = { from_commitment: agent.commitment, to_commitment: to, amount: 1 };
  const responses = await Promise.all(
    Array.from({ length: 6 }, () =>
      limited.anyone.post(TRANSFERS, { ...body, agent_auth: agentAuth(agent, { ...line, body }) }),
    ),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
  const { available } = (await limited.anyone.get(`/api/v1/passport/agents/${agent.commitment}/credits`))
    .body;
  expect(available).toBe(6);
  await limited.close();
});

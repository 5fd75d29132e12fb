import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { type ApiResponse, client } from '../../../../support/client.ts';
import { type CreditedAgent, creditedAgent, fundPool, holderOf } from '../../../../support/credits.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const GRANTS = '/api/v1/passport/credits/grants';
const TRANSFERS = '/api/v1/passport/credits/transfers';
const AGENTS = '/api/v1/passport/agents';
const NIL = '0'.repeat(64);
const MOST = Number.MAX_SAFE_INTEGER;

let app: TrustApp;
let payer: CreditedAgent;
let payee: CreditedAgent;
let revoked: CreditedAgent;

beforeAll(async () => {
  app = await openTrustApp();
  payer = await creditedAgent(app, { credits: { promotional: 1000 } });
  payee = await creditedAgent(app);
  revoked = await creditedAgent(app, { credits: { promotional: 10 } });
  await app.own.post(`${AGENTS}/${revoked.commitment}/revoke`);
});
afterAll(() => app.close());

const creditsOf = async ({ commitment }: { commitment: string }) => {
  const { subject_commitment: _, ...credits } = (await app.anyone.get(`${AGENTS}/${commitment}/credits`))
    .body;
  return credits;
};
const availableOf = async (agent: { commitment: string }) => (await creditsOf(agent)).available;
const poolOf = async (caller = app.own) => (await caller.get('/api/v1/operator/status')).body.credits;
const codeOf = ({ status, body }: ApiResponse) => [status, body.reason_code];
const transfer = (
  from: { commitment: string },
  to: { commitment: string },
  amount: number,
  more: object = {},
) => ({
  from_commitment: from.commitment,
  to_commitment: to.commitment,
  amount,
  ...more,
});
const as = (apiKey: unknown) => client(app.fetch, 'http://localhost', String(apiKey));

/** Amounts that no operation takes, as JSON. */
const AMOUNTS: readonly (readonly [what: string, json: string])[] = [
  ['zero', '0'],
  ['minus zero', '-0'],
  ['a negative amount', '-1'],
  ['a fraction', '1.5'],
  ['a tiny fraction', '1e-9'],
  ['a string', '"5"'],
  ['a string with an exponent', '"1e3"'],
  ['true', 'true'],
  ['null', 'null'],
  ['a list', '[5]'],
  ['an object', '{"valueOf":5}'],
  ['2^53', '9007199254740992'],
  ['2^53 + 1, which no double holds', '9007199254740993'],
  ['a huge number', '1e300'],
];

describe('a grant', () => {
  test('moves credits from the pool of the operator to any enrolled agent', async () => {
    const before = await poolOf();
    const strange = await creditedAgent(app, { sponsor: app.otherId });
    const { status, body } = await app.own.post(GRANTS, {
      subject_commitment: strange.commitment,
      amount: 40,
      memo: 'welcome',
    });
    expect([status, body]).toEqual([
      201,
      {
        transaction_id: expect.stringMatching(/^txn_[0-9a-f]{31}0$/),
        kind: 'OPERATOR_GRANT',
        amount: 40,
        balances: { granted: 40, earned: 0, spent: 0, locked: 0, available: 40 },
      },
    ]);
    expect(await poolOf()).toBe(Number(before) - 40);
    expect(codeOf(await app.own.post(TRANSFERS, transfer(strange, payee, 1)))).toEqual([403, 'forbidden']);
  });

  test('of more than the pool has is refused and moves nothing', async () => {
    const before = await poolOf(app.other);
    const grant = { subject_commitment: payee.commitment, amount: Number(before) + 1 };
    expect(codeOf(await app.other.post(GRANTS, grant))).toEqual([402, 'insufficient_credits']);
    expect([await poolOf(app.other), await availableOf(payee)]).toEqual([before, 0]);
  });

  test('is limited by the spending scope of the key', async () => {
    const { trust, firstStart } = app.service;
    const { api_key } = await createKeyFor(trust, firstStart.operatorId, { scope: { max_credits: 5 } });
    const to = await creditedAgent(app);
    const of = (amount: number) => as(api_key).post(GRANTS, { subject_commitment: to.commitment, amount });
    expect(codeOf(await of(6))).toEqual([402, 'scope_violation']);
    expect((await of(5)).status).toBe(201);
  });

  test('is not possible with a holder key', async () => {
    const holder = await holderOf(app, payer);
    const grant = { subject_commitment: payer.commitment, amount: 1 };
    expect(codeOf(await holder.post(GRANTS, grant))).toEqual([403, 'forbidden']);
  });

  const refused = (body: object) => ({
    body: () => ({ subject_commitment: payee.commitment, amount: 1, ...body }),
  });
  scenarios(
    () => app,
    [
      ...AMOUNTS.map(
        ([what, json]) =>
          [
            `of ${what} is refused`,
            `POST ${GRANTS}`,
            '400',
            { raw: `{"subject_commitment":"${NIL}","amount":${json}}` },
          ] as const,
      ),
      [
        'for an unknown agent is refused',
        `POST ${GRANTS}`,
        '403 agent_not_enrolled',
        refused({ subject_commitment: NIL }),
      ],
      [
        'for a revoked agent is refused',
        `POST ${GRANTS}`,
        '403 agent_not_enrolled',
        { body: () => ({ subject_commitment: revoked.commitment, amount: 1 }) },
      ],
      ['without a key is refused', `POST ${GRANTS}`, '401 unauthorized', { by: 'anyone', ...refused({}) }],
    ],
    { effects: async () => expect(await availableOf(payee)).toBe(0) },
  );

  test.each([
    ['a line separator', 'a\u2028b'],
    ['a right-to-left override', 'a\u202eb'],
    ['an isolate', 'a\u2067b'],
    ['an Arabic letter mark', 'a\u061cb'],
    ['a line feed', 'a\nb'],
  ])('with %s in the memo is refused', async (_, memo) => {
    const to = await creditedAgent(app);
    const { status, body } = await app.own.post(GRANTS, {
      subject_commitment: to.commitment,
      amount: 1,
      memo,
    });
    expect([status, Object.keys(Object(body.issues))]).toEqual([400, ['memo']]);
  });

  test('with a memo of 256 characters outside the basic plane is stored whole', async () => {
    const to = await creditedAgent(app);
    const memo = '𝄞'.repeat(256);
    const made = await app.own.post(GRANTS, { subject_commitment: to.commitment, amount: 1, memo });
    expect(made.status).toBe(201);
    const { body } = await app.own.get(`${AGENTS}/${to.commitment}/credit-journal`);
    expect(body.entries).toEqual([expect.objectContaining({ memo })]);
  });
});

describe('a transfer', () => {
  test('moves credits from one agent to another', async () => {
    const [from, to] = [await creditedAgent(app, { credits: { promotional: 30 } }), await creditedAgent(app)];
    const { status, body } = await app.own.post(TRANSFERS, transfer(from, to, 12));
    expect([status, body]).toEqual([
      201,
      {
        transaction_id: expect.stringMatching(/^txn_[0-9a-f]{31}0$/),
        kind: 'TASK_PAYMENT',
        amount: 12,
        balances: { granted: 30, earned: 0, spent: 12, locked: 0, available: 18 },
      },
    ]);
    expect(await creditsOf(to)).toEqual({ granted: 0, earned: 12, spent: 0, locked: 0, available: 12 });
    const gift = await app.own.post(TRANSFERS, transfer(to, from, 2, { kind: 'PEER_GIFT' }));
    expect([gift.body.kind, await availableOf(from)]).toEqual(['PEER_GIFT', 20]);
  });

  test('takes promotional credits first, then paid ones, and keeps their class', async () => {
    const credits = { promotional: 5, paid: 10, sandbox: 100 };
    const [from, to] = [await creditedAgent(app, { credits }), await creditedAgent(app)];
    expect((await app.own.post(TRANSFERS, transfer(from, to, 8))).body.balances).toEqual({
      granted: 15,
      earned: 0,
      spent: 8,
      locked: 0,
      available: 7,
      sandbox: { granted: 100, earned: 0, spent: 0, locked: 0, available: 100 },
    });
    const { body } = await app.own.get(`${AGENTS}/${to.commitment}/credit-journal`);
    expect(body.entries).toEqual([
      expect.objectContaining({ asset: 'paid', amount: 3, balance_after: 3 }),
      expect.objectContaining({ asset: 'promotional', amount: 5, balance_after: 5 }),
    ]);
  });

  test('takes sandbox credits only where the others do not suffice, and never mixes them', async () => {
    const credits = { promotional: 5, paid: 10, sandbox: 100 };
    const [from, to] = [await creditedAgent(app, { credits }), await creditedAgent(app)];
    expect((await app.own.post(TRANSFERS, transfer(from, to, 16))).status).toBe(201);
    expect(await creditsOf(to)).toEqual({
      granted: 0,
      earned: 0,
      spent: 0,
      locked: 0,
      available: 0,
      sandbox: { granted: 0, earned: 16, spent: 0, locked: 0, available: 16 },
    });
    // 15 + 84 credits are there, but no debit can take them together.
    const mixed = await app.own.post(TRANSFERS, transfer(from, to, 85));
    expect([codeOf(mixed), String(mixed.body.error)]).toEqual([
      [402, 'insufficient_credits'],
      expect.stringContaining('has 84 credits'),
    ]);
  });

  const refused = (body: object) => ({ body: () => ({ ...transfer(payer, payee, 1), ...body }) });
  scenarios(
    () => app,
    [
      ...AMOUNTS.map(
        ([what, json]) =>
          [
            `of ${what} is refused`,
            `POST ${TRANSFERS}`,
            '400',
            { raw: `{"from_commitment":"${NIL}","to_commitment":"${'1'.repeat(64)}","amount":${json}}` },
          ] as const,
      ),
      [
        'of more than the payer has is refused',
        `POST ${TRANSFERS}`,
        '402 insufficient_credits',
        refused({ amount: 1001 }),
      ],
      ['of 2^53 − 1 is refused', `POST ${TRANSFERS}`, '402 insufficient_credits', refused({ amount: MOST })],
      [
        'from an agent to itself is refused',
        `POST ${TRANSFERS}`,
        '400 validation_error: to_commitment',
        { body: () => transfer(payer, payer, 1) },
      ],
      [
        'to an unknown agent is refused',
        `POST ${TRANSFERS}`,
        '403 agent_not_enrolled',
        refused({ to_commitment: NIL }),
      ],
      [
        'from an unknown agent is refused',
        `POST ${TRANSFERS}`,
        '403 agent_not_enrolled',
        refused({ from_commitment: NIL }),
      ],
      [
        'to a revoked agent is refused',
        `POST ${TRANSFERS}`,
        '403 agent_not_enrolled',
        { body: () => transfer(payer, revoked, 1) },
      ],
      [
        'from a revoked agent is refused',
        `POST ${TRANSFERS}`,
        '403 agent_not_enrolled',
        { body: () => transfer(revoked, payee, 1) },
      ],
      [
        'with a reference is refused, which only the service writes',
        `POST ${TRANSFERS}`,
        '400 validation_error: reference',
        refused({ reference: 'task' }),
      ],
      [
        'without key and signature is refused',
        `POST ${TRANSFERS}`,
        '401 unauthorized',
        { by: 'anyone', ...refused({}) },
      ],
      [
        'that is no object is refused',
        `POST ${TRANSFERS}`,
        '400 validation_error: body',
        { by: 'anyone', raw: '[]' },
      ],
    ],
    { effects: async () => expect(await availableOf(payer)).toBe(1000) },
  );

  test('whose sum would exceed 2^53 − 1 is refused and moves nothing', async () => {
    const rich = await createOperator(app.service.trust, { name: 'rich', admin: false });
    await fundPool(app, rich.operator_id, { sandbox: MOST - 10_000 });
    const [left, right] = [await creditedAgent(app), await creditedAgent(app)];
    const grant = { subject_commitment: left.commitment, amount: MOST - 10_000 };
    expect((await as(rich.api_key).post(GRANTS, grant)).status).toBe(201);
    const all = (from: CreditedAgent, to: CreditedAgent) =>
      app.own.post(TRANSFERS, transfer(from, to, MOST - 10_000));
    expect((await all(left, right)).status).toBe(201);
    // Back again, all that it ever received would be twice as much.
    const before = [await creditsOf(left), await creditsOf(right)];
    expect(codeOf(await all(right, left))).toEqual([409, 'conflict']);
    expect([await creditsOf(left), await creditsOf(right)]).toEqual(before);
  });

  test('is one of many at once, and only as many succeed as the credits suffice for', async () => {
    const from = await creditedAgent(app, { credits: { promotional: 7, paid: 3 } });
    const to = await Promise.all([1, 2, 3].map(() => creditedAgent(app)));
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        app.own.post(TRANSFERS, transfer(from, to[index % 3] ?? from, 1)),
      ),
    );
    expect(responses.map(codeOf).sort()).toEqual([
      ...Array.from({ length: 10 }, () => [201, undefined]),
      ...Array.from({ length: 54 }, () => [402, 'insufficient_credits']),
    ]);
    const received = await Promise.all(to.map(availableOf));
    expect(received.reduce((sum: number, credits) => sum + Number(credits), 0)).toBe(10);
    expect(await creditsOf(from)).toEqual({ granted: 10, earned: 0, spent: 10, locked: 0, available: 0 });
  });

  test('that is repeated with its Idempotency-Key moves credits once, even at the same time', async () => {
    const [from, to] = [await creditedAgent(app, { credits: { promotional: 10 } }), await creditedAgent(app)];
    const send = (amount = 4) =>
      app.own.post(TRANSFERS, transfer(from, to, amount), { 'idempotency-key': from.commitment });
    const [first, second] = await Promise.all([send(), send()]);
    expect(second?.body).toEqual(first?.body);
    expect([first, second].map((one) => one?.headers.get('idempotency-replayed')).sort()).toEqual([
      null,
      'true',
    ]);
    expect((await send()).body).toEqual(first?.body);
    expect(codeOf(await send(5))).toEqual([422, 'idempotency_key_reused']);
    expect(await availableOf(to)).toBe(4);
  });

  test('that was refused leaves its Idempotency-Key free', async () => {
    const [from, to] = [await creditedAgent(app), await creditedAgent(app)];
    const send = () => app.own.post(TRANSFERS, transfer(from, to, 4), { 'idempotency-key': from.commitment });
    expect(codeOf(await send())).toEqual([402, 'insufficient_credits']);
    await app.own.post(GRANTS, { subject_commitment: from.commitment, amount: 4 });
    expect([(await send()).status, await availableOf(to)]).toEqual([201, 4]);
  });
});

describe('the credits of an agent', () => {
  scenarios(
    () => app,
    [
      [
        'that never had any are zeros',
        () => `GET ${AGENTS}/${payee.commitment}/credits`,
        '200',
        {
          contains: ['"available":0'],
          lacks: ['sandbox'],
        },
      ],
      ['that does not exist are not found', `GET ${AGENTS}/${NIL}/credits`, '404 not_found'],
      ['with a malformed commitment are not found', `GET ${AGENTS}/abc/credits`, '404 not_found'],
      [
        'that was revoked can still be read',
        () => `GET ${AGENTS}/${revoked.commitment}/credits`,
        '200',
        {
          contains: ['"available":10'],
        },
      ],
    ],
    { by: 'anyone' },
  );

  test('are limited by address', async () => {
    const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_reads': '2' });
    const read = () => limited.anyone.get(`${AGENTS}/${NIL}/credits`);
    const statuses = [(await read()).status, (await read()).status, (await read()).status];
    expect(statuses).toEqual([404, 404, 429]);
    await limited.close();
  });
});

test('a transfer with an agent that is unknown or revoked says which of the two agents it is', async () => {
  const unknown = await app.own.post(TRANSFERS, transfer(payer, { commitment: NIL }, 1));
  expect(unknown.body.error).toBe(`The agent ${NIL} has not completed enrollment. Enroll it first.`);
  const ended = await app.own.post(TRANSFERS, transfer(payer, revoked, 1));
  expect(ended.body.error).toStartWith(`The agent ${revoked.commitment} was revoked at `);
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import type { ApiResponse } from '../../../../support/client.ts';
import { creditedAgent, holderOf, selfProvisionedAgent } from '../../../../support/credits.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';
const OVERRIDE = '/api/v1/passport/access/override';
const EVALUATE = '/api/v1/passport/access/evaluate';
const NIL = '0'.repeat(64);

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

type Agent = { commitment: string };
const codeOf = ({ status, body }: ApiResponse) => [status, body.reason_code];
const tierOf = async ({ commitment }: Agent, of = app) => {
  const { body } = await of.anyone.get(`${AGENTS}/${commitment}/access-tier`);
  return [body.tier, body.evaluation_reason];
};
const liveOf = async ({ commitment }: Agent) =>
  (await app.anyone.get(`${AGENTS}/${commitment}/passport-live`)).body;
const override = ({ commitment }: Agent, tier: string | null, caller = app.own) =>
  caller.post(OVERRIDE, { subject_commitment: commitment, tier, reason: 'a review' });
const evaluate = ({ commitment }: Agent, caller = app.own) =>
  caller.post(EVALUATE, { subject_commitment: commitment });

describe('the access tier of an agent', () => {
  const balances = [
    [0, 'SHELTERED', 'safety_net_floor'],
    [1, 'SANDBOXED', 'low_balance_sandbox'],
    [9, 'SANDBOXED', 'low_balance_sandbox'],
    [10, 'LIMITED', 'low_balance_limited'],
    [49, 'LIMITED', 'low_balance_limited'],
    [50, 'FULL', 'sufficient_balance'],
  ] as const;
  for (const [credits, tier, reason] of balances) {
    test(`with ${credits} credits is ${tier}`, async () => {
      const half = Math.floor(credits / 2);
      const agent = await creditedAgent(app, { credits: { promotional: half, paid: credits - half } });
      expect(await tierOf(agent)).toEqual([tier, reason]);
      expect(await liveOf(agent)).toEqual({
        subject_commitment: agent.commitment,
        state: 'ISSUED',
        balances: { granted: credits, earned: 0, spent: 0, locked: 0, available: credits },
        tier,
        evaluation_reason: reason,
        credit_state: 'active',
        as_of: expect.stringMatching(/^\d{4}-.*Z$/),
      });
    });
  }

  test('ignores sandbox credits', async () => {
    const agent = await creditedAgent(app, { credits: { promotional: 1, sandbox: 1000 } });
    expect(await tierOf(agent)).toEqual(['SANDBOXED', 'low_balance_sandbox']);
    expect((await evaluate(agent)).body.evaluated_tier).toBe('SANDBOXED');
  });

  test('follows every movement at once', async () => {
    const [from, to] = [await creditedAgent(app, { credits: { paid: 60 } }), await creditedAgent(app)];
    const transfer = { from_commitment: from.commitment, to_commitment: to.commitment, amount: 15 };
    await app.own.post('/api/v1/passport/credits/transfers', transfer);
    for (const agent of [from, to]) {
      const { body } = await app.anyone.get(`${AGENTS}/${agent.commitment}/access-tier`);
      expect(body).toMatchObject({ tier: 'LIMITED', evaluated_tier: 'LIMITED', override_tier: null });
    }
  });

  test('of an agent that never had credits has no time of evaluation, until it is evaluated', async () => {
    const agent = await enrolledAgent(app);
    const { body } = await app.anyone.get(`${AGENTS}/${agent.commitment}/access-tier`);
    expect(body).toEqual({
      subject_commitment: agent.commitment,
      tier: 'SHELTERED',
      evaluated_tier: 'SHELTERED',
      override_tier: null,
      evaluation_reason: 'safety_net_floor',
      evaluated_at: null,
    });
    const evaluated = await evaluate(agent);
    expect(evaluated.body).toEqual({ ...body, evaluated_at: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  test('is SUSPENDED once the agent is revoked', async () => {
    const agent = await creditedAgent(app, { credits: { paid: 60 } });
    await app.own.post(`${AGENTS}/${agent.commitment}/revoke`);
    expect(await tierOf(agent)).toEqual(['SUSPENDED', 'credit_inactive']);
    expect(await liveOf(agent)).toMatchObject({
      state: 'REVOKED',
      credit_state: 'inactive',
      balances: { available: 60 },
    });
  });

  test('is SUSPENDED while the sponsor is, whatever an override says', async () => {
    const { trust } = app.service;
    const { operator_id: sponsor } = await createOperator(trust, { name: null, admin: false });
    const agent = await creditedAgent(app, { sponsor, credits: { paid: 60 } });
    await setAccountStatus(trust, sponsor, 'SUSPENDED');
    expect(await tierOf(agent)).toEqual(['SUSPENDED', 'credit_inactive']);
    const overridden = await override(agent, 'FULL');
    expect(overridden.body).toMatchObject({ tier: 'SUSPENDED', override_tier: 'FULL' });
    await setAccountStatus(trust, sponsor, 'ACTIVE');
    expect(await tierOf(agent)).toEqual(['FULL', 'admin_override']);
  });

  test('stays SHELTERED for 1,000 agents that are self-provisioned or without a sponsor', async () => {
    const strangers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        index % 2 === 0 ? selfProvisionedAgent(app) : enrolledAgent(app, { sponsor: null }),
      ),
    );
    const rich = await creditedAgent(app, { credits: { paid: 100 } });
    for (const [index, agent] of strangers.entries()) {
      // None has credits that it could send, to itself or to the next one.
      const to = strangers[(index + 1) % strangers.length] ?? rich;
      const transfer = { from_commitment: agent.commitment, to_commitment: to.commitment, amount: 1 };
      if (index % 100 === 1) {
        expect(codeOf(await app.own.post('/api/v1/passport/credits/transfers', transfer))).toEqual([
          402,
          'insufficient_credits',
        ]);
      }
      expect(await tierOf(agent)).toEqual(['SHELTERED', 'safety_net_floor']);
    }
    const [first = rich] = strangers;
    const grant = { subject_commitment: first.commitment, amount: 10 };
    await app.own.post('/api/v1/passport/credits/grants', grant);
    expect(await tierOf(first)).toEqual(['LIMITED', 'low_balance_limited']);
  });

  test('follows other thresholds from the next start on, and its stored evaluation from the next movement on', async () => {
    const strict = await openTrustApp({
      'tiers.full': '500',
      'tiers.limited': '100',
      'tiers.sandboxed': '60',
    });
    const agent = await creditedAgent(strict, { credits: { paid: 99 } });
    expect(await tierOf(agent, strict)).toEqual(['SANDBOXED', 'low_balance_sandbox']);
    await strict.close();
  });
});

describe('an override', () => {
  test('applies until it is ended, and keeps every reason', async () => {
    const agent = await creditedAgent(app, { credits: { paid: 60 } });
    expect((await override(agent, 'SANDBOXED')).body).toEqual({
      subject_commitment: agent.commitment,
      tier: 'SANDBOXED',
      evaluated_tier: 'FULL',
      override_tier: 'SANDBOXED',
      evaluation_reason: 'admin_override',
      evaluated_at: expect.any(String),
    });
    expect((await evaluate(agent)).body.tier).toBe('SANDBOXED');
    expect((await override(agent, null)).body).toMatchObject({ tier: 'FULL', override_tier: null });
    const { store } = app.service.trust;
    const rows = await store.read(({ connection: { sqlite } }) =>
      sqlite
        .query('SELECT tier, reason FROM access_override WHERE agent_seq = ? ORDER BY override_seq')
        .all(agent.agent.agentSeq),
    );
    expect(rows).toEqual([
      { tier: 'SANDBOXED', reason: 'a review' },
      { tier: null, reason: 'a review' },
    ]);
  });

  test('is never changed or deleted', async () => {
    const agent = await enrolledAgent(app);
    await override(agent, 'FULL');
    for (const sql of ["UPDATE access_override SET reason = 'x'", 'DELETE FROM access_override']) {
      const change = app.service.trust.store.writeAsService(
        ({ connection: { sqlite } }) => void sqlite.run(sql),
      );
      await expect(change).rejects.toThrow(/^overrides (?:never change|are never deleted)$/);
    }
  });

  test('gives no credits', async () => {
    const [from, to] = [await enrolledAgent(app), await enrolledAgent(app)];
    await override(from, 'FULL');
    const transfer = { from_commitment: from.commitment, to_commitment: to.commitment, amount: 1 };
    const response = await app.own.post('/api/v1/passport/credits/transfers', transfer);
    expect(codeOf(response)).toEqual([402, 'insufficient_credits']);
  });

  test('needs an admin key: no other issuer key, no holder key', async () => {
    const agent = await enrolledAgent(app, { sponsor: app.otherId });
    expect(codeOf(await override(agent, 'FULL', app.other))).toEqual([403, 'forbidden']);
    const own = await enrolledAgent(app);
    expect(codeOf(await override(own, 'FULL', await holderOf(app, own)))).toEqual([403, 'forbidden']);
  });

  const sent = (body: object) => ({
    body: { subject_commitment: NIL, tier: 'FULL', reason: 'a review', ...body },
  });
  scenarios(
    () => app,
    [
      ['of an unknown agent is not found', `POST ${OVERRIDE}`, '404 not_found', sent({})],
      ['without a key is refused', `POST ${OVERRIDE}`, '401 unauthorized', { by: 'anyone', ...sent({}) }],
    ],
  );
});

describe('an evaluation', () => {
  test("needs a key of the agent's sponsor or an admin key", async () => {
    const agent = await enrolledAgent(app);
    expect(codeOf(await evaluate(agent, app.other))).toEqual([403, 'forbidden']);
    const another = await enrolledAgent(app, { sponsor: app.otherId });
    expect([(await evaluate(another, app.other)).status, (await evaluate(another)).status]).toEqual([
      200, 200,
    ]);
  });

  test('with an Idempotency-Key is repeated', async () => {
    const agent = await enrolledAgent(app);
    const send = () =>
      app.own.post(
        EVALUATE,
        { subject_commitment: agent.commitment },
        { 'idempotency-key': agent.commitment },
      );
    const first = await send();
    const second = await send();
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
  });

  scenarios(
    () => app,
    [
      [
        'of an unknown agent is not found',
        `POST ${EVALUATE}`,
        '404 not_found',
        { body: { subject_commitment: NIL } },
      ],
      [
        'without a key is refused',
        `POST ${EVALUATE}`,
        '401 unauthorized',
        { by: 'anyone', body: { subject_commitment: NIL } },
      ],
      [
        'of two agents is refused',
        `POST ${EVALUATE}`,
        '400 validation_error: subject_commitment',
        { body: { subject_commitment: [NIL, NIL] } },
      ],
    ],
  );
});

describe('the governance of an agent', () => {
  test('has its live state, tier and newest entries as strangers see them', async () => {
    const agent = await creditedAgent(app, { credits: { paid: 60 } });
    for (let count = 0; count < 25; count++)
      await app.own.post('/api/v1/passport/credits/grants', {
        subject_commitment: agent.commitment,
        amount: 1,
        memo: 'private',
      });
    for (const caller of [app.anyone, app.own]) {
      const { status, body } = await caller.get(`${AGENTS}/${agent.commitment}/governance`);
      expect([status, body.wallet, JSON.stringify(body).includes('private')]).toEqual([200, null, false]);
      expect(body.live).toMatchObject({ balances: { granted: 85 }, tier: 'FULL' });
      expect(body.access_tier).toMatchObject({ subject_commitment: agent.commitment, tier: 'FULL' });
      expect(Object(body.entries).length).toBe(20);
    }
  });

  test('is not found for an agent that never had credits', async () => {
    const agent = await enrolledAgent(app);
    const response = await app.anyone.get(`${AGENTS}/${agent.commitment}/governance`);
    expect([codeOf(response), String(response.body.error)]).toEqual([
      [404, 'not_found'],
      expect.stringContaining('never had credits'),
    ]);
  });

  scenarios(
    () => app,
    [
      ['of an unknown agent is not found', `GET ${AGENTS}/${NIL}/governance`, '404 not_found'],
      [
        'of an unknown agent is not found, nor is its live state',
        `GET ${AGENTS}/${NIL}/passport-live`,
        '404 not_found',
      ],
      [
        'of an unknown agent is not found, nor is its access tier',
        `GET ${AGENTS}/${NIL}/access-tier`,
        '404 not_found',
      ],
    ],
    { by: 'anyone' },
  );
});

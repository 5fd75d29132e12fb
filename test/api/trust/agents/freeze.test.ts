import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { clawBack } from '../../../../src/trust/ledger/credits/claw-back.ts';
import { showUnclaimed } from '../../../../src/trust/ledger/credits/show-unclaimed.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import type { EmittedEvent } from '../../../../src/trust/webhooks/events.ts';
import { agentAuth, audienceOf } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { client } from '../../../support/client.ts';
import { journalOf } from '../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent } from '../../../support/credits.ts';
import { accountsOf, byName } from '../../../support/ledger-accounts.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';
import { operatorSeqOf } from '../../../support/webhooks.ts';

let app: TrustApp;
let agent: CreditedAgent;
let friend: CreditedAgent;

beforeEach(async () => {
  app = await openTrustApp();
  agent = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 20, paid: 2000 } });
  friend = await creditedAgent(app);
});
afterEach(() => app.close());

const path = (verb: string, { commitment } = agent) => `/api/v1/passport/agents/${commitment}/${verb}`;
const freeze = () => app.own.post(path('freeze'), { reason: 'disputed payment' });
const keyOf = async (operatorId: string, more: object) => {
  const { api_key } = await createKeyFor(app.service.trust, operatorId, more);
  return client(app.fetch, 'http://localhost', api_key);
};

const holder = () => keyOf(app.otherId, { role: 'holder', subject_commitment: agent.commitment });

test('only admin keys freeze an agent and end a freeze', async () => {
  const callers = [
    app.other,
    await holder(),
    await keyOf(app.otherId, { scope: { max_credits: 1 } }),
    await keyOf(app.service.firstStart.operatorId, {}),
  ];
  for (const caller of callers) {
    expect((await caller.post(path('freeze'), { reason: 'x' })).body.reason_code).toBe('forbidden');
    expect((await caller.post(path('unfreeze'))).body.reason_code).toBe('forbidden');
  }
  expect((await app.anyone.post(path('freeze'), { reason: 'x' })).status).toBe(401);
  expect((await app.own.post(path('freeze'), {})).status).toBe(400);
  expect((await app.own.post(path('freeze'), { reason: 'a\u0000b' })).status).toBe(400);
  expect((await app.own.post(path('unfreeze'))).body.frozen).toBeNull();
  await setAccountStatus(app.service.trust, app.service.firstStart.operatorId, 'SUSPENDED');
  expect((await freeze()).body.reason_code).toBe('forbidden');
});

test('a spending scope of an admin key is none of it, and ends freezing when it ends', async () => {
  await app.close();
  const time = new VirtualTime();
  app = await openTrustApp({}, time);
  agent = await creditedAgent(app, { sponsor: app.otherId });
  const expires_at = new Date(time.now() + 1000).toISOString();
  const { operatorId } = app.service.firstStart;
  const limited = await keyOf(operatorId, { admin: true, scope: { max_credits: 1, expires_at } });
  expect((await limited.post(path('freeze'), { reason: 'x' })).status).toBe(200);
  time.advance(1001);
  const refused = await limited.post(path('unfreeze'));
  expect([refused.status, refused.body.reason_code]).toEqual([403, 'scope_ended']);
});

test('the sponsor sees the freeze and its reason, and the public only the tier SUSPENDED', async () => {
  const { status, body } = await freeze();
  expect(status).toBe(200);
  expect(body.frozen).toMatchObject({ reason: 'disputed payment' });
  expect((await freeze()).body.reason_code).toBe('invalid_state');
  const { body: list } = await app.other.get('/api/v1/passport/agents');
  expect(Object(list.agents)[0].frozen).toEqual(body.frozen);
  const views = ['passport', 'passport-live', 'credits', 'access-tier'];
  const shown = await Promise.all(
    views.map(async (view) => JSON.stringify((await app.anyone.get(path(view))).body)),
  );
  expect(shown.join('')).not.toContain('disputed payment');
  expect((await app.own.post(path('unfreeze'))).body.frozen).toBeNull();
});

test('a freeze and its end are announced once each, to the sponsor of the agent', async () => {
  const events: EmittedEvent[] = [];
  app.service.trust.events.listen((event) => void events.push(event));
  const sponsor = await operatorSeqOf(app, app.otherId);
  await Promise.all([freeze(), freeze()]);
  await app.own.post(path('unfreeze'));
  await app.own.post(path('unfreeze'));
  await app.other.post(path('freeze'), { reason: 'not an administrator' });
  const about = { subject_commitment: agent.commitment };
  expect(events).toEqual([
    {
      event: 'agent.frozen',
      data: { ...about, reason: 'disputed payment' },
      timestamp: expect.any(String),
      operators: [sponsor],
    },
    { event: 'agent.unfrozen', data: about, timestamp: expect.any(String), operators: [sponsor] },
  ]);
});

test('nothing leaves a frozen agent by any key or signature, and it still receives', async () => {
  const audience = await audienceOf(app);
  const before = await app.other.post('/api/v1/agent-pay/withdraw', {
    subject_commitment: agent.commitment,
    amount: 1000,
    reference: 'before',
  });
  expect(before.status).toBe(201);
  expect((await freeze()).status).toBe(200);
  const accounts = byName(await accountsOf(app));
  const soon = new Date(Date.now() + 60_000).toISOString();
  const requests: [string, JsonObject][] = [
    [
      '/api/v1/passport/credits/transfers',
      { from_commitment: agent.commitment, to_commitment: friend.commitment, amount: 1 },
    ],
    [
      '/api/v1/agent-pay/withdraw',
      { subject_commitment: agent.commitment, amount: 1000, reference: 'after' },
    ],
    [
      '/api/v1/passport/engagements',
      { task_id: 't', hirer_commitment: agent.commitment, worker_commitment: friend.commitment, amount: 1 },
    ],
    [
      '/api/v1/acp/task',
      { hirer_commitment: agent.commitment, worker_commitment: friend.commitment, amount: 1 },
    ],
    [
      '/api/v1/agent-pay/spend',
      {
        subject_commitment: agent.commitment,
        product: 'reputation_lookup_verified',
        max_credits: 5,
        nonce: 'n'.repeat(16),
        expires_at: soon,
      },
    ],
  ];
  const byHolder = await holder();
  for (const [url, body] of requests) {
    const agent_auth = agentAuth(agent, { method: 'POST', path: url, body, audience });
    for (const answer of [
      await app.other.post(url, body),
      await byHolder.post(url, body),
      await app.anyone.post(url, { ...body, agent_auth }),
    ])
      expect([url, answer.status, answer.body.reason_code]).toEqual([url, 403, 'forbidden']);
  }
  expect(byName(await accountsOf(app))).toEqual(accounts);
  const { body: open } = await app.other.get(`/api/v1/agent-pay/withdrawals/${before.body.withdrawal_id}`);
  expect(Object(open.withdrawal).waiting_for).toBe('active_agent');
  expect(
    (
      await app.own.post('/api/v1/passport/credits/grants', {
        subject_commitment: agent.commitment,
        amount: 7,
      })
    ).status,
  ).toBe(201);
});

test('a frozen agent changes neither sponsor nor name, but by an admin key', async () => {
  const audience = await audienceOf(app);
  await freeze();
  const third = await keyOf(app.service.firstStart.operatorId, {});
  const body = { operator_id: app.service.firstStart.operatorId };
  const agent_auth = agentAuth(agent, { method: 'PUT', path: path('sponsor'), body, audience });
  expect((await third.call('PUT', path('sponsor'), { ...body, agent_auth })).body.reason_code).toBe(
    'forbidden',
  );
  expect((await app.other.call('PUT', path('name'), { name: 'New' })).body.reason_code).toBe('forbidden');
  expect((await app.own.call('PUT', path('name'), { name: 'New' })).status).toBe(200);
  expect((await app.own.call('PUT', path('sponsor'), body)).status).toBe(200);
});

test('a claw-back moves credits of a frozen agent to the pool of its sponsor, and they keep their class', async () => {
  await freeze();
  const { trust } = app.service;
  const before = byName(await accountsOf(app));
  const moved = await clawBack(trust, agent.commitment, {
    amount: 500,
    class: 'paid',
    reason: 'stolen card',
  });
  expect(moved).toMatchObject({ kind: 'ADJUSTMENT', amount: 500, balances: { available: 1520 } });
  await clawBack(trust, agent.commitment, { amount: 1520, reason: 'stolen card' });
  const refused = await clawBack(trust, agent.commitment, { amount: 1, reason: 'more' }).catch(
    (error) => error.code,
  );
  expect(refused).toBe('insufficient_credits');
  expect(byName(await accountsOf(app))).not.toEqual(before);
  const [entry] = await journalOf(app.other, agent.commitment);
  expect(entry).toMatchObject({
    kind: 'ADJUSTMENT',
    direction: 'debit',
    reference: 'claw_back',
    memo: 'stolen card',
  });
});

test('a claw-back from an agent without a sponsor goes to unclaimed', async () => {
  expect((await app.own.call('PUT', path('sponsor'), { operator_id: null })).status).toBe(200);
  await clawBack(app.service.trust, agent.commitment, { amount: 20, reason: 'x' });
  expect((await showUnclaimed(app.service.trust)).promotional).toBe(20);
});

test('claw-backs beside transfers take each credit once', async () => {
  const { trust } = app.service;
  const transfer = { from_commitment: agent.commitment, to_commitment: friend.commitment, amount: 100 };
  const results = await Promise.all([
    ...Array.from({ length: 16 }, () => app.other.post('/api/v1/passport/credits/transfers', transfer)),
    ...Array.from({ length: 16 }, () =>
      clawBack(trust, agent.commitment, { amount: 100, reason: 'x' }).then(
        () => ({ status: 201 }),
        () => ({ status: 409 }),
      ),
    ),
  ]);
  expect(results.filter(({ status }) => status === 201).length).toBe(20);
  expect((await app.anyone.get(path('credits'))).body).toMatchObject({ available: 20 });
});

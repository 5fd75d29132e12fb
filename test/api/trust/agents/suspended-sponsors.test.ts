import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import type { Scope } from '../../../../src/trust/operators/store.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { agentAuth, audienceOf, enrolledAgent } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { type CreditedAgent, creditedAgent } from '../../../support/credits.ts';
import { duringTheRequest } from '../../../support/late-body.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';

let app: TrustApp;
let audience: string;
beforeAll(async () => {
  app = await openTrustApp();
  audience = await audienceOf(app);
});
afterAll(() => app.close());

const codeOf = ({ status, body }: Pick<ApiResponse, 'status' | 'body'>): unknown[] => [
  status,
  body.reason_code,
];
const sponsorOf = async ({ commitment }: CreditedAgent) =>
  (await app.anyone.get(`${AGENTS}/${commitment}/passport`)).body.sponsor;

/** A body with the agent's authorization of a request. */
function signed(agent: CreditedAgent, method: string, path: string, body: JsonObject): JsonObject {
  return { ...body, agent_auth: agentAuth(agent, { method, path, body, audience }) };
}

/** An agent with credits of an operator of its own, whose state a test changes. */
async function sponsored() {
  const { trust } = app.service;
  const { operator_id: id, api_key } = await createOperator(trust, { name: null, admin: false });
  const agent = await creditedAgent(app, { sponsor: id, credits: { paid: 100 } });
  return {
    id,
    agent,
    key: client(app.fetch, 'http://localhost', api_key),
    become: (state: 'ACTIVE' | 'SUSPENDED') => setAccountStatus(trust, id, state),
    /** As a later command will: today none does. */
    close: () =>
      trust.store.writeAsService((tx) => {
        tx.connection.sqlite.run("UPDATE operator SET account_status = 'CLOSED' WHERE operator_id = ?", [id]);
        trust.principals.changedIn(tx);
      }),
  };
}

const toOther = (agent: CreditedAgent) => {
  const path = `${AGENTS}/${agent.commitment}/sponsor`;
  return { path, body: signed(agent, 'PUT', path, { operator_id: app.otherId }) };
};
const leave = (agent: CreditedAgent, by = app.other) => {
  const { path, body } = toOther(agent);
  return by.call('PUT', path, body);
};
const rename = (agent: CreditedAgent, by = app.anyone) => {
  const path = `${AGENTS}/${agent.commitment}/name`;
  return by.call('PUT', path, signed(agent, 'PUT', path, { name: 'Another' }));
};

test('an admin key whose scope limits what it may spend takes no agent of another operator', async () => {
  const { agent } = await sponsored();
  const { trust } = app.service;
  const path = `${AGENTS}/${agent.commitment}/sponsor`;
  const before = await sponsorOf(agent);
  for (const [scope, expected] of [
    [{ products: [] }, 403],
    [{ max_credits: 1 }, 403],
    [{}, 200],
  ] satisfies [Scope, number][]) {
    const { api_key } = await createKeyFor(trust, app.otherId, { admin: true, scope });
    const admin = client(app.fetch, 'http://localhost', String(api_key));
    const { status } = await admin.call('PUT', path, { operator_id: app.otherId });
    expect([scope, status, (await sponsorOf(agent)) === before]).toEqual([scope, expected, expected === 403]);
  }
});

describe('an agent whose sponsor is suspended', () => {
  test('goes to no other sponsor with its credits, and says why', async () => {
    const { agent, become } = await sponsored();
    await become('SUSPENDED');
    const before = await sponsorOf(agent);
    const refused = await leave(agent);
    expect([codeOf(refused), refused.body.error]).toEqual([
      [403, 'forbidden'],
      "The account of the agent's sponsor is suspended, so only an admin key can change the agent's sponsor and name. Ask the " +
        'administrator of the service.',
    ]);
    expect(await sponsorOf(agent)).toBe(before);
  });

  test('keeps its name', async () => {
    const { agent, become, key } = await sponsored();
    await become('SUSPENDED');
    for (const by of [app.anyone, app.other])
      expect(codeOf(await rename(agent, by))).toEqual([403, 'forbidden']);
    const path = `${AGENTS}/${agent.commitment}/name`;
    expect(codeOf(await key.call('PUT', path, { name: 'Another' }))).toEqual([403, 'forbidden']);
    expect((await app.anyone.get(`${AGENTS}/${agent.commitment}/passport`)).body.name).toBeNull();
  });

  test('is refused with the authorization unused: it holds once the account is active again', async () => {
    const { agent, become } = await sponsored();
    const { path, body } = toOther(agent);
    await become('SUSPENDED');
    expect(codeOf(await app.other.call('PUT', path, body))).toEqual([403, 'forbidden']);
    await become('ACTIVE');
    expect((await app.other.call('PUT', path, body)).status).toBe(200);
  });

  test('gets another sponsor, none and another name from an admin key, with and without its authorization', async () => {
    const { agent, id, become } = await sponsored();
    await become('SUSPENDED');
    const name = `${AGENTS}/${agent.commitment}/name`;
    expect((await app.own.call('PUT', name, { name: 'By the administrator' })).status).toBe(200);
    expect((await rename(agent, app.own)).body.name).toBe('Another');
    const path = `${AGENTS}/${agent.commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id: null })).body.sponsor).toBeNull();
    await become('ACTIVE');
    await app.own.call('PUT', path, { operator_id: id });
    await become('SUSPENDED');
    expect((await leave(agent, app.own)).status).toBe(200);
  });

  test('can only be revoked, by its own authorization: nothing of it leaves by any other', async () => {
    const { agent, become } = await sponsored();
    const payee = await enrolledAgent(app);
    await become('SUSPENDED');
    const { commitment } = agent;
    const parties = { hirer_commitment: commitment, worker_commitment: payee.commitment };
    const requests: [string, string, JsonObject][] = [
      [
        'POST',
        '/api/v1/passport/credits/transfers',
        { from_commitment: commitment, to_commitment: payee.commitment, amount: 1 },
      ],
      ['POST', '/api/v1/agent-pay/withdraw', { subject_commitment: commitment, amount: 1, reference: 'x' }],
      ['POST', '/api/v1/passport/engagements', { task_id: 'of a suspended', ...parties, amount: 1 }],
      ['POST', '/api/v1/acp/task', { ...parties, amount: 1 }],
      ['POST', `/api/v1/metered/credentials/${commitment}`, {}],
      [
        'POST',
        '/api/v1/agent-pay/spend',
        {
          subject_commitment: commitment,
          product: 'reputation_lookup_verified',
          max_credits: 10,
          nonce: crypto.randomUUID(),
          expires_at: new Date(Date.now() + 60_000).toISOString(),
        },
      ],
      ['POST', `${AGENTS}/${commitment}/keys`, { revoke_others: true }],
    ];
    for (const [method, path, body] of requests) {
      const answer = await app.anyone.call(method, path, signed(agent, method, path, body));
      expect([path, ...codeOf(answer)]).toEqual([path, 403, 'forbidden']);
    }
    const revoke = `${AGENTS}/${commitment}/revoke`;
    expect((await app.anyone.post(revoke, signed(agent, 'POST', revoke, {}))).body.state).toBe('REVOKED');
  });
});

test('an agent whose sponsor is closed leaves, and changes its name', async () => {
  const { agent, close } = await sponsored();
  await close();
  expect((await rename(agent)).body.name).toBe('Another');
  expect((await leave(agent)).status).toBe(200);
});

test('an agent leaves a sponsor that is active, and one whose suspension ended', async () => {
  const { agent, become } = await sponsored();
  await become('SUSPENDED');
  await become('ACTIVE');
  expect((await rename(agent)).status).toBe(200);
  expect((await leave(agent)).status).toBe(200);
});

describe('a sponsor is suspended while its agent leaves:', () => {
  test('a request that is under way is refused', async () => {
    const { agent, become } = await sponsored();
    const { path, body } = toOther(agent);
    const headers = { authorization: `Bearer ${app.otherKey}` };
    const answer = await duringTheRequest(app.fetch, { method: 'PUT', path, body, headers }, () =>
      become('SUSPENDED'),
    );
    expect(codeOf(answer)).toEqual([403, 'forbidden']);
  });

  test('of both at the same time the first counts, and the agent is with one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const { agent, become } = await sponsored();
      const before = await sponsorOf(agent);
      const acts = [() => leave(agent), () => become('SUSPENDED')];
      const [one, two] = await Promise.all((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
      const answer = [one, two].find(
        (done): done is ApiResponse => Object(done).status !== undefined && 'headers' in Object(done),
      );
      const stays = answer?.status !== 200;
      expect([answer?.status, (await sponsorOf(agent)) === before]).toEqual([stays ? 403 : 200, stays]);
    }
  });
});

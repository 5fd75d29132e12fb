import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import type { NewApiKey } from '../../../../src/trust/operators/schema.ts';
import { type Authorizing, agentAuth, audienceOf, enrolledAgent } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { holderOf } from '../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let audience: string;
beforeAll(async () => {
  app = await openTrustApp();
  audience = await audienceOf(app);
});
afterAll(() => app.close());

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
const pathOf = ({ commitment }: Pick<Agent, 'commitment'>) => `/api/v1/passport/agents/${commitment}/revoke`;
const signed = (agent: Agent, body: JsonObject = {}, changes: Partial<Authorizing> = {}) => ({
  ...body,
  agent_auth: agentAuth(agent, { method: 'POST', path: pathOf(agent), body, audience, ...changes }),
});
async function keyOf(request: NewApiKey) {
  const { api_key } = await createKeyFor(app.service.trust, app.otherId, request);
  return client(app.fetch, 'http://localhost', String(api_key));
}

test.each<[string, NewApiKey, number]>([
  ['without a scope', {}, 200],
  ['whose scope limits nothing', { scope: {} }, 200],
  ['that may spend 1 credit at once', { scope: { max_credits: 1 } }, 403],
  ['for some products', { scope: { products: ['receipt'] } }, 403],
  ['that ends', { scope: { expires_at: '2099-01-01T00:00:00Z' } }, 403],
  ['that is an admin key, also with a scope', { admin: true, scope: { max_credits: 0 } }, 200],
])('a key of the sponsor %s: %p %p', async (_what, request, expected) => {
  const agent = await enrolledAgent(app, { sponsor: app.otherId });
  const answer = await (await keyOf(request)).post(pathOf(agent));
  expect(codeOf(answer)).toEqual([expected, expected === 200 ? undefined : 'forbidden']);
  if (expected === 403)
    expect(answer.body.error).toStartWith('The scope of this key limits what it may spend');
});

test('an agent revokes itself, with a reason that stays secret, once', async () => {
  const agent = await enrolledAgent(app);
  const body = signed(agent, { reason: 'my key was stolen' });
  const revoked = await app.anyone.post(pathOf(agent), body);
  expect([revoked.status, revoked.body.state]).toEqual([200, 'REVOKED']);
  expect(JSON.stringify(revoked.body)).not.toContain('stolen');
  expect(codeOf(await app.anyone.post(pathOf(agent), body))).toEqual([403, 'agent_not_enrolled']);
  expect(codeOf(await app.anyone.post(pathOf(agent), signed(agent)))).toEqual([403, 'agent_not_enrolled']);
  expect(codeOf(await app.own.post(pathOf(agent)))).toEqual([409, 'invalid_state']);
});

test('an agent without a sponsor revokes itself too', async () => {
  const agent = await enrolledAgent(app, { sponsor: null });
  expect((await app.anyone.post(pathOf(agent), signed(agent))).status).toBe(200);
});

test('a key that may not revoke the agent does so with its authorization', async () => {
  const agent = await enrolledAgent(app);
  expect(codeOf(await app.other.post(pathOf(agent)))).toEqual([403, 'forbidden']);
  expect((await app.other.post(pathOf(agent), signed(agent))).status).toBe(200);
});

test('of several who revoke an agent at the same time, one does', async () => {
  const agent = await enrolledAgent(app);
  const bodies = [signed(agent), signed(agent)];
  const all = [...bodies.map((body) => app.anyone.post(pathOf(agent), body)), app.own.post(pathOf(agent))];
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 403 || status === 409)).toHaveLength(2);
});

test('a revocation without good authority is refused, and the agent stays', async () => {
  const agent = await enrolledAgent(app);
  const other = await enrolledAgent(app);
  const holder = await holderOf(app, agent);
  const cases: [TrustApp['own'], unknown, number, string][] = [
    [app.anyone, undefined, 401, 'unauthorized'],
    [app.anyone, {}, 401, 'unauthorized'],
    [app.anyone, { reason: 'none' }, 401, 'unauthorized'],
    [holder, undefined, 403, 'forbidden'],
    [app.anyone, { agent_auth: null }, 400, 'validation_error'],
    [app.anyone, signed(other), 401, 'invalid_proof'],
    [app.anyone, signed({ ...other, commitment: agent.commitment }), 401, 'invalid_proof'],
    [app.own, signed(other), 401, 'invalid_proof'],
    [app.anyone, { ...signed(agent), reason: 'added' }, 401, 'invalid_proof'],
    [app.anyone, signed(agent, {}, { method: 'PUT' }), 401, 'invalid_proof'],
    [app.anyone, signed(agent, {}, { audience: 'elsewhere' }), 401, 'invalid_proof'],
    [app.anyone, signed(agent, {}, { expires_at: '2020-01-01T00:00:00Z' }), 401, 'invalid_proof'],
  ];
  for (const [caller, body, status, code] of cases)
    expect([body, ...codeOf(await caller.post(pathOf(agent), body))]).toEqual([body, status, code]);
  expect(codeOf(await app.anyone.post(`${pathOf(agent)}?x=1`, signed(agent)))).toEqual([
    400,
    'validation_error',
  ]);
  const unknown = { commitment: '0'.repeat(64) };
  expect(codeOf(await app.anyone.post(pathOf(unknown), signed(agent)))).toEqual([404, 'not_found']);
  const passport = await app.anyone.get(`/api/v1/passport/agents/${agent.commitment}/passport`);
  expect(passport.body.state).toBe('ISSUED');
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { type Authorizing, agentAuth, audienceOf, enrolledAgent } from '../../../support/agent.ts';
import { deleteKeyOf } from '../../../support/api-keys.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import { workFor } from '../../../support/proof-of-work.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';
const KEYS = '/api/v1/operator/api-keys';
const NIL = '0'.repeat(64);

let app: TrustApp;
let audience: string;
beforeAll(async () => {
  app = await openTrustApp({ 'agents.pow_difficulty': '1' });
  audience = await audienceOf(app);
});
afterAll(() => app.close());

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;
type Caller = TrustApp['own'];

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
const as = (apiKey: unknown): Caller => client(app.fetch, 'http://localhost', String(apiKey));
const pathOf = (commitment: string, what: string): string => `${AGENTS}/${commitment}/${what}`;

/** A body with the agent's authorization of a call. */
function authorized(
  agent: Pick<Agent, 'sign' | 'commitment'>,
  what: 'presentation' | 'name' | 'keys',
  body: JsonObject,
  changes: Partial<Authorizing> = {},
) {
  const method = what === 'keys' ? 'POST' : 'PUT';
  const call = { method, path: pathOf(agent.commitment, what), body, audience, ...changes };
  return { ...body, agent_auth: agentAuth(agent, call) };
}

async function holderKey(agent: Agent, more: JsonObject = {}, caller = app.own) {
  const asked = { role: 'holder', subject_commitment: agent.commitment, ...more };
  const { status, body } = await caller.post(KEYS, asked);
  expect([body, status]).toEqual([body, 201]);
  return body;
}

describe('a presentation that the agent authorizes', () => {
  const put = (caller: Caller, { commitment }: Agent, body: unknown) =>
    caller.call('PUT', pathOf(commitment, 'presentation'), body);
  const photo = {
    photo_url: 'https://agents.example/a.png',
    photo_content_sha256: NIL,
    photo_mime_type: 'image/png',
  };
  const NOTHING = { photo_url: null, photo_content_sha256: null, photo_mime_type: null };
  const signed = (
    agent: Agent,
    presentation: Record<string, string | null>,
  ): Record<string, string | null> => ({
    ...presentation,
    signature: agent.sign({ subject_commitment: agent.commitment, ...presentation }),
  });

  test('is set and cleared only by the agent itself', async () => {
    const agent = await enrolledAgent(app, { sponsor: null });
    for (const presentation of [photo, NOTHING]) {
      expect((await put(app.anyone, agent, signed(agent, presentation))).status).toBe(200);
    }
    for (const stated of [photo, NOTHING, photo, NOTHING]) {
      const body = signed(agent, stated);
      expect(codeOf(await put(app.anyone, agent, body))).toEqual([409, 'conflict']);
      const again = authorized(agent, 'presentation', body);
      const done = await put(app.anyone, agent, again);
      expect([done.status, done.body.presentation]).toEqual([200, stated === photo ? photo : null]);
      expect(codeOf(await put(app.anyone, agent, again))).toEqual([409, 'nonce_reused']);
    }
  });

  test('is no other for the authorization of another agent, body, path or method', async () => {
    const agent = await enrolledAgent(app);
    const other = await enrolledAgent(app);
    for (const presentation of [photo, NOTHING]) await put(app.anyone, agent, signed(agent, presentation));
    const body = signed(agent, photo);
    const { agent_auth: forNothing } = authorized(agent, 'presentation', signed(agent, NOTHING));
    const cases: [unknown, number, string][] = [
      [{ ...body, agent_auth: forNothing }, 401, 'invalid_proof'],
      [authorized(other, 'presentation', body), 401, 'invalid_proof'],
      [authorized({ ...other, commitment: agent.commitment }, 'presentation', body), 401, 'invalid_proof'],
      [authorized(agent, 'name', body), 401, 'invalid_proof'],
      [authorized(agent, 'presentation', body, { method: 'POST' }), 401, 'invalid_proof'],
      [authorized(agent, 'presentation', body, { audience: 'elsewhere' }), 401, 'invalid_proof'],
      [{ ...body, agent_auth: null }, 400, 'validation_error'],
      // The signature over the presentation itself is asked for all the same.
      [authorized(agent, 'presentation', { ...body, signature: '0'.repeat(128) }), 401, 'invalid_proof'],
    ];
    for (const [sent, status, code] of cases) {
      expect(codeOf(await put(app.anyone, agent, sent))).toEqual([status, code]);
    }
    const elsewhere = authorized(agent, 'presentation', body, { audience: 'elsewhere' });
    expect((await put(app.anyone, agent, elsewhere)).body.error).toEndWith(
      `for the audience ${audience}. Sign exactly the body that you send, for this audience. countersign authorize does it.`,
    );
  });
});

describe('the name of an agent', () => {
  const put = (caller: Caller, commitment: string, body: unknown) =>
    caller.call('PUT', pathOf(commitment, 'name'), body);

  test('is changed by the key of the sponsor or by the agent, and is in passport and profile', async () => {
    const agent = await enrolledAgent(app, { name: 'Before' });
    const before = await app.anyone.get(pathOf(agent.commitment, 'passport'));
    const bySponsor = await put(app.own, agent.commitment, { name: 'After' });
    expect([bySponsor.status, bySponsor.body.name]).toEqual([200, 'After']);
    expect(bySponsor.body.signature).not.toBe(before.body.signature);
    const byAgent = await put(app.anyone, agent.commitment, authorized(agent, 'name', { name: 'Last' }));
    expect([byAgent.status, byAgent.body.name]).toEqual([200, 'Last']);
    const { body: after } = await app.anyone.get(pathOf(agent.commitment, 'passport'));
    expect([after.name, after.passport_id]).toEqual(['Last', String(byAgent.body.passport_id)]);
    expect((await app.anyone.get(`/api/v1/profiles/${agent.commitment}`)).body.name).toBe('Last');
    const none = await put(app.own, agent.commitment, { name: null });
    expect([none.status, none.body.name]).toEqual([200, null]);
  });

  test('cannot be changed by others', async () => {
    const agent = await enrolledAgent(app, { name: 'Clerk' });
    const holder = as((await holderKey(agent)).api_key);
    const loner = await enrolledAgent(app, { sponsor: null });
    const body = { name: 'Other' };
    const reused = authorized(agent, 'name', body);
    expect((await put(app.other, agent.commitment, reused)).status).toBe(200);
    const cases: [Caller, string, unknown, number, string][] = [
      [app.anyone, agent.commitment, body, 401, 'unauthorized'],
      [app.other, agent.commitment, body, 403, 'forbidden'],
      [holder, agent.commitment, body, 403, 'forbidden'],
      [app.other, loner.commitment, body, 403, 'forbidden'],
      [app.own, NIL, body, 403, 'agent_not_enrolled'],
      [app.anyone, NIL, authorized({ ...agent, commitment: NIL }, 'name', body), 403, 'agent_not_enrolled'],
      [app.anyone, agent.commitment, reused, 409, 'nonce_reused'],
      [app.anyone, agent.commitment, { ...reused, name: 'Another' }, 401, 'invalid_proof'],
      [app.own, agent.commitment, authorized(loner, 'name', body), 401, 'invalid_proof'],
    ];
    for (const [caller, commitment, sent, status, code] of cases) {
      expect([sent, ...codeOf(await put(caller, commitment, sent))]).toEqual([sent, status, code]);
    }
    expect((await put(app.own, loner.commitment, body)).status).toBe(200);
  });

  test.each([[''], ['a\nb'], ['x'.repeat(257)], [7], [undefined], ['\ud800']])(
    'follows the rule of enroll/start: %p is refused by both',
    async (name) => {
      const agent = await enrolledAgent(app);
      const named = await put(app.own, agent.commitment, name === undefined ? {} : { name });
      expect(named.status).toBe(400);
      if (name === undefined) return;
      const started = await app.own.post(`${AGENTS}/enroll/start`, { public_key: agent.publicKey, name });
      expect(codeOf(started)).toEqual(codeOf(named));
    },
  );

  test('of a revoked agent does not change, which the database enforces too', async () => {
    const agent = await enrolledAgent(app, { name: 'Clerk' });
    await app.own.post(pathOf(agent.commitment, 'revoke'));
    for (const sent of [{ name: 'Other' }, authorized(agent, 'name', { name: 'Other' })]) {
      expect(codeOf(await put(app.own, agent.commitment, sent))).toEqual([403, 'agent_not_enrolled']);
    }
    const changed = app.service.trust.store.writeAsService(({ connection }) => {
      connection.sqlite.run("UPDATE agent SET name = 'Other' WHERE state = 'REVOKED'");
    });
    await expect(changed).rejects.toThrow('the name of a revoked agent does not change');
  });
});

describe('a holder key that the agent asks for', () => {
  const post = (caller: Caller, commitment: string, body: unknown) =>
    caller.post(pathOf(commitment, 'keys'), body);
  /** A new key by the agent's authorization. */
  const asked = (agent: Agent, body: JsonObject = {}) =>
    post(app.anyone, agent.commitment, authorized(agent, 'keys', body));

  test("belongs to the agent's sponsor and works at once", async () => {
    const agent = await enrolledAgent(app);
    await holderKey(agent);
    const { status, body } = await asked(agent);
    expect([status, body]).toEqual([
      201,
      {
        operator_id: app.service.firstStart.operatorId,
        keyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        name: 'made by the agent',
        role: 'holder',
        admin: false,
        subject_commitment: agent.commitment,
        scope: null,
        created_at: expect.any(String),
        last_used_at: null,
        api_key: expect.stringMatching(/^pp_[0-9a-f]{64}$/),
        revoked_keys: 0,
      },
    ]);
    expect((await as(body.api_key).issue({ agent_id: agent.commitment })).status).toBe(201);
    expect((await as(body.api_key).issue({ agent_id: 'another' })).status).toBe(403);
    const listed = await app.own.get(KEYS);
    expect(JSON.stringify(listed.body)).toContain(String(body.keyHash));
  });

  test('can only be the sixth if the others are deleted, which happens immediately', async () => {
    const agent = await enrolledAgent(app);
    const made = [await holderKey(agent)];
    for (let count = 1; count < 5; count++) made.push((await asked(agent)).body);
    const sixth = authorized(agent, 'keys', {});
    expect(codeOf(await post(app.anyone, agent.commitment, sixth))).toEqual([409, 'conflict']);
    for (const { api_key } of made) expect((await as(api_key).get('/api/v1/receipts')).status).toBe(200);
    const only = await asked(agent, { revoke_others: true });
    expect([only.status, only.body.revoked_keys]).toEqual([201, 5]);
    for (const { api_key } of made) expect((await as(api_key).get('/api/v1/receipts')).status).toBe(401);
    expect((await as(only.body.api_key).get('/api/v1/receipts')).status).toBe(200);
    // What was refused used no nonce up.
    expect((await post(app.anyone, agent.commitment, sixth)).status).toBe(201);
  });

  test('does not delete hundreds at once, which would block all writes', async () => {
    const agent = await enrolledAgent(app);
    for (let count = 0; count < 201; count++) await holderKey(agent);
    const refused = await asked(agent, { revoke_others: true });
    expect([codeOf(refused), String(refused.body.error)]).toEqual([
      [409, 'conflict'],
      expect.stringContaining('more than 200 holder keys'),
    ]);
  });

  test('spends within what the sponsor allowed all others, also once those have ended', async () => {
    const agent = await enrolledAgent(app);
    await holderKey(agent, { scope: { max_credits: 10, products: ['a', 'b'] } });
    await holderKey(agent, {
      scope: { max_credits: 20, products: ['b', 'c'], expires_at: '2035-01-01T00:00:00Z' },
    });
    await holderKey(agent);
    const scope = { max_credits: 10, products: ['b'], expires_at: '2035-01-01T00:00:00Z' };
    expect((await asked(agent)).body.scope).toEqual(scope);
    expect((await asked(agent, { revoke_others: true })).body).toMatchObject({ scope, revoked_keys: 4 });
    expect((await asked(agent, { revoke_others: true })).body).toMatchObject({ scope, revoked_keys: 1 });
  });

  test('deletes no key of another agent or operator', async () => {
    const agent = await enrolledAgent(app, { sponsor: app.otherId });
    const former = await holderKey(agent, {}, app.other);
    const another = await holderKey(await enrolledAgent(app));
    const { operatorId } = app.service.firstStart;
    await app.own.call('PUT', pathOf(agent.commitment, 'sponsor'), { operator_id: operatorId });
    await holderKey(agent);
    expect((await asked(agent, { revoke_others: true })).body.revoked_keys).toBe(1);
    for (const { api_key } of [former, another]) {
      expect((await as(api_key).get('/api/v1/receipts')).status).toBe(200);
    }
  });

  test('is refused while its sponsor has given it none, or has deleted all: also those that it made itself', async () => {
    const agent = await enrolledAgent(app);
    expect(codeOf(await asked(agent))).toEqual([403, 'forbidden']);
    const given = await holderKey(agent, { scope: { max_credits: 10 } });
    const made = (await asked(agent)).body;
    expect(made.scope).toEqual({ max_credits: 10 });
    expect((await app.own.call('DELETE', `${KEYS}/${given.keyHash}`)).status).toBe(200);
    const beside = (await asked(agent, { revoke_others: true })).body;
    expect([beside.scope, beside.revoked_keys]).toEqual([{ max_credits: 10 }, 1]);
    expect((await app.own.call('DELETE', `${KEYS}/${beside.keyHash}`)).status).toBe(200);
    for (const body of [{}, { revoke_others: true }]) {
      const refused = await asked(agent, body);
      expect([codeOf(refused), String(refused.body.error)]).toEqual([
        [403, 'forbidden'],
        expect.stringContaining('Ask the sponsor to create the first one'),
      ]);
    }
    await holderKey(agent, { scope: { max_credits: 5 } });
    expect((await asked(agent)).body.scope).toEqual({ max_credits: 5 });
  });

  test('is given by a sponsor with no key of another sponsor', async () => {
    const agent = await enrolledAgent(app, { sponsor: app.otherId });
    await holderKey(agent, {}, app.other);
    const { operatorId } = app.service.firstStart;
    await app.own.call('PUT', pathOf(agent.commitment, 'sponsor'), { operator_id: operatorId });
    expect(codeOf(await asked(agent))).toEqual([403, 'forbidden']);
  });

  test('comes back by the operator that was made for the agent, which withdraws none from it but from others', async () => {
    const agent = await enrolledAgent(app, { sponsor: null });
    const first = (await asked(agent, await workFor(app, agent.publicKey))).body;
    const { trust } = app.service;
    await deleteKeyOf(trust, String(first.operator_id), String(first.keyHash));
    const again = (await asked(agent)).body;
    expect([again.operator_id, again.scope]).toEqual([first.operator_id, null]);
    const guest = await enrolledAgent(app, { sponsor: String(first.operator_id) });
    expect(codeOf(await asked(guest))).toEqual([403, 'forbidden']);
  });

  test('gives an agent without a sponsor an operator of its own, once', async () => {
    const agent = await enrolledAgent(app, { sponsor: null, name: 'Loner' });
    const work = await workFor(app, agent.publicKey);
    const both = await Promise.all([asked(agent, work), asked(agent, work)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const [first, second] = both.map(({ body }) => body);
    expect([first?.operator_id, second?.operator_id]).toEqual([
      expect.stringMatching(/^op_cus_\w{24}$/),
      first?.operator_id,
    ]);
    const passport = await app.anyone.get(pathOf(agent.commitment, 'passport'));
    expect(passport.body.sponsor).toEqual(expect.stringMatching(/^op_cus_\w{4}…\w{4}$/));
    const issued = await as(first?.api_key).issue({ agent_id: agent.commitment });
    expect([issued.status, issued.body.operator_id]).toEqual([201, first?.operator_id]);
  });

  test('is refused without good authority, and for an agent or a sponsor that may not act', async () => {
    const agent = await enrolledAgent(app);
    const other = await enrolledAgent(app);
    const { operator_id } = await createOperator(app.service.trust, { name: null, admin: false });
    const suspended = await enrolledAgent(app, { sponsor: operator_id });
    await setAccountStatus(app.service.trust, operator_id, 'SUSPENDED');
    const revoked = await enrolledAgent(app);
    await app.own.post(pathOf(revoked.commitment, 'revoke'));
    await holderKey(agent);
    const good = authorized(agent, 'keys', {});
    const cases: [Caller, string, unknown, number, string][] = [
      [app.own, agent.commitment, {}, 400, 'validation_error'],
      [app.anyone, agent.commitment, undefined, 400, 'validation_error'],
      [app.anyone, agent.commitment, { ...good, scope: {} }, 400, 'validation_error'],
      [app.anyone, agent.commitment, { ...good, revoke_others: true }, 401, 'invalid_proof'],
      [app.anyone, agent.commitment, { ...good, revoke_others: 'yes' }, 400, 'validation_error'],
      [app.anyone, agent.commitment, authorized(other, 'keys', {}), 401, 'invalid_proof'],
      [app.anyone, other.commitment, good, 401, 'invalid_proof'],
      [app.anyone, `${agent.commitment}x`, good, 401, 'invalid_proof'],
      [app.anyone, suspended.commitment, authorized(suspended, 'keys', {}), 403, 'forbidden'],
      [app.anyone, revoked.commitment, authorized(revoked, 'keys', {}), 403, 'agent_not_enrolled'],
    ];
    for (const [caller, commitment, sent, status, code] of cases) {
      expect([sent, ...codeOf(await post(caller, commitment, sent))]).toEqual([sent, status, code]);
    }
    const asking = `${pathOf(agent.commitment, 'keys')}?x=1`;
    expect(codeOf(await app.anyone.post(asking, good))).toEqual([400, 'validation_error']);
    const both = await Promise.all([1, 2].map(() => post(app.anyone, agent.commitment, good)));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

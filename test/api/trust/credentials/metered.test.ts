import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { agentAuth, audienceOf } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { client } from '../../../support/client.ts';
import { type CreditedAgent, type Credits, creditedAgent, fundPool } from '../../../support/credits.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { isSigned } from '../../../support/statements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';
import { doneWork } from '../../../support/work.ts';

const pathOf = ({ commitment }: Pick<CreditedAgent, 'commitment'>) =>
  `/api/v1/metered/credentials/${commitment}`;

const time = new VirtualTime();
let app: TrustApp;
/** The agent whose credential is asked for. */
let agent: CreditedAgent;
beforeAll(async () => {
  app = await openTrustApp({}, time);
  agent = await creditedAgent(app, { sponsor: null });
});
afterAll(() => app.close());

/** A new operator with these credits in its pool: its id and a client with its issuer key. */
async function operator(credits: Credits = {}) {
  const { operator_id: id, api_key } = await createOperator(app.service.trust, { name: null, admin: false });
  await fundPool(app, id, credits);
  return { id, api: client(app.fetch, 'http://localhost', api_key) };
}

/** A client with a holder key of an agent. */
async function holder(id: string, { commitment }: CreditedAgent, scope: object = {}) {
  const request = { role: 'holder' as const, subject_commitment: commitment, scope };
  const { api_key } = await createKeyFor(app.service.trust, id, request);
  return client(app.fetch, 'http://localhost', api_key);
}

/**
 * The credits that were charged for credentials since the first start, and the credentials that were issued.
 */
async function booked(): Promise<{ charges: number; credentials: number }> {
  return app.service.trust.store.read(async ({ connection }) => {
    const count = (query: string) => Number(Object(connection.sqlite.query(query).get()).n);
    return {
      charges: count("SELECT count(*) AS n FROM movement WHERE kind = 'METER'"),
      credentials: count('SELECT count(*) AS n FROM credential'),
    };
  });
}

const verified = async (credential: unknown) =>
  (await app.anyone.post('/api/v1/credentials/verify', { credential })).status;

describe('a paid credential', () => {
  test('is the credential of the agent, with a signed receipt for 10 credits of the pool', async () => {
    const { id, api } = await operator({ paid: 25 });
    const { status, body } = await api.post(pathOf(agent));
    expect(status).toBe(201);
    expect(await verified(body.credential)).toBe(200);
    expect((await app.anyone.get(`/api/v1/credentials/${agent.commitment}`)).body).toEqual(
      Object(body.credential),
    );
    const receipt = Object(body.meter_receipt);
    expect(receipt).toMatchObject({
      type: 'meter',
      product: 'portable_credential_issuance',
      payer: id,
      credits_charged: 10,
      remaining_credits: 15,
    });
    expect(await isSigned(app, receipt)).toBe(true);
  });

  test('is paid by the agent of a holder key', async () => {
    const { id } = await operator({ paid: 100 });
    const payer = await creditedAgent(app, { sponsor: id, credits: { promotional: 10 } });
    const { status, body } = await (await holder(id, payer)).post(pathOf(agent), {});
    expect([status, body.meter_receipt]).toEqual([
      201,
      expect.objectContaining({ payer: payer.commitment, remaining_credits: 0 }),
    ]);
  });

  test('is paid by the agent that a key of its sponsor names', async () => {
    const { id, api } = await operator();
    const payer = await creditedAgent(app, { sponsor: id, credits: { paid: 12 } });
    const { status, body } = await api.post(pathOf(agent), { payer_commitment: payer.commitment });
    expect([status, Object(body.meter_receipt).payer]).toEqual([201, payer.commitment]);
  });

  test('is paid by the agent that signed, without a key, once', async () => {
    const payer = await creditedAgent(app, { sponsor: null, credits: { promotional: 30 } });
    const call = { method: 'POST', path: pathOf(agent), body: {}, audience: await audienceOf(app) };
    const body = { agent_auth: agentAuth(payer, call, time.now()) };
    const { status, body: said } = await app.anyone.post(pathOf(agent), body);
    expect([status, said.meter_receipt]).toEqual([
      201,
      expect.objectContaining({ payer: payer.commitment, remaining_credits: 20 }),
    ]);
    const again = await app.anyone.post(pathOf(agent), body);
    expect([again.status, again.body.reason_code]).toEqual([409, 'nonce_reused']);
  });

  test('is paid once if a request with an Idempotency-Key is repeated', async () => {
    const { api } = await operator({ paid: 10 });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await api.post(pathOf(agent), {}, key);
    const again = await api.post(pathOf(agent), {}, key);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await api.post(pathOf(agent), { payer_commitment: agent.commitment }, key);
    expect([other.status, other.body.reason_code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('is paid once by a pool that suffices for one, when two are requested together', async () => {
    const { api } = await operator({ paid: 15 });
    const both = await Promise.all([api.post(pathOf(agent)), api.post(pathOf(agent))]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 402]);
  });

  test('waits for the checkpoints that it cites, and is charged once', async () => {
    const { api } = await operator({ paid: 10 });
    await doneWork(app, agent.commitment, ['success']);
    const before = await booked();
    const asked = api.post(pathOf(agent));
    // A write that comes after the first attempt, which found no checkpoint.
    await app.own.post('/api/v1/passport/credits/grants', {
      subject_commitment: agent.commitment,
      amount: 1,
    });
    await publishCheckpoints(app);
    const { status, body } = await asked;
    expect([status, Object(body.meter_receipt).remaining_credits]).toEqual([201, 0]);
    const { totals } = Object(body.credential).credentialSubject;
    expect(totals.evidence_count).toBe(1);
    expect(await booked()).toEqual({
      charges: before.charges + 1,
      credentials: before.credentials + 1,
    });
  });
});

describe('nothing is charged and nothing is issued', () => {
  /** Sends a request for which nothing may be booked. */
  async function refused(ask: () => Promise<{ status: number; body: JsonObject | Record<string, unknown> }>) {
    const before = await booked();
    const { status, body } = await ask();
    expect(await booked()).toEqual(before);
    return [status, body.reason_code];
  }

  test('without a key and a signature', async () => {
    expect(await refused(() => app.anyone.post(pathOf(agent)))).toEqual([401, 'unauthorized']);
  });

  test('with a key that does not exist', async () => {
    const wrong = client(app.fetch, 'http://localhost', `pp_${'0'.repeat(64)}`);
    expect(await refused(() => wrong.post(pathOf(agent), {}))).toEqual([401, 'unauthorized']);
  });

  test.each<[string, Credits]>([
    ['nothing', {}],
    ['9 credits', { paid: 9 }],
    ['9 credits and 9 sandbox credits', { promotional: 9, sandbox: 9 }],
  ])('to a payer with %s', async (_, credits) => {
    const { api } = await operator(credits);
    const fresh = await creditedAgent(app, { sponsor: null });
    expect(await refused(() => api.post(pathOf(fresh)))).toEqual([402, 'insufficient_credits']);
  });

  test('beyond the spending scope of the key', async () => {
    const { id } = await operator();
    const payer = await creditedAgent(app, { sponsor: id, credits: { paid: 100 } });
    for (const scope of [{ max_credits: 9 }, { products: ['audit_package_generation'] }]) {
      const api = await holder(id, payer, scope);
      expect(await refused(() => api.post(pathOf(agent)))).toEqual([402, 'scope_violation']);
    }
  });

  test('to an agent that the key may not debit', async () => {
    const { api } = await operator({ paid: 100 });
    const payer = await creditedAgent(app, { credits: { paid: 100 } });
    const asked = () => api.post(pathOf(agent), { payer_commitment: payer.commitment });
    expect(await refused(asked)).toEqual([403, 'forbidden']);
  });

  test('for an agent that does not exist', async () => {
    const { api } = await operator({ paid: 100 });
    for (const commitment of ['00'.repeat(32), 'nobody']) {
      expect(await refused(() => api.post(pathOf({ commitment })))).toEqual([404, 'not_found']);
    }
  });

  test('for a revoked agent', async () => {
    const { id, api } = await operator({ paid: 100 });
    const gone = await creditedAgent(app, { sponsor: id });
    expect((await api.post(`/api/v1/passport/agents/${gone.commitment}/revoke`, {})).status).toBe(200);
    expect(await refused(() => api.post(pathOf(gone)))).toEqual([403, 'agent_not_enrolled']);
  });

  test("while the server's clock is wrong", async () => {
    const { api } = await operator({ paid: 100 });
    const fresh = await creditedAgent(app, { sponsor: null });
    time.jump(61_000);
    expect(await refused(() => api.post(pathOf(fresh)))).toEqual([503, 'clock_wrong']);
    time.jump(-61_000);
    expect((await api.post(pathOf(fresh))).status).toBe(201);
  });

  test.each<[string, unknown]>([
    ['with an unknown member', { payer: 'me' }],
    ['with a commitment that is none', { payer_commitment: 'me' }],
  ])('by a body %s', async (_, body) => {
    const { api } = await operator({ paid: 100 });
    expect(await refused(() => api.post(pathOf(agent), body))).toEqual([400, 'validation_error']);
  });
});

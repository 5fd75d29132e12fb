import { afterEach, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { agentAuth, audienceOf, enrolledAgent } from '../../../../support/agent.ts';
import { type ApiResponse, client } from '../../../../support/client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../../support/evidence.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const AGENTS = '/api/v1/passport/agents';
const TOKEN = `svc_${'5e'.repeat(32)}`;

let app: TrustApp;
afterEach(() => app.close());

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

const pathOf = ({ commitment }: Agent, what: string): string => `${AGENTS}/${commitment}/${what}`;

/** A body with an authorization by the agent, or by whatever signs for it. */
async function authorized(agent: Agent, method: string, what: string, body: JsonObject) {
  const audience = await audienceOf(app);
  return { ...body, agent_auth: agentAuth(agent, { method, path: pathOf(agent, what), body, audience }) };
}

function photoOf(agent: Agent, name: string) {
  const photo = {
    photo_url: `https://agents.example/${name}.png`,
    photo_content_sha256: '0'.repeat(64),
    photo_mime_type: 'image/png',
  };
  return { ...photo, signature: agent.sign({ subject_commitment: agent.commitment, ...photo }) };
}

/** How many writes of this minute are charged to the first operator. */
async function charged(): Promise<number> {
  const { body } = await app.own.get('/api/v1/operator/status');
  return Object(body.quota).writes_per_minute.used;
}

describe('a call that the signature of an agent carries is charged to its sponsor', () => {
  /** @returns status, or code of a refusal, and the writes that the sponsor was charged for the call */
  async function chargedFor(call: () => Promise<ApiResponse>): Promise<unknown[]> {
    const before = await charged();
    const { status, body } = await call();
    return [body.reason_code ?? status, (await charged()) - before];
  }

  test('for a name: when the agent asks, and never for a forged or repeated authorization', async () => {
    app = await openTrustApp();
    const agent = await enrolledAgent(app);
    const put = (body: JsonObject) => () => app.anyone.call('PUT', pathOf(agent, 'name'), body);
    const good = await authorized(agent, 'PUT', 'name', { name: 'Clerk' });
    const forged = { ...good, agent_auth: { ...good.agent_auth, signature: '0'.repeat(128) } };
    expect(await chargedFor(put(forged))).toEqual(['invalid_proof', 0]);
    expect(await chargedFor(put(good))).toEqual([200, 1]);
    expect(await chargedFor(put(good))).toEqual(['nonce_reused', 0]);
    expect(await chargedFor(put(forged))).toEqual(['invalid_proof', 0]);
  });

  test('for a presentation: when it writes, and never for a stored signature', async () => {
    app = await openTrustApp();
    const agent = await enrolledAgent(app);
    const put = (body: JsonObject) => () => app.anyone.call('PUT', pathOf(agent, 'presentation'), body);
    const [first, second] = [photoOf(agent, 'first'), photoOf(agent, 'second')];
    expect(await chargedFor(put(first))).toEqual([200, 1]);
    expect(await chargedFor(put(first))).toEqual([200, 0]);
    expect(await chargedFor(put(second))).toEqual([200, 1]);
    expect(await chargedFor(put(first))).toEqual(['conflict', 0]);
    const again = await authorized(agent, 'PUT', 'presentation', second);
    // It consumes a nonce, which is stored.
    expect(await chargedFor(put(again))).toEqual([200, 1]);
    expect(await chargedFor(put(again))).toEqual(['nonce_reused', 0]);
  });

  test('as a holder key: when it is made, and never for a refused call, whose authorization stays good', async () => {
    app = await openTrustApp();
    const agent = await enrolledAgent(app);
    const post = (body: JsonObject) => () => app.anyone.post(pathOf(agent, 'keys'), body);
    const early = await authorized(agent, 'POST', 'keys', {});
    for (let n = 0; n < 3; n++) expect(await chargedFor(post(early))).toEqual(['forbidden', 0]);
    const asked = { role: 'holder', subject_commitment: agent.commitment };
    for (let n = 0; n < 4; n++) {
      expect((await app.own.post('/api/v1/operator/api-keys', asked)).status).toBe(201);
    }
    expect(await chargedFor(post(early))).toEqual([201, 1]);
    const sixth = await authorized(agent, 'POST', 'keys', {});
    for (let n = 0; n < 3; n++) expect(await chargedFor(post(sixth))).toEqual(['conflict', 0]);
  });

  test('as a deliverable: when it is new, and never for a forged or repeated one', async () => {
    app = await openTrustApp({ service_token: TOKEN });
    const agent = await enrolledAgent(app);
    const service = client(app.fetch, 'http://localhost', TOKEN);
    const post = (body: JsonObject) => () => service.post(evidencePath(agent.commitment), body);
    const good = signedEvidence(agent, 'task_deliverable', PAYLOADS.task_deliverable());
    expect(await chargedFor(post({ ...good, signature: '0'.repeat(128) }))).toEqual(['invalid_proof', 0]);
    expect(await chargedFor(post(good))).toEqual([201, 1]);
    expect(await chargedFor(post(good))).toEqual([200, 0]);
  });
});

describe('an operator that has used its writes up', () => {
  test('is not refused a deliverable or a presentation that was stored before', async () => {
    app = await openTrustApp({
      service_token: TOKEN,
      'quotas.other.writes_per_minute': '3',
      rate_limits: 'on',
    });
    const agent = await enrolledAgent(app);
    const service = client(app.fetch, 'http://localhost', TOKEN);
    const send = (name: string) =>
      service.post(
        evidencePath(agent.commitment),
        signedEvidence(agent, 'task_deliverable', PAYLOADS.task_deliverable(name)),
      );
    const present = () => app.anyone.call('PUT', pathOf(agent, 'presentation'), photoOf(agent, 'a'));
    expect([(await send('first')).status, (await present()).status]).toEqual([201, 200]);
    expect((await app.own.issue()).status).toBe(201);
    expect((await send('second')).body.reason_code).toBe('rate_limit_exceeded');
    expect((await send('first')).body.duplicate).toBe(true);
    expect((await present()).status).toBe(200);
  });

  test('did so itself: strangers without a credential cannot', async () => {
    app = await openTrustApp({ 'quotas.other.writes_per_minute': '20', rate_limits: 'on' });
    const agent = await enrolledAgent(app);
    const good = await authorized(agent, 'PUT', 'name', { name: 'x' });
    const forged = { ...good, agent_auth: { ...good.agent_auth, signature: '0'.repeat(128) } };
    const stranger = client((request) => app.fetch(request, '203.0.113.1'), 'http://localhost', null);
    for (let n = 0; n < 30; n++) {
      expect((await stranger.call('PUT', pathOf(agent, 'name'), forged)).status).toBe(401);
    }
    expect((await app.own.issue()).status).toBe(201);
  });
});

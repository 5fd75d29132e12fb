import { isJsonObject, type JsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';
import { agentAuth, audienceOf, enrolledAgent } from '../../test/support/agent.ts';
import type { ApiResponse } from '../../test/support/client.ts';
import { fundPool, grantFrom } from '../../test/support/credits.ts';
import { anchored } from '../../test/support/evidence.ts';
import { finalized } from '../../test/support/log.ts';
import { openTrustApp, type TrustApp } from '../../test/support/trust-app.ts';
import { VirtualTime } from '../../test/support/virtual-time.ts';

/** The time of all samples. */
export const SAMPLED_AT = '2026-06-01T12:00:00.000Z';

/** What a running service and an agent sign, by the name of the directory and of the file in test/vectors. */
export interface Samples {
  documents: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  /** The response of /api/v1/transparency/keys. */
  keys: JsonValue;
}

const plain = (value: unknown): JsonObject => {
  const copy: JsonValue = JSON.parse(JSON.stringify(value));
  if (!isJsonObject(copy)) throw new Error('a sample is an object');
  return copy;
};

async function body(answer: Promise<ApiResponse>, status = 200): Promise<JsonObject> {
  const found = await answer;
  if (found.status !== status) throw new Error(`${found.status}: ${JSON.stringify(found.body)}`);
  return plain(found.body);
}

/**
 * Returns one document of each kind that the service signs as JSON, and of each that agents sign, as a
 * running service gives and accepts them.
 * @param key of the agent
 */
export async function statementSamples(
  key: NonNullable<Parameters<typeof enrolledAgent>[1]>['key'],
): Promise<Samples> {
  const time = new VirtualTime(Date.parse(SAMPLED_AT));
  const app = await openTrustApp({}, time);
  try {
    const agent = await enrolledAgent(app, { name: 'Clerk "€" 7', ...(key === undefined ? {} : { key }) });
    const event = await anchored(app, agent);
    const receipt = await finalized(app.own);
    await app.service.trust.log.publisher.publish();
    const { operatorId } = app.service.firstStart;
    const { commitment } = agent;
    const get = (path: string) => body(app.anyone.get(`/api/v1/${path}`));
    const gate = { operator_id: operatorId, domain: 'CODE_GENERATION' };
    const one = (name: string, document: JsonObject) => [name, new Map([['genuine', document]])] as const;
    const presentation = await presented(app, agent);
    const profile = await get(`profiles/${commitment}?signed=1`);
    const documents = new Map([
      one('receipt-status', await get(`receipts/${receipt.receipt_id}/status`)),
      one('gate-decision', await body(app.anyone.post('/api/v1/gate/verify?signed=1', gate))),
      one('agent-profile', profile),
      one('leaderboard', await get('leaderboard?signed=1&limit=10')),
      one('agent-attestation', await get(`badge/${commitment}/attestation?format=json`)),
      one('artifact-attestation', await get(`artifacts/${commitment}/${event}/attestation`)),
      one('passport', await get(`passport/agents/${commitment}/passport`)),
      ['meter', await meterReceipts(app, agent)] as const,
      one('presentation', presentation),
      one('agent-auth', await authorized(app, agent, time.now())),
      ['account-statement', await accountStatements(app, agent, time)] as const,
    ]);
    return { documents, keys: plain((await app.anyone.get('/api/v1/transparency/keys')).body) };
  } finally {
    await app.close();
  }
}

type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

/** Returns the receipt of a metered product, of a payment, and of one with sandbox credits. */
async function meterReceipts(app: TrustApp, { agent, commitment }: Agent): Promise<Map<string, JsonObject>> {
  const { operatorId } = app.service.firstStart;
  await fundPool(app, operatorId, { paid: 100, sandbox: 20 });
  await grantFrom(app, operatorId, agent, { paid: 10, sandbox: 20 });
  const metered = await body(app.own.post(`/api/v1/metered/credentials/${commitment}`), 201);
  const payment = {
    subject_commitment: commitment,
    product: 'portable_credential_issuance',
    max_credits: 10,
    merchant: 'shop.example',
    nonce: 'order-2026-06-01-0001',
    expires_at: '2026-06-01T13:00:00Z',
  };
  const paid = await body(app.own.post('/api/v1/agent-pay/spend', payment), 201);
  const { merchant: _, ...again } = { ...payment, nonce: 'order-2026-06-01-0002' };
  const tried = await body(app.own.post('/api/v1/agent-pay/spend', again), 201);
  return new Map([
    ['genuine', plain(metered.meter_receipt)],
    ['payment', plain(paid.meter_receipt)],
    ['sandbox', plain(tried.meter_receipt)],
  ]);
}

/** Returns the statements of a month of an agent and of a pool, when it is over. */
async function accountStatements(
  app: TrustApp,
  { commitment }: Agent,
  time: VirtualTime,
): Promise<Map<string, JsonObject>> {
  time.advance(Date.parse('2026-07-01T00:01:00Z') - time.now());
  const agent = await body(app.anyone.get(`/api/v1/passport/agents/${commitment}/statements/2026-06`));
  const pool = await body(app.own.get('/api/v1/account/statements/2026-06'));
  return new Map([
    ['genuine', agent],
    ['pool', pool],
  ]);
}

/** Returns a presentation that the service accepts, with what the agent signed as payload. */
async function presented(app: TrustApp, { commitment, publicKey, sign }: Agent): Promise<JsonObject> {
  const photo = {
    photo_url: 'https://photos.example/clerk.png',
    photo_content_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    photo_mime_type: 'image/png',
  };
  const payload = { subject_commitment: commitment, ...photo };
  const signature = sign(payload);
  await body(
    app.anyone.call('PUT', `/api/v1/passport/agents/${commitment}/presentation`, { ...photo, signature }),
  );
  return { payload, signature, public_key: publicKey };
}

/** Returns an authorization that the service accepts, with what the agent signed as payload. */
async function authorized(app: TrustApp, agent: Agent, now: number): Promise<JsonObject> {
  const { commitment, publicKey } = agent;
  const path = `/api/v1/passport/agents/${commitment}/name`;
  const call = { method: 'PUT', path, body: { name: 'Clerk 8' }, audience: await audienceOf(app) };
  const auth = agentAuth(agent, { ...call, nonce: 'nonce-0000000001' }, now);
  await body(app.anyone.call('PUT', path, { ...call.body, agent_auth: auth }));
  const { signature, ...signed } = auth;
  return { payload: { type: 'agent-auth', ...call, ...signed }, signature, public_key: publicKey };
}

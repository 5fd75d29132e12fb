import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { agentAuth, audienceOf } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { type CreditedAgent, creditedAgent, holderOf } from '../../../support/credits.ts';
import { duringTheRequest, type HeldRequest } from '../../../support/late-body.ts';
import {
  SECRETS,
  SETTLEMENT,
  settlementSettings,
  settlementSignature,
} from '../../../support/settlements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let agent: CreditedAgent;
let issuerKey: string;
let holderKey: string;

beforeEach(async () => {
  app = await openTrustApp(settlementSettings);
  agent = await creditedAgent(app, { sponsor: app.otherId, credits: { paid: 50 } });
  ({ api_key: issuerKey } = await createKeyFor(app.service.trust, app.otherId, { name: 'stolen' }));
  holderKey = (await holderOf(app, agent, { operatorId: app.otherId })).key ?? '';
});
afterEach(() => app.close());

const bodies: Record<string, () => JsonObject> = {
  withdraw: () => ({ subject_commitment: agent.commitment, amount: 20, reference: 'payout' }),
  spend: () => ({
    subject_commitment: agent.commitment,
    product: 'portable_credential_issuance',
    max_credits: 10,
    nonce: 'a nonce without a space'.replaceAll(' ', '-'),
    expires_at: '2036-01-31T12:00:00Z',
  }),
};

type Caller = 'an issuer key' | 'a holder key' | 'the signature of the agent';

async function requestOf(what: string, caller: Caller): Promise<HeldRequest> {
  const body = bodies[what]?.() ?? {};
  const request = { method: 'POST', path: `/api/v1/agent-pay/${what}` };
  if (caller === 'the signature of the agent') {
    const auth = agentAuth(agent, { ...request, body, audience: await audienceOf(app) });
    return { ...request, body: { ...body, agent_auth: auth }, headers: {} };
  }
  const key = caller === 'an issuer key' ? issuerKey : holderKey;
  return { ...request, body, headers: { authorization: `Bearer ${key}` } };
}

const changes: Record<string, () => Promise<unknown>> = {
  'the deletion of the key': async () => {
    for (const key of [issuerKey, holderKey])
      expect((await app.other.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(key)}`)).status).toBe(
        200,
      );
  },
  'the suspension of the sponsor': () => setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED'),
  'the revocation of the agent': async () => {
    expect((await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`)).status).toBe(200);
  },
};

const nothing = async () => {
  const { body } = await app.anyone.get(`/api/v1/passport/agents/${agent.commitment}/credits`);
  expect([body.available, body.locked, body.spent]).toEqual([50, 0, 0]);
};

describe('a request whose headers came before a change and whose body after it is refused, and nothing moves:', () => {
  const callers: Caller[] = ['an issuer key', 'a holder key', 'the signature of the agent'];
  const cases = Object.keys(bodies).flatMap((what) => [
    ...callers
      .slice(0, 2)
      .map((caller) => [what, 'the deletion of the key', caller, '401 unauthorized'] as const),
    ...callers.flatMap((caller) => [
      [what, 'the suspension of the sponsor', caller, '403 forbidden'] as const,
      [what, 'the revocation of the agent', caller, '403 agent_not_enrolled'] as const,
    ]),
  ]);

  test.each(cases)('%s, %s, with %s: %s', async (what, change, caller, expected) => {
    const { status, body } = await duringTheRequest(app.fetch, await requestOf(what, caller), async () =>
      changes[change]?.(),
    );
    expect(`${status} ${body.reason_code}`).toBe(expected);
    await nothing();
  });

  test.each([
    ['the deletion of the key', '401 unauthorized'],
    ['the suspension of the sponsor', '403 forbidden'],
    ['the revocation of the agent', '403 agent_not_enrolled'],
  ])('a settlement, %s: %s', async (change, expected) => {
    const body = { rail: 'x402', reference: 'order', subject_commitment: agent.commitment, credits: 5 };
    const signature = settlementSignature(
      JSON.stringify(body),
      SECRETS.x402 ?? '',
      Math.floor(Date.now() / 1000),
    );
    const headers = { authorization: `Bearer ${issuerKey}`, 'x-settlement-signature': signature };
    const request = { method: 'POST', path: SETTLEMENT, body, headers };
    const response = await duringTheRequest(app.fetch, request, async () => changes[change]?.());
    expect(`${response.status} ${response.body.reason_code}`).toBe(expected);
    await nothing();
  });
});

test('the signature of an agent outlives the key that it was sent with, since the key authorizes nothing', async () => {
  const request = await requestOf('withdraw', 'the signature of the agent');
  const headers = { authorization: `Bearer ${app.apiKey}` };
  const { status } = await duringTheRequest(app.fetch, { ...request, headers }, async () => undefined);
  expect(status).toBe(201);
});

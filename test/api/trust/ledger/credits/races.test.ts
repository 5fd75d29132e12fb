import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import {
  adjustPoolDirectly,
  type CreditedAgent,
  creditedAgent,
  holderOf,
} from '../../../../support/credits.ts';
import { duringTheRequest, type HeldRequest } from '../../../../support/late-body.ts';
import { accountsOf, byName } from '../../../../support/ledger-accounts.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const TRANSFERS = '/api/v1/passport/credits/transfers';

let app: TrustApp;
let payer: CreditedAgent;
let payee: CreditedAgent;
let issuerKey: string;
let holderKey: string;

beforeEach(async () => {
  app = await openTrustApp();
  const { trust, firstStart } = app.service;
  payer = await creditedAgent(app, { sponsor: app.otherId, credits: { promotional: 10 } });
  payee = await creditedAgent(app);
  ({ api_key: issuerKey } = await createKeyFor(trust, app.otherId, { name: 'stolen' }));
  holderKey = (await holderOf(app, payer, { operatorId: app.otherId })).key ?? '';
  expect(firstStart.operatorId).not.toBe(app.otherId);
});
afterEach(() => app.close());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const agentPath = ({ commitment }: CreditedAgent, what: string) =>
  `/api/v1/passport/agents/${commitment}/${what}`;

const callers = ['an issuer key', 'a holder key', 'the signature of the agent'] as const;
type Caller = (typeof callers)[number];

/** A transfer of 6 of the payer's 10 credits. */
async function transfer(caller: Caller): Promise<HeldRequest> {
  const body = { from_commitment: payer.commitment, to_commitment: payee.commitment, amount: 6 };
  const request = { method: 'POST', path: TRANSFERS };
  if (caller === 'an issuer key') return { ...request, body, headers: bearer(issuerKey) };
  if (caller === 'a holder key') return { ...request, body, headers: bearer(holderKey) };
  const auth = agentAuth(payer, { ...request, body, audience: await audienceOf(app) });
  return { ...request, body: { ...body, agent_auth: auth }, headers: {} };
}

const changes: Record<string, () => Promise<unknown>> = {
  'the deletion of the key': async () => {
    for (const key of [issuerKey, holderKey])
      expect((await app.other.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(key)}`)).status).toBe(
        200,
      );
  },
  'the suspension of the sponsor': () => setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED'),
  'the revocation of the payer': async () => {
    expect((await app.own.post(agentPath(payer, 'revoke'))).status).toBe(200);
  },
  'the revocation of the payee': async () => {
    expect((await app.own.post(agentPath(payee, 'revoke'))).status).toBe(200);
  },
  'another sponsor of the payer': async () => {
    const { operatorId } = app.service.firstStart;
    const { status } = await app.own.call('PUT', agentPath(payer, 'sponsor'), { operator_id: operatorId });
    expect(status).toBe(200);
  },
  'the same transfer': async () => {
    const body = { from_commitment: payer.commitment, to_commitment: payee.commitment, amount: 6 };
    expect((await app.other.post(TRANSFERS, body)).status).toBe(201);
  },
};

describe('a transfer whose headers came before a change and whose body after it is refused:', () => {
  const cases: [string, Caller, string, string][] = [
    ['the deletion of the key', 'an issuer key', '401 unauthorized', '10'],
    ['the deletion of the key', 'a holder key', '401 unauthorized', '10'],
    ...callers.flatMap((caller): [string, Caller, string, string][] => [
      ['the suspension of the sponsor', caller, '403 forbidden', '10'],
      ['the revocation of the payer', caller, '403 agent_not_enrolled', '10'],
      ['the revocation of the payee', caller, '403 agent_not_enrolled', '10'],
      ['the same transfer', caller, '402 insufficient_credits', '4'],
    ]),
    ['another sponsor of the payer', 'an issuer key', '403 forbidden', '10'],
    ['another sponsor of the payer', 'a holder key', '403 forbidden', '10'],
  ];

  test.each(cases)('%s, with %s: %s', async (change, caller, expected, left) => {
    const meanwhile = changes[change];
    if (meanwhile === undefined) throw new Error(change);
    const { status, body } = await duringTheRequest(app.fetch, await transfer(caller), meanwhile);
    expect(`${status} ${body.reason_code}`).toBe(expected);
    const { available } = (await app.anyone.get(agentPath(payer, 'credits'))).body;
    expect(available).toBe(Number(left));
  });

  test('a change of the sponsor does not end what the agent itself signed', async () => {
    const meanwhile = changes['another sponsor of the payer'];
    if (meanwhile === undefined) throw new Error('no such change');
    const request = await transfer('the signature of the agent');
    expect((await duringTheRequest(app.fetch, request, meanwhile)).status).toBe(201);
  });
});

describe('a grant whose headers came before a change and whose body after it is refused:', () => {
  const cases: [string, () => Promise<unknown>, string][] = [
    ['the deletion of the key', async () => changes['the deletion of the key']?.(), '401 unauthorized'],
    [
      'the suspension of the operator',
      () => setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED'),
      '403 forbidden',
    ],
    [
      'the removal of credits from the pool',
      () => adjustPoolDirectly(app.service.trust, app.otherId, -3, 'promotional'),
      '402 insufficient_credits',
    ],
    [
      'the revocation of the agent',
      async () => changes['the revocation of the payee']?.(),
      '403 agent_not_enrolled',
    ],
  ];

  test.each(cases)('%s', async (_name, meanwhile, expected) => {
    await adjustPoolDirectly(app.service.trust, app.otherId, 5, 'promotional');
    const body = { subject_commitment: payee.commitment, amount: 5 };
    const path = '/api/v1/passport/credits/grants';
    const before = byName(await accountsOf(app));
    const request = { method: 'POST', path, body, headers: bearer(issuerKey) };
    const { status, body: problem } = await duringTheRequest(app.fetch, request, meanwhile);
    expect(`${status} ${problem.reason_code}`).toBe(expected);
    const changed = Object.entries(byName(await accountsOf(app))).filter(
      ([name, figures]) => String(figures) !== String(before[name]),
    );
    // Only what the administrator removed.
    expect(changed.every(([name]) => /^(pool|issuance)/.test(name))).toBe(true);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ApiError } from '../../../../../src/platform/http/errors/errors.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { type AgentCaller, agentCaller } from '../../../../../src/trust/ledger/credits/authorization.ts';
import { chargeIn } from '../../../../../src/trust/ledger/metering/charge.ts';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { SignerAuthority } from '../../../../../src/trust/operators/quotas/authorities.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { agentAuth, audienceOf } from '../../../../support/agent.ts';
import { createKeyFor } from '../../../../support/api-keys.ts';
import { client } from '../../../../support/client.ts';
import { type CreditedAgent, type Credits, creditedAgent, fundPool } from '../../../../support/credits.ts';
import { isSigned, tampered } from '../../../../support/statements.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

/** The request that charges a product. No operation does so yet. */
const LINE = { method: 'POST', path: '/api/v1/products/paid', search: '' };

type Product = Parameters<typeof chargeIn>[3];

const time = new VirtualTime();
let app: TrustApp;
let audience: string;
beforeAll(async () => {
  app = await openTrustApp({ 'metering.price.audit_package_generation': '30' }, time);
  audience = await audienceOf(app);
});
afterAll(() => app.close());

/** A new operator whose pool has these credits: its id and an issuer key. */
async function operator(credits: Credits = {}) {
  const { trust } = app.service;
  const { operator_id: id, api_key: key } = await createOperator(trust, { name: null, admin: false });
  await fundPool(app, id, credits);
  return { id, key };
}

/** A new agent of an operator, with these available credits. */
const agentOf = (sponsor: string | null, credits: Credits = {}) => creditedAgent(app, { sponsor, credits });

async function holderKey(id: string, { commitment }: CreditedAgent, scope: object = {}): Promise<string> {
  const request = { role: 'holder' as const, subject_commitment: commitment, scope };
  return (await createKeyFor(app.service.trust, id, request)).api_key;
}

/** The caller of a request with a key, or with only what an agent signed. */
async function callerWith(key: string | null, body: JsonObject = {}): Promise<AgentCaller> {
  const { trust } = app.service;
  const headers = { authorization: `Bearer ${key}` };
  const request = new Request(`http://localhost${LINE.path}`, { method: 'POST', headers });
  const principal = key === null ? null : await trust.principals.authenticate(request, 'any');
  return agentCaller(trust, principal, LINE, body);
}

/** A request for a product that an agent signed. */
function signedBody(agent: CreditedAgent) {
  const body = { product: 'portable_credential_issuance' };
  const { method, path } = LINE;
  return { ...body, agent_auth: agentAuth(agent, { method, path, body, audience }, time.now()) };
}

/** Charges a product in one transaction, by the authority of the caller. */
async function charge(
  caller: AgentCaller,
  product: Product = 'portable_credential_issuance',
  commitment: string | null = null,
) {
  const { trust } = app.service;
  return trust.store.write(caller.authority, (tx) => chargeIn(tx, trust, { caller, commitment }, product));
}

/** The reason_code of the refusal; `charged` if it was charged. */
async function outcome(charging: Promise<unknown>): Promise<string> {
  const error = await charging.then(
    () => 'charged',
    (failed: unknown) => failed,
  );
  return error instanceof ApiError ? String(error.code) : String(error);
}

/** What a payer was charged, oldest first. */
async function chargesOf(kind: 'pool' | 'agent', id: string) {
  const owner =
    kind === 'pool'
      ? 'SELECT operator_seq FROM operator WHERE operator_id = ?'
      : 'SELECT agent_seq FROM agent WHERE subject_commitment = unhex(?)';
  return app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ asset: string; amount: number; reference: string; debit_after: number }, string[]>(
        `SELECT asset, amount, reference, debit_after FROM movement
         WHERE kind = 'METER' AND credit_kind = 'revenue' AND debit_kind = '${kind}' AND debit_owner = (${owner})
         ORDER BY movement_seq`,
      )
      .all(id),
  );
}

describe('a meter receipt', () => {
  test.each<[Product, number]>([
    ['reputation_lookup_verified', 1],
    ['portable_credential_issuance', 10],
    ['audit_package_generation', 30],
  ])('of %s states what was charged, and is signed', async (product, price) => {
    const { id, key } = await operator({ promotional: 100 });
    const receipt = await charge(await callerWith(key), product);
    expect(receipt).toEqual({
      type: 'meter',
      meter_ref: expect.stringMatching(/^txn_[0-9a-f]{32}$/),
      product,
      payer: id,
      credits_charged: price,
      remaining_credits: 100 - price,
      charged_at: new Date(time.now()).toISOString(),
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
      kid: app.service.trust.signer.activeKey('credentials').kid,
    });
    expect(await isSigned(app, receipt)).toBe(true);
    for (const [path, changed] of tampered(receipt))
      expect([path, await isSigned(app, changed)]).toEqual([path, false]);
    const booked = { asset: 'promotional', amount: price, reference: product, debit_after: 100 - price };
    expect(await chargesOf('pool', id)).toEqual([booked]);
  });

  test('names the transaction of the ledger that paid it', async () => {
    const { key } = await operator({ paid: 10 });
    const { meter_ref } = await charge(await callerWith(key));
    const found = await app.service.trust.store.read(({ connection }) =>
      connection.sqlite
        .query('SELECT kind, amount FROM movement WHERE transaction_id = unhex(?)')
        .all(meter_ref.slice('txn_'.length)),
    );
    expect(found).toEqual([{ kind: 'METER', amount: 10 }]);
  });

  test.each<[string, Credits, number, true | undefined]>([
    ['promotional and paid credits', { promotional: 4, paid: 8 }, 2, undefined],
    ['paid credits beside sandbox ones', { paid: 10, sandbox: 99 }, 0, undefined],
    ['sandbox credits that suffice, and others that do not', { promotional: 9, sandbox: 15 }, 5, true],
  ])('of a payer with %s says what is left of them', async (_name, credits, remaining, sandbox) => {
    const { id, key } = await operator(credits);
    const receipt = await charge(await callerWith(key));
    expect([receipt.sandbox, receipt.remaining_credits]).toEqual([sandbox, remaining]);
    expect(await isSigned(app, receipt)).toBe(true);
    expect((await chargesOf('pool', id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(10);
  });

  test("is refused while the server's clock is wrong, and nothing is charged", async () => {
    const { id, key } = await operator({ paid: 10 });
    const caller = await callerWith(key);
    time.jump(61_000);
    expect(await outcome(charge(caller))).toBe('clock_wrong');
    time.jump(-61_000);
    expect(await chargesOf('pool', id)).toEqual([]);
    expect((await charge(caller)).remaining_credits).toBe(0);
  });

  test('of a transaction that fails afterwards does not exist, and nothing is charged', async () => {
    const { trust } = app.service;
    const { id, key } = await operator({ paid: 10 });
    const caller = await callerWith(key);
    const failing = trust.store.write(caller.authority, async (tx) => {
      await chargeIn(tx, trust, { caller, commitment: null }, 'portable_credential_issuance');
      throw new Error('the product could not be made');
    });
    expect(await outcome(failing)).toContain('could not be made');
    expect(await chargesOf('pool', id)).toEqual([]);
  });
});

describe('a product is paid', () => {
  test('by the agent of a holder key', async () => {
    const { id } = await operator({ paid: 50 });
    const agent = await agentOf(id, { promotional: 12 });
    const receipt = await charge(await callerWith(await holderKey(id, agent)));
    expect(receipt).toMatchObject({ payer: agent.commitment, remaining_credits: 2 });
    expect(await isSigned(app, receipt)).toBe(true);
    expect((await chargesOf('agent', agent.commitment)).length).toBe(1);
    expect(await chargesOf('pool', id)).toEqual([]);
  });

  test('by the agent that a key of its sponsor names', async () => {
    const { id, key } = await operator({ paid: 50 });
    const agent = await agentOf(id, { paid: 10 });
    const receipt = await charge(await callerWith(key), 'portable_credential_issuance', agent.commitment);
    expect(receipt).toMatchObject({ payer: agent.commitment, remaining_credits: 0 });
    expect(await chargesOf('pool', id)).toEqual([]);
  });

  test('by the agent that signed, with a key of another operator and without a key', async () => {
    const { id } = await operator();
    const { id: strangerId, key: stranger } = await operator({ paid: 50 });
    const agent = await agentOf(id, { paid: 20 });
    for (const key of [stranger, null]) {
      const receipt = await charge(await callerWith(key, signedBody(agent)));
      expect(receipt.payer).toBe(agent.commitment);
    }
    const left = (await chargesOf('agent', agent.commitment)).map(({ debit_after }) => debit_after);
    expect(left).toEqual([10, 0]);
    expect(await chargesOf('pool', strangerId)).toEqual([]);
  });

  test('once by each signature', async () => {
    const { id } = await operator();
    const agent = await agentOf(id, { paid: 20 });
    const body = signedBody(agent);
    expect(await outcome(charge(await callerWith(null, body)))).toBe('charged');
    expect(await outcome(charge(await callerWith(null, body)))).toBe('nonce_reused');
    expect((await chargesOf('agent', agent.commitment)).length).toBe(1);
  });

  test('from exactly enough credits, by one of two requests at once', async () => {
    const { id, key } = await operator({ paid: 10 });
    const caller = await callerWith(key);
    const both = await Promise.all([outcome(charge(caller)), outcome(charge(caller))]);
    expect(both.sort()).toEqual(['charged', 'insufficient_credits']);
    expect((await chargesOf('pool', id)).length).toBe(1);
  });
});

describe('a product is not paid', () => {
  test.each<[string, Credits]>([
    ['no credits', {}],
    ['one credit too few', { paid: 9 }],
    ['classes that suffice only together', { paid: 9, sandbox: 9 }],
  ])('by a pool with %s', async (_name, credits) => {
    const { id, key } = await operator(credits);
    expect(await outcome(charge(await callerWith(key)))).toBe('insufficient_credits');
    expect(await chargesOf('pool', id)).toEqual([]);
  });

  test('by the pool of an operator whose agent has too few credits', async () => {
    const { id } = await operator({ paid: 50 });
    const agent = await agentOf(id, { paid: 9 });
    const caller = await callerWith(await holderKey(id, agent));
    expect(await outcome(charge(caller))).toBe('insufficient_credits');
    expect(await chargesOf('pool', id)).toEqual([]);
  });

  test('by an agent of another operator, or by one that a holder key is not for', async () => {
    const { id } = await operator();
    const { id: otherId, key: stranger } = await operator({ paid: 50 });
    const [agent, sibling] = [await agentOf(id, { paid: 50 }), await agentOf(id, { paid: 50 })];
    const other = await holderKey(otherId, await agentOf(otherId));
    for (const key of [stranger, await holderKey(id, sibling), other]) {
      const charging = charge(await callerWith(key), 'portable_credential_issuance', agent.commitment);
      expect(await outcome(charging)).toBe('forbidden');
    }
    expect(await chargesOf('agent', agent.commitment)).toEqual([]);
    expect(await chargesOf('pool', otherId)).toEqual([]);
  });

  test('by an agent that is revoked or never enrolled', async () => {
    const { id, key } = await operator({ paid: 50 });
    const agent = await agentOf(id, { paid: 50 });
    const api = client(app.fetch, 'http://localhost', key);
    expect((await api.post(`/api/v1/passport/agents/${agent.commitment}/revoke`)).status).toBe(200);
    for (const commitment of [agent.commitment, 'ab'.repeat(32)]) {
      const charging = charge(await callerWith(key), 'portable_credential_issuance', commitment);
      expect(await outcome(charging)).toBe('agent_not_enrolled');
    }
    expect(await chargesOf('agent', agent.commitment)).toEqual([]);
  });

  test('by an operator that is suspended while the request is under way, or by its agent', async () => {
    const { id, key } = await operator({ paid: 50 });
    const agent = await agentOf(id, { paid: 50 });
    const callers = [await callerWith(key), await callerWith(await holderKey(id, agent))];
    await setAccountStatus(app.service.trust, id, 'SUSPENDED');
    for (const caller of callers) expect(await outcome(charge(caller))).toBe('forbidden');
    expect(await chargesOf('pool', id)).toEqual([]);
    expect(await chargesOf('agent', agent.commitment)).toEqual([]);
  });

  test('by a suspended operator on a route that lets its key write', async () => {
    const { trust } = app.service;
    const { id, key } = await operator({ paid: 50 });
    await setAccountStatus(trust, id, 'SUSPENDED');
    const headers = { authorization: `Bearer ${key}` };
    const request = new Request(`http://localhost${LINE.path}`, { method: 'POST', headers });
    const principal = await trust.principals.authenticate(request, 'gated');
    expect(await outcome(charge(agentCaller(trust, principal, LINE, {})))).toBe('forbidden');
    expect(await chargesOf('pool', id)).toEqual([]);
  });

  test('by a caller without a key and without a signature', async () => {
    const authority = new SignerAuthority(app.service.trust.quotas, null);
    const enforcement = 'refusable' as const;
    const caller = { principal: null, line: LINE, body: {}, auth: undefined, authority, enforcement };
    expect(await outcome(charge(caller))).toBe('unauthorized');
  });
});

test.each<[string, object, string]>([
  ['9 credits at once', { max_credits: 9 }, 'scope_violation'],
  ['another product', { products: ['audit_package_generation'] }, 'scope_violation'],
  ['no product', { products: [] }, 'scope_violation'],
  ['10 credits for this product', { max_credits: 10, products: ['portable_credential_issuance'] }, 'charged'],
])(
  'the scope of a key for %s limits payments of a pool, of an agent and by a holder key',
  async (_name, scope, expected) => {
    const { id } = await operator({ paid: 50 });
    const agent = await agentOf(id, { paid: 50 });
    const { api_key: issuer } = await createKeyFor(app.service.trust, id, { scope });
    const outcomes = [
      await outcome(charge(await callerWith(issuer))),
      await outcome(charge(await callerWith(issuer), 'portable_credential_issuance', agent.commitment)),
      await outcome(charge(await callerWith(await holderKey(id, agent, scope)))),
    ];
    expect(outcomes).toEqual([expected, expected, expected]);
  },
);

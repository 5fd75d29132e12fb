import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import {
  confirmPayoutIn,
  failPayoutIn,
  payoutById,
  submitPayoutIn,
} from '../../../../src/trust/payments/payouts/queue.ts';
import { agentAuth, audienceOf } from '../../../support/agent.ts';
import { type ApiResponse, client } from '../../../support/client.ts';
import {
  type CreditedAgent,
  type Credits,
  creditedAgent,
  holderOf,
  selfProvisionedAgent,
} from '../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const WITHDRAW = '/api/v1/agent-pay/withdraw';
const TRANSFERS = '/api/v1/passport/credits/transfers';

let app: TrustApp;
let audience: string;
let owner: CreditedAgent;
let references = 0;

beforeAll(async () => {
  app = await openTrustApp();
  audience = await audienceOf(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await creditedAgent(app, { credits: { promotional: 7, paid: 100 } });
});

const codeOf = ({ status, body }: ApiResponse): unknown[] => [status, body.reason_code];
const bodyOf = (changes: JsonObject = {}): JsonObject => ({
  subject_commitment: owner.commitment,
  amount: 40,
  reference: `withdrawal ${++references}`,
  ...changes,
});
const walletOf = async ({ commitment } = owner, caller = app.own) =>
  (await caller.get(`/api/v1/agent-pay/wallet?subject_commitment=${commitment}`)).body;

describe('a withdrawal', () => {
  test('locks the paid credits, queues the payout to the wallet of the agent, and anchors a receipt', async () => {
    const body = bodyOf();
    const response = await app.own.post(WITHDRAW, body);
    const { withdrawal_id, receipt_id } = response.body;
    expect([response.status, response.body]).toEqual([
      201,
      {
        withdrawal_id: expect.stringMatching(/^wdr_[0-9a-f]{32}$/),
        receipt_id: expect.stringMatching(/^rcpt_/),
        reference: body.reference,
        status: 'queued',
      },
    ]);
    expect(await walletOf()).toMatchObject({ available: 67, locked: 40, withdrawable: 60 });
    const { trust } = app.service;
    const state = await trust.store.read((snapshot) => payoutById(snapshot, String(withdrawal_id)));
    const address = state?.payout.address;
    expect(state?.payout).toMatchObject({ amount: 40, usdCents: 40, status: 'queued', rail: null });
    const governance = await app.anyone.get(`/api/v1/passport/agents/${owner.commitment}/governance`);
    expect(Object(governance.body.wallet ?? { address }).address).toBe(address);
    const receipt = (await app.own.get(`/api/v1/receipts/${receipt_id}`)).body;
    // Canonical JSON: members in order, text and integers only.
    const stated =
      `{"address":"${address}","amount":40,"reference":"${body.reference}","subject_commitment":"${owner.commitment}",` +
      `"usd_cents":40,"withdrawal_id":"${withdrawal_id}"}`;
    expect(receipt).toMatchObject({
      receipt_type: 'custody',
      status: 'success',
      domain: 'SYSTEM_INTEGRATION',
      agent_id: owner.commitment,
      operator_id: app.service.firstStart.operatorId,
      authority_scope: `withdrawal:${withdrawal_id}`,
      output_hash: createHash('sha256').update(stated).digest('hex'),
    });
    const journal = await app.own.get(`/api/v1/passport/agents/${owner.commitment}/credit-journal`);
    expect(Object(journal.body.entries)[0]).toMatchObject({
      kind: 'LOCK',
      asset: 'paid',
      amount: 40,
      reference: withdrawal_id,
      receipt_id,
    });
  });

  test('with the same reference and amount returns the first one as it is now, even at once; another amount is 409', async () => {
    const body = bodyOf();
    const responses = await Promise.all(Array.from({ length: 6 }, () => app.own.post(WITHDRAW, body)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.withdrawal_id}`)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length).toBe(5);
    expect(codeOf(await app.own.post(WITHDRAW, { ...body, amount: 41 }))).toEqual([409, 'conflict']);
    expect(await walletOf()).toMatchObject({ available: 67, locked: 40 });
    await end(String(responses[0]?.body.withdrawal_id), 'fail');
    expect((await app.own.post(WITHDRAW, body)).body.status).toBe('failed');
    expect(await walletOf()).toMatchObject({ available: 107, locked: 0, withdrawable: 100 });
  });

  test('with the reference of another agent is another one', async () => {
    const another = await creditedAgent(app, { credits: { paid: 40 } });
    const body = bodyOf();
    const first = await app.own.post(WITHDRAW, body);
    const second = await app.own.post(WITHDRAW, { ...body, subject_commitment: another.commitment });
    expect(second.status).toBe(201);
    expect(second.body.withdrawal_id).not.toBe(first.body.withdrawal_id);
  });

  test('that is confirmed leaves the ledger; the agent has spent it', async () => {
    const { body } = await app.own.post(WITHDRAW, bodyOf());
    await end(String(body.withdrawal_id), 'confirm');
    expect(await walletOf()).toMatchObject({ available: 67, locked: 0, withdrawable: 60 });
    const credits = await app.anyone.get(`/api/v1/passport/agents/${owner.commitment}/credits`);
    expect(credits.body).toMatchObject({ granted: 107, earned: 0, spent: 40, locked: 0, available: 67 });
  });

  test('by the holder key, by the signature of the agent, and by an admin key while it has no sponsor', async () => {
    expect((await (await holderOf(app, owner)).post(WITHDRAW, bodyOf())).status).toBe(201);
    const body = bodyOf();
    const auth = agentAuth(owner, { method: 'POST', path: WITHDRAW, body, audience });
    expect((await app.anyone.post(WITHDRAW, { ...body, agent_auth: auth })).status).toBe(201);
    const lone = await creditedAgent(app, { sponsor: null, credits: { paid: 40 } });
    const { status, body: withdrawn } = await app.own.post(
      WITHDRAW,
      bodyOf({ subject_commitment: lone.commitment }),
    );
    expect(status).toBe(201);
    // Nobody sponsors it, so the receipt is in the name of the first operator.
    const receipt = (await app.own.get(`/api/v1/receipts/${withdrawn.receipt_id}`)).body;
    expect(receipt.operator_id).toBe(app.service.firstStart.operatorId);
  });

  test('as many at once as the paid credits suffice for are queued', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => app.own.post(WITHDRAW, bodyOf())));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 402, 402, 402]);
    expect(await walletOf()).toMatchObject({ locked: 80, withdrawable: 20 });
  });
});

/** Ends a payout as a rail does. */
async function end(withdrawalId: string, how: 'confirm' | 'fail'): Promise<void> {
  const { trust } = app.service;
  await trust.store.writeAsService(async (tx) => {
    const queued = await payoutById(tx, withdrawalId);
    if (queued === null) throw new Error(withdrawalId);
    if (how === 'fail') return failPayoutIn(tx, trust, queued, 'the bank refused it');
    const submitted = await submitPayoutIn(tx, trust, queued.payout.payoutSeq, 'manual');
    if (submitted === null) throw new Error(withdrawalId);
    await confirmPayoutIn(tx, trust, submitted, 'transfer 1');
  });
}

describe('a withdrawal is refused, and nothing is locked,', () => {
  const cases: Record<string, [() => Promise<ApiResponse>, number, string]> = {
    "of another operator's agent": [() => app.other.post(WITHDRAW, bodyOf()), 403, 'forbidden'],
    'with the holder key of another agent': [
      async () => (await holderOf(app, await creditedAgent(app))).post(WITHDRAW, bodyOf()),
      403,
      'forbidden',
    ],
    'with the self-provisioned key of a stranger': [
      async () => {
        const stranger = await selfProvisionedAgent(app);
        const holder = await holderOf(app, stranger, { operatorId: stranger.operatorId });
        return holder.post(WITHDRAW, bodyOf());
      },
      403,
      'forbidden',
    ],
    'with the signature of another agent': [
      async () => {
        const other = await creditedAgent(app);
        const body = bodyOf();
        const auth = agentAuth(other, { method: 'POST', path: WITHDRAW, body, audience });
        return app.anyone.post(WITHDRAW, { ...body, agent_auth: auth });
      },
      401,
      'invalid_proof',
    ],
    'without a key or a signature': [() => app.anyone.post(WITHDRAW, bodyOf()), 401, 'unauthorized'],
    'of more than the paid credits': [
      () => app.own.post(WITHDRAW, bodyOf({ amount: 101 })),
      402,
      'insufficient_treasury',
    ],
    'with a key whose scope allows less': [
      async () => (await holderOf(app, owner, { scope: { max_credits: 39 } })).post(WITHDRAW, bodyOf()),
      402,
      'scope_violation',
    ],
    'with a key whose scope is for products': [
      async () =>
        (await holderOf(app, owner, { scope: { products: ['portable_credential_issuance'] } })).post(
          WITHDRAW,
          bodyOf(),
        ),
      402,
      'scope_violation',
    ],
    'of an agent that never enrolled': [
      () => app.own.post(WITHDRAW, bodyOf({ subject_commitment: '0'.repeat(64) })),
      403,
      'agent_not_enrolled',
    ],
    'of nothing': [() => app.own.post(WITHDRAW, bodyOf({ amount: 0 })), 400, 'validation_error'],
    'of a part of a credit': [() => app.own.post(WITHDRAW, bodyOf({ amount: 0.5 })), 400, 'validation_error'],
    'without a reference': [() => app.own.post(WITHDRAW, bodyOf({ reference: '' })), 400, 'validation_error'],
    'to an address that the client names': [
      () => app.own.post(WITHDRAW, bodyOf({ address: `0x${'1'.repeat(40)}` })),
      400,
      'validation_error',
    ],
  };

  for (const [why, [sending, status, code]] of Object.entries(cases)) {
    test(why, async () => {
      expect(codeOf(await sending())).toEqual([status, code]);
      expect(await walletOf()).toMatchObject({ available: 107, locked: 0 });
    });
  }

  test('of fewer credits than payouts.minimum; a withdrawal from before stays as it was', async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-minimum-'));
    const before = await openTrustApp({}, null, data);
    const agent = await creditedAgent(before, { credits: { paid: 300 } });
    const withdrawal = { subject_commitment: agent.commitment, amount: 99, reference: 'small' };
    expect((await before.own.post(WITHDRAW, withdrawal)).status).toBe(201);
    await before.close();
    const now = await openTrustApp({ 'payouts.minimum': '100' }, null, data);
    expect((await now.own.post(WITHDRAW, withdrawal)).status).toBe(201);
    const refused = await now.own.post(WITHDRAW, { ...withdrawal, reference: 'another' });
    expect(codeOf(refused)).toEqual([400, 'validation_error']);
    expect(JSON.stringify(refused.body)).toContain('must be at least 100');
    expect((await now.own.post(WITHDRAW, { ...withdrawal, amount: 100, reference: 'enough' })).status).toBe(
      201,
    );
    await now.close();
    rmSync(data, { recursive: true });
  });

  test('of a revoked agent, and of one whose sponsor is suspended', async () => {
    await app.own.post(`/api/v1/passport/agents/${owner.commitment}/revoke`);
    expect(codeOf(await app.own.post(WITHDRAW, bodyOf()))).toEqual([403, 'agent_not_enrolled']);
    const { trust } = app.service;
    const { operator_id: sponsor, api_key: key } = await createOperator(trust, { name: null, admin: false });
    const agent = await creditedAgent(app, { sponsor, credits: { paid: 50 } });
    const body = bodyOf({ subject_commitment: agent.commitment });
    const auth = agentAuth(agent, { method: 'POST', path: WITHDRAW, body, audience });
    await setAccountStatus(trust, sponsor, 'SUSPENDED');
    const own = client(app.fetch, 'http://localhost', key);
    expect(codeOf(await own.post(WITHDRAW, body))).toEqual([403, 'forbidden']);
    expect(codeOf(await app.anyone.post(WITHDRAW, { ...body, agent_auth: auth }))).toEqual([
      403,
      'forbidden',
    ]);
    // It can still read what it has; no wallet is made.
    expect(await walletOf(agent, own)).toMatchObject({ available: 50, withdrawable: 50 });
  });

  test.each<[keyof Credits]>([['promotional'], ['sandbox']])(
    'of %s credits, even after three transfers',
    async (creditClass) => {
      const chain: CreditedAgent[] = [];
      for (let index = 0; index < 4; index++) {
        const credits = index === 0 ? { [creditClass]: 30 } : {};
        chain.push(await creditedAgent(app, { credits }));
      }
      for (const [index, from] of chain.entries()) {
        const withdrawal = bodyOf({ subject_commitment: from.commitment, amount: 1 });
        expect(codeOf(await app.own.post(WITHDRAW, withdrawal))).toEqual([402, 'insufficient_treasury']);
        const to = chain[index + 1];
        if (to === undefined) break;
        const transfer = { from_commitment: from.commitment, to_commitment: to.commitment, amount: 30 };
        expect((await app.own.post(TRANSFERS, transfer)).status).toBe(201);
      }
    },
  );

  test('of paid credits that are beside promotional ones, beyond the paid ones', async () => {
    const { status, body } = await app.own.post(WITHDRAW, bodyOf({ amount: 107 }));
    expect([status, body.reason_code]).toEqual([402, 'insufficient_treasury']);
    expect(String(body.error)).toContain('100 paid credits');
  });
});

describe('the wallet', () => {
  test('is for keys that may act for the agent', async () => {
    const path = `/api/v1/agent-pay/wallet?subject_commitment=${owner.commitment}`;
    for (const caller of [app.own, await holderOf(app, owner)])
      expect((await caller.get(path)).status).toBe(200);
    for (const caller of [app.other, await holderOf(app, await creditedAgent(app))])
      expect(codeOf(await caller.get(path))).toEqual([403, 'forbidden']);
    expect(codeOf(await app.anyone.get(path))).toEqual([401, 'unauthorized']);
  });

  test('of an agent that never enrolled is 404, and a commitment of another form 400', async () => {
    const get = (commitment: string) =>
      app.own.get(`/api/v1/agent-pay/wallet?subject_commitment=${commitment}`);
    expect(codeOf(await get('0'.repeat(64)))).toEqual([404, 'not_found']);
    expect(codeOf(await get('nobody'))).toEqual([400, 'validation_error']);
  });
});

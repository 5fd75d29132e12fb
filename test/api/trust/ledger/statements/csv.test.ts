import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { creditsOf, type JournalAccount, poolOf } from '../../../../../src/trust/ledger/accounts.ts';
import { postIn } from '../../../../../src/trust/ledger/post.ts';
import { requireOperatorIn } from '../../../../../src/trust/operators/require-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const POOL = '/api/v1/account/statements';
const time = new VirtualTime(Date.parse('2026-10-20T12:00:00Z'));
const issuance = { kind: 'issuance', ownerSeq: 0, name: 'issuance' } as const;
let app: TrustApp;
let agent: CreditedAgent;
let pool: JournalAccount;

beforeAll(async () => {
  app = await openTrustApp({}, time);
  agent = await creditedAgent(app, { sponsor: app.otherId });
  pool = poolOf(await app.service.trust.store.read((snapshot) => requireOperatorIn(snapshot, app.otherId)));
  for (const account of [pool, creditsOf(agent.agent)]) await settle(account, 450);
  // At the last moment of October, and at the first one of November.
  for (const moment of ['2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00.000Z']) {
    time.advance(Date.parse(moment) - time.now());
    for (const account of [pool, creditsOf(agent.agent)]) await settle(account, 1);
  }
  time.advance(86_400_000);
});
afterAll(() => app.close());

/** Adds credits to an account, in as many movements. */
async function settle(to: JournalAccount, count: number): Promise<void> {
  const { trust } = app.service;
  await trust.store.writeAsService(async (tx) => {
    for (let index = 0; index < count; index++)
      await postIn(tx, trust, { kind: 'SETTLEMENT', from: issuance, to, portions: { promotional: 1 } });
  });
}

const agentPath = () => `/api/v1/passport/agents/${agent.commitment}/statements`;

function csvOf(path: string, key: string): Promise<Response> {
  const headers = { accept: 'text/csv', authorization: `Bearer ${key}` };
  return app.fetch(new Request(`http://localhost${path}`, { headers }));
}

test('the CSV of a month has its entries, to the first and the last millisecond', async () => {
  for (const base of [POOL, agentPath()])
    for (const [month, entries] of [
      ['2026-10', 451],
      ['2026-11', 1],
    ] as const) {
      const rows = (await (await csvOf(`${base}/${month}`, app.otherKey)).text()).trimEnd().split('\r\n');
      const { body } = await app.other.get(`${base}/${month}`);
      expect([month, rows.length - 1, body.journal]).toMatchObject([month, entries, { entries }]);
    }
});

test('the CSV of a month ends when its key is deleted', async () => {
  for (const base of [POOL, agentPath()]) {
    const { body } = await app.other.post('/api/v1/operator/api-keys', {});
    const key = String(body.api_key);
    const reader = (await csvOf(`${base}/2026-10`, key)).body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first.startsWith('entry_id,created_at,')).toBe(true);
    expect(first.trimEnd().split('\r\n').length).toBeLessThan(300);
    const { status } = await app.other.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(key)}`);
    expect(status).toBe(200);
    await expect(Promise.resolve(reader?.read())).rejects.toThrow('may no longer read the journal');
  }
});

test('a suspended operator reads its months and those of its agents', async () => {
  await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
  for (const base of [POOL, agentPath()]) {
    const { status, body } = await app.other.get(`${base}/2026-10`);
    expect([base, status, typeof body.signature]).toEqual([base, 200, 'string']);
    const csv = await csvOf(`${base}/2026-10`, app.otherKey);
    expect((await csv.text()).trimEnd().split('\r\n').length).toBe(452);
  }
});

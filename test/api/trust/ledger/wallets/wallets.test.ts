import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newWallet } from '../../../../../src/trust/ledger/wallets/keys.ts';
import { type WalletOwner, walletOfIn } from '../../../../../src/trust/ledger/wallets/wallets.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { restoreProblems } from '../../../../../src/trust/service/restore-checks.ts';
import { client } from '../../../../support/client.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const WALLET = '/api/v1/account/wallet';
const CHAIN = {
  'evm.rpc_urls': 'http://127.0.0.1:1/',
  'evm.chain_id': '8453',
  'evm.token': '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'evm.treasury_key': `0x${'42'.repeat(32)}`,
};

let app: TrustApp;
afterEach(() => app.close());

/** Makes the wallet of an owner as the first touch does. */
async function touched({ service: { trust } }: TrustApp, owner: WalletOwner) {
  const candidate = await newWallet(trust.masterKey, owner);
  return trust.store.writeAsService((tx) => walletOfIn(tx, trust, candidate));
}

const countOf = ({ service: { trust } }: TrustApp) =>
  trust.store.read(({ connection: { sqlite } }) =>
    sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM custodial_wallet').get(),
  );

describe('GET /api/v1/account/wallet', () => {
  test('makes the wallet at the first touch, and returns the same one from then on, even to a session', async () => {
    app = await openTrustApp();
    const first = await app.own.get(WALLET);
    expect([first.status, first.body]).toEqual([
      200,
      {
        operator_id: app.service.firstStart.operatorId,
        address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        chain: 'eip155',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
    expect((await app.own.get(WALLET)).body).toEqual(first.body);
    const session = await app.own.post('/api/v1/operator/session');
    const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? '';
    const byCookie = await client(app.fetch, 'http://localhost', null).call('GET', WALLET, undefined, {
      cookie,
    });
    expect([byCookie.status, byCookie.body]).toEqual([200, first.body]);

    const other = await app.other.get(WALLET);
    expect(other.body.operator_id).toBe(app.otherId);
    expect(other.body.address).not.toBe(first.body.address);
    expect((await app.anyone.get(WALLET)).status).toBe(401);
  });

  test('gives one wallet to concurrent first touches', async () => {
    app = await openTrustApp();
    const responses = await Promise.all(Array.from({ length: 16 }, () => app.own.get(WALLET)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.address}`)).size).toBe(1);
    expect(await countOf(app)).toEqual({ n: 1 });
  });

  test('names the configured chain by CAIP-2', async () => {
    app = await openTrustApp(CHAIN);
    expect((await app.own.get(WALLET)).body.chain).toBe('eip155:8453');
  });

  test('is refused to a holder key, and to a suspended operator that has no wallet yet', async () => {
    app = await openTrustApp();
    const agent = await creditedAgent(app);
    const made = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: agent.commitment,
    });
    const holder = client(app.fetch, 'http://localhost', String(made.body.api_key));
    expect((await holder.get(WALLET)).status).toBe(403);

    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect((await app.other.get(WALLET)).body).toMatchObject({ reason_code: 'forbidden' });
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    const { body } = await app.other.get(WALLET);
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect([(await app.other.get(WALLET)).body, await countOf(app)]).toEqual([body, { n: 1 }]);
  });

  test('counts the first touch alone against the quotas of the operator', async () => {
    app = await openTrustApp({ 'quotas.other.writes_per_minute': '1', rate_limits: 'on' });
    expect((await app.other.issue()).status).toBe(201);
    const refused = await app.other.get(WALLET);
    expect([refused.status, refused.body.reason_code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await app.own.get(WALLET)).status).toBe(200);
    for (const _ of Array(5)) expect((await app.own.get(WALLET)).status).toBe(200);
  });
});

describe('a read-only service', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'countersign-wallets-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  test('returns wallets, and makes none', async () => {
    const writing = await openTrustApp({}, null, data);
    const { body } = await writing.own.get(WALLET);
    const { otherKey } = writing;
    await writing.close();
    app = await openTrustApp({ read_only: 'on' }, null, data);
    expect((await app.own.get(WALLET)).body).toEqual(body);
    const none = await client(app.fetch, 'http://localhost', otherKey).get(WALLET);
    expect([none.status, none.body.reason_code]).toEqual([503, 'storage_unavailable']);
  });

  test('does not start, and neither does another one, without the master key or with another one', async () => {
    const writing = await openTrustApp({}, null, data);
    await writing.own.get(WALLET);
    await writing.close();
    const file = join(data, 'keys', 'master.key');
    const problems = async () => (await restoreProblems(data, trustDatabase)).map(({ what }) => what);
    expect(await problems()).toEqual([]);
    const key = readFileSync(file, 'utf8');
    rmSync(file);
    expect(await problems()).toEqual([expect.stringContaining('keys/ does not contain master.key')]);
    for (const read_only of ['on', 'off']) {
      await expect(openTrustApp({ read_only }, null, data)).rejects.toThrow('master.key is missing');
    }
    writeFileSync(file, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
    for (const read_only of ['on', 'off']) {
      await expect(openTrustApp({ read_only }, null, data)).rejects.toThrow(
        /custodial_wallet:\w+:1:0x\w+:encrypted_key\) cannot be decrypted/,
      );
    }
    expect(await problems()).toEqual([
      expect.stringMatching(/^the service cannot start with keys\/master\.key: .* cannot be decrypted$/),
    ]);
    writeFileSync(file, 'damaged', { mode: 0o600 });
    expect(await problems()).toEqual([expect.stringContaining('is damaged')]);
    writeFileSync(file, key, { mode: 0o600 });
    expect(await problems()).toEqual([]);
    app = await openTrustApp({}, null, data);
    expect((await app.own.get(WALLET)).status).toBe(200);
  });
});

describe('the governance of an agent', () => {
  test('shows its wallet from the first touch on', async () => {
    app = await openTrustApp(CHAIN);
    const { agent, commitment } = await creditedAgent(app, { credits: { promotional: 5 } });
    const governance = () => app.anyone.get(`/api/v1/passport/agents/${commitment}/governance`);
    expect((await governance()).body.wallet).toBeNull();
    const { address } = await touched(app, { kind: 'agent', seq: agent.agentSeq });
    expect((await governance()).body.wallet).toEqual({ address, chain: 'eip155:8453' });
  });
});

describe('the table', () => {
  test('refuses a wallet without an owner, a second one, and every change', async () => {
    app = await openTrustApp();
    const { trust } = app.service;
    const { agent } = await creditedAgent(app);
    const owner: WalletOwner = { kind: 'agent', seq: agent.agentSeq };
    const first = await touched(app, owner);
    expect(await touched(app, owner)).toEqual(first);
    await expect(touched(app, { kind: 'agent', seq: 999 })).rejects.toThrow(
      'the owner of a wallet must exist',
    );
    await expect(touched(app, { kind: 'operator', seq: 999 })).rejects.toThrow(
      'the owner of a wallet must exist',
    );
    for (const [sql, refusal] of [
      ["UPDATE custodial_wallet SET address = '0x' || hex(randomblob(20))", 'wallets never change'],
      ['DELETE FROM custodial_wallet', 'wallets are never deleted'],
    ] as const) {
      const change = trust.store.writeAsService(async ({ connection: { sqlite } }) => void sqlite.run(sql));
      await expect(change).rejects.toThrow(refusal);
    }
  });
});

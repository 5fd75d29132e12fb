import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { newWallet } from '../../../../src/trust/ledger/wallets/keys.ts';
import { walletOfIn } from '../../../../src/trust/ledger/wallets/wallets.ts';
import { creditedAgent } from '../../../support/credits.ts';
import { chainSettings } from '../../../support/evm/payout-app.ts';
import { CHAIN_ID, startChain, type TestChain } from '../../../support/evm/test-chain.ts';
import { localAdministrator } from '../../../support/local-administrator.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const TO = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
/** More than two pages. */
const WALLETS = 203;

let chain: TestChain;
let token: string;
let app: TrustApp;
let commitment: string;
let address: string;

beforeAll(async () => {
  chain = await startChain();
  const deployed = await chain.deploy(0n);
  token = deployed;
  app = await openTrustApp(chainSettings(chain, token));
  const { trust, firstStart } = app.service;
  const agents = await Promise.all(Array.from({ length: WALLETS - 1 }, () => creditedAgent(app)));
  const candidates = await Promise.all([
    newWallet(trust.masterKey, { kind: 'operator', seq: 1 }),
    ...agents.map(({ agent }) => newWallet(trust.masterKey, { kind: 'agent', seq: agent.agentSeq })),
  ]);
  await trust.store.writeAsService(async (tx) => {
    for (const candidate of candidates) await walletOfIn(tx, trust, candidate);
  });
  commitment = agents.at(-1)?.commitment ?? '';
  address = candidates.at(-1)?.address ?? '';
  expect(firstStart.operatorId).toStartWith('op_cus_');
  await chain.mint(deployed, `0x${address.slice(2)}`, 3_000_000n);
  await chain.setCoins(address, 10n ** 18n);
}, 180_000);
afterAll(async () => {
  await app.close();
  await chain.stop();
});

const call = async (operation: string, values: Record<string, unknown> = {}, at: TrustApp = app) =>
  Object(await (await localAdministrator(at))(operation, values));

describe('the commands on wallets', () => {
  test('list every wallet once, newest first, with the balances of the node', async () => {
    const rows: { owner: string; kind: string; tokens: string | null; coins: string | null }[] = [];
    let cursor: { cursor?: string } | null = {};
    let pages = 0;
    while (cursor !== null) {
      const page = await call('listWallets', { limit: '100', ...cursor });
      expect(page.problem).toBeNull();
      rows.push(...page.wallets);
      cursor = page.next_cursor === null ? null : { cursor: page.next_cursor };
      pages++;
    }
    expect([pages, rows.length, new Set(rows.map(({ owner }) => owner)).size]).toEqual([3, WALLETS, WALLETS]);
    expect(rows[0]).toMatchObject({ owner: commitment, kind: 'agent', tokens: '3', coins: '1' });
    expect(rows.at(-1)).toMatchObject({
      owner: app.service.firstStart.operatorId,
      kind: 'operator',
      tokens: '0',
    });
    expect(JSON.stringify(rows)).not.toContain('key');
  });

  test('find a wallet by its owner and by its address, and refuse what is neither', async () => {
    const order = { to: TO, amount: '1', asset: 'token' };
    const chainName = `eip155:${CHAIN_ID}`;
    for (const wallet of [commitment, address, address.toLowerCase()]) {
      expect(await call('previewTransfer', { wallet, ...order })).toMatchObject({
        wallet: { owner: commitment, address, chain: chainName, tokens: '3', coins: '1' },
        to: TO,
      });
    }
    const own = await call('previewTransfer', {
      wallet: app.service.firstStart.operatorId,
      ...order,
      asset: 'native',
    });
    expect([own.wallet.kind, own.token]).toEqual(['operator', null]);
    for (const wallet of ['ab'.repeat(32), app.otherId, TO]) {
      await expect(call('previewTransfer', { wallet, ...order })).rejects.toThrow(
        'There is no custodial wallet of',
      );
    }
    // One letter in the other case. An address in one case has no checksum, so both must be left.
    const wrong = Array.from(address, (letter, at) => {
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      return at < 2 ? address : `${address.slice(0, at)}${other}${address.slice(at + 1)}`;
    }).find((changed) => changed !== address && /[a-f]/.test(changed) && /[A-F]/.test(changed));
    await expect(call('previewTransfer', { wallet: wrong, ...order })).rejects.toThrow(/wallet .*checksum/);
  });

  test('send exactly what is asked for, and nothing twice', async () => {
    const input = {
      wallet: commitment,
      to: TO,
      amount: '0.000001',
      asset: 'token',
    };
    // Blocks come while something waits for them.
    const mining = setInterval(() => void chain.mine(), 100);
    let sent = await call('sendFromWallet', input);
    for (let tries = 0; sent.status === 'open' && tries < 5; tries++)
      sent = await call('sendFromWallet', input);
    expect(sent).toMatchObject({
      status: 'confirmed',
      from: address,
      to: TO,
      amount: '0.000001',
      replayed: false,
    });
    expect(await call('sendFromWallet', input)).toMatchObject({
      replayed: true,
      transaction_hash: sent.transaction_hash,
    });
    clearInterval(mining);
    expect(await chain.tokens(token, TO)).toBe(1n);
  }, 180_000);

  test('say what the chain refuses', async () => {
    const order = { wallet: commitment, to: TO, amount: '4', asset: 'token' };
    await expect(call('sendFromWallet', order)).rejects.toThrow(/tokens/);
  });

  test('know the wallets of a service without a chain, and of one whose node is down', async () => {
    for (const [settings, problem] of [
      [{}, null],
      [chainSettings({ url: 'http://127.0.0.1:1/' }, token), expect.any(String)],
    ] as const) {
      const other = await openTrustApp(settings);
      const { body } = await other.own.get('/api/v1/account/wallet');
      const page = await call('listWallets', {}, other);
      expect(page).toEqual({
        wallets: [expect.objectContaining({ address: body.address, tokens: null, coins: null })],
        next_cursor: null,
        problem,
      });
      const order = { wallet: String(body.address), to: TO, amount: 'all', asset: 'native' };
      await expect(call('previewTransfer', order, other)).rejects.toThrow();
      await other.close();
    }
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { newWallet } from '../../../../../../src/trust/ledger/wallets/keys.ts';
import { walletOfIn } from '../../../../../../src/trust/ledger/wallets/wallets.ts';
import { auditedTransactions } from '../../../../../../src/trust/payments/payouts/audit/transactions.ts';
import { sendFromWallet, type WalletSend } from '../../../../../../src/trust/payments/payouts/evm/send.ts';
import { STUCK_MS } from '../../../../../../src/trust/payments/payouts/evm/sending.ts';
import { slotsFrom } from '../../../../../../src/trust/payments/payouts/evm/store.ts';
import { audited } from '../../../../../support/audit.ts';
import { creditedAgent } from '../../../../../support/credits.ts';
import {
  CONFIRMATIONS,
  freshAddress,
  openPayoutApp,
  type PayoutApp,
} from '../../../../../support/evm/payout-app.ts';
import { CHAIN_ID, startChain, type TestChain, TREASURY } from '../../../../../support/evm/test-chain.ts';

const COIN = 10n ** 18n;

let chain: TestChain;
let token: `0x${string}`;
let app: PayoutApp;

beforeAll(async () => {
  chain = await startChain();
  token = await chain.deploy(1_000_000_000n);
  app = await openPayoutApp(chain, token);
  await chain.automine(false);
}, 180_000);
afterAll(async () => {
  await app.app.close();
  await chain.stop();
});

/** Makes the wallet of a new agent, with tokens and coins. */
async function wallet({ tokens = 0n, coins = 0n } = {}): Promise<`0x${string}`> {
  const { agent } = await creditedAgent(app.app);
  const { trust } = app;
  const candidate = await newWallet(trust.masterKey, { kind: 'agent', seq: agent.agentSeq });
  const { address } = await trust.store.writeAsService((tx) => walletOfIn(tx, trust, candidate));
  await chain.mint(token, candidate.address, tokens);
  await chain.setCoins(address, coins);
  return candidate.address;
}

/** Calls the function once, as a process that has just started. */
const send = (what: Omit<WalletSend, 'asset' | 'fundGas'> & Partial<WalletSend>) =>
  sendFromWallet(
    { ...app.trust, store: { ...app.trust.store } },
    { asset: 'token', fundGas: false, ...what },
    { waitMs: 0 },
  );
const finish = () => chain.mine(CONFIRMATIONS);

describe('tokens of a custodial wallet', () => {
  test('are sent once, however often the call is repeated', async () => {
    const [address, to] = [await wallet({ tokens: 900n, coins: COIN }), freshAddress()];
    const call = { address, to, amount: 400n };
    const first = await send(call);
    expect(first).toMatchObject({
      status: 'open',
      amount: 400n,
      gasTransactionHash: null,
      isReplayed: false,
    });
    const hash = first.transactionHash ?? '';
    // The node lost it before a block.
    await chain.drop(hash);
    expect(await send(call)).toMatchObject({ status: 'open', transactionHash: hash });
    await chain.mine();
    expect(await send(call)).toMatchObject({ status: 'open', detail: expect.stringContaining('in a block') });
    await finish();
    expect(await send(call)).toMatchObject({ status: 'confirmed', transactionHash: hash, isReplayed: false });
    expect(await send(call)).toMatchObject({ status: 'confirmed', transactionHash: hash, isReplayed: true });
    expect(await chain.tokens(token, to)).toBe(400n);
    const again = { ...call, reference: 'second' };
    expect(await send(again)).toMatchObject({ status: 'open' });
    await finish();
    expect(await send(again)).toMatchObject({ status: 'confirmed' });
    expect(await chain.tokens(token, to)).toBe(800n);
    expect(await chain.tokens(token, address)).toBe(100n);
  });

  test('are sent all, and later all that came since', async () => {
    const [address, to] = [await wallet({ tokens: 900n, coins: COIN }), freshAddress()];
    const call = { address: address.toLowerCase(), to: to.toLowerCase(), amount: 'all' as const };
    for (const [received, total] of [
      [0n, 900n],
      [50n, 950n],
    ] as const) {
      await chain.mint(token, address, received);
      await send(call);
      await finish();
      expect(await send(call)).toMatchObject({ status: 'confirmed' });
      expect(await chain.tokens(token, to)).toBe(total);
    }
    await expect(send(call)).rejects.toThrow(/has 0 tokens/);
  });

  test('without coins for gas are sent after the treasury sent some, which happens once', async () => {
    const [address, to] = [await wallet({ tokens: 70n }), freshAddress()];
    const call = { address, to, amount: 'all' as const };
    await expect(send(call)).rejects.toThrow(/too few coins for gas.*--fund-gas/);
    const funded = { ...call, fundGas: true };
    const first = await send(funded);
    expect(first).toMatchObject({ status: 'open', transactionHash: null, amount: null });
    await chain.drop(first.gasTransactionHash ?? '');
    expect(await send(funded)).toMatchObject({ gasTransactionHash: first.gasTransactionHash });
    await chain.mine();
    const second = await send(call);
    expect(second).toMatchObject({ gasTransactionHash: first.gasTransactionHash, amount: 70n });
    await finish();
    expect(await send(call)).toMatchObject({ status: 'confirmed' });
    expect(await chain.tokens(token, to)).toBe(70n);
    const sent = await app.trust.store.read((snapshot) =>
      slotsFrom(snapshot, { chainId: CHAIN_ID, sender: TREASURY.address }, 0),
    );
    expect(sent.filter(({ owner }) => 'purpose' in owner)).toHaveLength(1);
  });

  test('share the nonces of the treasury with payouts, which broadcast the coins for gas too', async () => {
    const [address, to] = [await wallet({ tokens: 70n }), freshAddress()];
    const call = { address, to, amount: 'all' as const, fundGas: true };
    const first = await send(call);
    const payout = await app.queue(120);
    await chain.drop(first.gasTransactionHash ?? '');
    const rail = app.rail();
    await rail.work();
    await finish();
    await rail.work();
    expect(await app.status(payout.id)).toBe('confirmed');
    expect(await chain.coins(address)).toBeGreaterThan(0n);
    await send(call);
    await finish();
    expect(await send(call)).toMatchObject({ status: 'confirmed' });
  });

  test('are sent with higher fees, by the same nonce, when they are stuck', async () => {
    const [address, to] = [await wallet({ tokens: 70n, coins: COIN }), freshAddress()];
    const trust = { ...app.trust, store: { ...app.trust.store } };
    const call = { address, to, amount: 30n, asset: 'token', fundGas: false } as const;
    const again = () => sendFromWallet(trust, call, { waitMs: 0 });
    const first = await again();
    await chain.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x174876e800']);
    await chain.mine();
    app.time.advance(STUCK_MS);
    const second = await again();
    expect(second).toMatchObject({ status: 'open', amount: 30n });
    expect(second.transactionHash).not.toBe(first.transactionHash);
    await finish();
    expect(await again()).toMatchObject({ status: 'confirmed', transactionHash: second.transactionHash });
    expect(await chain.tokens(token, to)).toBe(30n);
  });

  test('that another call sends meanwhile keep that one waiting', async () => {
    const [address, to] = [await wallet({ tokens: 70n, coins: COIN }), freshAddress()];
    await send({ address, to, amount: 30n });
    await expect(send({ address, to, amount: 40n })).rejects.toThrow(
      /has an open transfer of 0.00003 tokens/,
    );
    const both = await Promise.all([send({ address, to, amount: 30n }), send({ address, to, amount: 30n })]);
    expect(new Set(both.map(({ transactionHash }) => transactionHash)).size).toBe(1);
    await finish();
    await send({ address, to, amount: 30n });
    expect(await chain.tokens(token, to)).toBe(30n);
  });

  test('that the token refuses are not sent', async () => {
    const [address, to] = [await wallet({ tokens: 70n, coins: COIN }), freshAddress()];
    await chain.block(token, to, true);
    await expect(send({ address, to, amount: 30n })).rejects.toThrow(/the address is blocked/);
    await expect(send({ address, to: freshAddress(), amount: 71n })).rejects.toThrow(/fewer than 0.000071/);
  });

  test('that it refuses in the block are not sent either, and can be sent again', async () => {
    const [address, to] = [await wallet({ tokens: 70n, coins: COIN }), freshAddress()];
    const call = { address, to, amount: 30n };
    await send(call);
    await chain.behave(token, 'returns false');
    await finish();
    expect(await send(call)).toMatchObject({ status: 'failed', detail: expect.stringContaining('nothing') });
    await chain.behave(token, 'pays');
    await chain.mine();
    await send(call);
    await finish();
    expect(await send(call)).toMatchObject({ status: 'confirmed', isReplayed: false });
    expect(await chain.tokens(token, to)).toBe(30n);
  });
});

describe('coins of a custodial wallet', () => {
  test('are sent all but the gas', async () => {
    const [address, to] = [await wallet({ coins: COIN }), freshAddress()];
    const call = { address, to, amount: 'all' as const, asset: 'native' as const };
    const { amount } = await send(call);
    await finish();
    expect(await send(call)).toMatchObject({ status: 'confirmed' });
    expect(await chain.coins(to)).toBe(amount ?? 0n);
    expect(await chain.coins(to)).toBeGreaterThan((COIN * 99n) / 100n);
  });

  test('are sent in an amount, whose gas the treasury may fund, but not the amount', async () => {
    const [address, to] = [await wallet({ coins: COIN }), freshAddress()];
    const call = { address, to, amount: COIN, asset: 'native' as const };
    await expect(send(call)).rejects.toThrow(/--fund-gas/);
    await expect(send({ ...call, amount: 2n * COIN, fundGas: true })).rejects.toThrow(
      /fewer than the amount/,
    );
    await send({ ...call, fundGas: true });
    await chain.mine();
    await send(call);
    await finish();
    expect(await send(call)).toMatchObject({ status: 'confirmed', amount: COIN });
    expect(await chain.coins(to)).toBe(COIN);
  });
});

describe('what cannot be sent is refused', () => {
  test.each([
    ['a receiver that is no address', { to: '0x12' }, /is not an address/],
    ['a wrong checksum', { to: TREASURY.address.replace('f39F', 'F39F') }, /checksum/],
    ['nothing', { amount: 0n }, /above 0/],
    ['from an address that is no wallet', { address: TREASURY.address }, /is not a custodial wallet/],
  ])('%s', async (_, wrong, said) => {
    const call = { address: TREASURY.address, to: freshAddress(), amount: 5n };
    await expect(send({ ...call, ...wrong })).rejects.toThrow(said);
  });

  test('anything without a configured chain', async () => {
    const trust = { ...app.trust, policy: { ...app.trust.policy, evm: null }, store: { ...app.trust.store } };
    const call = {
      address: TREASURY.address,
      to: freshAddress(),
      amount: 5n,
      asset: 'token',
      fundGas: false,
    } as const;
    await expect(sendFromWallet(trust, call)).rejects.toThrow(/No chain is configured/);
  });
});

test('no private key is in the log', () => {
  expect(app.app.logged()).not.toContain(TREASURY.key.slice(2));
});

test('fsck finds no problem in what was signed', async () => {
  const { reported, outcome } = await audited(app.app.directory, { only: auditedTransactions });
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
  expect(outcome.examined).toMatchObject({ wallet_transfers: expect.any(Number) });
});

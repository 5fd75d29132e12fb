import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { CHAIN_ID, startChain, type TestChain, TREASURY } from '../../../../support/evm/test-chain.ts';
import { type Running, run, scratch, serve } from '../../../../support/process.ts';

const TO = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

let directory: ReturnType<typeof scratch>;
let data: string;
let chain: TestChain;
let token: string;
let env: Record<string, string>;
let server: Running;
let authorization: string;
let operator: string;
let address: string;

beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  chain = await startChain();
  token = await chain.deploy(0n);
  env = {
    COUNTERSIGN_EVM_RPC_URLS: chain.url,
    COUNTERSIGN_EVM_CHAIN_ID: String(CHAIN_ID),
    COUNTERSIGN_EVM_TOKEN: token,
    COUNTERSIGN_EVM_TREASURY_KEY: TREASURY.key,
    COUNTERSIGN_EVM_CONFIRMATIONS: '3',
  };
  server = await serve(data, env);
  authorization = `Bearer ${server.apiKey}`;
  const response = await fetch(`${server.url}/api/v1/account/wallet`, {
    headers: { authorization },
  });
  const wallet: { operator_id: string; address: string } = JSON.parse(await response.text());
  operator = wallet.operator_id;
  address = wallet.address;
  await chain.mint(`0x${token.slice(2)}`, `0x${address.slice(2)}`, 20_000_001n);
});
afterAll(async () => {
  await server.stop();
  await chain.stop();
  directory.dispose();
});

/** Runs a command on the wallets as the administrator. No output shows a secret. */
async function wallets(args: string[], more: Record<string, string> = env) {
  const done = await run(['wallets', ...args, '--data', data], { env: more });
  const output = done.stdout + done.stderr;
  expect(output).not.toContain(TREASURY.key.slice(2));
  expect(output).not.toContain(readFileSync(join(data, 'keys', 'master.key'), 'utf8').trim());
  return done;
}

/** Mines blocks while something waits for them. */
async function whileMining<T>(work: Promise<T>): Promise<T> {
  const mining = setInterval(() => void chain.mine(), 200);
  return work.finally(() => clearInterval(mining));
}

describe('countersign wallets', () => {
  test('lists wallets with exact balances, even without the server, the settings or the node', async () => {
    const [text, json] = [await wallets(['list']), await wallets(['list', '--json'])];
    expect([text.code, text.stderr]).toEqual([0, '']);
    expect(text.stdout).toMatch(/^OWNER +ADDRESS +CHAIN +TOKENS +COINS +CREATED\n/);
    const row = {
      owner: operator,
      kind: 'operator',
      address,
      chain: `eip155:${CHAIN_ID}`,
      created_at: expect.any(String),
    };
    expect(JSON.parse(json.stdout)).toEqual({ ...row, tokens: '20.000001', coins: '0' });
    const unasked = await wallets(['list', '--json', '--no-balances']);
    expect(JSON.parse(unasked.stdout)).toMatchObject({ tokens: null, coins: null });

    await server.stop();
    expect(JSON.parse((await wallets(['list', '--json'])).stdout)).toMatchObject({ tokens: '20.000001' });
    const bare = await wallets(['list', '--json'], {});
    expect([bare.stderr, JSON.parse(bare.stdout)]).toEqual([
      '',
      { ...row, chain: 'eip155', tokens: null, coins: null },
    ]);
    const dead = await wallets(['list'], {
      ...env,
      COUNTERSIGN_EVM_RPC_URLS: 'http://127.0.0.1:1/secret-of-the-provider',
    });
    expect([dead.code, dead.stdout]).toEqual([0, expect.stringContaining(`${address}  eip155:${CHAIN_ID}`)]);
    expect(dead.stderr).toContain('The balances are unknown. ');
    expect(dead.stderr).not.toContain('secret-of-the-provider');
    server = await serve(data, env);
  }, 180_000);

  test.each<[string, () => string[], string]>([
    [
      'an unknown owner',
      () => ['op_cus_nobody', TO, '1', '--yes'],
      'There is no custodial wallet of op_cus_nobody',
    ],
    ['an address of nobody', () => [TO, address, '1', '--yes'], `There is no custodial wallet of ${TO}`],
    ['a wrong checksum', () => [operator, TO.replace('B', 'b'), '1', '--yes'], 'checksum (EIP-55) is wrong'],
    ['the wallet itself', () => [operator, address, '1', '--yes'], 'is the wallet itself'],
    ['the contract of the token', () => [operator, token, '1', '--yes'], 'is the contract of the token'],
    ['a seventh decimal', () => [operator, TO, '1.0000001', '--yes'], 'at most 6 decimals'],
    ['1e3', () => [operator, TO, '1e3', '--yes'], 'at most 6 decimals'],
    ['more than the wallet has', () => [operator, TO, '20.000002', '--yes'], '20.000001 tokens'],
    ['no coins for the fee', () => [operator, TO, '1', '--yes'], 'Pass --fund-gas'],
    ['nobody to ask', () => [operator, TO, '1', '--fund-gas'], 'there is no terminal'],
  ])('sends nothing for %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await wallets(['send', ...args()]);
    expect([code > 0, stdout]).toEqual([true, '']);
    expect(stderr).toContain(sentence);
    expect(await chain.tokens(token, address)).toBe(20_000_001n);
  });

  test('sends tokens by owner and by address, once, with coins for the fee from the treasury', async () => {
    const sent = await whileMining(wallets(['send', operator, TO, '12.5', '--fund-gas', '--yes', '--json']));
    expect([sent.code, JSON.parse(sent.stdout)]).toEqual([
      0,
      {
        status: 'confirmed',
        from: address,
        to: TO,
        asset: 'token',
        amount: '12.5',
        transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        gas_transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        replayed: false,
        detail: null,
      },
    ]);
    expect(await chain.tokens(token, TO)).toBe(12_500_000n);

    const again = await whileMining(wallets(['send', operator, TO.toLowerCase(), '12.5', '--yes']));
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Not sent again')]);
    expect(await chain.tokens(token, TO)).toBe(12_500_000n);

    await server.stop();
    const rest = await whileMining(wallets(['send', address, TO, 'all', '--fund-gas', '--yes']));
    expect([rest.code, rest.stdout]).toEqual([
      0,
      expect.stringContaining(
        `Sent and final: 7.500001 tokens (${getAddress(token)}) from ${address} to ${TO}: 0x`,
      ),
    ]);
    expect([await chain.tokens(token, TO), await chain.tokens(token, address)]).toEqual([20_000_001n, 0n]);
    const { code } = await run(['fsck', data]);
    expect(code).toBe(0);
    server = await serve(data, env);
  }, 180_000);

  test('sends no coins without a configured chain', async () => {
    await server.stop();
    const { code, stderr } = await wallets(['send', operator, TO, '1', '--coin', '--yes'], {});
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('No chain is configured, so nothing can be sent'),
    ]);
    server = await serve(data, env);
  });
});

test('countersign config shows neither the key of the treasury nor the URL of the node', async () => {
  for (const args of [['config'], ['config', '--json']]) {
    const { code, stdout, stderr } = await run(args, { env });
    expect(code).toBe(0);
    expect(stdout).toContain('evm.treasury_key');
    for (const secret of [TREASURY.key.slice(2), chain.url]) expect(stdout + stderr).not.toContain(secret);
  }
});

describe('a data directory with wallets', () => {
  test('comes back elsewhere with its keys backup, and says what is missing without it', async () => {
    const file = (name: string): string => join(directory.path, name);
    const passphrase = { COUNTERSIGN_KEYS_PASSPHRASE: 'correct horse battery' };
    expect((await run(['backup', file('b.db'), '--data', data])).code).toBe(0);
    const listed = await run(['keys', 'backup', file('b.keys'), '--data', data], { env: passphrase });
    const masterKey = readFileSync(join(data, 'keys', 'master.key'), 'utf8').trim();
    expect(listed.stdout + listed.stderr).toContain('master.key');
    expect(listed.stdout + listed.stderr + readFileSync(file('b.keys'), 'latin1')).not.toContain(masterKey);

    const there = file('there');
    const restored = await run(['restore', file('b.db'), '--data', there]);
    expect(restored.stderr).toContain('keys/ does not contain master.key');
    expect((await run(['keys', 'restore', file('b.keys'), '--data', there], { env: passphrase })).code).toBe(
      0,
    );
    // A restored directory does not know how much of its log was published, which fsck says.
    expect((await run(['fsck', there, '--all'])).stderr).toMatch(/^log\.high-water: [^\n]*\n1 problem\.\n$/);
    rmSync(join(there, 'keys', 'master.key'));
    const audit = await run(['fsck', there, '--all']);
    expect([audit.code, audit.stdout + audit.stderr]).toEqual([
      1,
      expect.stringContaining('the master key keys/master.key is missing'),
    ]);
    expect((await run(['keys', 'restore', file('b.keys'), '--data', there], { env: passphrase })).code).toBe(
      0,
    );
    const again = await serve(there, {}, ['--read-only']);
    const response = await fetch(`${again.url}/api/v1/account/wallet`, {
      headers: { authorization },
    });
    expect(await response.json()).toMatchObject({ address });
    await again.stop();
  }, 180_000);
});

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { client } from '../../../../support/client.ts';
import { type CreditedAgent, creditedAgent } from '../../../../support/credits.ts';
import { nodeProxy } from '../../../../support/evm/node-proxy.ts';
import { chainSettings, freshAddress } from '../../../../support/evm/payout-app.ts';
import { startChain, type TestChain, TREASURY } from '../../../../support/evm/test-chain.ts';
import { queuePayouts } from '../../../../support/payouts.ts';
import { type Running, run, scratch, serve } from '../../../../support/process.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { eventually } from '../../../../support/virtual-time.ts';

const SUPPLY = 10_000_000_000n;
const PAYOUTS = 12;

const directory = scratch();
const data = join(directory.path, 'data');
let chain: TestChain;
let token: `0x${string}`;
let proxy: ReturnType<typeof nodeProxy>;
let settings: Record<string, string>;
let agent: CreditedAgent;
let apiKey: string;
const queued: { id: string; address: string; amount: number }[] = [];

beforeAll(async () => {
  chain = await startChain();
  token = await chain.deploy(SUPPLY);
  proxy = nodeProxy(chain.url);
  settings = { ...chainSettings(proxy, token), 'payouts.rail': 'evm' };
  // The data is made in this process, and served by the executable.
  const app = await openTrustApp({}, null, data);
  apiKey = app.apiKey;
  agent = await creditedAgent(app, { credits: { paid: 100_000 } });
  const requests = Array.from({ length: PAYOUTS }, (_, index) => ({
    amount: 100 + index,
    reference: `payout ${index}`,
    address: freshAddress(),
  }));
  for (const [index, { payout }] of (await queuePayouts(app, agent, requests)).entries())
    queued.push({ id: payout.withdrawalId, address: payout.address, amount: 100 + index });
  await app.close();
  await chain.automine(false);
}, 180_000);
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
  directory.dispose();
});

function start(): Promise<Running> {
  const env = Object.entries(settings).map(([key, value]) => [
    `COUNTERSIGN_${key.replaceAll('.', '_').toUpperCase()}`,
    value,
  ]);
  return serve(data, Object.fromEntries(env));
}

/** Returns the status of each payout, as the administrator of the running server sees it. */
async function statuses(): Promise<string[]> {
  const { stdout } = await run(['payouts', 'list', '--output', 'ndjson', '--all', '--data', data]);
  const payouts: { status: string }[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return payouts.map(({ status }) => status);
}

test('payouts are paid exactly once by a server that is killed between each of its steps', async () => {
  const moments = [
    // All are stored, and none is broadcast.
    ['eth_sendRawTransaction', 1, 'kill before'],
    // Some are broadcast, and the node's answer is lost.
    ['eth_sendRawTransaction', 5, 'kill after'],
    // All are in blocks, and none is confirmed.
    ['eth_getTransactionReceipt', 3, 'kill after'],
  ] as const;
  for (const [method, count, when] of moments) {
    const server = await start();
    let hasEnded = false;
    proxy.killAt(method, count, when, async () => {
      server.signal('SIGKILL');
      await server.ended();
      hasEnded = true;
    });
    await eventually(() => hasEnded);
    proxy.passAll();
    await chain.mine(count);
  }
  const server = await start();
  const total = queued.reduce((sum, { amount }) => sum + amount, 0);
  await eventually(async () => {
    await chain.mine();
    await Bun.sleep(50);
    return (await statuses()).every((status) => status === 'confirmed');
  });
  await chain.mine(10);
  for (const { address, amount } of queued)
    expect(await chain.tokens(token, address)).toBe(BigInt(amount) * 10_000n);
  expect(await chain.tokens(token, TREASURY.address)).toBe(SUPPLY - BigInt(total) * 10_000n);
  const { body } = await client(fetch, server.url, apiKey).get(
    `/api/v1/agent-pay/wallet?subject_commitment=${agent.commitment}`,
  );
  expect(body).toMatchObject({ available: 100_000 - total, locked: 0 });
  const { stderr } = await server.stop();
  expect(stderr).not.toContain(TREASURY.key.slice(2));
}, 180_000);

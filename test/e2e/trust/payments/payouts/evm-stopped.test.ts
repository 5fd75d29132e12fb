import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { creditedAgent } from '../../../../support/credits.ts';
import { chainSettings, freshAddress } from '../../../../support/evm/payout-app.ts';
import { startChain, type TestChain } from '../../../../support/evm/test-chain.ts';
import { queuePayouts } from '../../../../support/payouts.ts';
import { type Running, run, scratch, serve } from '../../../../support/process.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { eventually } from '../../../../support/virtual-time.ts';

const directory = scratch();
const data = join(directory.path, 'data');
let chain: TestChain;
let token: `0x${string}`;

beforeAll(async () => {
  chain = await startChain();
  token = await chain.deploy(10_000_000_000n);
  const app = await openTrustApp({}, null, data);
  const agent = await creditedAgent(app, { credits: { paid: 100_000 } });
  const requests = [1, 2, 3].map((number) => ({
    amount: 100 * number,
    reference: `payout ${number}`,
    address: freshAddress(),
  }));
  await queuePayouts(app, agent, requests);
  await app.close();
  await chain.automine(false);
}, 180_000);
afterAll(async () => {
  await chain.stop();
  directory.dispose();
});

function start(): Promise<Running> {
  const settings = { ...chainSettings(chain.nodes(3), token), 'payouts.rail': 'evm' };
  const env = Object.entries(settings).map(([key, value]) => [
    `COUNTERSIGN_${key.replaceAll('.', '_').toUpperCase()}`,
    value,
  ]);
  return serve(data, Object.fromEntries(env));
}

const payouts = (...args: string[]) => run(['payouts', ...args, '--data', data]);

async function statuses(): Promise<string[]> {
  const { stdout } = await payouts('list', '--output', 'ndjson', '--all');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).status)
    .toSorted();
}

test('a rail that stopped stays stopped after SIGKILL, until the administrator resumes it', async () => {
  const first = await start();
  await eventually(async () => (await statuses()).every((status) => status === 'submitted'));
  await chain.behave(token, 'reverts');
  await chain.mine(5);
  await eventually(async () => (await statuses()).filter((status) => status === 'failed').length === 2);
  first.signal('SIGKILL');
  await first.ended();
  const second = await start();
  const { stderr } = await payouts('list');
  expect(stderr).toContain('The rail evm is stopped since ');
  // The third was as finally reverted, and its credits stay reserved.
  // Its transaction may have come after the blocks above, so it needs blocks of its own.
  await eventually(async () => {
    await chain.mine(1);
    return (await payouts('list', '--status', 'submitted')).stdout.includes('failure');
  });
  expect(await statuses()).toEqual(['failed', 'failed', 'submitted']);
  expect((await payouts('resume')).code).not.toBe(0);
  expect((await payouts('resume', '--yes')).code).toBe(0);
  await eventually(async () => (await statuses()).every((status) => status === 'failed'));
  expect((await payouts('list')).stderr).not.toContain('is stopped since');
  await second.stop();
}, 180_000);

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readTransaction } from '../../../../../../src/trust/payments/payouts/evm/chain/transactions.ts';
import { toQuantity } from '../../../../../../src/trust/payments/payouts/evm/chain/values.ts';
import { STUCK_MS } from '../../../../../../src/trust/payments/payouts/evm/sending.ts';
import { releasePayout } from '../../../../../../src/trust/payments/payouts/hold.ts';
import { payoutMetrics } from '../../../../../../src/trust/payments/payouts/metrics.ts';
import type { PayoutRail } from '../../../../../../src/trust/payments/payouts/rail.ts';
import { runnerOf } from '../../../../../../src/trust/payments/payouts/runner.ts';
import { type LyingNode, lyingNode, saysLost, saysReverted } from '../../../../../support/evm/lying-node.ts';
import { CONFIRMATIONS, openPayoutApp, type PayoutApp } from '../../../../../support/evm/payout-app.ts';
import { startChain, type TestChain, TREASURY } from '../../../../../support/evm/test-chain.ts';

const GWEI = 10n ** 9n;

let chain: TestChain;
let token: `0x${string}`;
let liar: LyingNode;
let second: LyingNode;
/** Three nodes: one that tells the truth, `second` and `liar`. */
let app: PayoutApp;
/** Only `liar`. */
let single: PayoutApp;

beforeAll(async () => {
  chain = await startChain();
  token = await chain.deploy(1_000_000_000_000n);
  liar = lyingNode(chain.url);
  second = lyingNode(chain.url);
  const settings = { 'payouts.rail': 'evm' };
  app = await openPayoutApp([chain, second, liar], token, settings);
  single = await openPayoutApp(liar, token, settings);
  await chain.automine(false);
}, 180_000);
beforeEach(() => {
  liar.tellsTheTruth();
  second.tellsTheTruth();
});
/** Ends what a test left, so that the next one begins with empty queues and rails that work. */
afterEach(async () => {
  liar.tellsTheTruth();
  second.tellsTheTruth();
  await chain.behave(token, 'pays');
  await chain.mine();
});
afterAll(async () => {
  await Promise.all([app.app.close(), single.app.close()]);
  await liar.stop();
  await second.stop();
  await chain.stop();
});

const centsOf = async (address: string) => Number((await chain.tokens(token, address)) / 10_000n);

/** Mines until the newest transactions are final, and lets the rail see it. */
async function finish(rail: PayoutRail): Promise<void> {
  await chain.mine(CONFIRMATIONS);
  await rail.work();
}

async function problemOf(rail: PayoutRail): Promise<{ reason: string; message: string }> {
  try {
    await rail.work();
  } catch (error) {
    if (error instanceof Error && 'reason' in error)
      return { reason: String(error.reason), message: error.message };
    throw error;
  }
  throw new Error('the round had no problem');
}

describe('of three nodes, one that lies is outvoted and named', () => {
  test('when it says that a payout was reverted', async () => {
    const rail = app.rail();
    const before = await app.figures();
    const { id, address } = await app.queue(101);
    await rail.work();
    saysReverted(liar);
    await finish(rail);
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1, held: null });
    expect(await centsOf(address)).toBe(101);
    expect(await app.figures()).toMatchObject({ locked: before.locked, available: before.available - 101 });
    expect(rail.nodes?.()).toEqual([{ node: 3, problem: 'differs' }]);
    // It stays named until it agrees about another payout.
    liar.tellsTheTruth();
    const next = await app.queue(102);
    await rail.work();
    expect(rail.nodes?.()).toEqual([{ node: 3, problem: 'differs' }]);
    await finish(rail);
    expect(await app.status(next.id)).toBe('confirmed');
    expect(rail.nodes?.()).toEqual([]);
  });

  test('when it invents the payment of a payout that was reverted', async () => {
    const rail = app.rail();
    const before = await app.figures();
    const { id, address } = await app.queue(103);
    await rail.work();
    await chain.behave(token, 'reverts');
    liar.lies((method, params, truth) => {
      if (method !== 'eth_getTransactionReceipt' || truth === null) return truth;
      const topics = [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        `0x${TREASURY.address.slice(2).toLowerCase().padStart(64, '0')}`,
        `0x${address.slice(2).toLowerCase().padStart(64, '0')}`,
      ];
      const data = `0x${(1_030_000).toString(16).padStart(64, '0')}`;
      return { ...Object(truth), status: '0x1', logs: [{ address: token, topics, data, at: params[0] }] };
    });
    await finish(rail);
    expect(await app.payout(id)).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('reverted'),
    });
    expect(await app.figures()).toEqual(before);
    expect(rail.nodes?.()).toEqual([{ node: 3, problem: 'differs' }]);
    await chain.behave(token, 'pays');
    await chain.mine();
    liar.tellsTheTruth();
    const paid = await app.queue(1);
    await rail.work();
    await finish(rail);
    expect(await app.status(paid.id)).toBe('confirmed');
  });

  test('when it says that another transaction used the nonce: no second nonce is used', async () => {
    const rail = app.rail();
    const { id, address } = await app.queue(104);
    await rail.work();
    const [slot] = await app.slots(id);
    saysLost(liar, slot?.nonce ?? 0);
    await chain.mine(CONFIRMATIONS + 1);
    await rail.work();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1 });
    expect(await centsOf(address)).toBe(104);
    expect(rail.nodes?.()).toContainEqual({ node: 3, problem: 'differs' });
  });

  test('when it says so while the payout waits in the pool', async () => {
    const rail = app.rail();
    const { id, address } = await app.queue(105);
    await rail.work();
    const [slot] = await app.slots(id);
    saysLost(liar, slot?.nonce ?? 0);
    for (const by of [rail, app.rail()]) {
      await by.work();
      expect(await app.slots(id)).toHaveLength(1);
      expect(by.nodes?.()).toEqual([{ node: 3, problem: 'differs' }]);
      expect(await by.mayFail(await app.state(id))).toBe(false);
    }
    liar.tellsTheTruth();
    await finish(rail);
    expect(await centsOf(address)).toBe(105);
  });

  test.each([
    ['is of another chain', 'eth_chainId', '0x1', 'chain'],
    ['has no contract at the address of the token', 'eth_getCode', '0x', 'token'],
    ['returns nonsense', 'eth_getBlockByNumber', { number: 'latest' }, 'invalid'],
  ] as const)('when it %s', async (_, method, result, problem) => {
    const rail = app.rail();
    liar.lies((asked, _params, truth) => (asked === method ? result : truth));
    const { id, address } = await app.queue(106);
    await rail.work();
    expect(rail.nodes?.()).toEqual([{ node: 3, problem }]);
    await finish(rail);
    expect(await app.status(id)).toBe('confirmed');
    expect(await centsOf(address)).toBe(106);
  });

  test.each([
    ['behind', -(CONFIRMATIONS + 1)],
    ['ahead', CONFIRMATIONS + 1],
  ] as const)('when its newest block is far %s', async (problem, blocks) => {
    const rail = app.rail();
    await chain.mine(10);
    liar.lies((method, [block], truth) =>
      method === 'eth_getBlockByNumber' && block === 'latest'
        ? { ...Object(truth), number: toQuantity(Number(Object(truth).number) + blocks) }
        : truth,
    );
    const { id } = await app.queue(107);
    await rail.work();
    expect(rail.nodes?.()).toContainEqual({ node: 3, problem });
    // By the word of the one that is ahead the block would be final now.
    await chain.mine(1);
    await rail.work();
    expect(await app.status(id)).toBe('submitted');
    await finish(rail);
    expect(await app.status(id)).toBe('confirmed');
  });

  test('when it is down; two that are down stop the rail until one is back', async () => {
    const rail = app.rail();
    liar.isDown();
    const { id } = await app.queue(108);
    await rail.work();
    expect(rail.nodes?.()).toEqual([{ node: 3, problem: 'unreachable' }]);
    second.isDown();
    await chain.mine(CONFIRMATIONS);
    const { reason, message } = await problemOf(rail);
    expect(reason).toBe('rpc');
    expect(message).toStartWith('1 of 3 nodes of the chain can be used, and 2 must agree. The ');
    expect(await app.status(id)).toBe('submitted');
    second.tellsTheTruth();
    await rail.work();
    expect(await app.status(id)).toBe('confirmed');
  });

  test('when it does not respond at all, and the others do not wait for it', async () => {
    const rail = app.rail();
    const release = liar.hangs();
    const { id } = await app.queue(109);
    await rail.work();
    expect(rail.nodes?.()).toEqual([{ node: 3, problem: 'unreachable' }]);
    await finish(rail);
    expect(await app.status(id)).toBe('confirmed');
    release();
  }, 60_000);

  test('in health and metrics by its number only', async () => {
    const runner = runnerOf(app.trust);
    liar.lies((method, _params, truth) => (method === 'eth_chainId' ? '0x1' : truth));
    await app.queue(110);
    await runner.round();
    const { body } = await app.app.anyone.get('/api/health');
    expect(body.problems).toContain('Node 3 of evm.rpc_urls is of another chain.');
    const metric = payoutMetrics(app.trust).find(({ name }) => name === 'countersign_payouts_node_problems');
    expect(await metric?.read()).toEqual([{ labels: { node: '3', problem: 'chain' }, value: 1 }]);
    await chain.mine(CONFIRMATIONS);
    await app.rail().work();
  });
});

describe('fees and gas', () => {
  test('are the lowest that a node names, and no gas of a single node is signed', async () => {
    const rail = app.rail();
    liar.lies((method, _params, truth) => {
      if (method === 'eth_maxPriorityFeePerGas') return toQuantity(499n * GWEI);
      if (method === 'eth_estimateGas') return toQuantity(29_000_000);
      return method === 'eth_getBlockByNumber' && truth !== null
        ? { ...Object(truth), baseFeePerGas: toQuantity(400n * GWEI) }
        : truth;
    });
    const { id } = await app.queue(111);
    await rail.work();
    const [slot] = await app.slots(id);
    const signed = await readTransaction(slot?.attempts[0]?.raw ?? '0x');
    expect(signed.maxFeePerGas).toBeLessThan(100n * GWEI);
    expect(signed.maxPriorityFeePerGas).toBe(GWEI);
    expect(signed.gas).toBeLessThan(100_000n);
    await finish(rail);
    expect(await app.status(id)).toBe('confirmed');
  });

  test('of a single node never exceed the caps, also in a replacement', async () => {
    const rail = single.rail();
    const { id } = await single.queue(112);
    liar.lies((method, _params, truth) => {
      if (method === 'eth_maxPriorityFeePerGas') return toQuantity(499n * GWEI);
      return method === 'eth_estimateGas' ? toQuantity(300_000) : truth;
    });
    await rail.work();
    const signedOf = async () => {
      const [slot] = await single.slots(id);
      return Promise.all((slot?.attempts ?? []).map(({ raw }) => readTransaction(raw)));
    };
    // 30% more than the estimate would exceed evm.max_gas.
    expect(await signedOf()).toMatchObject([{ gas: 300_000n, maxPriorityFeePerGas: 3n * GWEI }]);
    single.time.advance(STUCK_MS);
    const [slot] = await single.slots(id);
    await chain.drop(slot?.attempts[0]?.hash ?? '');
    expect(await problemOf(rail)).toMatchObject({
      reason: 'funds',
      message: expect.stringContaining('evm.max_tip_gwei'),
    });
    expect(await signedOf()).toHaveLength(1);
    liar.tellsTheTruth();
    single.time.advance(31_000);
    await rail.work();
    await finish(rail);
    expect(await single.status(id)).toBe('confirmed');
  });

  test('above evm.max_gas by the estimate let a payout wait for the administrator, and the next is paid', async () => {
    const rail = single.rail();
    const { id, address } = await single.queue(113);
    const next = await single.queue(114);
    liar.lies((method, params, truth) => {
      const isIt = JSON.stringify(params).toLowerCase().includes(address.slice(2).toLowerCase());
      return method === 'eth_estimateGas' && isIt ? toQuantity(300_001) : truth;
    });
    await rail.work();
    expect(await single.payout(id)).toMatchObject({
      status: 'queued',
      held: 'gas',
      attempts: 0,
      lastError: expect.stringContaining('needs 300001 units of gas, more than evm.max_gas (300000)'),
    });
    expect(await single.status(next.id)).toBe('submitted');
    await rail.work();
    expect(await single.status(id)).toBe('queued');
    await releasePayout(single.trust, id);
    const { policy } = single.trust;
    const raised = single.rail({ evm: policy.evm === null ? null : { ...policy.evm, maxGas: 400_000 } });
    await raised.work();
    await finish(raised);
    await raised.work();
    expect(await single.payout(id)).toMatchObject({ status: 'confirmed', held: null });
    expect(await centsOf(address)).toBe(113);
  });

  test('that a node names too low do not keep a payout stuck', async () => {
    const rail = app.rail();
    liar.lies((method, _params, truth) => {
      if (method === 'eth_maxPriorityFeePerGas') return '0x0';
      return method === 'eth_getBlockByNumber' && truth !== null
        ? { ...Object(truth), baseFeePerGas: '0x0' }
        : truth;
    });
    const { id } = await app.queue(115);
    await rail.work();
    await chain.mine();
    app.time.advance(STUCK_MS);
    await rail.work();
    const [slot] = await app.slots(id);
    const [first, replacement] = await Promise.all(
      (slot?.attempts ?? []).map(({ raw }) => readTransaction(raw)),
    );
    expect(first).toMatchObject({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
    expect(replacement).toMatchObject({ maxPriorityFeePerGas: GWEI });
    liar.tellsTheTruth();
    await finish(rail);
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 2 });
  });
});

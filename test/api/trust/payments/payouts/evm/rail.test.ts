import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { runQuery } from '../../../../../../src/platform/store/transaction.ts';
import { acceptRestore } from '../../../../../../src/trust/payments/payouts/accept-restore.ts';
import { auditedTransactions } from '../../../../../../src/trust/payments/payouts/audit/transactions.ts';
import { payoutNonceChecks } from '../../../../../../src/trust/payments/payouts/audit/transactions-store.ts';
import { readTransaction } from '../../../../../../src/trust/payments/payouts/evm/chain/transactions.ts';
import { RETRY_MS } from '../../../../../../src/trust/payments/payouts/evm/refusals.ts';
import { STUCK_MS } from '../../../../../../src/trust/payments/payouts/evm/sending.ts';
import { payoutMetrics } from '../../../../../../src/trust/payments/payouts/metrics.ts';
import type { PayoutRail } from '../../../../../../src/trust/payments/payouts/rail.ts';
import { runningRail } from '../../../../../../src/trust/payments/payouts/rails.ts';
import { PayoutRunner, runnerOf } from '../../../../../../src/trust/payments/payouts/runner.ts';
import { audited } from '../../../../../support/audit.ts';
import {
  CONFIRMATIONS,
  freshAddress,
  openPayoutApp,
  type PayoutApp,
} from '../../../../../support/evm/payout-app.ts';
import { startChain, type TestChain, TREASURY } from '../../../../../support/evm/test-chain.ts';

let chain: TestChain;
let token: `0x${string}`;
let app: PayoutApp;
let rail: PayoutRail;

beforeAll(async () => {
  chain = await startChain();
  token = await chain.deploy(1_000_000_000_000n);
  app = await openPayoutApp(chain.nodes(2), token, { 'payouts.rail': 'evm' });
  await chain.automine(false);
}, 180_000);
beforeEach(() => {
  rail = app.rail();
});
afterAll(async () => {
  await app.app.close();
  await chain.stop();
});

/** Mines until the newest transactions are final, and lets the rail see it. */
async function finish(by: PayoutRail = rail): Promise<void> {
  await chain.mine(CONFIRMATIONS);
  await by.work();
}

/** The tokens that an address received, in cents. */
const centsOf = async (address: string) => Number((await chain.tokens(token, address)) / 10_000n);

/** Returns the error of a round. */
async function problemOf(by: PayoutRail = rail): Promise<{ reason: string; message: string }> {
  try {
    await by.work();
  } catch (error) {
    if (error instanceof Error && 'reason' in error)
      return { reason: String(error.reason), message: error.message };
    throw error;
  }
  throw new Error('the round had no problem');
}

describe('a treasury', () => {
  test('is shown by metrics as soon as a round has read it', async () => {
    const runner = runnerOf(app.trust);
    const metrics = payoutMetrics(app.trust);
    const read = async (name: string) => (await metrics.find((metric) => metric.name === name)?.read()) ?? [];
    const names = ['countersign_payouts_treasury_tokens', 'countersign_payouts_treasury_coins'] as const;
    expect(await Promise.all(names.map(read))).toEqual([[], []]);
    await runner.round();
    const tokens = Number(await chain.tokens(token, TREASURY.address)) / 1e6;
    const coins = Number(await chain.coins(TREASURY.address)) / 1e18;
    expect(await Promise.all(names.map(read))).toEqual([
      [{ labels: {}, value: tokens }],
      [{ labels: {}, value: expect.closeTo(coins, 9) }],
    ]);
  });

  test('without tokens lets payouts wait, and pays them when it has some', async () => {
    const poor = await chain.deploy(500_000n);
    const evm = app.trust.policy.evm === null ? null : { ...app.trust.policy.evm, token: poor };
    const by = app.rail({ evm });
    // The second needs more than is left. It does not stop the third.
    const queued = [await app.queue(30), await app.queue(30), await app.queue(5)];
    expect(await problemOf(by)).toEqual({
      reason: 'funds',
      message: expect.stringContaining(`the treasury ${TREASURY.address} has 0.2 tokens`),
    });
    expect(await Promise.all(queued.map(({ id }) => app.status(id)))).toEqual([
      'submitted',
      'queued',
      'submitted',
    ]);
    await chain.mint(poor, TREASURY.address, 150_000n);
    await by.work();
    await finish(by);
    expect(await Promise.all(queued.map(({ id }) => app.status(id)))).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
    ]);
    expect(await chain.tokens(poor, TREASURY.address)).toBe(0n);
  });

  test('without coins for gas lets payouts wait', async () => {
    const coins = await chain.coins(TREASURY.address);
    await chain.setCoins(TREASURY.address, 1000n);
    const { id } = await app.queue(53);
    expect(await problemOf()).toEqual({ reason: 'funds', message: expect.stringContaining('too few coins') });
    expect(await app.payout(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await chain.setCoins(TREASURY.address, coins);
    await rail.work();
    await finish();
    expect(await app.status(id)).toBe('confirmed');
  });

  test('that another one follows: what it sent before is broadcast, and ends', async () => {
    const { id, address } = await app.queue(59);
    await rail.work();
    const [slot] = await app.slots(id);
    await chain.drop(slot?.attempts[0]?.hash ?? '');
    const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d' as const;
    const evm = app.trust.policy.evm === null ? null : { ...app.trust.policy.evm, treasuryKey: () => key };
    const by = app.rail({ evm });
    await by.work();
    await finish(by);
    expect(await app.status(id)).toBe('confirmed');
    expect(await centsOf(address)).toBe(59);
  });
});

describe('a payout', () => {
  test('is paid in tokens, and confirmed when its block is final', async () => {
    const before = await app.figures();
    const { id, address } = await app.queue(250);
    await rail.work();
    expect(await app.status(id)).toBe('submitted');
    expect(await centsOf(address)).toBe(0);
    await chain.mine();
    await rail.work();
    expect(await app.status(id)).toBe('submitted');
    await finish();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1, lastError: null });
    // 250 credits are 2.50 dollars, and the token has six decimals.
    expect(await chain.tokens(token, address)).toBe(2_500_000n);
    const [slot] = await app.slots(id);
    expect((await app.payout(id)).externalReference).toBe(slot?.attempts[0]?.hash ?? '');
    expect(await app.figures()).toMatchObject({ locked: before.locked, available: before.available - 250 });
  });

  test('is not submitted before the administrator accepts a restored database, and then it is paid once', async () => {
    const { trust } = app.app.service;
    const runner = runnerOf(trust);
    const { id, address } = await app.queue(170);
    await trust.store.writeAsService((tx) =>
      runQuery(tx, ({ sqlite }) =>
        sqlite.run('INSERT INTO restored (one, restored_at, data_until) VALUES (1, 0, 0)'),
      ),
    );
    for (let round = 0; round < 3; round++) await runner.round();
    await chain.mine(CONFIRMATIONS);
    expect([await app.status(id), await centsOf(address)]).toEqual(['queued', 0]);
    await acceptRestore(trust);
    for (let round = 0; round < 2; round++) {
      await runner.round();
      await chain.mine(CONFIRMATIONS);
    }
    expect([await app.status(id), await centsOf(address)]).toEqual(['confirmed', 170]);
  });

  test('is still followed to its end after payouts.rail was set to manual, which begins no other', async () => {
    const { id, address } = await app.queue(120);
    await rail.work();
    const { id: later } = await app.queue(130);
    const { trust } = app.app.service;
    const manual = await runningRail({ ...trust, policy: { ...trust.policy, payoutRail: 'manual' } });
    await finish(manual);
    expect([await app.status(id), await app.status(later)]).toEqual(['confirmed', 'queued']);
    expect(await centsOf(address)).toBe(120);
    await rail.work();
    await finish();
    expect(await app.status(later)).toBe('confirmed');
  });

  test('waits while a hundred others are in flight, and all are paid exactly', async () => {
    const queued: Awaited<ReturnType<PayoutApp['queue']>>[] = [];
    for (let cents = 1; cents <= 130; cents += 1) queued.push(await app.queue(cents));
    const counts = async () => {
      const statuses = await Promise.all(queued.map(({ id }) => app.status(id)));
      return (['queued', 'submitted', 'confirmed'] as const).map(
        (status) => statuses.filter((one) => one === status).length,
      );
    };
    while (await rail.work());
    expect(await counts()).toEqual([30, 100, 0]);
    await rail.work();
    expect(await counts()).toEqual([30, 100, 0]);
    await finish();
    while (await rail.work());
    await finish();
    expect(await counts()).toEqual([0, 0, 130]);
    expect(await Promise.all(queued.map(({ address }) => centsOf(address)))).toEqual(
      queued.map(({ amount }) => amount),
    );
  }, 180_000);

  test('is broadcast again by the next process after a crash, and after the node lost it', async () => {
    const { id, address } = await app.queue(11);
    await rail.work();
    const [slot] = await app.slots(id);
    const hash = slot?.attempts[0]?.hash ?? '';
    await chain.drop(hash);
    await chain.mine();
    await app.rail().work();
    await chain.drop(hash);
    await chain.mine();
    await rail.work();
    app.time.advance(31_000);
    await rail.work();
    await finish();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1, externalReference: hash });
    expect(await centsOf(address)).toBe(11);
  });

  test('that a reorganization removed from its block is paid in another block, once', async () => {
    const { id, address } = await app.queue(13);
    const snapshot = await chain.snapshot();
    await rail.work();
    await chain.mine(CONFIRMATIONS - 1);
    await rail.work();
    expect(await app.status(id)).toBe('submitted');
    expect(await centsOf(address)).toBe(13);
    await chain.revert(snapshot);
    await chain.mine(CONFIRMATIONS);
    expect(await centsOf(address)).toBe(0);
    await rail.work();
    expect(await app.status(id)).toBe('submitted');
    // A process that was there before asks the node again after half a minute.
    app.time.advance(31_000);
    await rail.work();
    await finish();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1 });
    expect(await centsOf(address)).toBe(13);
  });

  test('that a deep reorganization removed after its end is broadcast again', async () => {
    const { id, address } = await app.queue(17);
    const snapshot = await chain.snapshot();
    await rail.work();
    await finish();
    expect(await app.status(id)).toBe('confirmed');
    await chain.revert(snapshot);
    const other = await app.queue(19);
    await app.rail().work();
    await finish();
    expect(await centsOf(address)).toBe(17);
    expect(await centsOf(other.address)).toBe(19);
    expect(await app.status(other.id)).toBe('confirmed');
  });
});

describe('fees', () => {
  test('of a stuck payout are raised in transactions with the same nonce, so that one is mined', async () => {
    const { id, address } = await app.queue(23);
    await rail.work();
    await chain.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x174876e800']); // 100 gwei
    await chain.mine();
    app.time.advance(STUCK_MS - 1);
    await rail.work();
    expect((await app.slots(id)).map(({ attempts }) => attempts.length)).toEqual([1]);
    app.time.advance(1);
    await rail.work();
    const slots = await app.slots(id);
    expect(slots.map(({ attempts }) => attempts.length)).toEqual([2]);
    const [first, second] = await Promise.all(
      (slots[0]?.attempts ?? []).map(({ raw }) => readTransaction(raw)),
    );
    expect(second).toMatchObject({ nonce: first?.nonce, to: first?.to, data: first?.data, value: 0n });
    expect(second?.maxFeePerGas ?? 0n).toBeGreaterThan(100n * 10n ** 9n);
    await finish();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 2 });
    expect(await centsOf(address)).toBe(23);
  });

  test('of a stuck payout are raised although the clock was set back', async () => {
    const { id, address } = await app.queue(67);
    await rail.work();
    await chain.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x5d21dba000']); // 400 gwei
    await chain.mine();
    app.time.jump(-3_600_000);
    await rail.work();
    app.time.advance(STUCK_MS);
    await rail.work();
    expect((await app.slots(id)).map(({ attempts }) => attempts.length)).toEqual([2]);
    await finish();
    app.time.jump(3_600_000);
    await chain.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
    await chain.mine();
    expect(await app.status(id)).toBe('confirmed');
    expect(await centsOf(address)).toBe(67);
  });

  test('above the limit of the settings let payouts wait', async () => {
    await chain.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x174876e800']);
    await chain.mine();
    const { policy } = app.trust;
    const evm = policy.evm === null ? null : { ...policy.evm, maxFeeGwei: 50 };
    const { id } = await app.queue(29);
    expect(await problemOf(app.rail({ evm }))).toMatchObject({ reason: 'fees' });
    expect(await app.payout(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await rail.work();
    await finish();
    expect(await app.status(id)).toBe('confirmed');
  });
});

describe('a nonce that another user of the key took', () => {
  test('is replaced by another one only when that is final', async () => {
    const { id, address } = await app.queue(31);
    await rail.work();
    const [slot] = await app.slots(id);
    await chain.drop(slot?.attempts[0]?.hash ?? '');
    const elsewhere = freshAddress();
    await chain.send({
      from: TREASURY.address,
      to: elsewhere,
      value: '0x1',
      nonce: `0x${(slot?.nonce ?? 0).toString(16)}`,
    });
    const state = () => app.state(id);
    await rail.work();
    await app.rail().work();
    expect(await app.slots(id)).toHaveLength(1);
    expect(await rail.mayFail(await state())).toBe(false);
    await chain.mine(CONFIRMATIONS - 1);
    expect(await rail.mayFail(await state())).toBe(true);
    await rail.work();
    expect((await app.slots(id)).map(({ nonce }) => nonce)).toEqual([
      slot?.nonce ?? 0,
      (slot?.nonce ?? 0) + 1,
    ]);
    expect(await rail.mayFail(await state())).toBe(false);
    await finish();
    expect(await app.status(id)).toBe('confirmed');
    expect(await centsOf(address)).toBe(31);
  });

  test('and that a deep reorganization frees again takes another payout, so that none is paid twice', async () => {
    const snapshot = await chain.snapshot();
    const { id, address } = await app.queue(53);
    await rail.work();
    const [slot] = await app.slots(id);
    const nonce = slot?.nonce ?? 0;
    await chain.drop(slot?.attempts[0]?.hash ?? '');
    await chain.send({
      from: TREASURY.address,
      to: freshAddress(),
      value: '0x1',
      nonce: `0x${nonce.toString(16)}`,
    });
    await chain.mine(CONFIRMATIONS);
    await rail.work();
    await finish();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 2 });
    expect(await centsOf(address)).toBe(53);
    await chain.revert(snapshot);
    const other = await app.queue(59);
    const next = app.rail();
    await next.work();
    expect((await app.slots(other.id)).map((one) => one.nonce)).toEqual([nonce]);
    await finish(next);
    await finish(next);
    expect(await centsOf(address)).toBe(53);
    expect(await centsOf(other.address)).toBe(59);
    expect(await app.status(other.id)).toBe('confirmed');
    // Two payouts have the nonce now, and one of them does not need it.
    for (const check of payoutNonceChecks) expect(await app.trust.store.read(check)).toEqual([]);
  });

  test('for the same transfer has paid it: a restored database does not know the newest transactions', async () => {
    const { id, address } = await app.queue(61);
    await rail.work();
    const [slot] = await app.slots(id);
    const attempt = slot?.attempts[0];
    await chain.drop(attempt?.hash ?? '');
    const { data } = await readTransaction(attempt?.raw ?? '0x');
    await chain.send({
      from: TREASURY.address,
      to: token,
      data,
      nonce: `0x${(slot?.nonce ?? 0).toString(16)}`,
    });
    await chain.mine(CONFIRMATIONS - 1);
    expect(await rail.mayFail(await app.state(id))).toBe(false);
    await rail.work();
    const payout = await app.payout(id);
    expect(payout).toMatchObject({ status: 'confirmed', attempts: 1 });
    expect(payout.externalReference).not.toBe(attempt?.hash ?? '');
    await finish();
    expect(await centsOf(address)).toBe(61);
  });

  test('before the first payout, or waits in the pool of the node, is left out', async () => {
    const nonce = await chain.nonce(TREASURY.address);
    const elsewhere = freshAddress();
    await chain.submit({ from: TREASURY.address, to: elsewhere, value: '0x1' });
    const { id, address } = await app.queue(37);
    await rail.work();
    expect((await app.slots(id)).map((slot) => slot.nonce)).toEqual([nonce + 1]);
    await finish();
    expect(await centsOf(address)).toBe(37);
    expect(await chain.coins(elsewhere)).toBe(1n);
  });
});

describe('a token', () => {
  test('that refuses an address lets its payout wait, and the others are paid', async () => {
    const address = freshAddress();
    await chain.block(token, address, true);
    const { id } = await app.queue(41, address);
    const other = await app.queue(42);
    await rail.work();
    expect(await app.payout(id)).toMatchObject({
      status: 'queued',
      attempts: 0,
      lastError: expect.stringContaining('the address is blocked'),
    });
    expect(await app.status(other.id)).toBe('submitted');
    await chain.block(token, address, false);
    await finish();
    expect(await app.status(id)).toBe('queued');
    app.time.advance(RETRY_MS);
    await rail.work();
    await finish();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', lastError: null });
    expect(await centsOf(address)).toBe(41);
  });

  test('that refuses every transfer stops the rail, and fails no payout', async () => {
    await chain.behave(token, 'reverts');
    await chain.mine();
    const queued = [await app.queue(1), await app.queue(2), await app.queue(3)];
    expect(await problemOf()).toEqual({
      reason: 'token',
      message: expect.stringContaining('transfers are paused'),
    });
    for (const { id } of queued)
      expect(await app.payout(id)).toMatchObject({ status: 'queued', attempts: 0, lastError: null });
    await chain.behave(token, 'pays');
    await chain.mine();
    await rail.work();
    await finish();
    for (const { id } of queued) expect(await app.status(id)).toBe('confirmed');
  });

  test('that refuses every transfer does not stop the confirmation of what was submitted', async () => {
    const { id } = await app.queue(45);
    await rail.work();
    await chain.mine();
    await chain.behave(token, 'reverts');
    await chain.mine(CONFIRMATIONS);
    const next = await app.queue(46);
    const runner = new PayoutRunner(async () => rail);
    await expect(runner.round()).rejects.toThrow('Payouts wait.');
    expect(runner.failure).toEqual({ reason: 'token', rounds: 1 });
    expect(await app.status(id)).toBe('confirmed');
    await runner.round();
    expect(runner.failure).toEqual({ reason: 'token', rounds: 1 });
    await chain.behave(token, 'pays');
    await chain.mine();
    await rail.work();
    await finish();
    expect(await app.status(next.id)).toBe('confirmed');
  });

  test.each([
    ['reverts', 'was reverted'],
    ['returns false', 'transferred nothing'],
  ] as const)(
    'that %s when the transaction is mined fails the payout, and its credits return',
    async (behavior, said) => {
      const before = await app.figures();
      const { id, address } = await app.queue(43);
      await rail.work();
      await chain.behave(token, behavior);
      await chain.mine();
      expect(await app.status(id)).toBe('submitted');
      await finish();
      expect(await app.payout(id)).toMatchObject({
        status: 'failed',
        lastError: expect.stringContaining(said),
      });
      expect(await centsOf(address)).toBe(0);
      expect(await app.figures()).toEqual(before);
      const next = await app.queue(44);
      expect(await problemOf()).toMatchObject({ reason: 'token' });
      expect(await app.payout(next.id)).toMatchObject({ status: 'queued', attempts: 0 });
      await chain.behave(token, 'pays');
      await chain.mine();
      await rail.work();
      await finish();
      expect(await app.status(next.id)).toBe('confirmed');
    },
  );

  test('that returns nothing, as old ones do, pays', async () => {
    await chain.behave(token, 'returns nothing');
    await chain.mine();
    const { id, address } = await app.queue(47);
    await rail.work();
    await finish();
    expect(await app.status(id)).toBe('confirmed');
    expect(await centsOf(address)).toBe(47);
    await chain.behave(token, 'pays');
    await chain.mine();
  });

  test('that takes a fee leaves the payout to the administrator, because something was paid', async () => {
    const { id } = await app.queue(100);
    await rail.work();
    await chain.behave(token, 'takes a fee');
    await finish();
    expect(await app.payout(id)).toMatchObject({
      status: 'submitted',
      lastError: expect.stringContaining('another amount'),
    });
    expect(await rail.mayFail(await app.state(id))).toBe(false);
    await chain.behave(token, 'pays');
    await finish();
    expect(await app.status(id)).toBe('submitted');
  });
});

describe('settings that do not fit the chain', () => {
  test.each([
    ['another chain', { chainId: 1 }, 'chain', 'is of the chain 31337, but evm.chain_id is 1'],
    [
      'an address without a contract',
      { token: '0xC0fFeeC0FFeEc0fFEec0FfeEc0fFeEC0FfEec0fF' },
      'token',
      'is not a contract',
    ],
    ['other decimals', { tokenDecimals: 18 }, 'token', 'has 6 decimals'],
  ] as const)('%s: nothing is signed', async (_, wrong, reason, said) => {
    const { id } = await app.queue(61);
    const evm = app.trust.policy.evm === null ? null : { ...app.trust.policy.evm, ...wrong };
    expect(await problemOf(app.rail({ evm }))).toEqual({ reason, message: expect.stringContaining(said) });
    expect(await app.payout(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await rail.work();
    await finish();
    expect(await app.status(id)).toBe('confirmed');
  });

  test('a payout that was submitted on another chain waits, and the others are paid', async () => {
    const { id } = await app.queue(67);
    await rail.work();
    await app.rewriteChain(id, 5);
    const next = await app.queue(71);
    await rail.work();
    await finish();
    expect(await app.payout(id)).toMatchObject({
      status: 'submitted',
      lastError: expect.stringContaining('submitted on the chain 5'),
    });
    expect(await rail.mayFail(await app.state(id))).toBe(false);
    expect(await app.status(next.id)).toBe('confirmed');
  });
});

test('no key and no URL is in the log', () => {
  const logged = app.app.logged();
  expect(logged).not.toContain(TREASURY.key.slice(2));
  expect(logged).not.toContain(chain.url);
});

test('fsck finds no problem in what was signed, but the chain that a test rewrote', async () => {
  const { reported } = await audited(app.app.directory, { only: auditedTransactions });
  expect(reported.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining('chain_id is not that of raw_transaction: expected 31337, found 5'),
  ]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACTS_FILE } from '../../../../../../src/trust/operators/restored/acts-file.ts';
import type { PayoutRail } from '../../../../../../src/trust/payments/payouts/rail.ts';
import { runnerOf } from '../../../../../../src/trust/payments/payouts/runner.ts';
import { audited } from '../../../../../support/audit.ts';
import { type LyingNode, lyingNode, saysLost, saysReverted } from '../../../../../support/evm/lying-node.ts';
import { CONFIRMATIONS, openPayoutApp, type PayoutApp } from '../../../../../support/evm/payout-app.ts';
import { startChain, type TestChain } from '../../../../../support/evm/test-chain.ts';
import { localAdministrator } from '../../../../../support/local-administrator.ts';

let chain: TestChain;
let token: `0x${string}`;
let liar: LyingNode;
/** Two nodes, the second of them `liar`. */
let pair: PayoutApp;
/** Only `liar`. */
let single: PayoutApp;

type Administrator = Awaited<ReturnType<typeof localAdministrator>>;
let ofPair: Administrator;
let ofSingle: Administrator;

beforeAll(async () => {
  chain = await startChain();
  token = await chain.deploy(1_000_000_000_000n);
  liar = lyingNode(chain.url);
  const settings = { 'payouts.rail': 'evm' };
  pair = await openPayoutApp([chain, liar], token, settings);
  single = await openPayoutApp(liar, token, settings);
  ofPair = await localAdministrator(pair.app);
  ofSingle = await localAdministrator(single.app);
  await chain.automine(false);
}, 180_000);
beforeEach(() => liar.tellsTheTruth());
afterAll(async () => {
  await Promise.all([pair.app.close(), single.app.close()]);
  await liar.stop();
  await chain.stop();
});

const centsOf = async (address: string) => Number((await chain.tokens(token, address)) / 10_000n);
const hashOf = async (by: PayoutApp, id: string) => (await by.slots(id)).at(-1)?.attempts.at(-1)?.hash ?? '';

async function finish(rail: PayoutRail): Promise<void> {
  await chain.mine(CONFIRMATIONS);
  await rail.work();
}

/** Lets the chain revert what waits in the pool, and then pay again. */
async function revertWaiting(): Promise<void> {
  await chain.behave(token, 'reverts');
  await chain.mine();
  await chain.behave(token, 'pays');
  await chain.mine(CONFIRMATIONS);
}

describe('two nodes that disagree', () => {
  test('about a failure return no credits and pay nothing again; the administrator decides', async () => {
    const rail = pair.rail();
    const before = await pair.figures();
    const { id, address } = await pair.queue(201);
    await rail.work();
    saysReverted(liar);
    await finish(rail);
    const hash = await hashOf(pair, id);
    const { lastError, ...payout } = await pair.payout(id);
    expect(payout).toMatchObject({ status: 'submitted', attempts: 1 });
    expect(lastError).toStartWith(
      `The nodes of the chain disagree: node 1 says that ${hash} was executed in block `,
    );
    expect(lastError).toContain(`; node 2 says that ${hash} was reverted in block `);
    expect(await pair.figures()).toMatchObject({ available: before.available - 201 });
    expect(rail.nodes?.()).toEqual([
      { node: 1, problem: 'differs' },
      { node: 2, problem: 'differs' },
    ]);
    const fail = ofPair('resolvePayout', { withdrawalId: id, reason: 'the liar says so' });
    await expect(fail).rejects.toThrow(`Node 1 of evm.rpc_urls says that ${hash} has paid it.`);
    const other = `0x${'12'.repeat(32)}`;
    const elsewhere = ofPair('resolvePayout', { withdrawalId: id, transaction_hash: other });
    await expect(elsewhere).rejects.toThrow('has paid it');
    const resolved = await ofPair('resolvePayout', {
      withdrawalId: id,
      transaction_hash: hash.toUpperCase().replace('0X', '0x'),
    });
    expect(resolved).toMatchObject({ payout: { status: 'confirmed', external_reference: hash } });
    // A backup that is restored later pays it no second time.
    expect(readFileSync(join(pair.app.directory, ACTS_FILE), 'utf8')).toContain(id);
    expect(await centsOf(address)).toBe(201);
    expect(await chain.nonce('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe(1);
  });

  test('about a nonce use no second one, and nobody can fail what may still be paid', async () => {
    const rail = pair.rail();
    const { id, address } = await pair.queue(202);
    await rail.work();
    const [slot] = await pair.slots(id);
    saysLost(liar, slot?.nonce ?? 0);
    await rail.work();
    await pair.rail().work();
    expect(await pair.slots(id)).toHaveLength(1);
    expect((await pair.payout(id)).lastError).toContain(
      'node 1 says that no final block has it; node 2 says that',
    );
    const fail = ofPair('resolvePayout', { withdrawalId: id, reason: 'the liar says so' });
    await expect(fail).rejects.toThrow(`Node 1 of evm.rpc_urls says that the nonce ${slot?.nonce} is free`);
    liar.tellsTheTruth();
    await finish(rail);
    expect(await pair.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1, lastError: null });
    expect(await centsOf(address)).toBe(202);
  });

  test('because one is down end nothing, and the administrator does not either', async () => {
    const rail = pair.rail();
    const { id } = await pair.queue(203);
    await rail.work();
    liar.isDown();
    await chain.mine(CONFIRMATIONS);
    await expect(rail.work()).rejects.toThrow('1 of 2 nodes of the chain can be used, and 2 must agree.');
    expect(await pair.status(id)).toBe('submitted');
    const fail = ofPair('resolvePayout', { withdrawalId: id, reason: 'no response' });
    await expect(fail).rejects.toThrow('The nodes could not be asked: 1 of 2 nodes');
    liar.tellsTheTruth();
    await rail.work();
    expect(await pair.status(id)).toBe('confirmed');
  });
});

describe('a rail whose payouts finally fail', () => {
  test('stops after two in a row: the third waits with its credits, and nothing new is begun', async () => {
    const rail = pair.rail();
    const before = await pair.figures();
    const queued = [await pair.queue(11), await pair.queue(12), await pair.queue(13)];
    await rail.work();
    await revertWaiting();
    const next = await pair.queue(14);
    await expect(rail.work()).rejects.toMatchObject({ reason: 'stopped', stops: 'submission' });
    const statuses = async () => Promise.all([...queued, next].map(({ id }) => pair.status(id)));
    expect((await statuses()).toSorted()).toEqual(['failed', 'failed', 'queued', 'submitted']);
    const held = (await Promise.all(queued.map(({ id }) => pair.payout(id)))).find(
      ({ status }) => status === 'submitted',
    );
    expect(held).toMatchObject({
      held: 'failure',
      lastError: expect.stringContaining('The credits stay reserved'),
    });
    // A process that has just started knows it too, and says it in health and in the list.
    await expect(pair.rail().work()).rejects.toMatchObject({ reason: 'stopped' });
    await expect(runnerOf(pair.trust).round()).rejects.toThrow('countersign payouts resume');
    const { body } = await pair.app.anyone.get('/api/health');
    expect(body.problems).toContain(
      'Payouts wait: the rail evm stopped after two final failures in a row; see countersign payouts.',
    );
    expect(await ofPair('listPayouts')).toMatchObject({
      stopped: { rail: 'evm', since: expect.any(String) },
    });
    const resolved = await ofPair('resolvePayout', {
      withdrawalId: held?.withdrawalId ?? '',
      reason: 'reverted',
    });
    expect(resolved).toMatchObject({ payout: { status: 'failed', failure_reason: 'reverted' } });
    expect(await statuses()).toContain('queued');
    expect(await pair.figures()).toEqual({
      ...before,
      available: before.available - 14,
      locked: before.locked + 14,
    });
    expect(await ofPair('resumePayouts')).toEqual({ rail: 'evm', resumed: true });
    await expect(ofPair('resumePayouts')).rejects.toThrow('is not stopped');
    expect(await ofPair('listPayouts')).toMatchObject({ stopped: null });
    await rail.work();
    await finish(rail);
    expect(await pair.status(next.id)).toBe('confirmed');
    expect(await centsOf(next.address)).toBe(14);
  });

  test('goes on if a payout is paid between two failures', async () => {
    const rail = pair.rail();
    for (const amount of [21, 22]) {
      const failing = await pair.queue(amount);
      await rail.work();
      await revertWaiting();
      await rail.work();
      expect(await pair.status(failing.id)).toBe('failed');
      const paid = await pair.queue(amount);
      await rail.work();
      await finish(rail);
      expect(await pair.status(paid.id)).toBe('confirmed');
    }
  });

  test('still confirms what was on its way, and is not started by it', async () => {
    const rail = pair.rail();
    const failing = [await pair.queue(31), await pair.queue(32)];
    await rail.work();
    await chain.behave(token, 'reverts');
    await chain.mine();
    const paid = await pair.queue(33);
    await chain.behave(token, 'pays');
    await chain.mine();
    await rail.work();
    await chain.mine(1);
    await rail.work().catch(() => undefined);
    expect(await pair.status(paid.id)).toBe('submitted');
    await chain.mine(CONFIRMATIONS);
    await expect(rail.work()).rejects.toMatchObject({ reason: 'stopped' });
    expect(await Promise.all([...failing, paid].map(({ id }) => pair.status(id)))).toEqual([
      'failed',
      'failed',
      'confirmed',
    ]);
    await expect(rail.work()).rejects.toMatchObject({ reason: 'stopped' });
    await ofPair('resumePayouts');
  });
});

describe('one node', () => {
  test('that lies four times returns no credits: two payouts wait, and the rail has stopped', async () => {
    const rail = single.rail();
    const before = await single.figures();
    const queued: Awaited<ReturnType<PayoutApp['queue']>>[] = [];
    saysReverted(liar);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      queued.push(await single.queue(1000));
      await rail.work().catch(() => undefined);
      await chain.mine(CONFIRMATIONS);
      await rail.work().catch(() => undefined);
    }
    expect(await Promise.all(queued.map(({ id }) => single.status(id)))).toEqual([
      'submitted',
      'submitted',
      'queued',
      'queued',
    ]);
    expect(await single.figures()).toMatchObject({ available: before.available - 4000 });
    expect(await Promise.all(queued.map(({ address }) => centsOf(address)))).toEqual([1000, 1000, 0, 0]);
    const list = await ofSingle('listPayouts', { status: 'submitted' });
    expect(list).toMatchObject({
      stopped: { rail: 'evm' },
      payouts: [
        { held: 'failure', waiting_for: 'administrator' },
        { held: 'failure', waiting_for: 'administrator' },
      ],
    });
    // The node tells the truth again: what was paid is confirmed, although it was held.
    liar.tellsTheTruth();
    await rail.work().catch(() => undefined);
    for (const { id } of queued.slice(0, 2))
      expect(await single.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1, held: null });
    await ofSingle('resumePayouts');
    await rail.work();
    await finish(rail);
    expect(await Promise.all(queued.map(({ address }) => centsOf(address)))).toEqual([
      1000, 1000, 1000, 1000,
    ]);
  });

  test('that shows another transaction with the nonce does not make the payout take a second one', async () => {
    const rail = single.rail();
    const { id, address } = await single.queue(41);
    await rail.work();
    const [slot] = await single.slots(id);
    saysLost(liar, slot?.nonce ?? 0);
    await rail.work();
    await rail.work();
    expect(await single.slots(id)).toHaveLength(1);
    expect(await single.payout(id)).toMatchObject({
      status: 'submitted',
      held: 'failure',
      lastError: expect.stringContaining(`used the nonce ${slot?.nonce}`),
    });
    liar.tellsTheTruth();
    await finish(rail);
    expect(await single.status(id)).toBe('confirmed');
    expect(await centsOf(address)).toBe(41);
  });

  test('is enough for a failure that the administrator decides about, even while it is down, once', async () => {
    const rail = single.rail();
    const before = await single.figures();
    const { id, address } = await single.queue(42);
    await rail.work();
    const early = ofSingle('resolvePayout', { withdrawalId: id, reason: 'too early' });
    await expect(early).rejects.toThrow('may still be paid');
    await revertWaiting();
    await rail.work();
    expect(await single.payout(id)).toMatchObject({ status: 'submitted', held: 'failure' });
    liar.isDown();
    const decide = () => ofSingle('resolvePayout', { withdrawalId: id, reason: 'reverted' });
    expect(await decide()).toMatchObject({ payout: { status: 'failed' } });
    await expect(decide()).rejects.toThrow('is failed');
    expect(await single.figures()).toEqual(before);
    expect(await centsOf(address)).toBe(0);
  });

  test.each([
    ['neither', {}, 'excludes reason'],
    ['both', { transaction_hash: `0x${'12'.repeat(32)}`, reason: 'x' }, 'excludes reason'],
    ['no hash', { transaction_hash: '0x12' }, '64 hexadecimal characters'],
    ['a control character', { reason: 'a\u0007b' }, 'control character'],
    ['a queued payout', { reason: 'x' }, 'is queued'],
  ])('is not asked about %s', async (_, values, said) => {
    const { id } = await single.queue(43);
    await expect(ofSingle('resolvePayout', { withdrawalId: id, ...values })).rejects.toThrow(said);
    await expect(
      ofSingle('resolvePayout', { withdrawalId: `wdr_${'0'.repeat(32)}`, reason: 'x' }),
    ).rejects.toThrow('There is no withdrawal');
    expect(await single.status(id)).toBe('queued');
  });
});

test('fsck finds no problem in what ended in these ways', async () => {
  for (const { app } of [pair, single]) {
    const { reported } = await audited(app.directory);
    // The tests pay other addresses than the wallet of the agent.
    expect(
      reported.filter(({ what }) => what !== 'address is not the custodial wallet of its agent'),
    ).toEqual([]);
  }
});

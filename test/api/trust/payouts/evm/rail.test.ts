import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PayoutRail } from '../../../../../src/trust/payouts/rail.ts';
import { CONFIRMATIONS, openPayoutApp, type PayoutApp } from '../../../../support/evm/payout-app.ts';
import { startChain, type TestChain } from '../../../../support/evm/test-chain.ts';

let chain: TestChain;
let token: `0x${string}`;
let app: PayoutApp;
let rail: PayoutRail;

beforeAll(async () => {
  chain = await startChain();
  token = await chain.deploy(1_000_000_000_000n);
  app = await openPayoutApp(chain, token);
  rail = app.rail();
  await chain.automine(false);
}, 60_000);
afterAll(async () => {
  await app.app.close();
  await chain.stop();
});

/** Mines until the newest transactions are final, and lets the rail see it. */
async function finish(by: PayoutRail = rail): Promise<void> {
  await chain.mine(CONFIRMATIONS);
  await by.work();
}

describe('a payout', () => {
  test('is paid in tokens, and confirmed when its block is final', async () => {
    const before = await app.figures();
    const { id, address } = await app.queue(250);
    await rail.work();
    expect(await app.status(id)).toBe('submitted');
    expect(await chain.tokens(token, address)).toBe(0n);
    await chain.mine();
    await rail.work();
    expect(await app.status(id)).toBe('submitted');
    await finish();
    expect(await app.payout(id)).toMatchObject({ status: 'confirmed', attempts: 1, lastError: null });
    // 250 credits are 2.50 dollars, and the token has six decimals.
    expect(await chain.tokens(token, address)).toBe(2_500_000n);
    const [slot] = await app.slots(id);
    expect((await app.payout(id)).externalReference).toBe(slot?.attempts[0]?.hash ?? '');
    const after = await app.figures();
    expect({ ...after }).toMatchObject({ locked: before.locked, available: before.available - 250 });
  });
});

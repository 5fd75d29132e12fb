import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Transaction } from '../../../../../src/platform/store/transaction.ts';
import { type Payer, type QuotaLimits, Quotas } from '../../../../../src/trust/operators/quotas/quotas.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const RULES: QuotaLimits = {
  free: { writesPerMinute: 1, storedBytes: 1000, webhooks: 1 },
  other: { writesPerMinute: null, storedBytes: null, webhooks: 1 },
  freeTotalBytes: 1_000_000,
  provisionsPerDay: 1,
};
const SOMEBODY: Payer = { payer: 'agent', payerSeq: 7, isFree: true };

let app: TrustApp;
let quotas: Quotas;
beforeEach(async () => {
  app = await openTrustApp();
  quotas = new Quotas(new VirtualTime(), RULES);
});
afterEach(() => app.close());

/** Asks twice within one transaction before either result is there. @returns how many were admitted */
async function twice(ask: (tx: Transaction) => Promise<unknown> | undefined): Promise<number> {
  return app.service.trust.store.writeAsService(async (tx) => {
    const asked = [1, 2].map(async () => ask(tx));
    const outcomes = await Promise.allSettled(asked);
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  });
}

test('two concurrent writes get the last remaining one once', async () => {
  expect(await twice((tx) => quotas.admitIn(tx, SOMEBODY, 'refusable'))).toBe(1);
});

test('of two charges that wait for the same count only one gets what is left', async () => {
  expect(await twice((tx) => quotas.chargeIn(tx, SOMEBODY, 600, 'refusable'))).toBe(1);
  const { store } = app.service.trust;
  expect(await store.read((snapshot) => quotas.usageOf(snapshot, SOMEBODY))).toMatchObject({
    storedBytes: 600,
  });
  // What is durable by now counts, and is not read again.
  const charging = store.writeAsService((tx) => quotas.chargeIn(tx, SOMEBODY, 400, 'refusable'));
  expect(await charging).toBeUndefined();
  expect(await twice((tx) => quotas.chargeIn(tx, SOMEBODY, 1, 'refusable'))).toBe(0);
});

test("of two agents that let themselves in at once from one address the day's last place goes to one", async () => {
  expect(await twice((tx) => quotas.provisionIn(tx, '192.0.2.1'))).toBe(1);
});

test('a cached payer, and one without a limit, do not wait', async () => {
  const free = { ...SOMEBODY, payerSeq: 8 };
  await app.service.trust.store.writeAsService(async (tx) => {
    expect(quotas.chargeIn(tx, { ...SOMEBODY, isFree: false }, 1, 'refusable')).toBeUndefined();
    await quotas.chargeIn(tx, free, 1, 'refusable');
    expect(quotas.chargeIn(tx, free, 1, 'refusable')).toBeUndefined();
  });
});

test('the charge of a failed transaction does not count', async () => {
  const { store } = app.service.trust;
  const failing = store.writeAsService(async (tx) => {
    await quotas.chargeIn(tx, SOMEBODY, 900, 'refusable');
    throw new Error('no');
  });
  expect(await failing.catch(String)).toBe('Error: no');
  await store.writeAsService((tx) => quotas.chargeIn(tx, SOMEBODY, 900, 'refusable'));
  expect(await store.read((snapshot) => quotas.usageOf(snapshot, SOMEBODY))).toMatchObject({
    storedBytes: 900,
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { clawBack } from '../../../../../src/trust/ledger/credits/claw-back.ts';
import { refunded } from '../../../../support/billing-app.ts';
import { corroboratedAfter } from '../../../../support/corroborated.ts';
import { disputed, openDisputes, warned } from '../../../../support/disputes.ts';
import { ENGAGEMENTS, marketOf } from '../../../../support/engagements.ts';

type Disputes = Awaited<ReturnType<typeof openDisputes>>;

let holds: Disputes;
beforeEach(async () => {
  holds = await openDisputes();
});
afterEach(async () => {
  expect(await holds.closed()).toEqual([]);
});

/** The second operator buys credits, hires an agent of the first one with them, and accepts. @returns the intent */
async function boughtAndAccepted(hires = 2): Promise<string> {
  const intent = await holds.pay(1000);
  await holds.grant(holds.payer, 400);
  const market = marketOf(holds.app);
  for (let turn = 0; turn < hires; turn++) {
    const task_id = `bought-${intent}-${turn}`;
    const { status, body } = await holds.app.other.post(ENGAGEMENTS, {
      ...{ task_id, amount: 10, hirer_commitment: holds.payer.commitment },
      worker_commitment: holds.stranger.commitment,
    });
    expect([status, body.error]).toEqual([201, undefined]);
    const delivery = await market.signedDelivery(holds.stranger, task_id);
    expect((await holds.app.anyone.post(`${ENGAGEMENTS}/${task_id}/deliver`, delivery)).status).toBe(200);
    expect((await holds.app.other.post(`${ENGAGEMENTS}/${task_id}/accept`)).status).toBe(200);
  }
  return intent;
}

const after = (days: number) => corroboratedAfter(holds.app, holds.time, holds.stranger, days);

describe('an accepted delivery whose credits a payment bought', () => {
  test('counts while nobody takes the payment back', async () => {
    await boughtAndAccepted();
    expect(await after(30)).toBe(2);
  });

  test('does not count while the payment is disputed, and counts again if the dispute is won', async () => {
    const intent = await boughtAndAccepted();
    expect(await after(30)).toBe(2);
    await holds.send(disputed(intent, 'created', { amount: 1 }));
    expect(await after(0)).toBe(0);
    holds.time.advance(1000);
    await holds.send(disputed(intent, 'closed', { amount: 1, status: 'won' }));
    expect(await after(0)).toBe(2);
  });

  test('does not count after a lost dispute, also before its 30 days', async () => {
    const intent = await boughtAndAccepted();
    expect(await after(10)).toBe(0);
    await holds.send(disputed(intent, 'created'));
    holds.time.advance(1000);
    await holds.send(disputed(intent, 'funds_withdrawn'));
    holds.time.advance(1000);
    await holds.send(disputed(intent, 'closed', { status: 'lost' }));
    expect(await after(20)).toBe(0);
  });

  test('counts after a refund of a part, which is not of its credits, and not after a whole one', async () => {
    const intent = await boughtAndAccepted();
    await holds.send(refunded(intent, 500));
    expect(await after(30)).toBe(2);
    await holds.send(refunded(intent, 1000));
    expect(await after(0)).toBe(0);
  });

  test('does not count while a refund of a part takes more than is left, and counts once that is paid', async () => {
    const intent = await boughtAndAccepted();
    // The agent has 380 of the credits that were not granted back: the pool cannot cover the refund.
    await holds.send(refunded(intent, 999));
    expect(await after(30)).toBe(0);
    await holds.pay(1000);
    expect(await after(0)).toBe(2);
  });

  test('counts in spite of a warning, which is no dispute', async () => {
    const intent = await boughtAndAccepted();
    await holds.send(warned(intent));
    expect(await after(30)).toBe(2);
  });

  test('of another payment counts: a dispute is of the hires that its own credits paid', async () => {
    const first = await boughtAndAccepted();
    // What is left of the first payment is in the pool.
    expect((await holds.grant(holds.payer, 600)).status).toBe(201);
    expect((await holds.transfer(holds.payer, holds.stranger, 980)).status).toBe(201);
    await boughtAndAccepted();
    await holds.send(disputed(first, 'created', { amount: 1 }));
    expect(await after(30)).toBe(2);
  });
});

test('a claw-back from the worker names no hire: what was accepted until that day does not count', async () => {
  const { trust } = holds.app.service;
  await boughtAndAccepted();
  await clawBack(trust, holds.stranger.commitment, { amount: 1, reason: 'stolen card' });
  holds.time.advance(DAY_MS);
  await boughtAndAccepted(1);
  expect(await after(30)).toBe(1);
  // One from the hirer takes nothing from the worker.
  await clawBack(trust, holds.payer.commitment, { amount: 1, reason: 'stolen card' });
  expect(await after(0)).toBe(1);
});

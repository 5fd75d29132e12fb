import { expect } from 'bun:test';
import { ENGAGEMENTS, type Market, openMarket } from './engagements.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A market in which credits moved. */
export interface Traded {
  market: Market;
  /** A task that was paid, and one that was cancelled. */
  paid: string;
  cancelled: string;
  /** The transaction of a grant of 5 credits to the worker. */
  grantId: string;
}

/** Opens a market whose hirer had 50 promotional and 100 paid credits, and paid 60 of them. */
export async function openTraded(time: VirtualTime): Promise<Traded> {
  const market = await openMarket({ credits: { promotional: 50, paid: 100 } }, time);
  const { app, hirer, worker } = market;
  const paid = await market.hire(hirer, worker, { amount: 60 });
  await market.deliver(worker, paid);
  expect((await app.own.post(`${ENGAGEMENTS}/${paid}/accept`)).status).toBe(200);
  const cancelled = await market.hire(hirer, worker, { amount: 7 });
  expect((await app.own.post(`${ENGAGEMENTS}/${cancelled}/cancel`)).status).toBe(200);
  const { body } = await app.own.post('/api/v1/passport/credits/grants', {
    subject_commitment: worker.commitment,
    amount: 5,
    memo: 'welcome',
  });
  return { market, paid, cancelled, grantId: String(body.transaction_id) };
}

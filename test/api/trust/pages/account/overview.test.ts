import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { Visitor } from '../../../../support/account.ts';
import {
  type BillingApp,
  openBillingApp,
  paidSession,
  refunded,
  subscribed,
} from '../../../../support/billing-app.ts';
import { openMarket } from '../../../../support/engagements.ts';

let app: BillingApp;
beforeAll(async () => {
  app = await openBillingApp({
    settings: { 'quotas.other.stored_bytes': '8388608', 'gate.minimum_stake.financial_clearing': '100' },
  });
});
afterAll(() => app.close());

/** Logs in with a key, and returns the text of the first page. */
async function overviewOf(key: string): Promise<string> {
  const { status, text } = await new Visitor(app.fetch).logIn(key);
  expect(status).toBe(200);
  return text;
}

test('an operator without a receipt sees where to begin, and how much it may store', async () => {
  const text = await overviewOf(app.otherKey);
  expect(text).toContain('No receipts yet.');
  expect(text).toMatch(/<dt>Stored data<\/dt><dd>[\d.]+ MiB of 8 MiB<\/dd>/);
});

test('the newest five receipts are shown with their state, and why the gate denies', async () => {
  const ids: string[] = [];
  while (ids.length < 6) ids.push(String((await app.own.issue()).body.receipt_id));
  const [, first = '', second = ''] = ids;
  await app.own.finalize(first, { status: 'timeout', terminal_reason: 'late' });
  await app.own.post(`/api/v1/receipts/${second}/revoke`, { reason: 'replaced' });
  const text = await overviewOf(app.apiKey);
  expect(ids.map((id) => text.includes(id))).toEqual([false, true, true, true, true, true]);
  expect(text).toContain(`<a class="hash" href="/receipts/${ids[5]}">${ids[5]}</a>`);
  expect(text).toContain('6 receipts issued in 30 days (UTC).');
  expect(text).toMatch(/<title>\d{4}-\d\d-\d\d: 6 receipts<\/title>/);
  for (const state of ['Pending', 'Timeout', 'revoked']) expect(text).toContain(`>${state}</span>`);
  expect(text).toContain('The stake is below the minimum of this domain.');
});

test('a debt is shown in words until it is paid, and what to pay for it', async () => {
  const session = await app.topUp(1000);
  await app.send(paidSession(session, 1000));
  await app.spend(400);
  await app.send(refunded(`pi_${session}`, 1000));
  const text = await overviewOf(app.otherKey);
  expect(text).toContain('400 credits: pay $4.00 for credits');
  await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
  // An administrator activated it all the same.
  const active = await overviewOf(app.otherKey);
  expect([active.includes('400 credits: pay $4.00'), active.includes('suspended')]).toEqual([true, false]);
});

test('a new subscriber sees the plan, and a closed account what is left of it', async () => {
  const order = await app.subscribe();
  await app.send(subscribed(order));
  const { api_key } = (await app.claim(order.sessionId, order.claimToken)).body;
  const person = new Visitor(app.fetch);
  expect((await person.logIn(String(api_key))).text).toContain('Pro plan');
  await app.run(`UPDATE operator SET account_status = 'CLOSED' WHERE operator_id = '${order.operatorId}'`);
  const { status, text } = await person.get('/account');
  expect([status, text.includes('This account is closed.')]).toEqual([200, true]);
});

test('receipts are no links in a service without the explorer', async () => {
  const without = await openBillingApp({ settings: { explorer: 'off' } });
  await without.own.issue();
  const { text } = await new Visitor(without.fetch).logIn(without.apiKey);
  expect([text.includes('rcpt_'), text.includes('href="/receipts/')]).toEqual([true, false]);
  await without.close();
});

test('hires that wait for a decision are shown, and no others', async () => {
  const market = await openMarket();
  const { hirer, worker, hire, deliver } = market;
  const held = await hire(hirer, worker);
  const delivered = await hire(hirer, worker);
  await deliver(worker, delivered);
  const page = await new Visitor(market.app.fetch).logIn(market.app.apiKey);
  expect(page.text).toContain('Hires that wait for a decision');
  expect([page.text.includes(delivered), page.text.includes(held)]).toEqual([true, false]);
  const stranger = await createOperator(market.app.service.trust, { name: 'new', admin: false });
  const { text } = await new Visitor(market.app.fetch).logIn(stranger.api_key);
  expect(text).not.toContain('Hires that wait');
  await market.app.close();
});

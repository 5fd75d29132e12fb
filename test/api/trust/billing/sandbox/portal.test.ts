import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { portalToken } from '../../../../../src/trust/billing/sandbox/portal-token.ts';
import { Visitor } from '../../../../support/account.ts';
import { seenPage } from '../../../../support/page.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
let send: () => Promise<void>;
let stop: () => Promise<void>;

beforeEach(async () => {
  time = new VirtualTime();
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.fetch(request) });
  const listener = `http://127.0.0.1:${server.port}`;
  app = await openTrustApp({ 'billing.processor': 'sandbox' }, time, ':memory:', { listener });
  const { tasks } = await app.service.background();
  send = async () => {
    await tasks.find(({ name }) => name === 'send the events of the sandbox')?.run();
  };
  stop = () => server.stop(true);
});
afterEach(async () => {
  await stop();
  await app.close();
});

const post = (path: string, fields: Record<string, string>) =>
  app.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    }),
  );

/** Subscribes, and opens the portal. */
async function subscriber() {
  const { body } = await app.anyone.post('/api/billing/checkout', {});
  const checkout = new URL(String(body.url)).pathname;
  await post(checkout, { action: 'pay' });
  await send();
  const { session_id, claim_token } = body;
  const { body: claimed } = await app.anyone.post('/api/billing/claim', { session_id, claim_token });
  const key = { authorization: `Bearer ${claimed.api_key}` };
  const ask = async (path: string, method = 'GET') =>
    Object(await (await app.fetch(new Request(`http://localhost${path}`, { method, headers: key }))).json());
  const { url } = await ask('/api/v1/account/billing-portal', 'POST');
  const path = new URL(String(url)).pathname;
  const page = async () => {
    const response = await app.fetch(new Request(`http://localhost${path}`));
    const text = await response.text();
    return {
      status: response.status,
      text,
      subscription: /name="subscription" value="(\w+)"/.exec(text)?.[1] ?? '',
    };
  };
  const { subscription } = await page();
  const status = () => ask('/api/v1/operator/status');
  const payments = async () => (await ask('/api/v1/account/payments')).payments;
  const account = async () => {
    const person = new Visitor(app.fetch);
    await person.logIn(String(claimed.api_key));
    return (await person.get('/account/billing')).text;
  };
  return { checkout, path, page, subscription, status, payments, account };
}

describe('in the portal of the sandbox an operator', () => {
  test('cancels: the subscription ends with its month, and the plan is FREE', async () => {
    const { path, page, subscription, status, account } = await subscriber();
    expect((await post(path, { action: 'cancel', subscription })).status).toBe(303);
    await send();
    expect((await status()).plan).toBe('PRO');
    expect(await account()).toContain('The subscription ends on ');
    await post(path, { action: 'renew', subscription });
    await send();
    expect(await account()).not.toContain('The subscription ends on ');
    await post(path, { action: 'cancel', subscription });
    await send();
    const { text } = await page();
    await seenPage(text, true);
    expect(text).toContain('Ends with its month');
    await post(path, { action: 'end', subscription });
    await send();
    expect((await status()).plan).toBe('FREE');
    expect((await page()).text).toContain('Canceled');
    expect((await post(path, { action: 'renew', subscription })).status).toBe(409);
  });

  test('renews what it had canceled: the next month is paid', async () => {
    const { path, page, subscription, status, payments } = await subscriber();
    for (const action of ['cancel', 'renew', 'renew', 'end']) await post(path, { action, subscription });
    await send();
    expect((await status()).plan).toBe('PRO');
    expect((await page()).text).toContain('Active');
    expect(
      (await payments()).map(({ kind, status }: { kind: string; status: string }) => [kind, status]),
    ).toEqual([
      ['subscription', 'paid'],
      ['subscription', 'paid'],
    ]);
  });

  test('changes its card, of which only four digits are stored', async () => {
    const { path, page, subscription } = await subscriber();
    expect((await page()).text).toContain('ends in 4242');
    await post(path, { action: 'card', subscription, card: '5555 5555-5555 4444' });
    await send();
    expect((await page()).text).toContain('ends in 4444');
    for (const card of ['', '4242', 'x'.repeat(16), '1'.repeat(20)])
      expect([card, (await post(path, { action: 'card', subscription, card })).status]).toEqual([card, 400]);
  });
});

describe('the sandbox pays no further month', () => {
  test('of a subscription that ends with this one', async () => {
    const { checkout, path, subscription } = await subscriber();
    await post(path, { action: 'cancel', subscription });
    const renewed = await post(checkout, { action: 'renew' });
    expect([renewed.status, (await renewed.text()).includes('ends with its month')]).toEqual([409, true]);
  });

  test('after 23 of them', async () => {
    const { checkout } = await subscriber();
    const statuses: number[] = [];
    for (let month = 1; month <= 24; month++) {
      statuses.push((await post(checkout, { action: 'renew' })).status);
      await send();
    }
    expect(statuses).toEqual([...Array(23).fill(303), 409]);
  });
});

describe('the portal of the sandbox is closed', () => {
  test('to other tokens, after an hour, and to subscriptions of others', async () => {
    const one = await subscriber();
    const other = await subscriber();
    expect((await post(one.path, { action: 'cancel', subscription: other.subscription })).status).toBe(404);
    expect((await post(one.path, { action: 'pay', subscription: one.subscription })).status).toBe(400);
    const changed = one.path.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const get = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).status;
    expect(await get(changed)).toBe(404);
    expect(await get('/sandbox/portal/bps_x')).toBe(400);
    time.advance(3_600_000);
    expect((await one.page()).status).toBe(404);
    expect((await post(one.path, { action: 'cancel', subscription: one.subscription })).status).toBe(404);
  });

  test('to customers of another processor', () => {
    const { masterKey } = app.service.trust;
    expect(portalToken(masterKey, 'cus_NffrFeUfNV2Hib', 0)).toBeNull();
  });
});

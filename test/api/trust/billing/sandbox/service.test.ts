import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStripe } from '../../../../support/stripe-server.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const SANDBOX = { 'billing.processor': 'sandbox' };
const LIVE = {
  'billing.stripe.secret_key': 'sk_live_abc',
  'billing.stripe.webhook_secret': 'whsec_abc',
};

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of close.reverse()) await end();
  close = [];
});

/** Opens a service with a listener on a free port, as a server has it. */
async function openListening(data = ':memory:'): Promise<TrustApp> {
  let app: TrustApp | null = null;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => (await app?.fetch(request)) ?? new Response(null, { status: 503 }),
  });
  app = await openTrustApp(SANDBOX, null, data, { listener: `http://127.0.0.1:${server.port}` });
  close.push(
    () => server.stop(true),
    () => app?.close() ?? Promise.resolve(),
  );
  return app;
}

/** Pays a new checkout with the sandbox. */
async function pay(app: TrustApp): Promise<{ session_id: unknown; claim_token: unknown }> {
  const { body } = await app.anyone.post('/api/billing/checkout', {});
  const { status } = await app.fetch(
    new Request(`http://localhost${new URL(String(body.url)).pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'action=pay',
    }),
  );
  expect(status).toBe(303);
  return { session_id: body.session_id, claim_token: body.claim_token };
}

describe('a service with the sandbox', () => {
  test('sends the events of a payment to itself, wakes for them, and counts sessions and events', async () => {
    const app = await openListening();
    const { tasks, metrics } = await app.service.background();
    const sender = tasks.find(({ name }) => name === 'send the events of the sandbox');
    const wakes: number[] = [];
    sender?.onSchedule?.((ms) => wakes.push(ms));
    const count = async (name: string) =>
      (await metrics.find((metric) => metric.name === `countersign_sandbox_${name}`)?.read())?.[0]?.value;
    expect([await count('sessions'), await count('events_waiting')]).toEqual([0, 0]);
    await sender?.run();

    const claim = await pay(app);
    expect([await count('sessions'), await count('events_waiting'), wakes]).toEqual([1, 3, [0, 0]]);
    expect((await app.anyone.post('/api/billing/claim', claim)).status).toBe(409);
    await sender?.run();
    expect(await count('events_waiting')).toBe(0);
    expect(await app.anyone.post('/api/billing/claim', claim)).toMatchObject({
      status: 201,
      body: { sandbox: true },
    });
  });

  test('leaves bookings beside which a live key is refused, and a test key is not', async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-sandbox-'));
    close.push(async () => rmSync(data, { recursive: true }));
    const app = await openListening(data);
    const claim = await pay(app);
    const { tasks } = await app.service.background();
    await tasks.find(({ name }) => name === 'send the events of the sandbox')?.run();
    expect((await app.anyone.post('/api/billing/claim', claim)).status).toBe(201);
    await close.pop()?.();
    await expect(openTrustApp(LIVE, null, data)).rejects.toThrow('payments of sandbox money');
    const stripe = startStripe();
    close.push(() => stripe.stop());
    const tried = await openTrustApp(stripe.settings, null, data);
    expect(await tried.service.trust.processor()).toMatchObject({ name: 'stripe', sandbox: true });
    await tried.close();
  });
});

test('a service with a live key takes real money, and has no pages of the sandbox', async () => {
  const app = await openTrustApp(LIVE);
  expect(await app.service.trust.processor()).toMatchObject({ name: 'stripe', sandbox: false });
  const page = await app.fetch(new Request(`http://localhost/sandbox/checkout/cs_sandbox_${'0'.repeat(64)}`));
  expect(page.status).toBe(404);
  await app.close();
});

test('settings that contradict each other are refused before anything is created', async () => {
  await expect(openTrustApp({ ...LIVE, ...SANDBOX })).rejects.toThrow('billing.processor is sandbox');
});

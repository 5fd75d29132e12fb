import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DEMO_API_KEY } from '../../../../src/trust/http/example-ids.ts';
import {
  background,
  browserAvailable,
  closeBrowser,
  faintTexts,
  visiting,
} from '../../../support/browser.ts';
import { selfSigned } from '../../../support/certificate.ts';
import { type ApiResponse, client, type Fetch } from '../../../support/client.ts';
import { type Running, run, scratch, serve, start } from '../../../support/process.ts';
import { type StripeServer, sendStripeEvent, startStripe } from '../../../support/stripe-server.ts';

afterAll(closeBrowser);

const SANDBOX = { COUNTERSIGN_BILLING_PROCESSOR: 'sandbox', COUNTERSIGN_RATE_LIMITS: 'off' };

const directory = scratch();
afterAll(() => directory.dispose());

interface Checkout {
  url: string;
  session_id: string;
  claim_token: string;
}

async function checkout(url: string, fetching: Fetch = fetch): Promise<Checkout> {
  const { status, body } = await client(fetching, url, null).post('/api/billing/checkout', {});
  expect(status).toBe(200);
  const { url: page, session_id, claim_token } = body;
  return { url: String(page), session_id: String(session_id), claim_token: String(claim_token) };
}

/** Claims the key of a checkout, as a client does: again while the payment is not booked yet. */
async function claimed(
  url: string,
  { session_id, claim_token }: Checkout,
  fetching: Fetch = fetch,
): Promise<ApiResponse> {
  for (let tries = 0; ; tries++) {
    const answer = await client(fetching, url, null).post('/api/billing/claim', { session_id, claim_token });
    if (answer.status !== 409 || tries === 100) return answer;
    await Bun.sleep(100);
  }
}

/** Presses a button of the page of a session, without a browser. */
async function press(url: string, fields: Record<string, string>, fetching: Fetch = fetch): Promise<number> {
  const request = new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });
  return (await fetching(request)).status;
}

/** Returns a port that was free a moment ago. */
function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

const statusOf = async (url: string, key: unknown) =>
  (await client(fetch, url, String(key)).get('/api/v1/operator/status')).body;

/** Waits until a condition holds. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries === 100) throw new Error('it did not happen within 10 s');
    await Bun.sleep(100);
  }
}

describe('the sandbox in the executable', () => {
  let server: Running;
  beforeAll(async () => {
    server = await serve(join(directory.path, 'sandbox'), SANDBOX);
  });
  afterAll(() => server.stop());

  test.skipIf(!browserAvailable)(
    'is paid in a browser, which then gets the API key; a top-up adds credits, marked as sandbox',
    async () => {
      await visiting(new URL(server.url).origin, async ({ page, foreign, complaints }) => {
        await page.goto(`${server.url}/billing`);
        await page.getByRole('button', { name: 'Continue to payment' }).click();
        await page.waitForURL('**/sandbox/checkout/*');
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.reload();
          expect(await page.title()).toBe('SANDBOX checkout, $49.00');
          expect([await faintTexts(page), await background(page)]).toEqual([
            [],
            expect.stringMatching(colorScheme === 'light' ? /rgb\(2/ : /rgb\(1/),
          ]);
        }
        await page.setViewportSize({ width: 360, height: 800 });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
        await page.getByRole('button', { name: 'Pay $49.00' }).click();
        expect(await page.getByText('SANDBOX: no real money is paid').isVisible()).toBe(true);
        await page.getByRole('link', { name: 'Continue: get the API key' }).click();
        await page.getByRole('button', { name: 'Show the API key' }).click();
        const apiKey = await page.getByLabel('API key').inputValue();
        const before = await statusOf(server.url, apiKey);
        expect(before).toMatchObject({ sandboxCredits: 10_000 });

        const topup = await client(fetch, server.url, apiKey).post('/api/v1/account/topup', {
          usd_cents: 2500,
          target: 'credits',
        });
        expect(topup.status).toBe(200);
        await page.goto(String(topup.body.url));
        await page.getByRole('button', { name: 'Pay $25.00' }).click();
        await until(async () => (await statusOf(server.url, apiKey)).sandboxCredits === 12_500);
        await page.getByRole('textbox').fill('5');
        await page.getByRole('button', { name: 'Refund' }).click();
        expect(await page.getByText('$5.00').isVisible()).toBe(true);
        await until(async () => (await statusOf(server.url, apiKey)).sandboxCredits === 12_000);
        expect([foreign, complaints]).toEqual([[], []]);
      });
    },
    180_000,
  );

  test.skipIf(!browserAvailable)(
    'whose payment fails makes no operator',
    async () => {
      await visiting(new URL(server.url).origin, async ({ page }) => {
        const made = await checkout(server.url);
        await page.goto(made.url);
        await page.getByRole('button', { name: 'Fail the payment' }).click();
        expect(await page.getByText('Payment failed').isVisible()).toBe(true);
        // Events are sent in order: when a later payment is booked, those of this session had their effect.
        const later = await checkout(server.url);
        expect(await press(later.url, { action: 'pay' })).toBe(303);
        expect((await claimed(server.url, later)).status).toBe(201);
        const { session_id, claim_token } = made;
        const { status } = await client(fetch, server.url, null).post('/api/billing/claim', {
          session_id,
          claim_token,
        });
        expect(status).toBe(409);
      });
    },
    180_000,
  );
});

describe('a payment of the sandbox', () => {
  test('is booked once, even if the server is killed right after it, by the next start at another address', async () => {
    const data = join(directory.path, 'killed');
    const first = await serve(data, SANDBOX);
    const made = await checkout(first.url);
    expect(await press(made.url, { action: 'pay' })).toBe(303);
    await first.stop('SIGKILL');
    const second = await serve(data, { ...SANDBOX, COUNTERSIGN_BOOTSTRAP_API_KEY: first.apiKey });
    const { status, body } = await claimed(second.url, made);
    expect(status).toBe(201);
    expect((await statusOf(second.url, body.api_key)).sandboxCredits).toBe(10_000);
    expect((await second.stop()).code).toBe(0);
    const audit = await run(['fsck', data]);
    expect([audit.code, audit.stderr]).toEqual([0, expect.stringContaining('no problems')]);

    const live = {
      COUNTERSIGN_BILLING_STRIPE_SECRET_KEY: 'rk_live_abc',
      COUNTERSIGN_BILLING_STRIPE_WEBHOOK_SECRET: 'whsec_abc',
    };
    const refused = await run(['serve', '--port', '0', '--data', data], { env: live });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('payments of sandbox money')]);
    const fresh = await serve(join(directory.path, 'live'), live);
    expect((await fresh.stop()).code).toBe(0);
  }, 180_000);

  test('is booked by a server that listens with TLS on all addresses, with a certificate for another name and a base_url', async () => {
    const { cert, key } = selfSigned(directory.path, 'public', 'trust.example');
    const port = freePort();
    const server = await serve(join(directory.path, 'tls'), SANDBOX, [
      ...['--tls-cert', cert, '--tls-key', key, '--host', '::', '--port', String(port)],
      ...['--base-url', 'https://trust.example'],
    ]);
    const local = `https://127.0.0.1:${port}`;
    const insecure: Fetch = (request) => fetch(request, { tls: { rejectUnauthorized: false } });
    const made = await checkout(local, insecure);
    expect(made.url).toStartWith('https://trust.example/sandbox/checkout/');
    expect(await press(made.url.replace('https://trust.example', local), { action: 'pay' }, insecure)).toBe(
      303,
    );
    expect((await claimed(local, made, insecure)).status).toBe(201);
    await server.stop();
  }, 180_000);
});

test('the demonstration takes a subscription and a top-up with the sandbox', async () => {
  const readyFile = join(directory.path, 'demo.json');
  const server = await start(['--demo', '--port', '0', '--ready-file', readyFile], readyFile);
  const made = await checkout(server.url);
  const page = await (await fetch(made.url)).text();
  expect(page).toContain('SANDBOX: no real money is paid');
  expect(page).toContain('Demonstration: made-up data and public keys.');
  expect(await press(made.url, { action: 'pay' })).toBe(303);
  expect((await claimed(server.url, made)).status).toBe(201);

  const own = client(fetch, server.url, DEMO_API_KEY);
  const before = Number((await own.get('/api/v1/operator/status')).body.sandboxStakeCents ?? 0);
  const topup = await own.post('/api/v1/account/topup', { usd_cents: 700, target: 'stake' });
  expect(await press(String(topup.body.url), { action: 'pay' })).toBe(303);
  await until(async () => (await own.get('/api/v1/operator/status')).body.sandboxStakeCents === before + 700);
  const { code, stdout } = await server.stop();
  expect(code).toBe(0);
  expect(stdout).toContain('Demonstration: made-up data and public keys.');
}, 180_000);

describe('Stripe in the executable', () => {
  let stripe: StripeServer;
  let server: Running;
  beforeAll(async () => {
    stripe = startStripe();
    server = await serve(join(directory.path, 'stripe'), {
      COUNTERSIGN_RATE_LIMITS: 'off',
      COUNTERSIGN_BILLING_STRIPE_SECRET_KEY: stripe.key,
      COUNTERSIGN_BILLING_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      COUNTERSIGN_BILLING_STRIPE_API_BASE: stripe.url,
    });
  });
  afterAll(async () => {
    await server.stop();
    await stripe.stop();
  });
  afterEach(() => stripe.faults.splice(0));

  const send = (event: Record<string, unknown> | undefined, secret = stripe.webhookSecret) =>
    sendStripeEvent(`${server.url}/api/billing/webhook`, event ?? {}, secret);

  test('takes a subscription and a top-up by the events of Stripe', async () => {
    const made = await checkout(server.url);
    expect(made.url).toBe(`${stripe.url}/c/pay/${made.session_id}`);
    expect(stripe.successUrl(made.session_id)).toBe(
      `${server.url}/billing/done?session_id=${made.session_id}`,
    );
    const [completed, invoice] = stripe.completed(made.session_id);
    for (const event of [stripe.customerCreated(made.session_id), invoice, completed]) {
      const response = await send(event);
      expect([response.status, await response.json()]).toEqual([
        200,
        expect.objectContaining({ received: true }),
      ]);
    }
    expect(await (await send(completed)).json()).toMatchObject({ received: true, duplicate: true });
    const { status, body } = await claimed(server.url, made);
    expect([status, body.sandbox]).toEqual([201, true]);
    expect((await statusOf(server.url, body.api_key)).sandboxCredits).toBe(10_000);

    const topup = await client(fetch, server.url, String(body.api_key)).post('/api/v1/account/topup', {
      usd_cents: 500,
      target: 'credits',
    });
    const sessionId = String(topup.body.url).split('/').at(-1) ?? '';
    expect((await send(stripe.completed(sessionId)[0])).status).toBe(200);
    expect((await statusOf(server.url, body.api_key)).sandboxCredits).toBe(10_500);
    expect((await send(stripe.refunded(sessionId, 200))).status).toBe(200);
    expect((await statusOf(server.url, body.api_key)).sandboxCredits).toBe(10_300);
  });

  test('refuses events with another signature, and responds with 503 while Stripe refuses', async () => {
    const made = await checkout(server.url);
    expect((await send(stripe.completed(made.session_id)[0], 'whsec_wrong')).status).toBe(401);
    stripe.faults.push({ status: 402, error: { type: 'card_error', message: 'no' } });
    const { status, body, headers } = await client(fetch, server.url, null).post('/api/billing/checkout', {});
    expect([status, body.reason_code, headers.get('retry-after')]).toEqual([
      503,
      'processor_unavailable',
      '5',
    ]);
  });
});

describe('a start', () => {
  test.each([
    [
      'both processors',
      { COUNTERSIGN_BILLING_PROCESSOR: 'sandbox', COUNTERSIGN_BILLING_STRIPE_SECRET_KEY: 'sk_test_abc' },
      [],
    ],
    ['a Stripe key without a signing secret', { COUNTERSIGN_BILLING_STRIPE_SECRET_KEY: 'sk_test_abc' }, []],
    ['a Stripe key in a demonstration', { COUNTERSIGN_BILLING_STRIPE_SECRET_KEY: 'sk_test_abc' }, ['--demo']],
    ['Stripe as processor of a demonstration', { COUNTERSIGN_BILLING_PROCESSOR: 'stripe' }, ['--demo']],
  ] as const)('is refused with %s, and says no key', async (_, env, args) => {
    const data = join(directory.path, `refused-${crypto.randomUUID()}`);
    const { code, stderr } = await run(['serve', '--port', '0', '--data', data, ...args], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('billing.')]);
    expect(stderr).not.toContain('sk_test_abc');
  });
});

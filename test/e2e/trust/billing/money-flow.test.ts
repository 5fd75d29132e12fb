import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAddress } from 'viem';
import { type ApiResponse, client } from '../../../support/client.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { SECRETS, SETTLEMENT, settlementSignature } from '../../../support/settlements.ts';

const X402 = SECRETS.x402 ?? '';
const ENV = {
  COUNTERSIGN_BILLING_PROCESSOR: 'sandbox',
  COUNTERSIGN_RATE_LIMITS: 'off',
  COUNTERSIGN_PAYMENTS_SETTLEMENT_X402_SECRET: X402,
  COUNTERSIGN_PAYOUTS_MINIMUM: '1',
};

let directory: ReturnType<typeof scratch>;
let data: string;
let server: Running;
beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  server = await serve(data, ENV);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const file = (name: string): string => join(directory.path, name);
const as = (key: string | null) => client(fetch, server.url, key);

/** Presses "Pay" on the page of a checkout, as a browser without scripts does. */
async function pay(url: unknown): Promise<void> {
  const { status } = await fetch(String(url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'action=pay',
    redirect: 'manual',
  });
  expect(status).toBe(303);
}

/** Repeats a request until its answer is right: the events of the sandbox arrive a moment later. */
async function until(
  ask: () => Promise<ApiResponse>,
  isRight: (answer: ApiResponse) => boolean,
): Promise<ApiResponse> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (tries === 100) throw new Error(`not right within 10 s: ${JSON.stringify(answer)}`);
    await Bun.sleep(100);
  }
}

/** Enrolls an agent of the operator by the command line. @returns its commitment */
async function enrolled(name: string): Promise<string> {
  await run(['keygen', '--out', file(`${name}.pem`)]);
  const args = ['--key', file(`${name}.pem`), '--name', name, '--api-key-file', file('api-key')];
  const { stdout } = await run(['enroll', server.url, ...args]);
  return String(JSON.parse(stdout).subject_commitment);
}

test('money comes in by the sandbox and by a settlement, and only what was settled leaves', async () => {
  // Somebody without an account subscribes, pays, and claims the key.
  const checkout = await as(null).post('/api/billing/checkout', {});
  expect(checkout.status).toBe(200);
  const { session_id, claim_token } = checkout.body;
  const claim = () => as(null).post('/api/billing/claim', { session_id, claim_token });
  expect((await claim()).body.reason_code).toBe('invalid_state');
  await pay(checkout.body.url);
  const claimed = await until(claim, ({ status }) => status !== 409);
  expect([claimed.status, claimed.body]).toEqual([201, expect.objectContaining({ sandbox: true })]);
  expect((await claim()).status).toBe(409);
  const operatorId = String(claimed.body.operator_id);
  const key = String(claimed.body.api_key);
  writeFileSync(file('api-key'), key, { mode: 0o600 });
  const operator = as(key);

  // A top-up. Its credits are sandbox credits too.
  const status = () => operator.get('/api/v1/operator/status');
  const before = Number(Object(await status()).body.sandboxCredits);
  const topup = await operator.post('/api/v1/account/topup', { usd_cents: 2500, target: 'credits' });
  expect(topup.status).toBe(200);
  await pay(topup.body.url);
  const funded = await until(status, ({ body }) => body.sandboxCredits === before + 2500);
  expect([before, funded.body]).toEqual([10_000, expect.objectContaining({ credits: 0, plan: 'PRO' })]);

  // The credits go to an agent, and on to another one. They stay sandbox credits and cannot leave.
  const [payer, worker] = [await enrolled('payer'), await enrolled('worker')];
  const granted = await operator.post('/api/v1/passport/credits/grants', {
    subject_commitment: payer,
    amount: 1000,
  });
  expect(granted.status).toBe(201);
  const transferred = await operator.post('/api/v1/passport/credits/transfers', {
    from_commitment: payer,
    to_commitment: worker,
    amount: 400,
  });
  expect(transferred.status).toBe(201);
  const withdraw = (subject_commitment: string, amount: number, reference: string) =>
    operator.post('/api/v1/agent-pay/withdraw', { subject_commitment, amount, reference });
  for (const agent of [payer, worker]) {
    const refused = await withdraw(agent, 1, 'rent');
    expect([refused.status, refused.body.reason_code]).toEqual([402, 'insufficient_treasury']);
  }

  // A payment rail settles 120 credits, which are real.
  const settlement = JSON.stringify({
    rail: 'x402',
    reference: 'x402-0001',
    subject_commitment: worker,
    credits: 120,
  });
  const settle = () =>
    operator.post(SETTLEMENT, settlement, {
      'x-settlement-signature': settlementSignature(settlement, X402, Math.floor(Date.now() / 1000)),
    });
  const settled = await settle();
  expect(settled.status).toBe(201);
  expect((await settle()).headers.get('idempotency-replayed')).toBe('true');

  // The worker withdraws them, to a wallet that the service made. The sandbox credits are not enough for
  // more.
  expect((await withdraw(worker, 121, 'too much')).body.reason_code).toBe('insufficient_treasury');
  const [first, second] = [await withdraw(worker, 100, 'rent'), await withdraw(worker, 20, 'food')];
  expect([first.status, first.body.status, second.status]).toEqual([201, 'queued', 201]);
  const receipt = await operator.get(`/api/v1/receipts/${first.body.receipt_id}`);
  expect(receipt.body).toMatchObject({
    receipt_type: 'custody',
    agent_id: worker,
    authority_scope: `withdrawal:${first.body.withdrawal_id}`,
  });
  const wallet = await operator.get(`/api/v1/agent-pay/wallet?subject_commitment=${worker}`);
  expect(wallet.body).toMatchObject({ available: 0, locked: 120, withdrawable: 0 });
  const governance = await as(null).get(`/api/v1/passport/agents/${worker}/governance`);
  const { address, chain } = Object(governance.body.wallet);
  expect([isAddress(address), chain]).toEqual([true, 'eip155']);

  // The administrator pays one by hand, and returns the other, without the server too.
  const payouts = async (...args: string[]) => run(['payouts', ...args, '--data', data], { env: ENV });
  const queued = await payouts('list', '--status', 'queued', '--output', 'ndjson');
  const rows = queued.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.map((row) => [row.withdrawal_id, row.amount, row.address])).toEqual([
    [second.body.withdrawal_id, 20, address],
    [first.body.withdrawal_id, 100, address],
  ]);
  expect((await payouts('confirm', '--yes', String(first.body.withdrawal_id), 'transfer 4711')).code).toBe(0);
  // All of it was booked.
  const unbooked = await run(['billing', 'unbooked', '--output', 'ndjson', '--data', data], { env: ENV });
  expect([unbooked.code, unbooked.stdout]).toEqual([0, '']);
  await server.stop();
  expect(
    (await payouts('fail', '--yes', String(second.body.withdrawal_id), 'the address is blocked')).code,
  ).toBe(0);
  const listed = await run(['wallets', 'list', '--json', '--data', data]);
  const wallets = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(wallets.map((row) => [row.owner, row.kind])).toContainEqual([worker, 'agent']);

  // Everything still agrees, with and without the server, and after a start.
  expect(await run(['fsck', data])).toMatchObject({ code: 0 });
  expect(await run(['ledger', 'check', '--data', data])).toMatchObject({ code: 0 });
  server = await serve(data, ENV);
  const after = await as(key).get(`/api/v1/agent-pay/wallet?subject_commitment=${worker}`);
  expect(after.body).toMatchObject({ available: 20, locked: 0, withdrawable: 20 });
  const statuses = await Promise.all(
    [first, second].map(({ body }) => as(key).get(`/api/v1/agent-pay/withdrawals/${body.withdrawal_id}`)),
  );
  expect(statuses.map(({ body }) => Object(body.withdrawal).status)).toEqual(['confirmed', 'failed']);
  expect((await as(key).get('/api/v1/account/wallet')).body).toMatchObject({ operator_id: operatorId });
  expect(await run(['fsck', data])).toMatchObject({ code: 0 });

  // With sandbox bookings, no live key is taken.
  await server.stop();
  const live = await run(['serve', '--port', '0', '--data', data], {
    env: {
      COUNTERSIGN_BILLING_STRIPE_SECRET_KEY: 'sk_live_0123456789abcdefghijklmnop',
      COUNTERSIGN_BILLING_STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmnop',
    },
  });
  expect([live.code > 0, live.stderr]).toEqual([true, expect.stringMatching(/sandbox/)]);
  expect(live.stderr).not.toContain('sk_live_');
  server = await serve(data, ENV);
}, 180_000);

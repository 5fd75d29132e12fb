import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { setStake } from '../../../../../src/trust/pages/dashboard/set-stake.ts';
import { client, DIGEST } from '../../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const DAY = 86_400_000;
const DOMAIN = 'CODE_GENERATION';
const SUCCESS = { status: 'success', output_hash: DIGEST };
const BREACH = { status: 'terminal', terminal_reason: 'late', error_tranche: 'SLA_BREACH' };

const time = new VirtualTime();
let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ 'gate.max_abandoned_share': '20' }, time);
});
afterAll(() => app.close());

/** A new operator, with what its tests do. */
async function operator() {
  const made = await createOperator(app.service.trust, { name: null, admin: false });
  const api = client(app.fetch, 'http://localhost', made.api_key);
  const issue = async (more: object = {}): Promise<string> => {
    const expiry = new Date(time.now() + 300 * DAY).toISOString();
    const { status, body } = await api.issue({ expiry, ...more });
    expect(status).toBe(201);
    return String(body.receipt_id);
  };
  const decision = async (domain = DOMAIN) => {
    const question = { operator_id: made.operator_id, domain };
    return (await app.anyone.post('/api/v1/gate/verify', question)).body;
  };
  const status = async () => {
    const { body } = await api.get('/api/v1/operator/status');
    return Object(body.gate).domains.find((row: { domain: string }) => row.domain === DOMAIN);
  };
  const several = async (count: number, act: () => Promise<unknown>) => {
    for (let turn = 0; turn < count; turn++) await act();
  };
  return { id: made.operator_id, api, issue, decision, status, several };
}

const DENIED = { allow_invocation: false, reason: 'SLA_BREACH_THRESHOLD_EXCEEDED' };

describe('the gate counts what an operator cannot take back', () => {
  test('ten breaches of which nine are revoked, and all of them named', async () => {
    const { api, issue, decision, status, several } = await operator();
    const breaches: string[] = [];
    await several(10, async () => {
      const id = await issue();
      breaches.unshift(id);
      if (breaches.length <= 10) await api.finalize(id, SUCCESS);
    });
    // Breaches need receipts that were issued before the denial.
    const late = await Promise.all(Array.from({ length: 10 }, () => issue()));
    for (const id of late) await api.finalize(id, BREACH);
    expect(await decision()).toMatchObject(DENIED);
    for (const id of late.slice(1)) expect((await api.revoke(id)).status).toBe(200);
    expect(await decision()).toMatchObject(DENIED);
    expect(Object(await status()).verify).toMatchObject({ receipts: 20, breaches: 10 });
    expect(Object(await status()).verify.breach_receipts.toSorted()).toEqual(late.toSorted());
    // Revoked successes no longer count, so the share grows.
    for (const id of breaches) await api.revoke(id);
    expect(Object(await status()).verify).toMatchObject({ receipts: 10, breaches: 10 });
  });

  test('twenty receipts issued ahead do not outvote the breaches that were finalized before them', async () => {
    const { api, issue, decision, several } = await operator();
    const hoarded: string[] = [];
    await several(20, async () => hoarded.push(await issue()));
    time.advance(1000);
    const late: string[] = [];
    await several(10, async () => late.push(await issue()));
    time.advance(1000);
    for (const id of late) await api.finalize(id, BREACH);
    time.advance(1000);
    for (const id of hoarded) await api.finalize(id, SUCCESS);
    expect(await decision()).toMatchObject(DENIED);
    expect((await api.issue()).body).toMatchObject({ reason: 'SLA_BREACH_THRESHOLD_EXCEEDED' });
  });

  test.each([
    ['issue, breach, revoke', ['breach', 'revoke'], { receipts: 1, breaches: 1 }],
    ['issue, success, revoke', ['success', 'revoke'], { receipts: 0, breaches: 0 }],
    ['issue, revoke, breach', ['revoke', 'breach'], { receipts: 0, breaches: 0 }],
    ['issue, expire, breach', ['expire', 'breach'], { receipts: 1, breaches: 1 }],
    ['issue, expire, breach, revoke', ['expire', 'breach', 'revoke'], { receipts: 1, breaches: 1 }],
    ['issue, expire, revoke', ['expire', 'revoke'], { receipts: 0, breaches: 0 }],
    ['issue, wait for longer than the window, breach', ['wait', 'breach'], { receipts: 1, breaches: 1 }],
    ['issue, wait for longer than the window, success', ['wait', 'success'], { receipts: 0, breaches: 0 }],
    ['issue, success, breach', ['success', 'breach'], { receipts: 1, breaches: 0 }],
  ] as const)('%s', async (_name, acts, counted) => {
    const { api, issue, status } = await operator();
    const id = await issue({ expiry: new Date(time.now() + DAY).toISOString() });
    for (const act of acts) {
      if (act === 'expire') time.advance(2 * DAY);
      if (act === 'wait') time.advance(31 * DAY);
      if (act === 'breach') await api.finalize(id, BREACH);
      if (act === 'success') await api.finalize(id, SUCCESS);
      if (act === 'revoke') await api.revoke(id);
    }
    expect(Object(await status()).verify).toMatchObject(counted);
  });

  test('breaches of blind receipts, as a count without their domain', async () => {
    const { api, issue, decision } = await operator();
    await api.finalize(await issue(), SUCCESS);
    const hidden = { domain: 'FINANCIAL_CLEARING', blind: true };
    for (const outcome of [BREACH, BREACH, SUCCESS]) await api.finalize(await issue(hidden), outcome);
    for (const domain of [DOMAIN, 'FINANCIAL_CLEARING'])
      expect(await decision(domain)).toMatchObject({ blind: { breaches: 2, of: 3 } });
    expect(await decision()).toMatchObject({ reason: 'OK' });
  });

  test('a stake of which a share is less than a cent loses a cent, until nothing is left', async () => {
    const { id, api, issue } = await operator();
    await setStake(app.service.trust, id, 2);
    const { body: before } = await api.get('/api/v1/operator/status');
    const left = [before.stakeBalanceCents];
    for (let turn = 0; turn < 3; turn++) {
      await api.finalize(await issue(), { status: 'timeout', terminal_reason: 'slow' });
      left.push((await api.get('/api/v1/operator/status')).body.stakeBalanceCents);
    }
    expect(left).toEqual([2, 1, 0, 0]);
  });
});

describe('an abandoned receipt', () => {
  test.each([
    ['is one that was revoked while it was pending', 'revoke', 1],
    ['is one that is pending for 30 days', 'wait', 1],
    ['is one that is pending past its expiry', 'expire', 1],
    ['is none that is pending', 'nothing', 0],
    ['is none that was finalized late', 'late', 0],
  ] as const)('%s', async (_name, act, abandoned) => {
    const { api, issue, decision, status } = await operator();
    const days = act === 'wait' ? 300 : 2;
    const id = await issue({ expiry: new Date(time.now() + days * DAY).toISOString() });
    if (act === 'revoke') await api.revoke(id);
    if (act === 'wait') time.advance(30 * DAY);
    if (act === 'expire' || act === 'late') time.advance(2 * DAY);
    if (act === 'late') {
      expect(await decision()).toMatchObject({ abandoned: { abandoned: 1, of: 1 } });
      await api.finalize(id, SUCCESS);
    }
    const of = act === 'nothing' ? 0 : 1;
    expect(await decision()).toMatchObject({ abandoned: { abandoned, of } });
    expect(Object(await status()).verify.abandoned_receipts).toEqual(abandoned === 1 ? [id] : []);
    const { body } = await app.anyone.get(`/api/v1/receipts/${id}/public-manifest`);
    expect([Object(body.enforcement).abandoned, body.operator_abandoned]).toEqual([
      abandoned === 1,
      { abandoned, of },
    ]);
  });

  test('denies with a setting, until it is finalized or has left the window', async () => {
    const { api, issue, decision, status, several } = await operator();
    await several(8, async () => api.finalize(await issue(), SUCCESS));
    await several(2, async () => api.revoke(await issue()));
    expect(await decision()).toMatchObject({ reason: 'OK', abandoned: { abandoned: 2, of: 10 } });
    const id = await issue({ expiry: new Date(time.now() + 1000).toISOString() });
    time.advance(1000);
    expect(await decision()).toMatchObject({
      allow_invocation: false,
      reason: 'ABANDONED_SHARE_EXCEEDED',
      abandoned: { abandoned: 3, of: 11 },
    });
    const refused = await api.issue();
    expect([refused.status, refused.body.reason]).toEqual([403, 'ABANDONED_SHARE_EXCEEDED']);
    expect(String(refused.body.error)).toContain('Finalize the receipts');
    const { lifts_at, abandoned_receipts } = Object(await status()).issue;
    expect(abandoned_receipts).toHaveLength(3);
    expect(Date.parse(lifts_at)).toBeGreaterThan(time.now());
    await api.finalize(id, SUCCESS);
    expect(await decision()).toMatchObject({ reason: 'OK', abandoned: { abandoned: 2, of: 11 } });
  });

  test('that is blind counts when issuing, and is no one else’s to see', async () => {
    const { api, issue, decision, status, several } = await operator();
    const ids: string[] = [];
    await several(10, async () => ids.push(await issue({ blind: true })));
    for (const id of ids) await api.revoke(id);
    expect(await decision()).toMatchObject({
      reason: 'ZERO_TENANCY_REJECT',
      abandoned: { abandoned: 0, of: 0 },
    });
    expect(Object(await status()).issue.abandoned).toEqual({ abandoned: 10, of: 10 });
    expect((await api.issue()).body).toMatchObject({ reason: 'ABANDONED_SHARE_EXCEEDED' });
    const { body } = await app.anyone.get(`/api/v1/receipts/${ids[0]}/public-manifest`);
    expect(body.operator_abandoned).toBeNull();
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { operatorById } from '../../../../src/trust/operators/status.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { issueServiceReceiptIn } from '../../../../src/trust/receipts/service-receipt.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { client, DIGEST, issueBody } from '../../../support/client.ts';
import { adjustPoolDirectly, type Credits, fundPool } from '../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const PRICE = 5;
const ISSUE = '/api/v1/receipts';

interface Movement {
  kind: string;
  asset: string;
  amount: number;
  debit: string;
  credit: string;
  reference: string;
  receipt: string;
}

describe('issuing a receipt where receipts cost 5 credits', () => {
  let app: TrustApp;
  beforeEach(async () => {
    app = await openTrustApp({ 'receipts.price': String(PRICE) });
  });
  afterEach(() => app.close());

  /** A new operator whose pool has these credits, and a client with its key. */
  async function operator(credits: Credits) {
    const { trust } = app.service;
    const { operator_id: id, api_key } = await createOperator(trust, { name: null, admin: false });
    await fundPool(app, id, credits);
    return { id, api: client(app.fetch, 'http://localhost', api_key) };
  }

  /** What was charged, oldest first. */
  const charges = () =>
    app.service.trust.store.read(({ connection }) =>
      connection.sqlite
        .query<Movement, []>(
          `SELECT m.kind, m.asset, m.amount, m.debit_kind AS debit, m.credit_kind AS credit, m.reference,
             'rcpt_' || lower(hex(r.receipt_id)) AS receipt
           FROM movement m LEFT JOIN receipt r USING (receipt_seq) WHERE m.kind = 'METER' ORDER BY movement_seq`,
        )
        .all(),
    );

  /** The balance of each account and class that is not 0, of the operator and of the service's revenue. */
  async function balances(id: string): Promise<Record<string, number>> {
    const rows = await app.service.trust.store.read(({ connection }) =>
      connection.sqlite
        .query<{ name: string; balance: number }, [string]>(
          `SELECT a.kind || ' ' || a.asset AS name, a.balance FROM ledger_account a LEFT JOIN operator o ON o.operator_seq = a.owner_seq
           WHERE a.balance <> 0 AND (a.kind = 'revenue' OR (a.kind = 'pool' AND o.operator_id = ?))`,
        )
        .all(id),
    );
    return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]));
  }

  const receiptsOf = async (api: Awaited<ReturnType<typeof operator>>['api']) =>
    (await api.get('/api/v1/operator/status')).body.receiptCount;

  test('moves them from the pool to the revenue, with the id of the receipt', async () => {
    const { id, api } = await operator({ promotional: 12 });
    const { status, body } = await api.issue();
    expect(status).toBe(201);
    const receipt = String(body.receipt_id);
    const booked = { kind: 'METER', asset: 'promotional', amount: 5, debit: 'pool', credit: 'revenue' };
    expect(await charges()).toEqual([{ ...booked, reference: receipt, receipt }]);
    expect(await balances(id)).toEqual({ 'pool promotional': 7, 'revenue promotional': 5 });
  });

  test.each<[string, Parameters<typeof operator>[0], number, Record<string, number>]>([
    ['exactly enough', { promotional: 5 }, 201, { 'revenue promotional': 5 }],
    ['one short', { promotional: 4 }, 402, { 'pool promotional': 4 }],
    ['nothing', {}, 402, {}],
    [
      'two classes that suffice together',
      { promotional: 2, paid: 9 },
      201,
      { 'pool paid': 6, 'revenue promotional': 2, 'revenue paid': 3 },
    ],
    ['sandbox credits only', { sandbox: 6 }, 201, { 'pool sandbox': 1, 'revenue sandbox': 5 }],
    [
      'sandbox credits that would suffice only with others',
      { promotional: 4, sandbox: 4 },
      402,
      { 'pool promotional': 4, 'pool sandbox': 4 },
    ],
    [
      'sandbox credits beside others that do not suffice',
      { promotional: 4, sandbox: 5 },
      201,
      { 'pool promotional': 4, 'revenue sandbox': 5 },
    ],
  ])('with %s in the pool', async (_name, credits, expected, after) => {
    const { id, api } = await operator(credits);
    const { status, body } = await api.issue();
    expect([status, body.reason_code]).toEqual([
      expected,
      expected === 402 ? 'insufficient_credits' : undefined,
    ]);
    expect([await balances(id), await receiptsOf(api)]).toEqual([after, expected === 201 ? 1 : 0]);
  });

  test('64 times at once with credits for 10 issues 10 receipts', async () => {
    const { id, api } = await operator({ promotional: 31, paid: 23 });
    const responses = await Promise.all(Array.from({ length: 64 }, () => api.issue()));
    const statuses = responses.map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 402).length,
    ]).toEqual([10, 54]);
    expect(await balances(id)).toEqual({ 'pool paid': 4, 'revenue promotional': 31, 'revenue paid': 19 });
    expect(await receiptsOf(api)).toBe(10);
  });

  test('repeatedly with one Idempotency-Key charges once, also while the first is under way', async () => {
    const { id, api } = await operator({ promotional: 12 });
    const send = () => api.post(ISSUE, issueBody(), { 'idempotency-key': 'once' });
    const all = [...(await Promise.all([send(), send()])), await send()];
    expect(new Set(all.map(({ status, body }) => `${status} ${body.receipt_id}`)).size).toBe(1);
    expect(await balances(id)).toEqual({ 'pool promotional': 7, 'revenue promotional': 5 });
  });

  test('refused for lack of credits succeeds with the same Idempotency-Key when there are credits', async () => {
    const { id, api } = await operator({});
    const send = () => api.post(ISSUE, issueBody(), { 'idempotency-key': 'later' });
    expect((await send()).status).toBe(402);
    await adjustPoolDirectly(app.service.trust, id, 5, 'promotional');
    expect((await send()).status).toBe(201);
    expect(await balances(id)).toEqual({ 'revenue promotional': 5 });
  });

  test.each<[string, Record<string, unknown>, number]>([
    ['in the past', { expiry: '2020-01-01T00:00:00Z' }, 400],
    ['after a receipt that is none', { prev_receipt_hash: 'ab'.repeat(32) }, 400],
  ])('refused because it is %s charges nothing', async (_name, changes, expected) => {
    const { id, api } = await operator({ promotional: 12 });
    expect((await api.issue(changes)).status).toBe(expected);
    expect(await balances(id)).toEqual({ 'pool promotional': 12 });
  });

  test('refused by the gate charges nothing', async () => {
    const { id, api } = await operator({ promotional: 12 });
    await setAccountStatus(app.service.trust, id, 'SUSPENDED');
    expect((await api.issue()).body.reason_code).toBe('gate_denied');
    expect(await balances(id)).toEqual({ 'pool promotional': 12 });
  });

  test('by a holder key is paid by its operator', async () => {
    const { id, api } = await operator({ promotional: 12 });
    const { commitment } = await enrolledAgent(app, { sponsor: id });
    const made = await createKeyFor(app.service.trust, id, {
      role: 'holder',
      subject_commitment: commitment,
    });
    const holder = client(app.fetch, 'http://localhost', made.api_key);
    expect((await holder.issue({ agent_id: commitment })).status).toBe(201);
    expect(await balances(id)).toEqual({ 'pool promotional': 7, 'revenue promotional': 5 });
    expect(await receiptsOf(api)).toBe(1);
  });

  test.each<[string, object, number]>([
    ['4 credits at once', { max_credits: 4 }, 402],
    ['5 credits at once', { max_credits: 5 }, 201],
    ['other products', { products: ['audit_package_generation'] }, 402],
    ['receipts', { products: ['receipt'] }, 201],
    ['a time that is over', { expires_at: '2020-01-01T00:00:00Z' }, 403],
  ])('by a key with a scope for %s', async (_name, scope, expected) => {
    const { id } = await operator({ promotional: 12 });
    const { api_key } = await createKeyFor(app.service.trust, id, { scope });
    const { status, body } = await client(app.fetch, 'http://localhost', api_key).issue();
    const codes: Record<number, string> = { 402: 'scope_violation', 403: 'scope_ended' };
    expect([status, body.reason_code]).toEqual([expected, codes[expected]]);
    expect((await balances(id))['pool promotional']).toBe(expected === 201 ? 7 : 12);
  });

  test('as the service itself costs nothing', async () => {
    const { trust } = app.service;
    const { id } = await operator({ promotional: 5 });
    await trust.store.writeAsService(async (tx) => {
      const named = await operatorById(tx, id);
      if (named === null) throw new Error(`no operator ${id}`);
      await issueServiceReceiptIn(tx, trust, {
        operator: named,
        agentId: 'agent-7',
        receiptType: 'competence',
        inputDigest: DIGEST,
        outputHash: DIGEST,
        authorityScope: 'engagement:1',
      });
    });
    expect(await balances(id)).toEqual({ 'pool promotional': 5 });
  });

  test('and finalizing and revoking it costs nothing more', async () => {
    const { id, api } = await operator({ promotional: 5 });
    const { body } = await api.issue();
    await api.finalize(body.receipt_id, { status: 'refusal', refusal_reason: 'no' });
    await api.revoke(body.receipt_id);
    expect(await balances(id)).toEqual({ 'revenue promotional': 5 });
  });
});

test('issuing a receipt costs nothing by default, also without credits', async () => {
  const app = await openTrustApp();
  expect((await app.other.issue()).status).toBe(201);
  const moved = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite.query("SELECT 1 FROM movement WHERE kind = 'METER'").all(),
  );
  expect(moved).toEqual([]);
  await app.close();
});

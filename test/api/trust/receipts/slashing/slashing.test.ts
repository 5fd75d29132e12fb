import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { setStake } from '../../../../../src/trust/pages/dashboard/set-stake.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { audited, wrongCounts } from '../../../../support/audit.ts';
import { client, DIGEST } from '../../../../support/client.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { copyOf, withoutTriggers } from '../../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const LEDGER = '/api/v1/operator/slashing-ledger';
const MOST = Number.MAX_SAFE_INTEGER;

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({
    'gate.minimum_stake.financial_clearing': '500',
    'gate.sla_share_percent': '100',
  });
});
afterAll(() => app.close());

/** A new operator with a stake: its id and a client with its key. */
async function operator(stake: number, service = app) {
  const made = await createOperator(service.service.trust, { name: null, admin: false });
  await setStake(service.service.trust, made.operator_id, stake);
  return { id: made.operator_id, api: client(service.fetch, 'http://localhost', made.api_key) };
}

type Api = Awaited<ReturnType<typeof operator>>['api'];

const failed = (error_tranche: string) => ({
  status: 'terminal',
  terminal_reason: 'it went wrong',
  error_tranche,
});

/** Issues a receipt and finalizes it with a tranche. @returns the id of the receipt */
async function fail(api: Api, tranche: string, changes: Record<string, unknown> = {}): Promise<string> {
  const id = String((await api.issue(changes)).body.receipt_id);
  expect((await api.finalize(id, failed(tranche))).status).toBe(200);
  return id;
}

async function stakeOf(api: Api): Promise<unknown> {
  return (await api.get('/api/v1/operator/status')).body.stakeBalanceCents;
}

async function entriesOf(api: Api, query = ''): Promise<Record<string, unknown>[]> {
  const { status, body } = await api.get(`${LEDGER}${query}`);
  expect([status, body.next_cursor]).toEqual([200, null]);
  return Object(body.entries);
}

async function slashedIn(id: string): Promise<unknown> {
  const { body } = await app.anyone.get(`/api/v1/receipts/${id}/public-manifest`);
  return Object(body.enforcement).slashed;
}

/** What all stakes lost: the balance of the account that slashes are booked to. */
const slashedAccount = () =>
  app.service.trust.store.read(
    ({ connection }) =>
      connection.sqlite
        .query<{ balance: number }, []>("SELECT balance FROM ledger_account WHERE kind = 'slashed'")
        .get()?.balance ?? 0,
  );

describe('a receipt that is finalized', () => {
  test.each<[tranche: string, stake: number, amount: number]>([
    ['DATA_LEAKAGE', 50_000, 5_000],
    ['SLA_BREACH', 50_000, 2_500],
    ['LOGIC_DETECTION', 50_000, 1_000],
    ['COMPUTE_TIMEOUT', 50_000, 500],
    ['DATA_LEAKAGE', 99, 10],
    ['SLA_BREACH', 99, 5],
    ['LOGIC_DETECTION', 99, 2],
    ['COMPUTE_TIMEOUT', 99, 1],
    ['DATA_LEAKAGE', 1, 1],
    ['DATA_LEAKAGE', 0, 0],
    ['DATA_LEAKAGE', 10, 1],
    ['COMPUTE_TIMEOUT', 100, 1],
  ])('with %s takes of a stake of %d cents %d cents', async (tranche, stake, amount) => {
    const { id, api } = await operator(stake);
    const before = await slashedAccount();
    const receipt_id = await fail(api, tranche);
    expect(await entriesOf(api)).toEqual([
      {
        id: expect.stringMatching(/^slash_[0-9a-f]{32}$/),
        receipt_id,
        operator_id: id,
        tranche,
        amount_cents: amount,
        stake_before_cents: stake,
        stake_after_cents: stake - amount,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await stakeOf(api)).toBe(stake - amount);
    expect(await slashedIn(receipt_id)).toBe(amount > 0);
    expect(await slashedAccount()).toBe(before + amount);
  });

  test('with the largest stake there can be loses exactly the share, rounded up', async () => {
    const alone = await openTrustApp();
    const { api } = await operator(MOST, alone);
    await fail(api, 'DATA_LEAKAGE');
    expect(await entriesOf(api)).toMatchObject([
      {
        amount_cents: 900_719_925_474_100,
        stake_before_cents: MOST,
        stake_after_cents: 8_106_479_329_266_891,
      },
    ]);
    await alone.close();
  });

  test.each([
    ['success', { status: 'success', output_hash: DIGEST }],
    ['a refusal', { status: 'refusal', refusal_reason: 'no' }],
    ['a failure without a tranche', { status: 'failure_tombstone', terminal_reason: 'x' }],
  ])('as %s takes nothing and has no entry', async (_name, outcome) => {
    const { api } = await operator(50_000);
    const { body } = await api.issue();
    await api.finalize(body.receipt_id, outcome);
    expect(await entriesOf(api)).toEqual([]);
    expect([await stakeOf(api), await slashedIn(String(body.receipt_id))]).toEqual([50_000, false]);
  });

  test('as a timeout takes what COMPUTE_TIMEOUT takes', async () => {
    const { api } = await operator(50_000);
    const { body } = await api.issue();
    await api.finalize(body.receipt_id, { status: 'timeout', terminal_reason: 'late' });
    expect(await entriesOf(api)).toMatchObject([{ tranche: 'COMPUTE_TIMEOUT', amount_cents: 500 }]);
  });

  test('twice at once takes stake once', async () => {
    const { api } = await operator(1_000);
    const { body } = await api.issue();
    const both = await Promise.all([1, 2].map(() => api.finalize(body.receipt_id, failed('DATA_LEAKAGE'))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await entriesOf(api)).toMatchObject([{ amount_cents: 100, stake_after_cents: 900 }]);
  });

  test('repeatedly with one Idempotency-Key takes stake once', async () => {
    const { api } = await operator(1_000);
    const { body } = await api.issue();
    const send = () =>
      api.post(`/api/v1/receipts/${body.receipt_id}/finalize`, failed('DATA_LEAKAGE'), {
        'idempotency-key': 'once',
      });
    const both = [await send(), await send()];
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await stakeOf(api)).toBe(900);
  });

  test('with others at the same moment takes each share of what the one before left', async () => {
    const { api } = await operator(10_000);
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await api.issue()).body.receipt_id));
    await Promise.all(ids.map((id) => api.finalize(id, failed('DATA_LEAKAGE'))));
    const entries = (await entriesOf(api)).reverse();
    let stake = 10_000;
    for (const entry of entries) {
      const amount = Math.ceil(stake / 10);
      const after = stake - amount;
      expect(entry).toMatchObject({
        amount_cents: amount,
        stake_before_cents: stake,
        stake_after_cents: after,
      });
      stake = after;
    }
    expect([entries.length, await stakeOf(api)]).toEqual([8, stake]);
  });

  test('and revoked afterwards stays slashed', async () => {
    const { api } = await operator(1_000);
    const id = await fail(api, 'DATA_LEAKAGE');
    expect((await api.revoke(id)).status).toBe(200);
    expect([await stakeOf(api), await slashedIn(id)]).toEqual([900, true]);
    expect(await entriesOf(api)).toMatchObject([{ receipt_id: id, amount_cents: 100 }]);
  });

  test('after it was revoked is refused and takes nothing', async () => {
    const { api } = await operator(1_000);
    const { body } = await api.issue();
    await api.revoke(body.receipt_id);
    expect((await api.finalize(body.receipt_id, failed('DATA_LEAKAGE'))).status).toBe(409);
    expect([await stakeOf(api), await entriesOf(api)]).toEqual([1_000, []]);
  });

  test('by a suspended operator is refused and takes nothing', async () => {
    const { id, api } = await operator(1_000);
    const { body } = await api.issue();
    await setAccountStatus(app.service.trust, id, 'SUSPENDED');
    expect((await api.finalize(body.receipt_id, failed('DATA_LEAKAGE'))).status).toBe(403);
    expect([await stakeOf(api), await entriesOf(api)]).toEqual([1_000, []]);
  });

  test('by a holder key takes of the stake of its operator', async () => {
    const { id, api } = await operator(1_000);
    const { commitment } = await enrolledAgent(app, { sponsor: id });
    const made = await api.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: commitment,
    });
    const holder = client(app.fetch, 'http://localhost', String(made.body.api_key));
    await fail(holder, 'SLA_BREACH', { agent_id: commitment });
    expect(await stakeOf(api)).toBe(950);
    expect((await holder.get(LEDGER)).status).toBe(403);
  });

  test('with settings of its own takes their percentages: all, and nothing', async () => {
    const other = await openTrustApp({
      'slashing.percent.data_leakage': '100',
      'slashing.percent.sla_breach': '0',
    });
    const { api } = await operator(777, other);
    await fail(api, 'SLA_BREACH');
    await fail(api, 'DATA_LEAKAGE');
    await fail(api, 'DATA_LEAKAGE');
    const amounts = (await entriesOf(api)).map(({ amount_cents }) => amount_cents);
    expect([amounts, await stakeOf(api)]).toEqual([[0, 777, 0], 0]);
    await other.close();
  });
});

describe('the gate', () => {
  const domain = 'FINANCIAL_CLEARING';

  test('denies at once when a slash leaves less than the minimum stake', async () => {
    const { id, api } = await operator(500);
    const receipts = [await api.issue({ domain }), await api.issue({ domain })];
    expect(receipts.map(({ status }) => status)).toEqual([201, 201]);
    await api.finalize(receipts[0]?.body.receipt_id, failed('COMPUTE_TIMEOUT'));
    expect((await api.issue({ domain })).body).toMatchObject({
      reason_code: 'gate_denied',
      reason: 'INSUFFICIENT_ESCROW_BOND',
    });
    const asked = await app.anyone.post('/api/v1/gate/verify', { operator_id: id, domain });
    expect(asked.body.reason).toBe('INSUFFICIENT_ESCROW_BOND');
    await setStake(app.service.trust, id, 500);
    expect((await api.issue({ domain })).status).toBe(201);
  });

  test('denies each receipt that is issued in the moment of the slash, or issues it before the slash', async () => {
    const { api } = await operator(500);
    const { body } = await api.issue({ domain });
    const [slashed, ...issued] = await Promise.all([
      api.finalize(body.receipt_id, failed('DATA_LEAKAGE')),
      ...Array.from({ length: 16 }, () => api.issue({ domain })),
    ]);
    const outcomes = issued.map(({ status, body: { reason } }) => (status === 201 ? 'issued' : reason));
    expect(slashed.status).toBe(200);
    // Writes are made in the order of their requests: from the first denial on, all are denied.
    const first = outcomes.indexOf('INSUFFICIENT_ESCROW_BOND');
    const denied = outcomes.slice(first === -1 ? outcomes.length : first);
    expect([...new Set(denied)]).toEqual(first === -1 ? [] : ['INSUFFICIENT_ESCROW_BOND']);
    expect((await api.issue({ domain })).status).toBe(403);
  });
});

describe('the slashing ledger', () => {
  scenarios(
    () => app,
    [
      ['without a key is refused', `GET ${LEDGER}`, '401 unauthorized', { by: 'anyone' }],
      [
        'of a tranche that takes nothing is refused by its name',
        `GET ${LEDGER}?tranche=NONE`,
        '400 validation_error: tranche',
      ],
      [
        'with a filter that is none is refused by its name',
        `GET ${LEDGER}?operator_id=x`,
        '400 validation_error: operator_id',
      ],
      ['of an operator without failures is empty', `GET ${LEDGER}`, '200', { contains: ['"entries":[]'] }],
    ],
  );

  test('is paged newest first, filtered by tranche, and only shows what is the own', async () => {
    const { api } = await operator(100_000);
    const { api: other } = await operator(100_000);
    await fail(other, 'SLA_BREACH');
    const ids: string[] = [];
    for (const tranche of ['SLA_BREACH', 'DATA_LEAKAGE', 'SLA_BREACH', 'COMPUTE_TIMEOUT', 'SLA_BREACH'])
      ids.push(await fail(api, tranche));
    const pages: unknown[] = [];
    let cursor: unknown = null;
    do {
      const { body } = await api.get(`${LEDGER}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      pages.push(...Object(body.entries).map((entry: object) => Object(entry).receipt_id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(ids.toReversed());
    const breaches = (await entriesOf(api, '?tranche=SLA_BREACH')).map(({ receipt_id }) => receipt_id);
    expect(breaches).toEqual([ids[4], ids[2], ids[0]]);
    expect(await entriesOf(api, '?tranche=LOGIC_DETECTION')).toEqual([]);
  });

  const change = (sql: string) =>
    app.service.trust.store.writeAsService(({ connection: { sqlite } }) => void sqlite.run(sql));

  test.each([
    ['changed', 'UPDATE slash SET amount_cents = 0', 'never change'],
    ['deleted', 'DELETE FROM slash', 'never deleted'],
    [
      'added with an amount that the ledger did not take',
      `INSERT INTO slash (slash_id, receipt_seq, operator_seq, tranche, amount_cents, stake_before_cents, created_at)
       SELECT randomblob(16), r.receipt_seq, r.operator_seq, 'SLA_BREACH', 5, a.balance + 5, r.issued_at
       FROM receipt r JOIN ledger_account a ON a.kind = 'stake' AND a.owner_seq = r.operator_seq
       WHERE r.receipt_seq NOT IN (SELECT receipt_seq FROM slash) LIMIT 1`,
      'another amount',
    ],
    [
      'added with a stake that the ledger does not have',
      `INSERT INTO slash (slash_id, receipt_seq, operator_seq, tranche, amount_cents, stake_before_cents, created_at)
       SELECT randomblob(16), r.receipt_seq, r.operator_seq, 'SLA_BREACH', 0, a.balance + 1, r.issued_at
       FROM receipt r JOIN ledger_account a ON a.kind = 'stake' AND a.owner_seq = r.operator_seq
       WHERE r.receipt_seq NOT IN (SELECT receipt_seq FROM slash) LIMIT 1`,
      'another amount',
    ],
  ])('has no entry that can be %s', async (_name, sql, message) => {
    const { api } = await operator(100);
    await fail(api, 'DATA_LEAKAGE');
    await api.issue();
    const before = await entriesOf(api);
    expect(change(sql)).rejects.toThrow(message);
    expect(await entriesOf(api)).toEqual(before);
  });

  test('is confirmed by fsck, which reports entries and movements that contradict each other', async () => {
    const alone = await openTrustApp();
    const { api } = await operator(10_000, alone);
    for (const tranche of ['DATA_LEAKAGE', 'SLA_BREACH', 'LOGIC_DETECTION']) await fail(api, tranche);
    // Takes nothing: only the numbers of the entries show that its entry is missing.
    await fail(alone.own, 'SLA_BREACH');
    await fail(api, 'COMPUTE_TIMEOUT');
    const { store } = alone.service.trust;
    const problems = async (sql: string) => {
      await store.writeAsService(({ connection: { sqlite } }) => void sqlite.run(sql));
      const all = await store.read(wrongCounts);
      return all.filter(({ table }) => table === 'slash').map(({ what }) => what);
    };
    expect(await problems('DROP TRIGGER slash_is_final')).toEqual([]);
    await problems('DROP TRIGGER slash_stays');
    expect(await problems('UPDATE slash SET amount_cents = 999 WHERE slash_seq = 1')).toEqual([
      'the ledger took another amount of the stake',
    ]);
    expect(
      await problems("UPDATE slash SET amount_cents = 1000, tranche = 'SLA_BREACH' WHERE slash_seq = 1"),
    ).toEqual(['no receipt of the operator was finalized with this tranche']);
    await problems("UPDATE slash SET tranche = 'DATA_LEAKAGE' WHERE slash_seq = 1");
    const gaps = 'entries are missing: their numbers have gaps';
    expect(await problems('DELETE FROM slash WHERE slash_seq = 4')).toEqual([gaps]);
    expect(await problems('DELETE FROM slash WHERE slash_seq = 1')).toEqual([
      'the movement has no entry',
      gaps,
    ]);
    await alone.close();
  });

  test('is confirmed by fsck, which finds a failure without its entry, but none from before slashing began', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'countersign-slashing-audit-'));
    const alone = await openTrustApp();
    const { api } = await operator(10_000, alone);
    await fail(api, 'SLA_BREACH');
    await alone.own.issue();
    await fail(api, 'DATA_LEAKAGE');
    await fail(alone.own, 'COMPUTE_TIMEOUT');
    await alone.service.trust.log.publisher.publish();
    const sentences = async (statement: string): Promise<string[]> => {
      copyOf(alone.directory, scratch);
      const database = new Database(join(scratch, 'trust.db'), { readwrite: true, strict: true });
      withoutTriggers(database);
      database.run(statement);
      database.close();
      const { reported } = await audited(scratch);
      return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
    };
    const lacking = (receiptSeq: number) =>
      `receipt_version (receipt_seq ${receiptSeq}, version 2): it has an error tranche but no entry in the slashing ledger`;
    expect(await sentences('DELETE FROM slash WHERE slash_seq = 3')).toEqual([lacking(4)]);
    expect(
      await sentences('DELETE FROM slash WHERE slash_seq = 3; UPDATE slashing_start SET leaves = 3'),
    ).toEqual([]);
    expect(
      await sentences('DELETE FROM slash WHERE slash_seq > 1; UPDATE slashing_start SET leaves = 1'),
    ).toEqual(expect.arrayContaining([lacking(3), lacking(4)]));
    await alone.close();
    rmSync(scratch, { recursive: true });
  });
});

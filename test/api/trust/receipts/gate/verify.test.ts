import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createOperator } from '../../../../../src/trust/operators/create-operator.ts';
import { pardonOperator } from '../../../../../src/trust/pages/dashboard/pardon-operator.ts';
import { setStake } from '../../../../../src/trust/pages/dashboard/set-stake.ts';
import { gateVerdict } from '../../../../../src/trust/receipts/gate/verdict.ts';
import { client, DIGEST } from '../../../../support/client.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ 'gate.minimum_stake.financial_clearing': '500' });
});
afterAll(() => app.close());

const GATE = '/api/v1/gate/verify';
const DOMAIN = 'CODE_GENERATION';
const OUTCOMES = {
  success: { status: 'success', output_hash: DIGEST },
  breach: { status: 'terminal', terminal_reason: 'late', error_tranche: 'SLA_BREACH' },
};

/** A new operator: its id and a caller with its key. */
async function operator() {
  const made = await createOperator(app.service.trust, { name: null, admin: false });
  return { id: made.operator_id, api: client(app.fetch, 'http://localhost', made.api_key) };
}

async function reason(id: string, domain = DOMAIN): Promise<unknown> {
  const { status, body } = await app.anyone.post(GATE, { operator_id: id, domain });
  expect([status, body.allow_invocation]).toEqual([200, body.reason === 'OK']);
  return body.reason;
}

describe('a question to the gate', () => {
  scenarios(
    () => app,
    [
      [
        'about an unknown operator is answered with a refusal',
        `POST ${GATE}`,
        '200',
        {
          body: { operator_id: 'x', domain: DOMAIN },
          contains: ['"allow_invocation":false', 'OPERATOR_UNKNOWN'],
          responseHeaders: { 'access-control-allow-origin': '*' },
        },
      ],
      [
        'with an empty id, a domain that is none and a stray member is refused by their names',
        `POST ${GATE}`,
        '400 validation_error: operator_id, domain, more',
        { body: { operator_id: '', domain: 'ELSEWHERE', more: 1 } },
      ],
      [
        'with an id of 129 characters is refused',
        `POST ${GATE}`,
        '400 validation_error: operator_id',
        { body: { operator_id: 'x'.repeat(129), domain: DOMAIN } },
      ],
      ['without a body is refused', `POST ${GATE}`, '400'],
      ['that is no JSON is refused', `POST ${GATE}`, '400 invalid_json', { raw: '{' }],
    ],
    { by: 'anyone' },
  );
});

describe('the gate', () => {
  test('denies when nothing is finalized yet, but allows issuing', async () => {
    const { id, api } = await operator();
    expect(await reason(id)).toBe('ZERO_TENANCY_REJECT');
    const { status, body } = await api.issue();
    expect(status).toBe(201);
    expect(await reason(id)).toBe('ZERO_TENANCY_REJECT');
    await api.finalize(body.receipt_id, OUTCOMES.success);
    expect([await reason(id), await reason(id, 'CUSTOMER_SUPPORT')]).toEqual(['OK', 'ZERO_TENANCY_REJECT']);
  });

  test('denies for breaches, issuing too, until they are pardoned', async () => {
    const { id, api } = await operator();
    for (let turn = 0; turn < 10; turn++) {
      const { body } = await api.issue();
      await api.finalize(body.receipt_id, turn < 2 ? OUTCOMES.breach : OUTCOMES.success);
    }
    expect(await reason(id)).toBe('SLA_BREACH_THRESHOLD_EXCEEDED');
    expect(await api.issue()).toMatchObject({
      status: 403,
      body: { reason_code: 'gate_denied', reason: 'SLA_BREACH_THRESHOLD_EXCEEDED' },
    });
    expect((await api.issue({ domain: 'CUSTOMER_SUPPORT' })).status).toBe(201);
    await pardonOperator(app.service.trust, id);
    expect([await reason(id), (await api.issue()).status]).toEqual(['OK', 201]);
  });

  test('denies for a stake under the minimum of the domain, until it is there', async () => {
    const { id, api } = await operator();
    const domain = 'FINANCIAL_CLEARING';
    expect(await reason(id, domain)).toBe('INSUFFICIENT_ESCROW_BOND');
    expect((await api.issue({ domain })).body.reason).toBe('INSUFFICIENT_ESCROW_BOND');
    await setStake(app.service.trust, id, 499);
    expect((await api.issue({ domain })).status).toBe(403);
    await setStake(app.service.trust, id, 500);
    expect((await api.issue({ domain })).status).toBe(201);
  });

  test('counts blind receipts when issuing and does not reveal them', async () => {
    const { id, api } = await operator();
    for (let turn = 0; turn < 10; turn++) {
      const { body } = await api.issue({ blind: true });
      await api.finalize(body.receipt_id, OUTCOMES.breach);
    }
    expect(await reason(id)).toBe('ZERO_TENANCY_REJECT');
    expect((await api.issue()).body.reason).toBe('SLA_BREACH_THRESHOLD_EXCEEDED');
  });
});

describe('the dashboard of an operator', () => {
  const state = async (api: Awaited<ReturnType<typeof operator>>['api'], domain = DOMAIN) => {
    const { body } = await api.get('/api/v1/operator/status');
    const domains: unknown[] = Object(body.gate).domains;
    return Object(domains.find((row) => Object(row).domain === domain));
  };

  test('shows for each domain how far it is from a denial, publicly and for issuing', async () => {
    const { api } = await operator();
    const { body } = await api.get('/api/v1/operator/status');
    const fresh = {
      reason: 'ZERO_TENANCY_REJECT',
      receipts: 0,
      breaches: 0,
      breach_receipts: [],
      abandoned: { abandoned: 0, of: 0 },
      abandoned_receipts: [],
      breaches_until_denied: 10,
      denies_at: null,
      lifts_at: null,
    };
    const bonded = { ...fresh, reason: 'INSUFFICIENT_ESCROW_BOND' };
    expect(body.gate).toEqual({
      sla: { window_days: 30, share_percent: 10, minimum_receipts: 10, newest: 20 },
      max_abandoned_share: null,
      domains: [
        { domain: 'FINANCIAL_CLEARING', verify: bonded, issue: bonded },
        { domain: 'CUSTOMER_SUPPORT', verify: fresh, issue: fresh },
        { domain: 'CODE_GENERATION', verify: fresh, issue: fresh },
        { domain: 'SYSTEM_INTEGRATION', verify: fresh, issue: fresh },
      ],
    });
    for (let turn = 0; turn < 9; turn++) {
      const issued = await api.issue({ blind: turn < 2 });
      await api.finalize(issued.body.receipt_id, turn < 2 ? OUTCOMES.breach : OUTCOMES.success);
    }
    expect(await state(api)).toMatchObject({
      verify: { reason: 'OK', receipts: 7, breaches: 0, breaches_until_denied: 3 },
      issue: { reason: 'OK', receipts: 9, breaches: 2, breaches_until_denied: 1 },
    });
  });

  test('shows when a denial ends, and it ends then', async () => {
    const time = new VirtualTime();
    const other = await openTrustApp(
      { 'gate.sla_window_days': '2', 'gate.sla_minimum_receipts': '2', 'gate.sla_share_percent': '50' },
      time,
    );
    const finalize = async (outcome: object) => {
      const issued = await other.own.issue();
      expect(issued.status).toBe(201);
      await other.own.finalize(issued.body.receipt_id, outcome);
    };
    await finalize(OUTCOMES.breach);
    const first = time.now();
    time.advance(3_600_000);
    const pending = (await other.own.issue()).body;
    expect(await state(other.own)).toMatchObject({ issue: { reason: 'OK', breaches_until_denied: 1 } });
    await other.own.finalize(pending.receipt_id, OUTCOMES.breach);
    const liftsAt = first + 2 * 24 * 3_600_000;
    const { body: all } = await other.own.get('/api/v1/receipts');
    const denied = {
      reason: 'SLA_BREACH_THRESHOLD_EXCEEDED',
      receipts: 2,
      breaches: 2,
      breach_receipts: Object(all).receipts.map(({ receipt_id }: { receipt_id: string }) => receipt_id),
      abandoned: { abandoned: 0, of: 2 },
      abandoned_receipts: [],
      breaches_until_denied: 0,
      denies_at: null,
      lifts_at: new Date(liftsAt).toISOString(),
    };
    expect(await state(other.own)).toEqual({ domain: DOMAIN, verify: denied, issue: denied });
    time.advance(liftsAt - time.now() - 1);
    expect((await other.own.issue()).status).toBe(403);
    time.advance(1);
    expect((await other.own.issue()).status).toBe(201);
    expect(await state(other.own)).toMatchObject({ issue: { reason: 'OK', lifts_at: null } });
    await other.close();
  });

  test('is refused for more receipts than the gate counts', async () => {
    const opening = openTrustApp({ 'gate.sla_minimum_receipts': '6', 'gate.sla_newest': '5' });
    await expect(opening).rejects.toThrow(/gate.sla_minimum_receipts is 6, but only the newest 5/);
  });
});

test('the counts of the gate are those of a scan of all receipts', async () => {
  const step = fc.record({
    domain: fc.constantFrom('CODE_GENERATION', 'CUSTOMER_SUPPORT'),
    blind: fc.boolean(),
    act: fc.constantFrom('issue', 'finalize', 'finalize', 'breach', 'breach', 'revoke', 'revoke breach'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
      const { id, api } = await operator();
      for (const { domain, blind, act } of steps) {
        const issued = await api.issue({ domain, blind });
        if (issued.status !== 201) continue;
        const receipt = issued.body.receipt_id;
        if (act === 'finalize') await api.finalize(receipt, OUTCOMES.success);
        if (act.endsWith('breach')) await api.finalize(receipt, OUTCOMES.breach);
        if (act.startsWith('revoke')) await api.revoke(receipt);
      }
      for (const domain of ['CODE_GENERATION', 'CUSTOMER_SUPPORT']) {
        expect(await reason(id, domain)).toBe(await scanned(id, domain));
      }
      const { body } = await api.get('/api/v1/operator/status');
      expect(body.receiptCount).toBe(await countOf(id));
    }),
    { numRuns: 40 },
  );
  const counted = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite.query('SELECT * FROM receipt_count WHERE receipts > 0 ORDER BY 1, 2, 3').all(),
  );
  const found = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query(
        `SELECT operator_seq, status, revocation_status, count(*) AS receipts
         FROM receipt GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      )
      .all(),
  );
  expect(counted).toEqual(found);
});

/** The gate's word by a scan of all that was ever finalized and is not blind: no revoked success counts. */
async function scanned(id: string, domain: string): Promise<string> {
  const rows = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ at: string; error_tranche: string }, [string, string]>(
        `SELECT iif(error_tranche = 'SLA_BREACH', signed_at, issued_at) AS at, error_tranche
         FROM receipt_version JOIN receipt USING (receipt_seq) JOIN operator USING (operator_seq)
         WHERE operator_id = ? AND domain = ? AND domain_commitment IS NULL
           AND receipt_version.status <> 'pending' AND receipt_version.revocation_status = 'active'
           AND (receipt.revocation_status = 'active' OR receipt.status <> 'success')
         ORDER BY at DESC, receipt_seq DESC`,
      )
      .all(id, domain),
  );
  return gateVerdict(
    {
      accountStatus: 'ACTIVE',
      stakeCents: 0,
      minimumStakeCents: 0,
      newest: rows.map(({ at, error_tranche }) => ({
        at: Date.parse(at),
        breach: error_tranche === 'SLA_BREACH',
      })),
      abandoned: [],
      pardonedAt: null,
    },
    Date.now(),
  );
}

async function countOf(id: string): Promise<unknown> {
  const row = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ n: number }, [string]>(
        'SELECT count(*) AS n FROM receipt JOIN operator USING (operator_seq) WHERE operator_id = ?',
      )
      .get(id),
  );
  return row?.n;
}

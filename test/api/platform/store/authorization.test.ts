import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { sessionToken } from '../../../../src/trust/operators/auth/credential.ts';
import { endSession } from '../../../../src/trust/operators/log-out.ts';
import type { Payer } from '../../../../src/trust/operators/quotas/quotas.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { setStake } from '../../../../src/trust/pages/dashboard/set-stake.ts';
import { enrolledAgent, newAgentKey } from '../../../support/agent.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { client, issueBody } from '../../../support/client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { duringTheRequest } from '../../../support/late-body.ts';
import { jobBody, openStaffingApp, PREFIX, type StaffingApp } from '../../../support/staffing-app.ts';
import { TELEMETRY, telemetryOf } from '../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

describe('a request of the trust service with headers before a change and the body after it:', () => {
  let app: TrustApp;
  let apiKey: string;
  let agent: Awaited<ReturnType<typeof enrolledAgent>>;
  let receiptId: string;

  beforeEach(async () => {
    app = await openTrustApp();
    const { trust, firstStart } = app.service;
    ({ api_key: apiKey } = await createKeyFor(trust, firstStart.operatorId, { name: 'stolen' }));
    agent = await enrolledAgent(app);
    receiptId = String((await app.own.issue()).body.receipt_id);
  });
  afterEach(() => app.close());

  const writes: [string, () => { method: string; path: string; body: unknown }][] = [
    ['issue a receipt', () => ({ method: 'POST', path: '/api/v1/receipts', body: issueBody() })],
    [
      'finalize a receipt',
      () => ({
        method: 'POST',
        path: `/api/v1/receipts/${receiptId}/finalize`,
        body: { status: 'refusal', refusal_reason: 'no' },
      }),
    ],
    [
      'make an API key',
      () => ({ method: 'POST', path: '/api/v1/operator/api-keys', body: { name: 'outlives' } }),
    ],
    [
      'make a webhook',
      () => ({
        method: 'POST',
        path: '/api/v1/webhooks',
        body: { url: 'https://receiver.example/', events: ['evidence.anchored'] },
      }),
    ],
    [
      'anchor evidence',
      () => ({
        method: 'POST',
        path: evidencePath(agent.commitment),
        body: signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload()),
      }),
    ],
    ['send telemetry', () => ({ method: 'POST', path: TELEMETRY, body: telemetryOf(0) })],
    [
      'begin an enrollment',
      () => ({
        method: 'POST',
        path: '/api/v1/passport/agents/enroll/start',
        body: { public_key: newAgentKey().publicKey },
      }),
    ],
    [
      'set a sponsor',
      () => ({
        method: 'PUT',
        path: `/api/v1/passport/agents/${agent.commitment}/sponsor`,
        body: { operator_id: app.service.firstStart.operatorId },
      }),
    ],
  ];

  test.each(writes)(
    'the deletion of its key does not %s: 401, and nothing is written',
    async (_name, write) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const before = await stored(app);
      const { status, body } = await duringTheRequest(app.fetch, { ...write(), headers }, async () => {
        const deleted = await app.own.call('DELETE', `/api/v1/operator/api-keys/${sha256Hex(apiKey)}`);
        expect(deleted.status).toBe(200);
      });
      expect([status, body.reason_code]).toEqual([401, 'unauthorized']);
      // The deletion is kept for the case that the database is restored.
      const apiKeys = Number(before.api_key) - 1;
      expect(await stored(app)).toEqual({ ...before, api_key: apiKeys, lasting_act: 1 });
    },
  );

  test.each(writes.filter(([name]) => name !== 'issue a receipt'))(
    'the suspension of its operator does not %s: 403, and nothing is written',
    async (_name, write) => {
      const { trust, firstStart } = app.service;
      const headers = { authorization: `Bearer ${apiKey}` };
      const before = await stored(app);
      const { status, body } = await duringTheRequest(app.fetch, { ...write(), headers }, () =>
        setAccountStatus(trust, firstStart.operatorId, 'SUSPENDED'),
      );
      expect([status, body.reason_code]).toEqual([403, 'forbidden']);
      // The suspension queues that the engagements of the operator stand still.
      expect(await stored(app)).toEqual({ ...before, escrow_step: 1 });
    },
  );

  test('the suspension of its operator does not issue a receipt: the gate denies', async () => {
    const { trust, firstStart } = app.service;
    const headers = { authorization: `Bearer ${apiKey}` };
    const request = { method: 'POST', path: '/api/v1/receipts', body: issueBody(), headers };
    const { status, body } = await duringTheRequest(app.fetch, request, () =>
      setAccountStatus(trust, firstStart.operatorId, 'SUSPENDED'),
    );
    expect([status, body.reason_code, body.reason]).toEqual([403, 'gate_denied', 'OPERATOR_SUSPENDED']);
  });

  test('the end of its session does not issue a receipt: 401', async () => {
    const opened = await app.fetch(
      new Request('http://localhost/api/v1/operator/session', {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}` },
      }),
    );
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const headers = { cookie, 'x-requested-with': 'test' };
    const request = { method: 'POST', path: '/api/v1/receipts', body: issueBody(), headers };
    const { status } = await duringTheRequest(app.fetch, request, async () => {
      const ended = await app.fetch(
        new Request('http://localhost/api/v1/operator/session', { method: 'DELETE', headers }),
      );
      expect(ended.status).toBe(200);
    });
    expect(status).toBe(401);
  });

  test('the revocation of the agent of its holder key does not issue a receipt: 403', async () => {
    const { trust, firstStart } = app.service;
    const holder = await createKeyFor(trust, firstStart.operatorId, {
      role: 'holder',
      subject_commitment: agent.commitment,
    });
    const headers = { authorization: `Bearer ${holder.api_key}` };
    const body = issueBody({ agent_id: agent.commitment });
    const request = { method: 'POST', path: '/api/v1/receipts', body, headers };
    const response = await duringTheRequest(app.fetch, request, async () => {
      const revoked = await app.own.post(`/api/v1/passport/agents/${agent.commitment}/revoke`);
      expect(revoked.status).toBe(200);
    });
    expect([response.status, response.body.reason_code]).toEqual([403, 'agent_not_enrolled']);
  });

  test('writes are refused from the point in a shared transaction where their session ends', async () => {
    const { trust } = app.service;
    const { principals, store } = trust;
    const opened = await app.fetch(
      new Request('http://localhost/api/v1/operator/session', {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}` },
      }),
    );
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: { cookie, 'x-requested-with': 'test' },
    });
    const writing = await principals.authenticate(request, 'issuer');
    const ending = await principals.authenticate(request, 'session');
    const outcomes = await Promise.allSettled([
      store.write(writing.authority, () => 'before'),
      endSession(trust, ending, sessionToken(request)).then(() => 'ended'),
      store.write(writing.authority, () => 'after'),
    ]);
    expect(outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.reason.code))).toEqual([
      'before',
      'ended',
      'unauthorized',
    ]);
  });

  test('writes that share a transaction with the deletion of their key are refused from there on', async () => {
    const { trust } = app.service;
    const { principals, store } = trust;
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const stolen = await principals.authenticate(request, 'issuer');
    const { authority } = await principals.authenticate(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { authorization: `Bearer ${app.apiKey}` },
      }),
      'issuer',
    );
    const outcomes = await Promise.allSettled([
      store.write(stolen.authority, () => 'before'),
      store.write(authority, (tx) => {
        tx.connection.sqlite.query('DELETE FROM api_key WHERE key_hash = unhex(?)').run(sha256Hex(apiKey));
        principals.changedIn(tx);
        return 'deleted';
      }),
      store.write(stolen.authority, () => 'after'),
    ]);
    expect(outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.reason.code))).toEqual([
      'before',
      'deleted',
      'unauthorized',
    ]);
  });
});

/** How many rows each table has. */
async function stored({ service }: TrustApp): Promise<Record<string, number>> {
  return service.trust.store.read(({ connection: { sqlite } }) => {
    const tables = sqlite
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    const count = (table: string): number =>
      sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
  });
}

describe('a request of the staffing service with headers before a change and the body after it:', () => {
  let app: StaffingApp;
  beforeEach(async () => {
    app = await openStaffingApp();
  });
  afterEach(() => app.close());

  const writes: [string, { method: string; path: string; body: unknown }][] = [
    ['store a requisition', { method: 'POST', path: '/jobs', body: jobBody() }],
    ['make a key', { method: 'POST', path: '/keys', body: {} }],
    ['set a webhook', { method: 'PUT', path: '/webhook', body: { url: 'https://receiver.example/' } }],
  ];

  test.each(writes)('the revocation of its key does not %s: 401', async (_name, write) => {
    const made = await app.own.post('/keys', {});
    expect(made.status).toBe(201);
    const headers = { authorization: `Bearer ${made.body.api_key}` };
    const request = { ...write, path: PREFIX + write.path, headers };
    const { status, body } = await duringTheRequest(app.fetch, request, async () => {
      const revoked = await app.own.call('DELETE', `/keys/${made.body.id}`);
      expect(revoked.status).toBe(200);
    });
    expect([status, Object(body.error).code]).toEqual([401, 'KEY_REVOKED']);
    expect((await app.own.get('/jobs')).body.data).toEqual([]);
    expect((await app.own.get('/webhook')).status).toBe(404);
  });
});

test('a holder key whose agent gets another sponsor while its evidence is verified anchors nothing', async () => {
  const app = await openTrustApp();
  const { trust, firstStart } = app.service;
  const agent = await enrolledAgent(app);
  const { api_key: key } = await createKeyFor(trust, firstStart.operatorId, {
    role: 'holder',
    subject_commitment: agent.commitment,
  });
  const checked = trust.quotas.checked.bind(trust.quotas);
  trust.quotas.checked = async <T>(payer: Payer, check: () => Promise<T>): Promise<T> => {
    const examined = await checked(payer, check);
    const path = `/api/v1/passport/agents/${agent.commitment}/sponsor`;
    expect((await app.own.call('PUT', path, { operator_id: app.otherId })).status).toBe(200);
    return examined;
  };
  const evidence = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload());
  const { status, body } = await client(app.fetch, 'http://localhost', key).post(
    evidencePath(agent.commitment),
    evidence,
  );
  expect([status, body.reason_code]).toEqual([403, 'forbidden']);
  expect((await stored(app)).evidence).toBe(0);
  await app.close();
});

describe('the cached authorization of a key', () => {
  let app: TrustApp;
  let keyed: ReturnType<typeof client>;

  beforeEach(async () => {
    app = await openTrustApp({ 'gate.minimum_stake.financial_clearing': '500' });
    const { trust, firstStart } = app.service;
    const { api_key: key } = await createKeyFor(trust, firstStart.operatorId, { name: 'second' });
    keyed = client(app.fetch, 'http://localhost', key);
  });
  afterEach(() => app.close());

  /** Changes rows directly, so that caches do not notice. */
  const change = (sql: string, ...values: string[]) =>
    app.service.trust.store.writeAsService((tx) => void tx.connection.sqlite.query(sql).run(...values));
  const mark = () =>
    app.service.trust.store.read(({ connection }) =>
      connection.sqlite.query<{ mark: number }, []>('SELECT mark FROM authority_mark').get(),
    );

  test.each([
    ['the deletion of the key', 'DELETE FROM api_key WHERE hex(key_hash) = upper(?)', 401, 'unauthorized'],
    ['a suspension', "UPDATE operator SET account_status = 'SUSPENDED' WHERE ? <> ''", 403, 'gate_denied'],
    [
      'the loss of its stake',
      "UPDATE ledger_account SET balance = 0 WHERE kind = 'stake' AND ? <> ''",
      403,
      'gate_denied',
    ],
  ])('does not outlive %s, even one that nobody announces', async (_name, sql, status, code) => {
    await setStake(app.service.trust, app.service.firstStart.operatorId, 500_000);
    const domain = 'FINANCIAL_CLEARING';
    expect((await keyed.issue({ domain })).status).toBe(201);
    await change(sql, sha256Hex(keyed.key ?? ''));
    const refused = await keyed.issue({ domain });
    expect([refused.status, refused.body.reason_code]).toEqual([status, code]);
  });

  test.each([
    ['has another sponsor', "UPDATE agent SET sponsor_seq = 2 WHERE ? <> ''", 'forbidden'],
    [
      'is revoked',
      "UPDATE agent SET state = 'REVOKED', revoked_at = '2026-01-01T00:00:00.000Z' WHERE ? <> ''",
      'agent_not_enrolled',
    ],
  ])('does not let an agent pay that %s, even if nobody announced it', async (_name, sql, code) => {
    const [payer, payee] = [await enrolledAgent(app), await enrolledAgent(app)];
    const grant = { subject_commitment: payer.commitment, amount: 10 };
    expect((await keyed.post('/api/v1/passport/credits/grants', grant)).status).toBe(201);
    const transfer = () =>
      keyed.post('/api/v1/passport/credits/transfers', {
        from_commitment: payer.commitment,
        to_commitment: payee.commitment,
        amount: 1,
      });
    expect((await transfer()).status).toBe(201);
    await change(sql, 'any');
    expect((await transfer()).body.reason_code).toBe(code);
  });

  test('stays valid after irrelevant changes, such as the last use of a key', async () => {
    await keyed.issue();
    const before = await mark();
    await change('UPDATE api_key SET last_used_at = ?', '2026-01-01T00:00:00.000Z');
    await change("UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'pool' AND ? = ?", 'a', 'a');
    expect(await mark()).toEqual(before);
    expect((await keyed.issue()).status).toBe(201);
  });
});

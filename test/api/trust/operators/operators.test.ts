import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { client, concurrently, DIGEST, issueBody } from '../../../support/client.ts';
import { keyedWrites, writesNotRefused } from '../../../support/keyed-writes.ts';
import { scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const KEYS = '/api/v1/operator/api-keys';
const SESSION = '/api/v1/operator/session';
const AGENT = 'ab'.repeat(32);

const hashOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex');
const by = (key: unknown) => client(app.fetch, 'http://localhost', String(key));
const made = async (body: object, caller = app.own) => (await caller.post(KEYS, body)).body;

describe('the dashboard of an operator', () => {
  test('counts keys and receipts, and shows the tier by the pool', async () => {
    await app.own.issue();
    const { status, body } = await app.own.get('/api/v1/operator/status');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      credits: 1_000_000,
      tier: 'FULL',
      accountStatus: 'ACTIVE',
      stakeBalanceCents: 0,
      apiKeyCount: 1,
      receiptCount: 1,
      plan: 'FREE',
    });
    expect((await app.other.get('/api/v1/operator/status')).body).toMatchObject({
      operator_id: app.otherId,
      credits: 0,
      tier: 'SHELTERED',
      receiptCount: 0,
    });
  });

  test('counts keys to 10,001 only, because a status reads no table as a whole', async () => {
    const crowded = await openTrustApp();
    await crowded.service.trust.store.writeAsService(({ connection: { sqlite } }) =>
      sqlite.run(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10050)
        INSERT INTO api_key SELECT randomblob(32), operator_seq, role, admin, name, subject_commitment, scope,
          created_at, last_used_at FROM api_key, numbers WHERE key_hash = unhex(?)`,
        [hashOf(crowded.apiKey)],
      ),
    );
    expect((await crowded.own.get('/api/v1/operator/status')).body.apiKeyCount).toBe(10_001);
    await crowded.close();
  });
});

describe('API keys:', () => {
  scenarios(
    () => app,
    [
      [
        'a request without a body makes an issuer key',
        `POST ${KEYS}`,
        '201',
        {
          contains: ['"role":"issuer"', '"admin":false', '"name":null'],
          effects: async (_app, body) => {
            expect(body.api_key).toMatch(/^pp_[0-9a-f]{64}$/);
            expect((await by(body.api_key).get('/api/v1/operator/status')).status).toBe(200);
          },
        },
      ],
      [
        'a holder key is made for one agent',
        `POST ${KEYS}`,
        '201',
        {
          body: { role: 'holder', subject_commitment: AGENT, name: 'an agent' },
          contains: ['"role":"holder"', AGENT],
        },
      ],
      [
        'a holder key without an agent is refused',
        `POST ${KEYS}`,
        '400 validation_error: subject_commitment',
        { body: { role: 'holder' } },
      ],
      [
        'an issuer key with an agent is refused',
        `POST ${KEYS}`,
        '400 validation_error: subject_commitment',
        { body: { subject_commitment: AGENT } },
      ],
      [
        'a holder key that administers is refused',
        `POST ${KEYS}`,
        '400 validation_error: admin',
        { body: { role: 'holder', subject_commitment: AGENT, admin: true } },
      ],
      [
        'members that are unknown or of a wrong type are refused by name',
        `POST ${KEYS}`,
        '400 validation_error: role, admin, colour, scope.max_credits, scope.all',
        { body: { role: 'owner', admin: 'yes', colour: 'red', scope: { max_credits: -1, all: true } } },
      ],
      ['an admin key is made by an admin', `POST ${KEYS}`, '201', { body: { admin: true } }],
      [
        'an admin key is not made by one who is no admin',
        `POST ${KEYS}`,
        '403 forbidden',
        { by: 'other', body: { admin: true } },
      ],
      [
        'a list with a cursor of nobody is refused',
        `GET ${KEYS}?cursor=AAAA`,
        '400 validation_error: cursor',
      ],
      [
        'a list with a cursor of no form is refused',
        `GET ${KEYS}?cursor=%2e%2e`,
        '400 validation_error: cursor',
      ],
      ['the list shows no key', `GET ${KEYS}`, '200', { contains: ['"keyHash":"'], lacks: ['pp_'] }],
      ['deleting a key that is none is not found', `DELETE ${KEYS}/x`, '404'],
      ["deleting another operator's key is not found", () => `DELETE ${KEYS}/${hashOf(app.otherKey)}`, '404'],
      [
        'deleting the last issuer key is refused',
        () => `DELETE ${KEYS}/${hashOf(app.otherKey)}`,
        '409 conflict',
        { by: 'other' },
      ],
    ],
  );

  test('a key can only grant its own scopes to another key', async () => {
    const scope = { max_credits: 10, products: ['a', 'b'], expires_at: '2030-01-01T00:00:00Z' };
    const scoped = by((await made({ scope })).api_key);
    for (const wider of [
      undefined,
      { ...scope, max_credits: 11 },
      { ...scope, products: ['a', 'c'] },
      { max_credits: 10, expires_at: scope.expires_at },
      { ...scope, expires_at: '2030-01-01T00:00:01Z' },
    ]) {
      const { status } = await scoped.post(KEYS, wider === undefined ? {} : { scope: wider });
      expect([wider, status]).toEqual([wider, 403]);
    }
    const narrower = { max_credits: 1, products: ['a'], expires_at: '2029-12-31T23:59:59Z' };
    const { status, body } = await scoped.post(KEYS, { scope: narrower });
    expect([status, body.scope]).toEqual([201, narrower]);
  });

  test('a deleted key is invalid immediately, even under load, and is not listed', async () => {
    const key = await made({ name: 'to be deleted' });
    const caller = by(key.api_key);
    const before = await Promise.all(Array.from({ length: 20 }, () => caller.get('/api/v1/receipts')));
    expect(before.every(({ status }) => status === 200)).toBe(true);
    const racing = Array.from({ length: 50 }, () => caller.get('/api/v1/receipts'));
    expect((await app.own.call('DELETE', `${KEYS}/${key.keyHash}`)).body).toEqual({
      keyHash: key.keyHash,
      deleted: true,
    });
    await Promise.all(racing);
    expect((await caller.get('/api/v1/receipts')).status).toBe(401);
    expect((await app.own.call('DELETE', `${KEYS}/${key.keyHash}`)).status).toBe(404);
    const { body } = await app.own.get(`${KEYS}?limit=100`);
    expect(JSON.stringify(body)).not.toContain(String(key.keyHash));
  });

  test('of the last two that are deleted at once, one stays', async () => {
    const second = await made({}, app.other);
    const first = hashOf(app.otherKey);
    const responses = await Promise.all(
      [first, second.keyHash].map((keyHash) => by(second.api_key).call('DELETE', `${KEYS}/${keyHash}`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const stays = by(responses[0]?.status === 200 ? second.api_key : app.otherKey);
    expect((await stays.get('/api/v1/operator/status')).body.apiKeyCount).toBe(1);
  });

  test('pages hold every key once, newest first', async () => {
    const seen: unknown[] = [];
    let cursor: unknown = '';
    while (cursor !== null) {
      const { body } = await app.own.get(`${KEYS}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...(Array.isArray(body.api_keys) ? body.api_keys : []));
      cursor = body.next_cursor;
    }
    const { body } = await app.own.get(`${KEYS}?limit=100`);
    expect(seen).toEqual(Array.isArray(body.api_keys) ? body.api_keys : []);
    expect(seen.length).toBeGreaterThan(3);
  });

  test('last_used_at follows the use of a key', async () => {
    const key = await made({ name: 'used' });
    await by(key.api_key).get('/api/v1/operator/status');
    await app.own.issue();
    const { body } = await app.own.get(`${KEYS}?limit=100`);
    const rows: Record<string, unknown>[] = Array.isArray(body.api_keys) ? body.api_keys : [];
    expect(rows.find(({ keyHash }) => keyHash === key.keyHash)?.last_used_at).toMatch(/^20\d\d-.*Z$/);
  });
});

describe('a holder key', () => {
  test('has access only to the receipts of its own agent', async () => {
    const holder = by((await made({ role: 'holder', subject_commitment: AGENT })).api_key);
    const own = await holder.issue({ agent_id: AGENT });
    expect(own.status).toBe(201);
    const others = await app.own.issue({ agent_id: 'another' });
    const id = String(others.body.receipt_id);
    const refused = [
      holder.issue({ agent_id: 'another' }),
      holder.get(`/api/v1/receipts/${id}`),
      holder.finalize(id, { status: 'success', output_hash: DIGEST }),
      holder.revoke(id),
      holder.get('/api/v1/receipts?agent_id=another'),
      holder.get('/api/v1/operator/status'),
      holder.get(KEYS),
      holder.post(KEYS, {}),
      holder.post(KEYS, '{"bad'),
      holder.call('DELETE', `${KEYS}/${'0'.repeat(64)}`),
    ];
    for (const { status, body } of await Promise.all(refused)) {
      expect([status, body.reason_code]).toEqual([403, 'forbidden']);
    }
    expect((await app.own.get(`/api/v1/receipts/${id}`)).body.status).toBe('pending');
    const { body } = await holder.get('/api/v1/receipts');
    const rows: Record<string, unknown>[] = Array.isArray(body.receipts) ? body.receipts : [];
    expect(rows.map(({ agent_id }) => agent_id)).toEqual([AGENT]);
    expect((await holder.get(`/api/v1/receipts/${own.body.receipt_id}`)).status).toBe(200);
    expect(
      (await holder.finalize(own.body.receipt_id, { status: 'success', output_hash: DIGEST })).status,
    ).toBe(200);
    expect((await holder.revoke(own.body.receipt_id)).status).toBe(200);
  });
});

describe('a session', () => {
  const withCookie = (
    method: string,
    path: string,
    cookie: string,
    headers: Record<string, string> = {},
    body?: object,
  ) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { cookie, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const open = async (key: string) => {
    const response = await app.fetch(
      new Request(`http://localhost${SESSION}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      }),
    );
    expect(response.status).toBe(201);
    return response.headers.get('set-cookie') ?? '';
  };

  test('has the rights of its key; a write needs proof that no other site sent it', async () => {
    const set = await open(app.apiKey);
    expect(set).toMatch(/^session_token=ses_[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/i);
    const cookie = set.split(';')[0] ?? '';
    expect((await withCookie('GET', '/api/v1/operator/status', cookie)).status).toBe(200);
    const bare = await withCookie('POST', '/api/v1/receipts', cookie, {}, issueBody());
    expect([bare.status, JSON.parse(await bare.text()).reason_code]).toEqual([403, 'forbidden']);
    const proof = { 'x-requested-with': 'fetch' };
    expect((await withCookie('POST', '/api/v1/receipts', cookie, proof, issueBody())).status).toBe(201);
    expect((await withCookie('DELETE', SESSION, cookie)).status).toBe(403);
    const ended = await withCookie('DELETE', SESSION, cookie, proof);
    expect([ended.status, ended.headers.get('set-cookie')?.startsWith('session_token=;')]).toEqual([
      200,
      true,
    ]);
    expect((await withCookie('GET', '/api/v1/operator/status', cookie)).status).toBe(401);
    expect((await app.own.call('DELETE', SESSION)).status).toBe(404);
  });

  test('ends with its key, and does not replace a wrong key in the same request', async () => {
    const key = await made({});
    const cookie = (await open(String(key.api_key))).split(';')[0] ?? '';
    expect((await withCookie('GET', '/api/v1/operator/status', cookie)).status).toBe(200);
    const both = await withCookie('GET', '/api/v1/operator/status', cookie, { authorization: 'Bearer pp_x' });
    expect(both.status).toBe(401);
    await app.own.call('DELETE', `${KEYS}/${key.keyHash}`);
    expect((await withCookie('GET', '/api/v1/operator/status', cookie)).status).toBe(401);
  });

  test('cannot open another session', async () => {
    const opened = await app.own.post(SESSION);
    const cookie = String(opened.headers.get('set-cookie')).split(';')[0] ?? '';
    const again = await app.anyone.post(SESSION, undefined, { cookie, 'x-requested-with': 'x' });
    expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null]);
  });

  test('is opened by no holder key', async () => {
    const holder = await made({ role: 'holder', subject_commitment: 'ab'.repeat(32) });
    const response = await client(app.fetch, 'http://localhost', String(holder.api_key)).post(SESSION);
    expect([response.status, response.body.reason_code, response.headers.get('set-cookie')]).toEqual([
      403,
      'forbidden',
      null,
    ]);
    const opened = app.service.trust.store.writeAsService(({ connection }) => {
      connection.sqlite.run(
        `INSERT INTO session SELECT zeroblob(32), unhex(?), '2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z'`,
        [String(holder.keyHash)],
      );
    });
    await expect(opened).rejects.toThrow('a holder key opens no session');
  });

  test('is not made by a cookie of another form', async () => {
    for (const cookie of [
      'session_token=',
      'session_token=x',
      `session_token=ses_${'0'.repeat(64)}`,
      '=;;=,',
    ]) {
      expect((await withCookie('GET', '/api/v1/operator/status', cookie)).status).toBe(401);
    }
  });
});

describe('a suspended or closed operator', () => {
  /** What its keys may still write, by role. */
  const PROTECTIVE = [
    'DELETE /api/v1/operator/api-keys/{keyHash}',
    'DELETE /api/v1/operator/session',
    // Whoever pays for a subscription may end it.
    'POST /api/v1/account/billing-portal',
    // Only one that a debt suspended.
    'POST /api/v1/account/topup',
    'POST /api/v1/operator/session',
    'POST /api/v1/receipts/{id}/revoke',
  ];
  /** A session that was opened before can be ended. */
  const OF_HOLDERS = ['DELETE /api/v1/operator/session'];

  async function status(id: string, accountStatus: 'SUSPENDED' | 'CLOSED' | 'ACTIVE') {
    await app.service.trust.store.writeAsService((tx) => {
      const { sqlite } = tx.connection;
      sqlite.query('UPDATE operator SET account_status = ? WHERE operator_id = ?').run(accountStatus, id);
      app.service.trust.principals.changedIn(tx);
    });
  }

  test.each(['SUSPENDED', 'CLOSED'] as const)(
    '%s, is refused every write but those that protect it',
    async (state) => {
      const { operator_id: id, api_key: key } = await createOperator(app.service.trust, {
        name: null,
        admin: false,
      });
      const agent = 'ef'.repeat(32);
      const holder = await made({ role: 'holder', subject_commitment: agent }, by(key));
      await status(id, state);
      const writes = await keyedWrites(app);
      expect(writes.length).toBeGreaterThan(10);
      // Issuing is refused by the gate, which says why.
      for (const [caller, allowed] of [
        [by(key), [...PROTECTIVE, 'POST /api/v1/receipts']],
        [by(holder.api_key), [...OF_HOLDERS, 'POST /api/v1/receipts']],
      ] as const) {
        expect(await writesNotRefused(caller, writes, agent, 'forbidden')).toEqual(allowed.toSorted());
      }
    },
  );

  test.each(['SUSPENDED', 'CLOSED'] as const)(
    '%s, deletes keys, revokes receipts and ends sessions',
    async (state) => {
      const { operator_id: id, api_key: key } = await createOperator(app.service.trust, {
        name: null,
        admin: false,
      });
      const caller = by(key);
      const agent = 'ef'.repeat(32);
      const [stolen, holder] = [
        await made({}, caller),
        await made({ role: 'holder', subject_commitment: agent }, caller),
      ];
      const receipts = [(await caller.issue()).body, (await caller.issue({ agent_id: agent })).body];
      const opened = await caller.post(SESSION);
      const cookie = String(opened.headers.get('set-cookie')).split(';')[0] ?? '';
      await status(id, state);
      // An attacker who has the operator's other key must not go on, nor a holder key take away what is not
      // its own to judge.
      expect((await by(stolen.api_key).issue()).body.reason).toBe('OPERATOR_SUSPENDED');
      expect((await by(holder.api_key).revoke(receipts[1]?.receipt_id)).status).toBe(403);
      expect((await by(holder.api_key).call('DELETE', `${KEYS}/${holder.keyHash}`)).status).toBe(403);
      expect((await caller.call('DELETE', `${KEYS}/${stolen.keyHash}`)).status).toBe(200);
      expect((await by(stolen.api_key).get('/api/v1/operator/status')).status).toBe(401);
      for (const { receipt_id } of receipts) {
        expect(await caller.revoke(receipt_id)).toMatchObject({
          status: 200,
          body: { revocation_status: 'revoked' },
        });
      }
      const ended = await app.anyone.call('DELETE', SESSION, undefined, { cookie, 'x-requested-with': 'x' });
      expect(ended.status).toBe(200);
      const own = new Bun.CryptoHasher('sha256').update(key).digest('hex');
      expect((await caller.call('DELETE', `${KEYS}/${own}`)).status).toBe(409);
      expect((await caller.post(KEYS, {})).status).toBe(403);
    },
  );

  test('reads, and does what it did once it is active again', async () => {
    const id = app.service.firstStart.operatorId;
    const { body } = await app.own.issue();
    await setAccountStatus(app.service.trust, id, 'SUSPENDED');
    const finalized = await app.own.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST });
    expect([finalized.status, finalized.body.reason_code]).toEqual([403, 'forbidden']);
    const issued = await app.own.issue();
    expect([issued.status, issued.body]).toMatchObject([
      403,
      { reason_code: 'gate_denied', reason: 'OPERATOR_SUSPENDED' },
    ]);
    expect((await app.own.get('/api/v1/receipts')).status).toBe(200);
    expect((await app.own.get('/api/v1/operator/status')).body).toMatchObject({
      accountStatus: 'SUSPENDED',
      tier: 'SUSPENDED',
    });
    await setAccountStatus(app.service.trust, id, 'ACTIVE');
    expect((await app.own.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST })).status).toBe(
      200,
    );
  });
});

describe('a body that is no JSON object:', () => {
  test.each(['[]', 'null', '"x"', '5', 'true', '[1]'])(
    '%s makes no key, revokes nothing, opens no session',
    async (raw) => {
      const { receipt_id } = (await app.own.issue()).body;
      for (const path of [KEYS, SESSION, `/api/v1/receipts/${receipt_id}/revoke`]) {
        const { status, body } = await app.own.call('POST', path, raw);
        expect([path, status, body.issues]).toEqual([path, 400, { body: ['must be object'] }]);
      }
      expect((await app.own.revoke(receipt_id, {})).status).toBe(200);
    },
  );
});

describe('an Idempotency-Key', () => {
  const post = async (path: string, key: string, body: unknown, caller = app.apiKey) => {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${caller}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      }),
    );
    const responseBody: Record<string, unknown> = JSON.parse(await response.text());
    return {
      status: response.status,
      body: responseBody,
      replayed: response.headers.get('idempotency-replayed'),
    };
  };

  test('repeats the first response to the same request, in any formatting of its body', async () => {
    const first = await post('/api/v1/receipts', 'one', issueBody());
    expect([first.status, first.replayed]).toEqual([201, null]);
    const reversed = Object.fromEntries(Object.entries(issueBody()).reverse());
    const again = await post('/api/v1/receipts', 'one', reversed);
    expect(again).toEqual({ ...first, replayed: 'true' });
    const other = await post('/api/v1/receipts', 'one', issueBody({ agent_id: 'another' }));
    expect([other.status, other.body.reason_code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('takes no body and an empty one for the same request; a path has one spelling', async () => {
    const { status, body } = await post(KEYS, 'empty', {});
    const bare = await app.own.call('POST', KEYS, undefined, { 'idempotency-key': 'empty' });
    expect([status, bare.status, bare.body.keyHash]).toEqual([201, 201, body.keyHash]);
    expect((await app.own.call('POST', '/api/v1/receipts/', issueBody())).status).toBe(404);
  });

  test('is scoped to key, method and path', async () => {
    const first = await post('/api/v1/receipts', 'scoped', issueBody());
    const second = await made({});
    const others = await post('/api/v1/receipts', 'scoped', issueBody(), String(second.api_key));
    expect([others.status, others.replayed]).toEqual([201, null]);
    expect(others.body.receipt_id).not.toBe(first.body.receipt_id);
    const outcome = { status: 'success', output_hash: DIGEST };
    const path = `/api/v1/receipts/${first.body.receipt_id}/finalize`;
    const finalized = await post(path, 'scoped', outcome);
    expect([finalized.status, finalized.replayed]).toEqual([200, null]);
    expect((await post(path, 'scoped', outcome)).body).toEqual(finalized.body);
    expect((await post(path, 'other', outcome)).status).toBe(409);
    const revoke = `/api/v1/receipts/${first.body.receipt_id}/revoke`;
    expect((await post(revoke, 'r', {})).status).toBe(200);
    expect(await post(revoke, 'r', {})).toMatchObject({ status: 200, replayed: 'true' });
    expect((await post(revoke, 's', {})).status).toBe(409);
  });

  test('that a hundred requests send at once makes one receipt', async () => {
    const before = (await app.own.get('/api/v1/operator/status')).body.receiptCount;
    const good = await concurrently(Array.from({ length: 100 }), 100, () =>
      post('/api/v1/receipts', 'at-once', issueBody()),
    );
    expect(new Set(good.map(({ body }) => body.receipt_id)).size).toBe(1);
    expect(good.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    const after = (await app.own.get('/api/v1/operator/status')).body.receiptCount;
    expect(Number(after) - Number(before)).toBe(1);
  });

  test('stores no secret: it is null in the replay of a new API key', async () => {
    const first = await post(KEYS, 'new-key', { name: 'replayed' });
    const again = await post(KEYS, 'new-key', { name: 'replayed' });
    expect(again).toEqual({ status: 201, body: { ...first.body, api_key: null }, replayed: 'true' });
  });

  test('of a refused request can be used again, and one of no form is refused', async () => {
    expect(
      (await post('/api/v1/receipts', 'bad', issueBody({ expiry: '2020-01-01T00:00:00Z' }))).status,
    ).toBe(400);
    expect((await post('/api/v1/receipts', 'bad', issueBody())).status).toBe(201);
    for (const key of ['', 'a b', 'x'.repeat(256)]) {
      const { status, body } = await post('/api/v1/receipts', key, issueBody());
      expect([status, Object.keys(Object(body.issues))]).toEqual([400, ['Idempotency-Key']]);
    }
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { concurrently } from '../../../support/client.ts';
import type { StaffingCode } from '../../../support/error-codes.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import {
  ADMIN,
  openStaffingApp,
  PREFIX,
  refusalOf,
  type StaffingApp,
} from '../../../support/staffing-app.ts';

let app: StaffingApp;
beforeAll(async () => {
  app = await openStaffingApp();
});
afterAll(() => app.close());

const signUp = (email: unknown, more: object = {}) =>
  app.anyone.post('/sandbox-keys', { email, company: 'Firm, Inc.', ...more });

describe('a sandbox key', () => {
  test('is issued immediately for a work address, and works', async () => {
    const { status, body } = await signUp('Ada.Lovelace@Engines.example');
    expect([status, body]).toEqual([
      201,
      {
        partner_id: expect.stringMatching(/^ptr_[0-9a-f]{32}$/),
        tier: 'sandbox',
        api_key: expect.stringMatching(/^mpk_test_[0-9A-Za-z]{40}$/),
        scopes: ['registry:read', 'jobs:read', 'jobs:write'],
        // The tests run without rate limits.
        limits: { requests_per_minute: 0, stored_requisitions: 25 },
      },
    ]);
    const me = await app.keyed(String(body.api_key)).get('/me');
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({
      account: { partner_id: body.partner_id, name: 'Firm, Inc.', email: 'ada.lovelace@engines.example' },
      tier: 'sandbox',
      key: { prefix: 'mpk_test_', last4: String(body.api_key).slice(-4) },
      registry: { records: 20_000, sample: true },
      usage: { requests_this_minute: 1, requests_today: 1, requests_total: 1, stored_requisitions: 0 },
    });
    expect(JSON.stringify(me.body)).not.toContain(String(body.api_key));
    expect(app.logged()).not.toContain(String(body.api_key));
  });

  const refused = (what: string, expected: Scenario<StaffingApp>[2], body: object): Scenario<StaffingApp> => [
    `is not given for ${what}`,
    `POST ${PREFIX}/sandbox-keys`,
    expected,
    { body: { email: 'a@one.example', company: 'Firm, Inc.', ...body } },
  ];
  const PRIVATE = '400 WORK_EMAIL_REQUIRED';
  const NONE = '400 VALIDATION_FAILED';
  const LABELS = ['b', 'c', 'd'].map((letter) => letter.repeat(63)).join('.');
  scenarios<StaffingApp>(
    () => app,
    [
      refused('a free provider', PRIVATE, { email: 'somebody@gmail.com' }),
      refused('a subdomain of a free provider', PRIVATE, { email: 'somebody@mail.gmail.com' }),
      refused('a free provider in upper case', PRIVATE, { email: 'Somebody@GMX.DE' }),
      refused('no address', NONE, { email: 'somebody' }),
      refused('two addresses', NONE, { email: 'a@firm.example,b@firm.example' }),
      refused('a line of a mail', NONE, { email: 'a@firm.example\r\nBcc: b@firm.example' }),
      refused('an address without a domain', NONE, { email: 'a@' }),
      refused('a domain without a dot', NONE, { email: 'a@localhost' }),
      refused('an address of a machine', NONE, { email: 'a@127.0.0.1' }),
      refused('an address with a dot at its beginning', NONE, { email: '.a@firm.example' }),
      refused('an address with two dots', NONE, { email: 'a..b@firm.example' }),
      refused('a free provider of another list', PRIVATE, { email: 'a@tutanota.com' }),
      refused('a number', NONE, { email: 7 }),
      refused('nothing', NONE, { email: undefined }),
      refused('an address of 255 characters', NONE, { email: `${'a'.repeat(64)}@${LABELS}.example` }),
      refused('an empty company', '400 VALIDATION_FAILED: company', { company: '' }),
      refused('a blank company', '400 VALIDATION_FAILED: company', { company: '   ' }),
      refused('a request for scopes', '400 VALIDATION_FAILED: scopes', { scopes: [] }),
    ],
    { by: 'anyone' },
  );

  test('is issued once for an address, in any spelling, for ten concurrent requests', async () => {
    const responses = await concurrently([...Array(10).keys()], 10, (index) =>
      signUp(index % 2 === 0 ? 'same@firm.test' : 'SAME@Firm.Test'),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(refusalOf(response)).toEqual([409, 'ACCOUNT_EXISTS', []]);
    }
  });
});

describe('a caller', () => {
  const as = (authorization: string) =>
    app.fetch(new Request(`http://localhost${PREFIX}/me`, { headers: { authorization } }));
  const wrong: [what: string, authorization: string | null, code: StaffingCode][] = [
    ['no key', null, 'MISSING_KEY'],
    ['a key of the other product', 'Bearer sk_live_abc', 'WRONG_KEY_TYPE'],
    ['an unknown scheme', 'Basic abc', 'INVALID_KEY'],
    ['nothing behind Bearer', 'Bearer ', 'INVALID_KEY'],
    ['a key that is too short', 'Bearer mpk_test_abc', 'INVALID_KEY'],
    ['a key of another prefix', `Bearer mpk_prod_${'a'.repeat(40)}`, 'INVALID_KEY'],
    ['the admin token', `Bearer ${ADMIN}`, 'INVALID_KEY'],
  ];
  const paths = ['/me', '/keys', '/clinicians/search', '/clinicians/2000000006', '/specialties', '/jobs'];
  scenarios<StaffingApp>(
    () => app,
    wrong.flatMap(([what, authorization, code]) =>
      paths.map(
        (path): Scenario<StaffingApp> => [
          `with ${what} is refused at ${path}`,
          `GET ${PREFIX}${path}`,
          `401 ${code}`,
          authorization === null ? {} : { headers: { authorization } },
        ],
      ),
    ),
    {
      by: 'anyone',
      responseHeaders: { 'www-authenticate': expect.stringMatching(/^Bearer/), 'x-ratelimit-limit': null },
    },
  );

  test('with one character of the key mistyped, wherever, is refused', async () => {
    const key = app.ownKey;
    for (let place = 'mpk_test_'.length; place < key.length; place++) {
      const other = key[place] === 'a' ? 'b' : 'a';
      const response = await as(`Bearer ${key.slice(0, place)}${other}${key.slice(place + 1)}`);
      expect([place, response.status, Object(await response.json()).error.code]).toEqual([
        place,
        401,
        'INVALID_KEY',
      ]);
    }
  });

  test('gets a request id of the service with every response, and none that it sent', async () => {
    const own = await app.own.call('GET', '/me', undefined, { 'x-request-id': 'mine' });
    const refused = await app.anyone.call('GET', '/me', undefined, { 'x-request-id': 'mine' });
    for (const { headers } of [own, refused]) {
      expect(headers.get('x-request-id')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
    expect(Object(refused.body.error).request_id).toBe(refused.headers.get('x-request-id'));
  });

  test('is authenticated before its body is parsed', async () => {
    for (const body of ['{', '{}', '[1', '"x"']) {
      expect(refusalOf(await app.anyone.call('POST', '/jobs', body))).toEqual([401, 'MISSING_KEY', []]);
      expect(refusalOf(await app.own.call('POST', '/admin/jobs/x/status', body))[1]).toBe(
        'INVALID_ADMIN_TOKEN',
      );
    }
  });
});

describe('the keys of a partner', () => {
  test('are two of a tier at most, rotate, and the last one stays', async () => {
    const first = (await signUp('rotate@firm.test')).body;
    const caller = app.keyed(String(first.api_key));
    const second = await caller.post('/keys');
    expect([second.status, second.body.scopes]).toEqual([201, first.scopes]);
    expect(refusalOf(await caller.post('/keys'))).toEqual([409, 'KEY_LIMIT_REACHED', []]);
    const { body } = await caller.get('/keys');
    expect(Object(body).data.map(({ id }: { id: string }) => id)[0]).toBe(second.body.id);
    const firstId = Object(body).data[1].id;
    const next = app.keyed(String(second.body.api_key));
    expect((await next.call('DELETE', `/keys/${firstId}`)).body.revoked_at).toBeString();
    expect(refusalOf(await caller.get('/me'))).toEqual([401, 'KEY_REVOKED', []]);
    expect((await next.call('DELETE', `/keys/${firstId}`)).status).toBe(200);
    expect(refusalOf(await next.call('DELETE', `/keys/${second.body.id}`))).toEqual([409, 'LAST_KEY', []]);
    expect(refusalOf(await app.other.call('DELETE', `/keys/${second.body.id}`))).toEqual([
      404,
      'NOT_FOUND',
      [],
    ]);
    const listed = await next.get('/keys?limit=1');
    expect(listed.body).toMatchObject({ has_more: true, data: [{ id: second.body.id }] });
    const rest = await next.get(`/keys?limit=1&cursor=${listed.body.next_cursor}`);
    expect(rest.body).toMatchObject({ has_more: false, next_cursor: null, data: [{ id: firstId }] });
    expect(refusalOf(await app.other.get(`/keys?cursor=${listed.body.next_cursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
      [],
    ]);
  });

  test('stop at the limit when ten are requested concurrently', async () => {
    const { api_key } = (await signUp('ten@firm.test')).body;
    const responses = await concurrently([...Array(10)], 10, () => app.keyed(String(api_key)).post('/keys'));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('cannot grant scopes that they lack', async () => {
    const { api_key } = (await signUp('narrow@firm.test')).body;
    const caller = app.keyed(String(api_key));
    const narrow = await caller.post('/keys', { scopes: ['registry:read'] });
    const reader = app.keyed(String(narrow.body.api_key));
    expect((await reader.get('/specialties?query=cardio')).status).toBe(200);
    expect(refusalOf(await reader.get('/jobs'))).toEqual([403, 'SCOPE_MISSING', []]);
    expect(refusalOf(await reader.submit())).toEqual([403, 'SCOPE_MISSING', []]);
    const wideId = Object((await caller.get('/me')).body.key).id;
    expect(refusalOf(await reader.call('DELETE', `/keys/${wideId}`))).toEqual([403, 'SCOPE_MISSING', []]);
    expect((await caller.get('/me')).status).toBe(200);
    await caller.call('DELETE', `/keys/${wideId}`);
    expect(refusalOf(await reader.post('/keys', { scopes: ['jobs:read'] }))).toEqual([
      403,
      'SCOPE_MISSING',
      [],
    ]);
    for (const scopes of [[], ['all'], 'registry:read', ['registry:read', 7]]) {
      expect(refusalOf(await reader.post('/keys', { scopes }))[1]).toBe('VALIDATION_FAILED');
    }
  });

  test('with an Idempotency-Key are created once, and their secrets are not stored', async () => {
    const { api_key } = (await signUp('once@firm.test')).body;
    const caller = app.keyed(String(api_key));
    const once = { 'idempotency-key': 'k1' };
    const first = await caller.post('/keys', {}, once);
    const again = await caller.post('/keys', {}, once);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual({ ...first.body, api_key: null });
    const other = await caller.post('/keys', { scopes: ['jobs:read'] }, once);
    expect(refusalOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT', []]);
  });
});

describe('the administrator of partners', () => {
  test('promotes a partner once: the id stays, the sandbox goes on, nothing mixes', async () => {
    const { partner_id, api_key } = (await signUp('grow@firm.test')).body;
    const sandbox = app.keyed(String(api_key));
    const job = (await sandbox.submit()).body;
    const promoted = await app.admin.post(`/admin/partners/${partner_id}/promote`);
    expect(promoted.body.api_key).toMatch(/^mpk_live_[0-9A-Za-z]{40}$/);
    const live = app.keyed(String(promoted.body.api_key));
    expect((await live.get('/me')).body).toMatchObject({
      account: { partner_id },
      tier: 'live',
      limits: { requests_per_minute: 0, stored_requisitions: null },
    });
    expect(refusalOf(await live.get(`/jobs/${job.id}`))).toEqual([404, 'NOT_FOUND', []]);
    expect((await sandbox.get(`/jobs/${job.id}`)).status).toBe(200);
    const again = await app.admin.post(`/admin/partners/${partner_id}/promote`);
    expect(refusalOf(again)).toEqual([409, 'INVALID_STATE', []]);
    expect(Object((await sandbox.get('/keys')).body).data).toHaveLength(1);
    const revoked = await app.admin.post(`/admin/partners/${partner_id}/revoke`);
    expect(Object(revoked.body).keys.every((key: { revoked_at: unknown }) => key.revoked_at !== null)).toBe(
      true,
    );
    for (const caller of [sandbox, live]) {
      expect(refusalOf(await caller.get('/me'))).toEqual([401, 'KEY_REVOKED', []]);
    }
  });

  test('is authenticated only by the token', async () => {
    for (const caller of [app.own, app.live, app.anyone, app.keyed(`adm_${'00'.repeat(32)}`)]) {
      for (const [method, path] of [
        ['GET', '/admin/partners'],
        ['POST', `/admin/partners/${app.partnerId}/promote`],
        ['POST', `/admin/partners/${app.partnerId}/revoke`],
        ['GET', '/admin/jobs'],
        ['POST', '/admin/jobs/req_x/status'],
      ] as const) {
        expect(refusalOf(await caller.call(method, path))).toEqual([401, 'INVALID_ADMIN_TOKEN', []]);
      }
    }
    const wrong = await app.keyed('sk_live_x').get('/admin/partners');
    expect(refusalOf(wrong)).toEqual([401, 'WRONG_KEY_TYPE', []]);
    for (const raw of ['"key_x"', 'null', '[]']) {
      const { status } = await app.admin.call('POST', `/admin/partners/${app.partnerId}/revoke`, raw);
      expect([raw, status, (await app.own.get('/me')).status]).toEqual([raw, 400, 200]);
    }
    for (const id of ['ptr_x', `ptr_${'0'.repeat(32)}`]) {
      expect(refusalOf(await app.admin.post(`/admin/partners/${id}/promote`))).toEqual([
        404,
        'NOT_FOUND',
        [],
      ]);
    }
  });

  test('sees every partner once, page by page', async () => {
    const found: string[] = [];
    let path = '/admin/partners?limit=2';
    for (;;) {
      const { body } = await app.admin.get(path);
      found.push(...Object(body).data.map(({ partner_id }: { partner_id: string }) => partner_id));
      if (body.next_cursor === null) break;
      path = `/admin/partners?limit=2&cursor=${body.next_cursor}`;
    }
    expect(found).toContain(app.partnerId);
    expect(new Set(found).size).toBe(found.length);
    expect(JSON.stringify((await app.admin.get('/admin/partners?limit=100')).body)).not.toContain(app.ownKey);
  });
});

describe('the allowances of a partner', () => {
  let limited: StaffingApp;
  afterEach(() => limited.close());

  test('are shared by its keys, and are in every response', async () => {
    limited = await openStaffingApp({ rate_limits: 'on', 'limits.sandbox': '5' });
    const second = await limited.own.post('/keys');
    const callers = [limited.own, limited.keyed(String(second.body.api_key))];
    for (let turn = 1; turn < 5; turn++) {
      const { status, headers } = await (callers[turn % 2] ?? limited.own).get(
        turn === 2 ? '/jobs/none' : '/me',
      );
      expect(status).toBe(turn === 2 ? 404 : 200);
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
        '5',
        String(4 - turn),
      ]);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"sandbox";r=${4 - turn};t=\\d+$`));
      expect(Number(headers.get('x-ratelimit-reset')) * 1000).toBeWithin(Date.now(), Date.now() + 61_000);
    }
    for (const caller of callers) {
      const refused = await caller.get('/clinicians/search');
      expect(refusalOf(refused)).toEqual([429, 'RATE_LIMITED', []]);
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    }
    // Of the live tier, and of another partner, nothing was used; and a refused call counts in no figure.
    const { usage, limits } = Object((await limited.live.get('/me')).body);
    expect(limits.requests_per_minute).toBe(600);
    expect(usage).toMatchObject({ requests_this_minute: 1, requests_total: 1 });
    expect((await limited.other.get('/me')).status).toBe(200);
    const figures = await limited.service.staffing.meter.usage({
      partnerSeq: 1,
      tier: 'sandbox',
    });
    expect(figures).toEqual({ requests_this_minute: 5, requests_today: 5, requests_total: 5 });
  });

  test('are counted once, over writing the usage down', async () => {
    limited = await openStaffingApp();
    for (let turn = 0; turn < 3; turn++) await limited.own.get('/me');
    await limited.service.staffing.meter.flush();
    for (let turn = 0; turn < 2; turn++) await limited.own.get('/me');
    for (const { run } of (await limited.service.background()).tasks) await run();
    expect(Object((await limited.own.get('/me')).body).usage).toMatchObject({
      requests_this_minute: 6,
      requests_today: 6,
      requests_total: 6,
    });
  });

  test('are not all: new accounts are limited by client address', async () => {
    limited = await openStaffingApp({ rate_limits: 'on', 'limits.sandbox_keys': '2' });
    const from = (peer: string, email: string) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, company: 'x' }),
      };
      return limited.fetch(new Request(`http://localhost${PREFIX}/sandbox-keys`, init), peer);
    };
    const statuses = [];
    for (const [index, peer] of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '198.51.100.1'].entries()) {
      statuses.push((await from(peer, `a${index}@firm.test`)).status);
    }
    expect(statuses).toEqual([201, 201, 429, 201]);
  });
});

test('a body of more than 20000 members and elements is VALIDATION_FAILED, and the message gives the limit', async () => {
  const body = `{"email":[${'0,'.repeat(20_000)}0]}`;
  expect(await app.anyone.post('/sandbox-keys', body)).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'VALIDATION_FAILED',
        message: expect.stringMatching(
          /^The body must have at most 20000 members and elements together\. A member /,
        ),
      },
    },
  });
});

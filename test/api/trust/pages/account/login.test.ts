import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Visitor } from '../../../../support/account.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
beforeAll(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
});
afterAll(() => app.close());

const visitor = (headers?: Record<string, string>) => new Visitor(app.fetch, headers);

describe('the login', () => {
  test('opens a session for a key, which no page shows again', async () => {
    const person = visitor();
    const first = await person.get('/account');
    expect([first.status, first.text.includes('name="api_key"')]).toEqual([200, true]);
    const login = await person.post('/account/login', { api_key: ` ${app.apiKey}\n` });
    expect([login.status, login.location]).toEqual([303, '/account']);
    const [cookie = ''] = login.headers.getSetCookie();
    expect(cookie).toMatch(
      /^session_token=ses_[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const page = await person.get('/account');
    expect([page.status, page.text.includes(app.service.firstStart.operatorId)]).toEqual([200, true]);
    expect(page.text).not.toContain(app.apiKey);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self'; frame-ancestors 'none'",
    );
  });

  test('refuses what is no key of an operator, without repeating it', async () => {
    const wrong = [
      '',
      'pp_',
      `pp_${'0'.repeat(64)}`,
      'svc_1',
      '"><script>alert(1)</script>',
      'x'.repeat(5000),
    ];
    for (const api_key of wrong) {
      const response = await visitor().post('/account/login', { api_key });
      expect([api_key, response.status]).toEqual([api_key, 401]);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
      expect(response.headers.getSetCookie()).toEqual([]);
      if (api_key.length > 10) expect(response.text).not.toContain(api_key);
    }
  });

  test('refuses a holder key, and opens no session for it', async () => {
    const { body } = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: 'ab'.repeat(32),
    });
    const response = await visitor().post('/account/login', { api_key: String(body.api_key) });
    expect([response.status, response.text.includes('Use an issuer key')]).toEqual([403, true]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('is refused from another site, so that nobody is logged in as somebody else unnoticed', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const response = await visitor(headers).post('/account/login', { api_key: app.apiKey });
      expect([headers, response.status, response.headers.getSetCookie()]).toEqual([headers, 403, []]);
    }
    for (const headers of [{ origin: 'http://localhost' }, { 'sec-fetch-site': 'none' }, {}]) {
      expect((await visitor(headers).post('/account/login', { api_key: app.apiKey })).status).toBe(303);
    }
  });

  test('leads to the page that was asked for, and to none of another origin', async () => {
    const person = visitor();
    const asked = await person.get('/account/keys');
    expect(asked.text).toContain('name="next" value="/account/keys"');
    const targets: [string, string][] = [
      ['/account/keys', '/account/keys'],
      ['', '/account'],
      ['https://evil.example/account', '/account'],
      ['//evil.example/account', '/account'],
      ['/account//evil.example', '/account'],
      ['/account/../swagger', '/account'],
      ['/account\\evil', '/account'],
      ['/account?x=1', '/account'],
      ['/account/keys\r\nset-cookie: a=b', '/account'],
    ];
    for (const [next, location] of targets) {
      const response = await visitor().post('/account/login', { api_key: app.apiKey, next });
      expect([next, response.location]).toEqual([next, location]);
    }
  });

  test('takes only its form', async () => {
    const json = await app.fetch(
      new Request('http://localhost/account/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: app.apiKey }),
      }),
    );
    expect([json.status, json.headers.get('content-type')]).toEqual([415, 'text/html; charset=utf-8']);
    const twice: [string, string][] = [
      ['api_key', app.apiKey],
      ['api_key', app.otherKey],
    ];
    const responses = [
      await visitor().post('/account/login', twice),
      await visitor().post('/account/login', { api_key: app.apiKey, admin: 'true' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
    expect((await visitor().get('/account/login')).location).toBe('/account');
  });
});

describe('the session', () => {
  test('ends when the visitor logs out', async () => {
    const person = visitor();
    await person.logIn(app.apiKey);
    const token = person.cookies.get('session_token') ?? '';
    const out = await person.send('/account/logout');
    expect([out.status, out.location, person.cookies.size]).toEqual([303, '/account', 0]);
    person.cookies.set('session_token', token);
    const again = await person.get('/account');
    expect([again.status, again.text.includes('Your session has ended')]).toEqual([401, true]);
    expect(person.cookies.size).toBe(0);
  });

  test('expires after 12 hours, on every page and for every form', async () => {
    const person = visitor();
    await person.logIn(app.apiKey);
    const csrf_token = person.csrfToken;
    time.advance(12 * 3_600_000);
    const token = person.cookies.get('session_token') ?? '';
    const sent = await person.post('/account/keys', { csrf_token, name: 'late' });
    expect([sent.status, sent.text.includes('nothing was changed')]).toEqual([401, true]);
    person.cookies.set('session_token', token);
    expect((await person.get('/account/webhooks')).status).toBe(401);
  });

  test('ends with its key, even for a form that was loaded before', async () => {
    const { api_key, keyHash } = (await app.own.post('/api/v1/operator/api-keys', {})).body;
    const person = visitor();
    await person.logIn(String(api_key));
    await app.own.call('DELETE', `/api/v1/operator/api-keys/${keyHash}`);
    expect((await person.send('/account/keys', { name: 'mine' })).status).toBe(401);
  });

  test('of a page is needed, not a key in a header', async () => {
    const headers = { authorization: `Bearer ${app.apiKey}` };
    const response = await app.fetch(new Request('http://localhost/account/keys', { headers }));
    expect(await response.text()).toContain('name="api_key"');
  });
});

describe('wrong keys and cookies', () => {
  test('count against the limit of the address, and the page says so', async () => {
    const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_posts': '3' }, new VirtualTime());
    const person = new Visitor(limited.fetch);
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++)
      statuses.push((await person.post('/account/login', { api_key: `pp_${'0'.repeat(64)}` })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    const late = await person.post('/account/login', { api_key: 'pp_1' });
    expect([late.status, late.headers.get('retry-after') !== null]).toEqual([429, true]);
    expect(late.text).toContain('Too many wrong keys');
    await limited.close();
  });
});

test('a wrong method gets a page', async () => {
  const request = new Request('http://localhost/account', { method: 'DELETE' });
  const response = await app.fetch(request);
  expect([response.status, response.headers.get('content-type')]).toEqual([405, 'text/html; charset=utf-8']);
});

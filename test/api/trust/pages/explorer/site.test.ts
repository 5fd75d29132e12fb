import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Visitor } from '../../../../support/account.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { BROWSER, openPage, wordsOf } from '../../../../support/explorer.ts';
import { seenPage } from '../../../../support/page.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const PAGES = ['/', '/leaderboard', '/logs'];

describe('the explorer', () => {
  let app: TrustApp;
  beforeAll(async () => {
    app = await openTrustApp({ rate_limits: 'on', 'limits.public_reads': '30' });
  });
  afterAll(() => app.close());

  test.each(PAGES)('sends the page %s without a script, and the same page only once', async (path) => {
    const { status, headers, elements } = await openPage(app, path);
    expect([status, elements.get('h1'), elements.get('main')]).toEqual([200, 1, 1]);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src ('sha256-[\w+/=]+' ?){4}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('ratelimit-policy')).toContain('public-reads');
    const etag = headers.get('etag') ?? '';
    const again = await openPage(app, path, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test('shows one page of an error for what is unknown and what has no possible name', async () => {
    const { status, text, headers } = await openPage(app, '/logs?index=7&index=8');
    expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>The request is not valid</h1>');
    expect(text).toContain('role="search"');
  });

  test('ignores parameters that a page does not know', async () => {
    expect((await openPage(app, '/logs?utm_source=mail')).status).toBe(200);
  });

  test('counts pages as public reads', async () => {
    let limited = await openPage(app, '/logs');
    for (let tries = 0; limited.status === 200 && tries < 40; tries++) limited = await openPage(app, '/logs');
    expect([limited.status, limited.headers.has('retry-after')]).toEqual([429, true]);
    expect(wordsOf(limited)).toContain('Too many requests');
    expect((await app.anyone.get(`/api/v1/receipts/rcpt_${'0'.repeat(32)}/public-manifest`)).status).toBe(
      429,
    );
  });
});

describe('the explorer of a service whose pages need a session', () => {
  let app: TrustApp;
  beforeAll(async () => {
    app = await openTrustApp({ explorer: 'session' });
  });
  afterAll(() => app.close());

  test('asks a stranger to log in, and shows nothing', async () => {
    const page = await openPage(app, '/logs');
    expect(page.status).toBe(401);
    expect(page.headers.get('www-authenticate')).toStartWith('Bearer');
    expect(wordsOf(page)).toContain('Only operators of this service see these pages.');
    expect(page.links).toContain('/account?next=%2Flogs');
    expect(page.text).not.toContain('Transparency logs');
  });

  test('leaves public JSON as it is: a browser gets no redirect to a page that it cannot see', async () => {
    const response = await app.fetch(
      new Request('http://localhost/api/v1/leaderboard', { headers: { accept: BROWSER } }),
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json;charset=utf-8',
    ]);
  });

  test('leads a stranger after the login to the page that was asked for, with its query', async () => {
    const person = new Visitor(app.fetch);
    const asked = `/search?q=${encodeURIComponent('"><b>&next=//evil.example')}`;
    const refused = await openPage(app, asked);
    const [link = ''] = refused.links.filter((one) => one.startsWith('/account?'));
    expect(link).toBe(`/account?next=${encodeURIComponent(asked)}`);
    const { text } = await person.get(link);
    const [, next = ''] = /name="next" value="([^"]*)"/.exec(text) ?? [];
    expect(next).toBe(asked);
    const wrong = await person.post('/account/login', { api_key: 'pp_', next });
    expect(wrong.text).toContain(`name="next" value="${asked}"`);
    const login = await person.post('/account/login', { api_key: app.otherKey, next });
    expect([login.status, login.location]).toEqual([303, asked]);
    expect((await person.get(asked)).status).toBe(200);
  });

  test.each([
    '//evil.example',
    'https://evil.example/logs',
    '/\\evil.example',
    '/logs/..//evil.example',
    '/api/health',
  ])('leads to the account after the login where it was asked for %s', async (next) => {
    const person = new Visitor(app.fetch);
    const { text } = await person.get(`/account?next=${encodeURIComponent(next)}`);
    expect(text).not.toContain('name="next"');
    const login = await person.post('/account/login', { api_key: app.otherKey, next });
    expect([login.status, login.location]).toEqual([303, '/account']);
  });

  test('shows pages to who has logged in, and no cache shares them', async () => {
    const person = new Visitor(app.fetch);
    await person.logIn(app.otherKey);
    const { status, text, headers } = await person.get('/logs');
    expect([status, text.includes('Transparency logs')]).toEqual([200, true]);
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });
});

test.each(['public', 'session', 'off'])(
  'a package leads to the explorer, which is %s, if there is one',
  async (explorer) => {
    const app = await openTrustApp({ explorer });
    const { commitment } = await enrolledAgent(app);
    const response = await app.fetch(
      new Request(`http://localhost/api/v1/compliance/packages/${commitment}`, {
        headers: { accept: BROWSER },
      }),
    );
    const { links } = await seenPage(await response.text());
    expect([response.status, links.includes('/verify')]).toEqual([200, true]);
    expect(links.includes(`/agents/${commitment}`)).toBe(explorer !== 'off');
    await app.close();
  },
);

test('a service without the explorer has no page and no redirect to one', async () => {
  const app = await openTrustApp({ explorer: 'off' });
  const start = await app.fetch(new Request('http://localhost/', { headers: { accept: BROWSER } }));
  expect(start.headers.get('location')).toBe('/swagger');
  for (const path of PAGES.slice(1)) {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, { headers: { accept: BROWSER } }),
    );
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 404, null]);
  }
  await app.close();
});

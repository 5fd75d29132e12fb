import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SAMPLE_NPI } from '../../../../src/staffing/http/example-ids.ts';
import { SCRIPT_PATH } from '../../../../src/staffing/pages/page/script.ts';
import { type ShownPage, Visitor } from '../../../support/account.ts';
import { openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';

let app: StaffingApp;
let person: Visitor;
beforeAll(async () => {
  app = await openStaffingApp();
  person = await signedIn(app, app.ownKey);
});
afterAll(() => app.close());

const visitor = ({ fetch }: Pick<StaffingApp, 'fetch'> = app, headers?: Record<string, string>) =>
  new Visitor(fetch, headers, SCRIPT_PATH);

async function signedIn(on: StaffingApp, key: string): Promise<Visitor> {
  const one = visitor(on);
  await one.post('/login', { api_key: key });
  return one;
}

/** Returns the targets of links with this text, decoded. */
function linkTo({ text }: ShownPage, name: string): string {
  const found = new RegExp(`<a [^>]*href="([^"]+)"[^>]*>${name}</a>`).exec(text)?.[1];
  if (found === undefined) throw new Error(`no link ${name}`);
  return found.replaceAll('&amp;', '&').replace(/#.*/, '');
}

const npisIn = ({ text }: ShownPage): string[] =>
  [...text.matchAll(/data-label="NPI">(\d+)</g)].map(([, npi = '']) => npi);

describe('a stranger', () => {
  test('sees what the service is, its age and source, and how to get in, but no clinician', async () => {
    const page = await visitor().get('/');
    expect(page.status).toBe(200);
    for (const text of [
      '2026-01-01',
      'Sample',
      'NPPES',
      '© American Medical Association',
      'href="/swagger"',
    ]) {
      expect(page.text).toContain(text);
    }
    expect(page.text).toContain('action="/login"');
    expect(page.text).not.toContain('<script');
    expect(page.headers.get('link')).toContain('</openapi.json>; rel="service-desc"');
    for (const path of ['/?surname=smith', '/?surname=', `/clinicians/${SAMPLE_NPI}`]) {
      const refused = await visitor().get(path);
      expect([path, refused.status, npisIn(refused)]).toEqual([path, 401, []]);
      expect(refused.text).toContain(`name="next" value="${path}"`);
    }
  });

  test('gets no suggestions', async () => {
    const response = await app.fetch(new Request('http://localhost/suggestions?field=surname&text=smi'));
    expect([response.status, await response.json()]).toMatchObject([401, { error: { code: 'INVALID_KEY' } }]);
  });

  test('gets a sandbox key once, is signed in with it, and sees the same key after a double click', async () => {
    const one = visitor();
    const { text } = await one.get('/');
    const form = /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const fields = { email: 'grace@hopper.example', company: 'Hopper & Sons', form };
    const first = await one.post('/sandbox-keys', fields);
    const key = />(mpk_test_\w{40})<\/textarea>/.exec(first.text)?.[1] ?? '';
    expect([first.status, key.length]).toEqual([201, 49]);
    expect((await one.post('/sandbox-keys', fields)).text).toContain(key);
    const stranger = await visitor().post('/sandbox-keys', { ...fields, form: 'form_other' });
    expect([stranger.status, stranger.text.includes(key)]).toEqual([409, false]);
    expect(stranger.text).toContain('This address already has an account.');
    expect(npisIn(await one.get('/?surname=smith')).length).toBeGreaterThan(0);
    expect((await app.keyed(key).get('/me')).body).toMatchObject({ account: { name: 'Hopper & Sons' } });
  });

  test('gets the key by mail where the service sends mails, and never on a page', async () => {
    const mailing = await openStaffingApp();
    const mails: [to: string, text: string][] = [];
    mailing.service.staffing.mailer = { send: async (to, _subject, text) => void mails.push([to, text]) };
    try {
      const one = visitor(mailing);
      expect((await one.get('/')).text).toContain('The key arrives by mail');
      const page = await one.post('/sandbox-keys', { email: 'ada@hopper.example', company: 'Hopper' });
      const [[to, text] = ['', '']] = mails;
      const key = /mpk_test_\w{40}/.exec(text)?.[0] ?? '';
      expect([page.status, to, page.text.includes(key), one.cookies.size]).toEqual([
        202,
        'ada@hopper.example',
        false,
        0,
      ]);
      expect((await one.post('/login', { api_key: key })).status).toBe(303);
    } finally {
      await mailing.close();
    }
  });

  test('is told at the fields why no key was made', async () => {
    const free = await visitor().post('/sandbox-keys', { email: 'a@gmail.com', company: '<b>x</b>' });
    expect([free.status, free.text.includes('belongs to a free provider')]).toEqual([400, true]);
    expect(free.text).toContain('value="&lt;b&gt;x&lt;/b&gt;"');
    const empty = await visitor().post('/sandbox-keys', { email: 'nobody', company: '' });
    expect([empty.status, empty.text.match(/aria-invalid="true"/g)?.length]).toEqual([400, 1]);
  });
});

describe('the session', () => {
  test('is opened by a key, which no page shows again', async () => {
    const one = visitor();
    const login = await one.post('/login', { api_key: ` ${app.ownKey}\n` });
    expect([login.status, login.location]).toEqual([303, '/']);
    const [cookie = ''] = login.headers.getSetCookie();
    expect(cookie).toMatch(
      /^staffing_session=[\w-]{200,240}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const page = await one.get('/');
    expect([page.status, page.text.includes('Sign out'), page.text.includes(app.ownKey)]).toEqual([
      200,
      true,
      false,
    ]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src (?:'sha256-[\w+/=]+' ?){3}; img-src data:; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
  });

  test('is opened by no wrong, foreign or narrow key', async () => {
    const { body } = await app.own.post('/keys', { scopes: ['jobs:read'] });
    const wrong: [string, number, string][] = [
      ['', 401, 'does not know the API key'],
      [`mpk_test_${'0'.repeat(40)}`, 401, 'does not know the API key'],
      ['"><script>alert(1)</script>', 401, 'does not know the API key'],
      [`sk_${'0'.repeat(40)}`, 401, 'another product'],
      [String(body.api_key), 403, 'registry:read'],
    ];
    for (const [api_key, status, text] of wrong) {
      const response = await visitor().post('/login', { api_key });
      expect([api_key, response.status, response.text.includes(text)]).toEqual([api_key, status, true]);
      expect(response.headers.getSetCookie()).toEqual([]);
      if (api_key !== '') expect(response.text).not.toContain(api_key);
    }
    await app.own.call('DELETE', `/keys/${body.id}`);
  });

  test('is not opened by a form of another site', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      for (const path of ['/login', '/logout', '/sandbox-keys']) {
        const response = await visitor(app, headers).post(path, { api_key: app.ownKey });
        expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 403, []]);
      }
    }
  });

  test('leads to the page that was asked for, and never to another site', async () => {
    const own = [
      '/?surname=O%27Brien&state=TX',
      `/clinicians/${SAMPLE_NPI}`,
      `/clinicians/${SAMPLE_NPI}?city=x`,
    ];
    for (const next of own) {
      expect((await visitor().post('/login', { api_key: app.ownKey, next })).location).toBe(next);
    }
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/?a\r\nb',
      '/swagger',
      '/@x',
    ]) {
      expect((await visitor().post('/login', { api_key: app.ownKey, next })).location).toBe('/');
    }
  });

  test('ends when somebody signs out, and at once when its key is revoked', async () => {
    const one = await signedIn(app, app.ownKey);
    expect((await one.post('/logout')).headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect((await one.get('/')).text).toContain('action="/login"');
    const { body } = await app.own.post('/keys');
    const other = await signedIn(app, String(body.api_key));
    expect((await other.get('/?surname=smith')).status).toBe(200);
    await app.own.call('DELETE', `/keys/${body.id}`);
    const ended = await other.get('/?surname=smith');
    expect([ended.status, ended.text.includes('Your session has ended')]).toEqual([401, true]);
    expect(other.cookies.size).toBe(0);
  });

  test('is not one when the cookie was changed', async () => {
    const one = visitor();
    one.cookies.set('staffing_session', 'x'.repeat(209));
    expect((await one.get(`/clinicians/${SAMPLE_NPI}`)).status).toBe(401);
  });

  test('is asked for by the paths of forms too', async () => {
    for (const path of ['/login', '/logout', '/sandbox-keys']) {
      expect((await visitor().get(path)).location).toBe('/');
    }
  });
});

describe('the search', () => {
  test('gives what the API gives, page after page, and counts as a request of the key', async () => {
    const query = 'specialty=nurse&state=CA';
    const total = Number(Object((await app.own.get('/me')).body.usage).requests_total);
    let page = await person.get(`/?${query}&surname=&city=`);
    const npis = npisIn(page);
    let pages = 1;
    while (page.text.includes('rel="next"')) {
      page = await person.get(linkTo(page, 'Next page'));
      npis.push(...npisIn(page));
      pages++;
      expect(page.text).toContain(`Page ${pages}`);
    }
    const expected: string[] = [];
    let cursor: unknown = '';
    while (cursor !== null) {
      const { body } = await app.live.get(
        `/clinicians/search?${query}&limit=100${cursor && `&cursor=${cursor}`}`,
      );
      for (const { npi } of Object(body.data)) expected.push(npi);
      cursor = body.next_cursor;
    }
    expect(npis).toEqual(expected);
    expect(page.text).toContain(`${expected.length} clinicians`);
    const after = Number(Object((await app.own.get('/me')).body.usage).requests_total);
    expect(after).toBe(total + pages + 1);
    expect(npisIn(await person.get(linkTo(page, 'First page')))).toEqual(expected.slice(0, 25));
  });

  test('shows the empty form without counting a request', async () => {
    const total = Number(Object((await app.own.get('/me')).body.usage).requests_total);
    expect((await person.get('/')).text).toContain('role="search"');
    expect(Object((await app.own.get('/me')).body.usage).requests_total).toBe(total + 1);
  });

  test('shows all clinicians for an empty search', async () => {
    const page = await person.get('/?surname=');
    expect(npisIn(page)).toHaveLength(25);
    expect(page.text).toMatch(/[\d,]+ clinicians<\/h2>/);
  });

  test('opens the clinician for an NPI in the field of the surname', async () => {
    expect((await person.get(`/?surname=${SAMPLE_NPI}`)).location).toBe(`/clinicians/${SAMPLE_NPI}`);
  });

  test('keeps what was entered, whatever it is, and escapes it', async () => {
    for (const text of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      `' onmouseover='alert(1)`,
      '&lt;b&gt; \u202e مرحبا',
    ]) {
      for (const field of ['surname', 'specialty', 'city', 'first_name', 'state', 'postal_code', 'cursor']) {
        // The visitor refuses a page with a foreign element or attribute.
        const page = await person.get(
          `/?state=TX&${new URLSearchParams({ [field === 'state' ? 'city' : field]: text })}`,
        );
        expect([field, page.status === 200 || page.status === 400]).toEqual([field, true]);
      }
    }
  });

  test('suggests specialties as links when it does not know one', async () => {
    const page = await person.get('/?specialty=cardiolgist&state=TX');
    expect([page.status, page.text.includes('aria-invalid="true"')]).toEqual([400, true]);
    const next = await person.get(linkTo(page, '[Cc]ardiolog[^<]*'));
    expect([next.status, next.text.includes('value="TX" selected')]).toEqual([200, true]);
  });

  test('suggests similar surnames and fewer filters as links when it finds nothing', async () => {
    const page = await person.get('/?surname=smiht&state=TX&city=nowhere');
    expect([page.status, page.text.includes('No clinician matches')]).toEqual([200, true]);
    expect(linkTo(page, 'SMITH')).toBe('/?surname=SMITH&state=TX&city=nowhere');
    expect(linkTo(page, 'without city')).toBe('/?surname=smiht&state=TX');
  });

  test('says at the field what is wrong', async () => {
    for (const query of ['state=ZZ', 'postal_code=1', 'surname=%21', `city=${'x'.repeat(200)}`]) {
      const page = await person.get(`/?${query}`);
      expect([query, page.status, page.text.match(/class="problem"/g)?.length]).toEqual([query, 400, 1]);
      expect(page.text).not.toContain('`details`');
    }
  });

  test('leads from an invalid page back to the first', async () => {
    const page = await person.get('/?surname=smith&cursor=x&page=3');
    expect(page.status).toBe(400);
    expect(linkTo(page, 'First page')).toBe('/?surname=smith');
  });

  test('is limited with the other requests of the partner, and says how long to wait', async () => {
    const limited = await openStaffingApp({ rate_limits: 'on' });
    try {
      const one = await signedIn(limited, limited.ownKey);
      for (let sent = 0; sent < 59; sent++) await one.get('/?surname=smith');
      expect((await limited.own.get('/me')).status).toBe(200);
      const page = await one.get('/?surname=smith');
      expect([page.status, npisIn(page)]).toEqual([429, []]);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(page.text).toMatch(/Wait \d+ seconds?, then load the page again/);
      expect((await one.get(`/clinicians/${SAMPLE_NPI}`)).status).toBe(429);
      expect((await one.get('/')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test('limits wrong keys and new accounts by the address', async () => {
    const limited = await openStaffingApp({ rate_limits: 'on', 'limits.sandbox_keys': '1' });
    try {
      const one = visitor(limited);
      expect((await one.post('/sandbox-keys', { email: 'a@b.example', company: 'x' })).status).toBe(201);
      const second = await one.post('/sandbox-keys', { email: 'b@b.example', company: 'x' });
      expect([second.status, second.text.includes('Wait 60 minutes')]).toEqual([429, true]);
      for (let sent = 0; sent < 60; sent++) await one.post('/login', { api_key: 'mpk_test_x' });
      const wrong = await one.post('/login', { api_key: 'mpk_test_x' });
      expect([wrong.status, wrong.text.includes('Too many') || wrong.text.includes('too many')]).toEqual([
        429,
        true,
      ]);
      expect((await one.post('/login', { api_key: limited.ownKey })).status).toBe(303);
    } finally {
      await limited.close();
    }
  });

  test('says that the registry is not available', async () => {
    const broken = await openStaffingApp();
    try {
      const one = await signedIn(broken, broken.ownKey);
      broken.service.staffing.registry.close();
      const page = await one.get('/?surname=smith');
      expect([page.status, page.text.includes('The registry is not available now')]).toEqual([503, true]);
      expect((await one.get('/')).status).toBe(200);
      expect((await one.get(`/clinicians/${SAMPLE_NPI}`)).status).toBe(503);
      expect((await visitor(broken).get('/')).text).toContain('The registry is not available now');
    } finally {
      await broken.close();
    }
  });
});

describe('the page of a clinician', () => {
  test('shows the public record, and leads back to the search', async () => {
    const results = await person.get('/?surname=smith&state=CA');
    const [npi = ''] = npisIn(results);
    const page = await person.get(`/clinicians/${npi}?surname=smith&state=CA`);
    const { body } = await app.own.get(`/clinicians/${npi}`);
    expect(page.status).toBe(200);
    for (const value of [npi, body.last_name, body.enumerated_on]) expect(page.text).toContain(String(value));
    for (const { code } of Object(body.specialties)) expect(page.text).toContain(code);
    expect(linkTo(page, 'Back to the results')).toBe('/?surname=smith&state=CA');
    const second = await person.get(linkTo(await person.get('/?surname=s'), 'Next page'));
    const [, opened = ''] = /<a href="(\/clinicians\/[^"]+)"/.exec(second.text) ?? [];
    const back = linkTo(await person.get(opened.replaceAll('&amp;', '&')), 'Back to the results');
    expect(npisIn(await person.get(back))).toEqual(npisIn(second));
  });

  test('says that a number is no NPI, or that nobody has it', async () => {
    const wrong = await person.get('/clinicians/123');
    expect([wrong.status, wrong.text.includes('ten digits')]).toEqual([400, true]);
    const unknown = await person.get('/clinicians/2999999999');
    expect([400, 404]).toContain(unknown.status);
  });
});

describe('the suggestions', () => {
  const suggested = async (field: string, text: string): Promise<[number, string[]]> => {
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const query = new URLSearchParams({ field, text });
    const response = await app.fetch(
      new Request(`http://localhost/suggestions?${query}`, { headers: { cookie } }),
    );
    const { suggestions = [] } = Object(await response.json());
    return [response.status, suggestions.map(({ value }: { value: string }) => value)];
  };

  test('are the most common surnames that begin with the text', async () => {
    const [, names] = await suggested('surname', 'Smi');
    expect(names).toContain('SMITH');
    const [, more] = await suggested('surname', 'sa');
    expect([more.length > 0, more.every((name) => name.startsWith('SA'))]).toEqual([true, true]);
    for (const text of ['', 's', '!', '%', 'zzzz', 'x'.repeat(3000)]) {
      expect([text, ...(await suggested('surname', text))]).toEqual([text, 200, []]);
    }
  });

  test('are specialties that the text names, or that have its words, even while the last word is unfinished', async () => {
    const [, nurses] = await suggested('specialty', 'icu rn');
    expect(nurses).toContain('Critical Care Medicine Registered Nurse');
    expect((await suggested('specialty', 'critical care zz'))[1].length).toBeGreaterThan(0);
    expect((await suggested('specialty', 'cardiol'))[1].length).toBeGreaterThan(1);
    expect(await suggested('specialty', 'q')).toEqual([200, []]);
  });

  test('count as no request of the key, but have a limit for each address', async () => {
    expect((await suggested('city', 'aus'))[0]).toBe(400);
    const limited = await openStaffingApp({ rate_limits: 'on' });
    try {
      const ask = () => limited.fetch(new Request('http://localhost/suggestions?field=surname&text=sm'));
      const statuses: number[] = [];
      for (let sent = 0; sent < 301; sent++) statuses.push((await ask()).status);
      expect([statuses[0], statuses[300]]).toEqual([401, 429]);
    } finally {
      await limited.close();
    }
  });
});

test('the script is cached, is JavaScript, and puts no text in as markup', async () => {
  const first = await app.fetch(new Request(`http://localhost${SCRIPT_PATH}`));
  const text = await first.text();
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(() => new Bun.Transpiler({ loader: 'js' }).transformSync(text)).not.toThrow();
  expect(text).not.toMatch(/innerHTML|insertAdjacentHTML|eval\(|document\.write/);
  const etag = first.headers.get('etag') ?? '';
  const again = await app.fetch(
    new Request(`http://localhost${SCRIPT_PATH}`, { headers: { 'if-none-match': etag } }),
  );
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('an unknown method and a foreign body are pages too', async () => {
  const put = await app.fetch(new Request('http://localhost/login', { method: 'PUT' }));
  expect([put.status, put.headers.get('content-type')]).toEqual([405, 'text/html; charset=utf-8']);
  const json = await app.fetch(
    new Request('http://localhost/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
  );
  expect([json.status, json.headers.get('content-type')]).toEqual([415, 'text/html; charset=utf-8']);
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { Visitor } from '../../../../support/account.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
let person: Visitor;
beforeAll(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time, ':memory:', {
    resolve: async () => ['203.0.114.7'],
  });
  person = new Visitor(app.fetch);
  await person.logIn(app.apiKey);
});
afterAll(() => app.close());

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  '</textarea></form><form action=//evil.example>',
  '&lt;b&gt; &amp; 🧾 مرحبا',
  '\u202eevil',
];

const keyHashes = async (): Promise<string[]> => {
  const { api_keys } = (await app.own.get('/api/v1/operator/api-keys?limit=100')).body;
  return Array.isArray(api_keys) ? api_keys.map(({ keyHash }) => String(keyHash)) : [];
};

const keyIn = (text: string): string => />(pp_[0-9a-f]{64})<\/textarea>/.exec(text)?.[1] ?? '';

describe('the csrf_token', () => {
  test('is needed for every form, and is that of this session', async () => {
    const other = new Visitor(app.fetch);
    await other.logIn(app.otherKey);
    const second = new Visitor(app.fetch);
    await second.logIn(app.apiKey);
    const before = await keyHashes();
    const own = person.csrfToken;
    const tokens = [
      '',
      'x',
      own.slice(0, -1),
      `${own}=`,
      own.toUpperCase(),
      other.csrfToken,
      second.csrfToken,
      '\u0000'.repeat(43),
    ];
    const paths = [
      '/account/keys',
      `/account/keys/${before.at(-1)}/revoke`,
      '/account/webhooks',
      `/account/webhooks/wh_${'0'.repeat(32)}/delete`,
      '/account/billing/topup',
      '/account/billing/wallet',
      '/account/logout',
    ];
    for (const path of paths) {
      for (const csrf_token of path === '/account/keys' ? tokens : ['', other.csrfToken]) {
        const sent = new Visitor(app.fetch);
        sent.cookies = new Map(person.cookies);
        const { status, text } = await sent.post(path, { csrf_token });
        expect([path, csrf_token, status]).toEqual([path, csrf_token, 403]);
        expect(text).toContain('The form belongs to another session');
      }
    }
    expect(await keyHashes()).toEqual(before);
    expect((await person.get('/account')).status).toBe(200);
  });

  test('is not needed with the header X-Requested-With, which other sites cannot send', async () => {
    const sent = new Visitor(app.fetch, { 'x-requested-with': 'fetch' });
    sent.cookies = new Map(person.cookies);
    expect((await sent.post('/account/keys', { name: 'by header', role: 'issuer' })).status).toBe(201);
  });

  test('does not open the JSON operations of the API', async () => {
    await person.get('/account/keys');
    const body = JSON.stringify({ csrf_token: person.csrfToken });
    const headers = {
      cookie: `session_token=${person.cookies.get('session_token')}`,
      'content-type': 'application/json',
    };
    const response = await app.fetch(
      new Request('http://localhost/api/v1/operator/api-keys', { method: 'POST', headers, body }),
    );
    expect(response.status).toBe(403);
  });
});

describe('keys', () => {
  test('are created and shown once, and a second click shows the same one', async () => {
    await person.get('/account/keys');
    const form = { form_id: 'f1', name: 'build server', role: 'issuer', subject_commitment: '' };
    const csrf_token = person.csrfToken;
    const [first, second] = await Promise.all([
      person.post('/account/keys', { ...form, csrf_token }),
      person.post('/account/keys', { ...form, csrf_token }),
    ]);
    expect([first.status, second.status]).toEqual([201, 201]);
    const key = keyIn(first.text);
    expect(keyIn(second.text)).toBe(key);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(
      (await app.anyone.call('GET', '/api/v1/operator/status', undefined, { authorization: `Bearer ${key}` }))
        .status,
    ).toBe(200);
    const list = await person.get('/account/keys');
    expect([list.text.match(/build server<\/span>/g)?.length, list.text.includes(key)]).toEqual([1, false]);
    time.advance(30_001);
    const later = await person.post('/account/keys', { ...form, csrf_token: person.csrfToken });
    expect(keyIn(later.text)).not.toBe(key);
  });

  test('are listed with what they may spend, and apart from it with the end of their scope', async () => {
    const scope = { max_credits: 5, expires_at: '2999-01-01T00:00:00Z' };
    await app.own.post('/api/v1/operator/api-keys', { name: 'limited', scope });
    const { text } = await person.get('/account/keys');
    expect(text).toContain('>spends at most 5 credits at once</p>');
    expect(text).toContain('>scope ends at 2999-01-01T00:00:00Z</p>');
  });

  test('with hostile names are shown as text on every page', async () => {
    for (const name of HOSTILE) {
      await person.get('/account/keys');
      // Visitor parses every page: an element or attribute of the name would be found.
      expect((await person.send('/account/keys', { name, role: 'issuer' })).status).toBe(201);
      const wrong = await person.get('/account/keys');
      expect(wrong.status).toBe(200);
      const kept = await person.send('/account/keys', { name, role: name });
      expect(kept.status).toBe(400);
    }
    for (const hash of await keyHashes())
      expect((await person.get(`/account/keys/${hash}/revoke`)).status).toBe(200);
  });

  const refused: [string, Record<string, string>, number, string][] = [
    ['an unknown role', { role: 'owner' }, 400, 'Role must be one of issuer, holder'],
    ['a control character', { name: 'a\u0001' }, 400, 'Name must be 1 to 256 characters'],
    ['a long name', { name: 'n'.repeat(257) }, 400, 'Name must be 1 to 256 characters'],
    [
      'a wrong commitment',
      { role: 'holder', subject_commitment: 'zz' },
      400,
      'must be 64 lower-case hexadecimal',
    ],
    ['no agent for a holder', { role: 'holder' }, 400, 'is required for a holder key'],
    [
      'an agent for an issuer',
      { subject_commitment: 'ab'.repeat(32) },
      400,
      'is only allowed for holder keys',
    ],
    [
      'a holder as admin',
      { role: 'holder', subject_commitment: 'ab'.repeat(32), admin: 'true' },
      400,
      'is only allowed for issuer keys',
    ],
    ['an unknown field', { scope: '{}' }, 400, 'is not a known field'],
  ];
  for (const [name, fields, status, problem] of refused) {
    test(`with ${name} are refused, and what was entered is kept`, async () => {
      await person.get('/account/keys');
      const before = await keyHashes();
      const response = await person.send('/account/keys', fields);
      expect([response.status, response.text.includes(problem)]).toEqual([status, true]);
      if (fields.subject_commitment !== undefined)
        expect(response.text).toContain(`value="${fields.subject_commitment}"`);
      expect(await keyHashes()).toEqual(before);
    });
  }

  test('have no more rights than the key of the session', async () => {
    const other = new Visitor(app.fetch);
    await other.logIn(app.otherKey);
    expect((await other.get('/account/keys')).text).not.toContain('name="admin"');
    const response = await other.send('/account/keys', { role: 'issuer', admin: 'true' });
    expect([response.status, response.text.includes('more rights than its own')]).toEqual([403, true]);
  });

  test('are revoked after a question; the own one ends the session, and the last issuer key stays', async () => {
    const other = new Visitor(app.fetch);
    await other.logIn(app.otherKey);
    await other.get('/account/keys');
    const [own = ''] = /keys\/([0-9a-f]{64})\/revoke/.exec(other.text)?.slice(1) ?? [];
    const question = await other.get(`/account/keys/${own}/revoke`);
    expect(question.text).toContain('You are logged in with this key');
    const last = await other.send(`/account/keys/${own}/revoke`);
    expect([last.status, last.text.includes('The last issuer key cannot be deleted')]).toEqual([409, true]);
    await other.get('/account/keys');
    await other.send('/account/keys', { name: 'second', role: 'issuer' });
    const revoked = await other.send(`/account/keys/${own}/revoke`);
    expect([revoked.status, revoked.location, other.cookies.size]).toEqual([303, '/account', 0]);
    expect((await app.other.get('/api/v1/operator/status')).status).toBe(401);
  });

  test('of another operator and of nobody are not found', async () => {
    await person.get('/account/keys');
    for (const hash of ['ab'.repeat(32), 'x', '..%2f..', '%00', ...HOSTILE]) {
      const path = `/account/keys/${encodeURIComponent(hash)}/revoke`;
      expect((await person.get(path)).status).toBe(404);
      expect((await person.send(path)).status).toBe(404);
    }
  });

  test('are listed in pages, and a cursor of another list is refused', async () => {
    for (let at = 0; at < 51; at++) await app.own.post('/api/v1/operator/api-keys', { name: `n${at}` });
    const first = await person.get('/account/keys');
    const [, cursor = ''] = /keys\?cursor=([^"]*)"/.exec(first.text) ?? [];
    expect((await person.get(`/account/keys?cursor=${cursor}`)).status).toBe(200);
    expect((await person.get('/account/keys?cursor=x')).status).toBe(400);
  });
});

describe('webhooks', () => {
  const url = 'https://hooks.example.com/in?a=1&b=2';

  test('are created with secrets that are shown once, watched and deleted after a question', async () => {
    await person.get('/account/webhooks');
    const made = await person.send('/account/webhooks', [
      ['url', url],
      ['events', 'evidence.anchored'],
      ['events', 'reputation.degraded'],
    ]);
    expect(made.status).toBe(201);
    const [, secret = ''] = />(whk_[0-9a-f]{64})</.exec(made.text) ?? [];
    const [, signing = ''] = />(whsec_[\w+/=]+)</.exec(made.text) ?? [];
    expect([secret.length, signing.length > 20]).toEqual([68, true]);
    const list = await person.get('/account/webhooks');
    expect(list.text).not.toMatch(/whk_|whsec_/);
    const [, id = ''] = /webhooks\/(wh_[0-9a-f]{32})"/.exec(list.text) ?? [];
    expect((await person.get(`/account/webhooks/${id}`)).text).toContain('Nothing was sent yet');
    expect(list.text).not.toContain('Newest events');
    await app.service.trust.store.writeAsService(async ({ connection: { sqlite } }) => {
      const { lastInsertRowid } =
        sqlite.run(`INSERT INTO webhook_delivery (delivery_id, webhook_seq, event, created_at, ended_at, status, error)
        SELECT randomblob(16), webhook_seq, 'engagement.disputed', created_at, created_at, 500, 'HTTP 500' FROM webhook`);
      expect(Number(lastInsertRowid)).toBeGreaterThan(0);
    });
    const { text: events } = await person.get('/account/webhooks');
    expect(events).toMatch(/Newest events[\s\S]*engagement\.disputed[\s\S]*Failed[\s\S]*HTTP 500/);
    expect((await person.get(`/account/webhooks/${id}/delete`)).text).toContain('Delete this webhook?');
    const deleted = await person.send(`/account/webhooks/${id}/delete`);
    expect([deleted.status, deleted.location]).toEqual([303, '/account/webhooks?deleted']);
    expect((await person.get('/account/webhooks?deleted')).text).toContain('The webhook was deleted');
    expect((await person.get(`/account/webhooks/${id}`)).status).toBe(404);
  });

  const refused: [string, [string, string][], string][] = [
    [
      'a private address',
      [
        ['url', 'https://127.0.0.1/'],
        ['events', 'evidence.anchored'],
      ],
      'URL ',
    ],
    [
      'http',
      [
        ['url', 'http://hooks.example.com/'],
        ['events', 'evidence.anchored'],
      ],
      'URL ',
    ],
    [
      'a script',
      [
        ['url', 'javascript:alert(1)'],
        ['events', 'evidence.anchored'],
      ],
      'URL ',
    ],
    [
      'no URL',
      [
        ['url', ''],
        ['events', 'evidence.anchored'],
      ],
      'URL must be 1 to 2048 characters',
    ],
    ['no events', [['url', url]], 'Events must be 1 to'],
    [
      'an unknown event',
      [
        ['url', url],
        ['events', 'x"><b>'],
      ],
      'events',
    ],
    [
      'one event twice',
      [
        ['url', url],
        ['events', 'evidence.anchored'],
        ['events', 'evidence.anchored'],
      ],
      'Events must be',
    ],
  ];
  for (const [name, fields, problem] of refused) {
    test(`with ${name} are refused, and what was entered is kept`, async () => {
      await person.get('/account/webhooks');
      const response = await person.send('/account/webhooks', fields);
      expect([response.status, response.text.includes(problem)]).toEqual([400, true]);
      if (fields.some(([, value]) => value === 'evidence.anchored')) {
        expect(response.text).toContain('value="evidence.anchored" checked');
      }
    });
  }
});

describe('a suspended operator', () => {
  test('sees why, may revoke keys and log out, and nothing else', async () => {
    const { api_key } = (await app.own.post('/api/v1/operator/api-keys', { admin: true })).body;
    const { body } = await app.own.get('/api/v1/operator/status');
    // The newest key comes first on the page: the others were all created at one moment of the virtual time.
    time.advance(1);
    await app.own.post('/api/v1/operator/api-keys', { name: 'newest' });
    const owner = new Visitor(app.fetch);
    await owner.logIn(String(api_key));
    await setAccountStatus(app.service.trust, String(body.operator_id), 'SUSPENDED');
    const page = await owner.get('/account');
    expect(page.text).toContain('This account is suspended');
    expect(page.text).toContain('Ask the administrator');
    const forms: [string, [string, string][]][] = [
      ['/account/keys', [['role', 'issuer']]],
      [
        '/account/webhooks',
        [
          ['url', 'https://hooks.example.com/'],
          ['events', 'evidence.anchored'],
        ],
      ],
      ['/account/billing/wallet', []],
    ];
    for (const [path, fields] of forms) {
      const response = await owner.send(path, fields);
      expect([path, response.status]).toEqual([path, 403]);
      await owner.get('/account');
    }
    const newcomer = new Visitor(app.fetch);
    expect((await newcomer.logIn(String(api_key))).status).toBe(200);
    await owner.get('/account/keys');
    const [, hash = ''] = /keys\/([0-9a-f]{64})\/revoke" aria-label="Revoke newest"/.exec(owner.text) ?? [];
    expect((await owner.send(`/account/keys/${hash}/revoke`)).location).toBe('/account/keys?revoked');
    expect((await owner.send('/account/logout')).status).toBe(303);
    await setAccountStatus(app.service.trust, String(body.operator_id), 'ACTIVE');
  });
});

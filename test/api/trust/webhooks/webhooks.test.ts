import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { trustServiceDefinition } from '../../../../src/trust/definition.ts';
import { MAX_WEBHOOKS } from '../../../../src/trust/operators/quotas/settings.ts';
import { setAccountStatus } from '../../../../src/trust/pages/dashboard/set-account-status.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { restoreProblems } from '../../../../src/trust/service/restore-checks.ts';
import { client, strings } from '../../../support/client.ts';
import { type Receiver, receiver } from '../../../support/receiver.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { emit, eventOf, operatorSeqOf } from '../../../support/webhooks.ts';

const PATH = '/api/v1/webhooks';
const EVENTS = ['evidence.anchored', 'enrollment.completed'];
const URL = 'https://hooks.operator.example/in';

/** Public, but for a few names. */
const resolve = async (name: string): Promise<string[]> => {
  if (name === 'inside.example') return ['10.1.2.3'];
  if (name === 'both.example') return ['1.1.1.1', 'fd00::1'];
  if (name === 'nowhere.example') throw new Error('ENOTFOUND');
  return ['1.1.1.1'];
};

describe('a request about webhooks:', () => {
  let app: TrustApp;
  let holderKey: string;
  beforeAll(async () => {
    app = await openTrustApp({}, null, ':memory:', { resolve });
    const made = await app.own.post('/api/v1/operator/api-keys', {
      role: 'holder',
      subject_commitment: 'ab'.repeat(32),
    });
    holderKey = String(made.body.api_key);
  });
  afterAll(() => app.close());

  const refused = (name: string, url: string): Scenario => [
    `a webhook to ${name} is refused: ${url}`,
    `POST ${PATH}`,
    '400 validation_error: url',
    { body: { url, events: EVENTS } },
  ];
  const taken = (url: string, kept = url): Scenario => [
    `a webhook to a public target is made: ${url}`,
    `POST ${PATH}`,
    '201',
    { body: { url, events: EVENTS }, contains: [JSON.stringify(kept)] },
  ];

  scenarios(
    () => app,
    [
      taken(URL),
      taken('https://nowhere.example/'),
      taken('https://1.1.1.1:8443/a?b=c'),
      taken('HTTPS://Hooks.Operator.Example./a', 'https://hooks.operator.example/a'),
      ...[
        'https://127.0.0.1/',
        'https://127.1/',
        'https://0x7f.1/',
        'https://2130706433/',
        'https://017700000001/',
        'https://0/',
        'https://[::1]/',
        'https://[::ffff:127.0.0.1]/',
        'https://[::ffff:7f00:1]/',
        'https://[fe80::1]/',
        'https://[fd00:ec2::254]/',
        'https://[64:ff9b::a00:1]/',
        'https://localhost/',
        'https://localhost./',
        'https://a.localhost:3000/',
        'https://169.254.169.254/latest/meta-data',
        'https://metadata.google.internal/',
        'https://10.0.0.1/',
        'https://172.16.0.1/',
        'https://192.168.1.1/',
        'https://100.64.0.1/',
        'https://inside.example/',
        'https://both.example/',
      ].map((url) => refused('a private address', url)),
      ...[
        'http://hooks.operator.example/',
        'ftp://hooks.operator.example/',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'hooks.operator.example',
        'https://',
        'https://user@hooks.operator.example/',
        'https://user:password@hooks.operator.example/',
        'https://hooks.operator.example/#a',
        '',
        `https://hooks.operator.example/${'a'.repeat(2048)}`,
      ].map((url) => refused('what is no target', url)),
      ...[
        ['no events', []],
        ['an unknown event', ['evidence.deleted']],
        ['one event twice', ['evidence.anchored', 'evidence.anchored']],
        ['six events', [...EVENTS, ...EVENTS, ...EVENTS]],
        ['an event that is no list', 'evidence.anchored'],
        ['events that are missing', undefined],
      ].map(
        ([name, events]): Scenario => [
          `a webhook for ${name} is refused`,
          `POST ${PATH}`,
          '400 validation_error',
          { body: { url: URL, events }, contains: ['"events'] },
        ],
      ),
      [
        'a webhook with an unknown field is refused',
        `POST ${PATH}`,
        '400 validation_error: secret',
        { body: { url: URL, events: EVENTS, secret: 'mine' } },
      ],
      [
        'a webhook for all operators is made by an admin',
        `POST ${PATH}`,
        '201',
        { body: { url: URL, events: EVENTS, all: true }, contains: ['"all":true'] },
      ],
      [
        'a webhook for all operators is refused to one who is no admin',
        `POST ${PATH}`,
        '403 forbidden',
        { by: 'other', body: { url: URL, events: EVENTS, all: true } },
      ],
      [
        'a webhook with all: false is made by one who is no admin',
        `POST ${PATH}`,
        '201',
        { by: 'other', body: { url: URL, events: EVENTS, all: false }, lacks: ['"all"'] },
      ],
      [
        'a webhook is not made without a key',
        `POST ${PATH}`,
        '401',
        { by: 'anyone', body: { url: URL, events: EVENTS } },
      ],
      ['webhooks are not listed without a key', `GET ${PATH}`, '401', { by: 'anyone' }],
      ['a list with a cursor of nobody is refused', `GET ${PATH}?cursor=x`, '400 validation_error: cursor'],
      ['deleting an unknown webhook is not found', `DELETE ${PATH}/wh_${'0'.repeat(32)}`, '404 not_found'],
      ['deleting by what is no id is not found', `DELETE ${PATH}/x`, '404'],
      [
        'the deliveries of an unknown webhook are not found',
        `GET ${PATH}/wh_${'0'.repeat(32)}/deliveries`,
        '404',
      ],
      ['the guide is not deleted as a webhook', `DELETE ${PATH}/verify-guide`, '404'],
      [
        'PUT is refused with the methods that there are',
        `PUT ${PATH}`,
        '405',
        { body: {}, responseHeaders: { allow: 'POST, GET, HEAD' } },
      ],
    ],
  );

  test('a holder key makes, lists and deletes no webhook', async () => {
    const holder = client(app.fetch, 'http://localhost', holderKey);
    for (const { status } of [
      await holder.post(PATH, { url: URL, events: EVENTS }),
      await holder.get(PATH),
      await holder.call('DELETE', `${PATH}/x`),
      await holder.get(`${PATH}/x/deliveries`),
    ]) {
      expect(status).toBe(403);
    }
  });
});

describe('the webhooks of an operator', () => {
  let app: TrustApp;
  let target: Receiver;
  beforeAll(async () => {
    app = await openTrustApp({ 'webhooks.allow_private': 'on' });
    target = receiver(() => new Response());
  });
  afterAll(async () => {
    await app.close();
    await target.stop();
  });

  const make = (path: string, caller = app.own, more: object = {}, headers: Record<string, string> = {}) =>
    caller.post(PATH, { url: `http://127.0.0.1:${target.port}${path}`, events: EVENTS, ...more }, headers);

  test('are made with secrets that are shown once', async () => {
    const { status, body } = await make('/once');
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
        url: `http://127.0.0.1:${target.port}/once`,
        events: EVENTS,
        secret: expect.stringMatching(/^whk_[0-9a-f]{64}$/),
        signing_secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    const { secret, signing_secret, ...view } = body;
    const listed = await app.own.get(`${PATH}?limit=1`);
    expect(listed.body.webhooks).toEqual([view]);
    expect(JSON.stringify((await app.own.get(PATH)).body)).not.toContain(String(secret));
    expect(JSON.stringify((await app.own.get(PATH)).body)).not.toContain(String(signing_secret));
  });

  test('have encrypted secrets, in the database and elsewhere', async () => {
    const { secret, signing_secret } = strings((await make('/sealed')).body);
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app)]));
    await target.waitForRequest(1);
    const raw = [secret, signing_secret].map((text) => text?.replace(/^wh(k|sec)_/, '') ?? '');
    const files = readdirSync(app.directory).filter((name) => name.startsWith('trust.db'));
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(app.directory, name))));
    expect(bytes.includes(`http://127.0.0.1:${target.port}/sealed`)).toBe(true);
    for (const text of raw) expect(bytes.includes(text)).toBe(false);
    expect(bytes.includes(Buffer.from(raw[0] ?? '', 'hex'))).toBe(false);
    expect(bytes.includes(Buffer.from(raw[1] ?? '', 'base64'))).toBe(false);
    for (const text of raw) expect(app.logged()).not.toContain(text);
  });

  test('with an Idempotency-Key are made once, and a replay has no secrets', async () => {
    const key = { 'idempotency-key': 'w-1' };
    const before = app.service.webhooks.dispatcher.stats().subscriptions;
    const first = await make('/twice', app.own, {}, key);
    const again = await make('/twice', app.own, {}, key);
    expect(again.body).toEqual({ ...first.body, secret: null, signing_secret: null });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect((await make('/other', app.own, {}, key)).body.reason_code).toBe('idempotency_key_reused');
    expect(app.service.webhooks.dispatcher.stats().subscriptions).toBe(before + 1);
  });

  test('are nobody else’s to see, to delete and to look into', async () => {
    const { id } = (await make('/mine')).body;
    expect(JSON.stringify((await app.other.get(PATH)).body)).not.toContain(String(id));
    expect((await app.other.call('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await app.other.get(`${PATH}/${id}/deliveries`)).status).toBe(404);
    expect((await app.own.call('DELETE', `${PATH}/${id}`)).body).toEqual({ id: String(id), deleted: true });
    expect((await app.own.call('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await app.own.get(`${PATH}/${id}/deliveries`)).status).toBe(404);
  });

  test('go on while the operator is suspended, which makes and deletes none', async () => {
    const { id, signing_secret } = strings((await make('/suspended', app.other)).body);
    await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
    expect((await make('/suspended', app.other)).status).toBe(403);
    expect((await app.other.call('DELETE', `${PATH}/${id}`)).status).toBe(403);
    expect((await app.other.get(PATH)).status).toBe(200);
    const before = target.received.length;
    await emit(app, eventOf('evidence.anchored', [await operatorSeqOf(app, app.otherId)]));
    await target.waitForRequest(before + 1);
    const { body, headers } = target.received.at(-1) ?? { body: '', headers: {} };
    expect(() => new Webhook(String(signing_secret)).verify(body, headers)).not.toThrow();
    await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    expect((await app.other.call('DELETE', `${PATH}/${id}`)).status).toBe(200);
  });

  test('are at most a hundred, also of many made at once; pages hold every one once, newest first', async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) => make(`/${index}`, app.other)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_WEBHOOKS);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.reason_code}`))).toEqual(
      new Set(['409 conflict']),
    );
    const found: { id: string; created_at: string }[] = [];
    let cursor = '';
    do {
      const { body } = await app.other.get(`${PATH}?limit=7${cursor}`);
      found.push(...Object(body).webhooks);
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    const made = answers.flatMap(({ status, body }) => (status === 201 ? [String(body.id)] : []));
    expect(found.map(({ id }) => id).sort()).toEqual(made.sort());
    const times = found.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    await app.other.call('DELETE', `${PATH}/${made[0]}`);
    expect((await make('/again', app.other)).status).toBe(201);
  });
});

describe('a data directory', () => {
  let data: string;
  let target: Receiver;
  let app: TrustApp | null = null;
  const open = async (settings: Record<string, string> = {}): Promise<TrustApp> => {
    app = await openTrustApp({ 'webhooks.allow_private': 'on', ...settings }, null, data);
    return app;
  };
  const close = async () => {
    await app?.close();
    app = null;
  };
  const masterKey = () => join(data, 'keys', 'master.key');
  const subscribe = async () => {
    const { own } = await open();
    const url = `http://127.0.0.1:${target.port}/`;
    const { body } = await own.post(PATH, { url, events: ['enrollment.completed'] });
    await close();
    return strings(body);
  };
  beforeAll(() => {
    target = receiver(() => new Response());
  });
  afterAll(() => target.stop());
  afterEach(async () => {
    await close();
    rmSync(data, { recursive: true, force: true });
  });
  const fresh = () => {
    data = join(mkdtempSync(join(tmpdir(), 'countersign-webhooks-')), 'data');
  };

  test('has the same subscriptions after a restart, with their secrets', async () => {
    fresh();
    const { id, secret, signing_secret } = await subscribe();
    const again = await open();
    expect(Object((await again.own.get(PATH)).body).webhooks).toMatchObject([{ id }]);
    await emit(again, eventOf('enrollment.completed', [await operatorSeqOf(again)]));
    await target.waitForRequest(1);
    const { body = '', headers = {} } = target.received[0] ?? {};
    expect(headers['x-service-signature']).toBe(String(secret));
    expect(new Webhook(String(signing_secret)).verify(body, headers)).toMatchObject({
      event: 'enrollment.completed',
    });
  });

  test('gets its master key at the first start, also one that is older', async () => {
    fresh();
    await open();
    expect(statSync(masterKey()).mode & 0o777).toBe(0o600);
    const text = readFileSync(masterKey(), 'utf8');
    expect(trustServiceDefinition(trustModules).isKey('master.key', text)).toBe(true);
    await close();
    await open();
    expect(readFileSync(masterKey(), 'utf8')).toBe(text);
    await close();
    rmSync(masterKey());
    await open({ read_only: 'on' });
    expect(existsSync(masterKey())).toBe(false);
    await close();
    await open();
    expect(existsSync(masterKey())).toBe(true);
  });

  test('without the master key of its secrets, or with another, does not start', async () => {
    fresh();
    await subscribe();
    const text = readFileSync(masterKey(), 'utf8');
    expect(await restoreProblems(data, trustDatabase)).toEqual([]);
    rmSync(masterKey());
    expect(await restoreProblems(data, trustDatabase)).toMatchObject([
      { what: expect.stringContaining('master.key') },
    ]);
    await expect(open()).rejects.toThrow(/the master key .* is missing/);
    await expect(open({ read_only: 'on' })).rejects.toThrow(/the master key .* is missing/);
    writeFileSync(masterKey(), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
    await expect(open()).rejects.toThrow(/cannot be decrypted/);
    writeFileSync(masterKey(), text, { mode: 0o600 });
    await open();
  });

  test('that is only read lists, and changes and sends nothing', async () => {
    fresh();
    const { id } = await subscribe();
    const { own, service } = await open({ read_only: 'on' });
    expect(Object((await own.get(PATH)).body).webhooks).toMatchObject([{ id }]);
    expect((await own.get(`${PATH}/${id}/deliveries`)).body).toEqual({ deliveries: [], next_cursor: null });
    for (const { status, body } of [
      await own.post(PATH, { url: 'https://nowhere.example/', events: ['evidence.anchored'] }),
      await own.call('DELETE', `${PATH}/${id}`),
    ]) {
      expect([status, body.reason_code]).toEqual([503, 'storage_unavailable']);
    }
    expect(service.webhooks.dispatcher.stats().subscriptions).toBe(0);
    expect((await own.get(`${PATH}/verify-guide`)).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import { clockStart, testConfig } from '../../../../src/platform/test-service/settings.ts';
import { openTrustService } from '../../../../src/trust/service/service.ts';
import { openStaffingApp } from '../../../support/staffing-app.ts';
import { openTestService, STAFFING, type TestService, TRUST } from '../../../support/test-service.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

const ROUTES = [
  'GET /_test/clock',
  'POST /_test/clock',
  'POST /_test/reset',
  'GET /_test/faults',
  'POST /_test/faults',
  'DELETE /_test/faults',
];

let trust: TestService;
beforeAll(async () => {
  trust = await openTestService(TRUST);
});
afterAll(() => trust.close());

describe('a service that is no test service', () => {
  test.each(['trust', 'staffing'])(
    'has no route below /_test, nor names one in its documents: %s',
    async (name) => {
      const app = name === 'trust' ? await openTrustApp() : await openStaffingApp();
      try {
        for (const route of ROUTES) {
          const [method = '', path = ''] = route.split(' ');
          const headers = { authorization: `Bearer ${'apiKey' in app ? app.apiKey : ''}` };
          const request = new Request(`http://localhost${path}`, { method, headers });
          expect([route, (await app.fetch(request)).status]).toEqual([route, 404]);
        }
        for (const path of name === 'trust' ? ['/openapi.json'] : ['/openapi.json', '/admin/openapi.json']) {
          const text = await (await app.fetch(new Request(`http://localhost${path}`))).text();
          expect(text).not.toContain('/_test/');
        }
      } finally {
        await app.close();
      }
    },
  );

  test.each([
    [{ 'log.origin': 'test.invalid/3f' }, 'http://localhost:3000'],
    [{ 'log.origin': 'TEST.invalid' }, 'http://localhost:3000'],
    [{}, 'https://test.invalid'],
  ])('does not start with a log that is named as one: %p at %p', async (settings, url) => {
    const opened = openTrustApp(settings, null, ':memory:', { url });
    await expect(opened).rejects.toThrow('is that of a test service');
  });

  test('does not continue the log of a test service from a copy of its data, whatever it is renamed to', async () => {
    const copy = `${trust.directory}-copy`;
    const { exitCode } = Bun.spawnSync(['cp', '-r', trust.directory, copy]);
    expect(exitCode).toBe(0);
    try {
      rmSync(`${copy}/lock`);
      rmSync(`${copy}/test-service`);
      for (const settings of [[], [['log.origin', 'acme.example']]] as [string, string][][]) {
        const directory = takeDataDirectory(copy);
        const options = { version: 'test', url: 'https://acme.example' };
        const opened = openTrustService(directory, new Map(settings), pino({ level: 'silent' }), options);
        await expect(opened).rejects.toThrow('is that of a test service');
        directory.release();
      }
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

describe('serve --test refuses', () => {
  const refusal = (settings: Record<string, string>, definition = TRUST): string => {
    try {
      testConfig(new Map(Object.entries(settings)), definition);
      return 'nothing';
    } catch (error) {
      if (error instanceof Failure) return `${error.exitCode} ${error.message}`;
      throw error;
    }
  };

  test.each<[string, Record<string, string>]>([
    ['a data directory', { data: '/var/lib/countersign' }],
    ['a data directory that does not exist', { data: '/nowhere/at/all' }],
    ['an address that others reach', { host: '0.0.0.0' }],
    ['the URL of another machine', { base_url: 'https://trust.acme.example' }],
    ['metrics for others', { metrics_host: '0.0.0.0' }],
    ['proxies', { trusted_proxies: '10.0.0.0/8' }],
    ['another name of the log', { 'log.origin': 'acme.example' }],
    ['real payments', { 'billing.stripe.secret_key': 'sk_live_1' }],
    ['a treasury', { 'evm.treasury_key': `0x${'1'.repeat(64)}` }],
    ['a chain', { 'evm.rpc_urls': 'https://rpc.example' }],
    ['witnesses', { 'log.witness_policy': 'policy.txt' }],
    ['a read-only service', { read_only: 'on' }],
  ])('%s', (_, settings) => {
    expect(refusal(settings)).toMatch(/^2 .*contradicts --test/);
  });

  test('mail, in the staffing service', () => {
    expect(refusal({ 'smtp.url': 'smtps://a:b@mail.example' }, STAFFING)).toMatch(/^2 .*contradicts --test/);
  });

  test('a clock that starts nowhere', () => {
    for (const text of ['tomorrow', '+', '-72h', '2026-01-01', '1e3', '9999-01-01T00:00:00Z'])
      expect(() => clockStart(text)).toThrow('is not the start of a clock');
  });

  test('no limit and no quota that is given', () => {
    const config = testConfig(new Map([['rate_limits', 'on']]), TRUST);
    expect([config.get('rate_limits'), config.get('data')]).toEqual(['on', ':memory:']);
    expect(testConfig(new Map(), TRUST).get('rate_limits')).toBe('off');
  });
});

describe('the routes of a test service', () => {
  test.each(ROUTES)('need an admin key: %s', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const { body: created } = await trust.own.post('/api/v1/operator/api-keys', { name: 'no admin' });
    const keys = [
      null,
      'pp_0',
      `pp_${'0'.repeat(64)}`,
      String(created.api_key),
      String(trust.ready.service_token),
    ];
    for (const key of keys) {
      const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
      const response = await trust.fetch(new Request(`http://127.0.0.1:3000${path}`, { method, headers }));
      expect([401, 403]).toContain(response.status);
    }
  });

  test('of the staffing service need the admin token', async () => {
    const staffing = await openTestService(STAFFING);
    try {
      expect((await staffing.own.post('/_test/reset')).status).toBe(401);
      expect((await staffing.anyone.get('/_test/clock')).status).toBe(401);
      expect((await staffing.admin.get('/_test/clock')).status).toBe(200);
      const { body: ofPartners } = await staffing.anyone.get('/openapi.json');
      const { body: ofAdmin } = await staffing.anyone.get('/admin/openapi.json');
      expect(JSON.stringify(ofPartners)).not.toContain('/_test/');
      expect(Object.keys(Object(ofAdmin.paths))).toContain('/_test/clock');
    } finally {
      await staffing.close();
    }
  });

  test.each<[string, unknown, number]>([
    ['/_test/clock', {}, 400],
    ['/_test/clock', { advance: '1h', to: '2026-02-01T00:00:00Z' }, 400],
    ['/_test/clock', { advance: 'soon' }, 400],
    ['/_test/clock', { advance: 72 }, 400],
    ['/_test/clock', { advance: '-1h' }, 400],
    ['/_test/clock', { advance: '999999999d' }, 400],
    ['/_test/clock', { to: '2126-01-01T00:00:00Z' }, 400],
    ['/_test/clock', { to: '2025-12-31T23:59:59Z' }, 409],
    ['/_test/clock', { to: 'never' }, 400],
    ['/_test/clock', { advance: '1h', more: true }, 400],
    ['/_test/clock', 'advance=72h', 400],
    ['/_test/faults', {}, 400],
    ['/_test/faults', { operation: 'getHealth', count: 1 }, 400],
    ['/_test/faults', { operation: 'getHealth', count: 0, status: 503 }, 400],
    ['/_test/faults', { operation: 'getHealth', count: 1, status: 200 }, 400],
    ['/_test/faults', { operation: 'getHealth', count: 1, status: 418 }, 400],
    ['/_test/faults', { operation: 'nothing', count: 1, status: 503 }, 400],
    ['/_test/faults', { operation: 'resetTestService', count: 1, status: 503 }, 400],
    ['/_test/faults', { operation: '__proto__', count: 1, status: 503 }, 400],
    ['/_test/faults', { operation: 'getHealth', count: 1, status: 503, lose_response: true }, 400],
    ['/_test/faults', { operation: 'getHealth', count: 1, delay_ms: 1e9 }, 400],
  ])('refuse %s %p with %d', async (path, body, status) => {
    expect((await trust.admin.post(path, body)).status).toBe(status);
    expect((await trust.admin.get('/_test/clock')).body.now).toBe('2026-01-01T00:00:00.000Z');
  });

  test('have a limit of faults', async () => {
    const fault = { operation: 'getHealth', count: 1, status: 503 };
    for (let n = 0; n < 1000; n += 1) await trust.admin.post('/_test/faults', fault);
    expect((await trust.admin.post('/_test/faults', fault)).status).toBe(409);
    const { body } = await trust.admin.call('DELETE', '/_test/faults');
    expect(body).toEqual({ faults: [] });
  });

  test('are not for a page of another site whose name resolves to this machine', async () => {
    const headers = { authorization: `Bearer ${trust.ready.api_key}` };
    const request = new Request('http://evil.example/_test/clock', { headers });
    expect((await trust.fetch(request)).status).toBe(400);
  });

  test('are in the document of the test service', async () => {
    const { body } = await trust.anyone.get('/openapi.json');
    const documented = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.filter((route) => route.includes(' /_test')).toSorted()).toEqual(ROUTES.toSorted());
    expect(Object(body.info).title).toBe('Countersign trust service (test)');
    const file = join(tmpdir(), `countersign-test-openapi-${process.pid}.json`);
    writeFileSync(file, JSON.stringify(body));
    // In between the service goes on: it checks itself.
    const lint = Bun.spawn(['node_modules/.bin/redocly', 'lint', '--format=json', file], {
      stderr: 'ignore',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const { problems } = JSON.parse(await new Response(lint.stdout).text());
    rmSync(file);
    expect(JSON.stringify(problems)).not.toMatch(/_test|TestClock|Fault|health/);
  });
});

describe('faults', () => {
  test('refuse as many requests as they say, with an error of the service', async () => {
    const fault = { operation: 'issueReceipt', count: 2, status: 429 };
    expect((await trust.admin.post('/_test/faults', fault)).status).toBe(200);
    const results = [await trust.own.issue(), await trust.own.issue(), await trust.own.issue()];
    expect(results.map(({ status }) => status)).toEqual([429, 429, 201]);
    expect(results[0]?.body.reason_code).toBe('rate_limit_exceeded');
    expect(results[0]?.headers.get('retry-after')).toBe('1');
  });

  test('are of one operation, whatever the parts of its path', async () => {
    await trust.admin.post('/_test/faults', { operation: 'getReceipt', count: 1, status: 503 });
    const health = await trust.anyone.get('/api/health');
    expect([health.status, health.body.status, health.body.problems]).toEqual([200, 'ok', []]);
    expect((await trust.own.get('/api/v1/receipts/rcpt_1')).status).toBe(503);
    expect((await trust.own.get('/api/v1/receipts/rcpt_1')).status).not.toBe(503);
  });

  test('that lose the response perform the request', async () => {
    await trust.admin.post('/_test/faults', { operation: 'issueReceipt', count: 1, lose_response: true });
    const { body: before } = await trust.own.get('/api/v1/receipts');
    await expect(trust.own.issue()).rejects.toBeUndefined();
    const { body: after } = await trust.own.get('/api/v1/receipts');
    expect([after.receipts].flat().length).toBe([before.receipts].flat().length + 1);
  });
});

test('every page of a test service says TEST', async () => {
  for (const path of ['/swagger', '/search', '/leaderboard', '/account/login', '/verify', '/no/such/page']) {
    const request = new Request(`http://127.0.0.1:3000${path}`, { headers: { accept: 'text/html' } });
    const response = await trust.fetch(request);
    const text = await response.text();
    if (response.headers.get('content-type')?.startsWith('text/html') === true)
      expect([path, text]).toEqual([
        path,
        expect.stringContaining('TEST: this service was started with --test'),
      ]);
  }
});

import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { openStaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

const ROOT = join(import.meta.dir, '../../../..');

/**
 * Serves a service in a new process, and counts the files with texts of operations before and after a request
 * for the documentation.
 */
const scriptFor = (service: string): string => `
  const { trustModules: trust } = await import('./src/trust/service/modules.ts');
  const { staffingModules: staffing } = await import('./src/staffing/service/modules.ts');
  const { ${service}ServiceDefinition: definitionOf } = await import('./src/${service}/definition.ts');
  const { takeDataDirectory } = await import('./src/platform/data-directory.ts');
  const { noopRecorder: recorder } = await import('./src/platform/monitoring/recorder.ts');
  const { Traffic } = await import('./src/platform/http/traffic.ts');
  const directory = takeDataDirectory(':memory:');
  const log = require('pino')({ level: 'silent' });
  const settings = { directory, config: new Map(), log, version: 'test', recorder, traffic: new Traffic(), url: 'http://localhost' };
  const service = await definitionOf({ trust, staffing }.${service}).open(settings);
  const app = service.app('/');
  await app.load();
  const status = async (path) => (await app.fetch(new Request('http://localhost' + path))).status;
  const loaded = () => Object.keys(require.cache).filter((file) => file.endsWith('/api.md')).length;
  const first = [await status('/api/health'), await status('/nowhere'), loaded()];
  console.log(JSON.stringify([first, [await status('/openapi.json'), loaded() > 4]]));
  await service.close();
  directory.release();
`;

describe('the documentation', () => {
  const SERVICES = {
    trust: {
      open: openTrustApp,
      codeOf: (body: unknown) => Object(body).reason_code,
      code: 'rate_limit_exceeded',
    },
    staffing: {
      open: openStaffingApp,
      codeOf: (body: unknown) => Object(Object(body).error).code,
      code: 'RATE_LIMITED',
    },
  };

  test.each(['trust', 'staffing'])(
    'of the %s service has texts of operations that a start and other requests do not load',
    async (service) => {
      const child = Bun.spawn([process.execPath, '-e', scriptFor(service)], { cwd: ROOT, stderr: 'inherit' });
      expect(JSON.parse(await child.stdout.text())).toEqual([
        [200, 404, 0],
        [200, true],
      ]);
    },
    180_000,
  );

  test('of both services has a summary and a description of each operation, with several rules as a list', async () => {
    for (const open of [openTrustApp, openStaffingApp]) {
      const app = await open();
      const document = app.anyone.get('/openapi.json');
      const operations = Object.values(Object((await document).body).paths).flatMap((item) =>
        Object.values(Object(item)),
      );
      expect(operations.length).toBeGreaterThan(20);
      const incomplete = operations.filter((operation) => {
        const { summary = '', description = '' } = Object(operation);
        return !/^\S.{5,90}$/.test(summary) || !/^\S/.test(description) || /\{\{/.test(description);
      });
      expect(incomplete).toEqual([]);
      // Rules are lists: a longer paragraph is several of them.
      const dense = operations.flatMap((operation) =>
        String(Object(operation).description)
          .split('\n\n')
          .filter((paragraph) => !/^(- |1\. )/.test(paragraph) && paragraph.length > 600),
      );
      expect(dense).toEqual([]);
      await app.close();
    }
  });

  test('of a service is refused while an operation has no text, and while a text has no operation', async () => {
    const modules = {
      'no api.md has a section for getHealth': trustModules.map((module) =>
        module.name === 'discovery' ? { ...module, descriptions: async () => ({ default: '' }) } : module,
      ),
      'an api.md has a section for getNothing': [
        ...trustModules,
        { name: 'more', descriptions: async () => ({ default: '## getNothing\n\nGet\n\nNothing.\n' }) },
      ],
    };
    for (const [message, registered] of Object.entries(modules)) {
      const app = await openTrustApp({}, null, ':memory:', { modules: registered });
      const { fetch } = app.service.app('/');
      await expect(fetch(new Request('http://localhost/openapi.json'))).rejects.toThrow(message);
      await app.close();
    }
  });

  test.each(Object.entries(SERVICES))(
    'of the %s service is counted with the public reads of an address, in every coding, unchanged, and with a key',
    async (_, { open, codeOf, code }) => {
      const limited = await open({ rate_limits: 'on', 'limits.public_reads': '6' });
      const get = (
        path: string,
        headers: Record<string, string> = {},
        method = 'GET',
        peer = '203.0.113.1',
      ) => limited.fetch(new Request(`http://localhost${path}`, { method, headers }), peer);
      const first = await get('/openapi.json');
      const etag = first.headers.get('etag') ?? '';
      const responses = [
        first,
        await get('/openapi.json', { 'accept-encoding': 'gzip' }),
        await get('/openapi.json', { 'if-none-match': etag }),
        await get('/openapi.json', {}, 'HEAD'),
        await get('/swagger'),
        await get('/swagger/swagger-ui-bundle.js', { 'accept-encoding': 'br' }),
      ];
      expect(
        responses.map(({ status, headers }) => [status, headers.get('ratelimit')?.split(';t=')[0]]),
      ).toEqual([200, 200, 304, 200, 200, 200].map((status, at) => [status, `"public-reads";r=${5 - at}`]));
      const key = 'apiKey' in limited ? limited.apiKey : limited.ownKey;
      for (const headers of [{}, { 'if-none-match': etag }, { authorization: `Bearer ${key}` }]) {
        const refused = await get('/openapi.json', { ...headers, 'x-request-id': 'mine' });
        expect([refused.status, codeOf(await refused.json())]).toEqual([429, code]);
        expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
        expect(refused.headers.get('ratelimit-policy')).toBe('"public-reads";q=6;w=60');
        expect(refused.headers.get('x-request-id')).not.toBeNull();
      }
      expect((await get('/api/health')).status).toBe(200);
      expect((await get('/openapi.json', {}, 'GET', '203.0.113.2')).status).toBe(200);
      expect(limited.logged()).not.toContain('request failed');
      await limited.close();
    },
    180_000,
  );
});

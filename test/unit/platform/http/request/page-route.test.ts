import { expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import { Elysia } from 'elysia';
import pino from 'pino';
import { createApp } from '../../../../../src/platform/http/app.ts';
import { Refusal } from '../../../../../src/platform/http/errors/errors.ts';
import { detailOfPage } from '../../../../../src/platform/http/request/page-route.ts';
import { RateLimiter } from '../../../../../src/platform/http/request/rate-limits.ts';
import { trustDialect } from '../../../../../src/trust/http/dialect.ts';

const detail = detailOfPage({
  errorPage: async ({ status, message, issues, requestId }) => ({
    text: `<p>${status} ${message} ${JSON.stringify(issues ?? null)} ${requestId}</p>`,
    headers: { 'content-type': 'text/html', 'referrer-policy': 'same-origin' },
  }),
});

const lines: string[] = [];
const app = createApp({
  dialect: trustDialect,
  log: pino({}, { write: (line: string) => void lines.push(line) }),
  limits: new RateLimiter({ on: false, trustedProxies: new BlockList() }),
  routes: [
    new Elysia()
      .get('/page', () => 'fine', { detail })
      .get(
        '/page/broken',
        () => {
          throw new Error('secret of the stack');
        },
        { detail },
      )
      .post(
        '/page/:id/end',
        () => {
          throw new Refusal('invalid', { issues: { name: ['is wrong'] } });
        },
        { detail },
      )
      .get('/data', () => {
        throw new Refusal('unauthorized');
      }),
  ],
});

const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const response = await app.fetch(new Request(`http://localhost${path}`, { method, headers }));
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
    headers: response.headers,
  };
};

test('every error of a route of pages is a page: of its rules, of the framework, and of the program', async () => {
  const invalid = await ask('POST', '/page/7/end', { 'x-request-id': 'req-1' });
  expect([invalid.status, invalid.type]).toEqual([400, 'text/html']);
  expect(invalid.text).toContain('{"name":["is wrong"]} req-1');
  expect(invalid.headers.get('x-request-id')).toBe('req-1');
  expect(invalid.headers.get('referrer-policy')).toBe('same-origin');
  expect(invalid.headers.get('x-frame-options')).toBe('DENY');

  const other = await ask('DELETE', '/page');
  expect([other.status, other.type, other.headers.get('allow')]).toEqual([405, 'text/html', 'GET, HEAD']);
  const large = await ask('POST', '/page/7/end', { 'content-length': '99999999' });
  expect([large.status, large.type]).toEqual([413, 'text/html']);
  const twice = await ask('GET', '/page?a=1&a=2');
  expect([twice.status, twice.type]).toEqual([400, 'text/html']);

  const broken = await ask('GET', '/page/broken');
  expect([broken.status, broken.type]).toEqual([500, 'text/html']);
  expect(broken.text).not.toContain('secret');
  expect(lines.join('')).toContain('secret of the stack');
});

test('other routes respond with JSON, and pages without errors are as they are', async () => {
  expect((await ask('GET', '/data')).type).toBe('application/json');
  expect((await ask('GET', '/nothing')).type).toBe('application/json');
  expect(await ask('GET', '/page')).toMatchObject({ status: 200, text: 'fine' });
});

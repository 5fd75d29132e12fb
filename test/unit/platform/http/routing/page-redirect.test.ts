import { describe, expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import { Elysia } from 'elysia';
import pino from 'pino';
import { createApp } from '../../../../../src/platform/http/app.ts';
import { detailOfPage } from '../../../../../src/platform/http/request/page-route.ts';
import { RateLimiter } from '../../../../../src/platform/http/request/rate-limits.ts';
import { pagesOfPaths } from '../../../../../src/platform/http/routing/page-redirect.ts';
import { trustDialect } from '../../../../../src/trust/http/dialect.ts';

const errorPage = async () => ({ text: '', headers: {} });
const page = (path: string, shows: readonly string[]) =>
  new Elysia().get(path, () => 'page', { detail: detailOfPage({ shows, errorPage }) });

const app = createApp({
  dialect: trustDialect,
  log: pino({ level: 'silent' }),
  limits: new RateLimiter({ on: false, trustedProxies: new BlockList() }),
  routes: [
    page('/items/:id', ['/api/items/:id', '/api/items/:id/parts/:part']),
    new Elysia()
      .get('/api/items/:id', () => ({}))
      .post('/api/items/:id', () => ({}))
      .get('/api/items/:id/parts/:part', () => ({}))
      .get('/api/items/:id/keys', () => ({})),
  ],
});

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const ask = async (path: string, accept: string | null, method = 'GET') => {
  const headers = accept === null ? {} : { accept };
  const response = await app.fetch(new Request(`http://localhost${path}`, { method, headers }));
  return [response.status, response.headers.get('location'), response.headers.get('vary')];
};

describe('a path of the API that a page shows', () => {
  test.each<[string, string | null, string, (string | number | null)[]]>([
    ['leads a browser to the page', HTML, '/api/items/7', [303, '/items/7', 'Accept']],
    ['keeps the query', HTML, '/api/items/7?cursor=a%20b', [303, '/items/7?cursor=a%20b', 'Accept']],
    ['may have more parameters than the page', HTML, '/api/items/7/parts/2', [303, '/items/7', 'Accept']],
    ['is encoded again', HTML, '/api/items/a%2F%3Fb%0d', [303, '/items/a%2F%3Fb%0D', 'Accept']],
    [
      'never leads to another origin',
      HTML,
      '/api/items/%2F%2Fevil.example',
      [303, '/items/%2F%2Fevil.example', 'Accept'],
    ],
    ['is no page where the parameter is not decoded', HTML, '/api/items/%ff', [200, null, 'Accept']],
    ['is JSON without a preference', null, '/api/items/7', [200, null, 'Accept']],
    ['is JSON for any type', '*/*', '/api/items/7', [200, null, 'Accept']],
    [
      'is JSON where both are accepted alike',
      'text/html, application/json',
      '/api/items/7',
      [200, null, 'Accept'],
    ],
    [
      'is JSON for who prefers it',
      'text/html;q=0.5, application/json',
      '/api/items/7',
      [200, null, 'Accept'],
    ],
    ['is JSON for a broken header', 'text/html;q=2,,;', '/api/items/7', [200, null, 'Accept']],
  ])('%s', async (_name, accept, path, expected) => {
    expect(await ask(path, accept)).toEqual(expected);
  });

  test('answers HEAD like GET, and other methods as ever', async () => {
    expect(await ask('/api/items/7', HTML, 'HEAD')).toEqual([303, '/items/7', 'Accept']);
    expect(await ask('/api/items/7', HTML, 'POST')).toEqual([200, null, null]);
  });
});

test('other paths are not negotiated', async () => {
  expect(await ask('/api/items/7/keys', HTML)).toEqual([200, null, null]);
});

describe('the table of pages is refused', () => {
  test('with two pages of one path', () => {
    const { routes } = new Elysia().use(page('/a/:id', ['/api/:id'])).use(page('/b/:id', ['/api/:id']));
    expect(() => pagesOfPaths(routes)).toThrow('two pages show /api/:id');
  });

  test('with a page that needs a parameter which the path lacks', () => {
    const { routes } = new Elysia().use(page('/a/:name', ['/api/:id']));
    expect(() => pagesOfPaths(routes)).toThrow('/api/:id has no parameter name of the page /a/:name');
  });
});

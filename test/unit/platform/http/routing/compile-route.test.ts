import { describe, expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import pino from 'pino';
import { createApp } from '../../../../../src/platform/http/app.ts';
import { open } from '../../../../../src/platform/http/auth/open.ts';
import { RateLimiter } from '../../../../../src/platform/http/request/rate-limits.ts';
import { strictObject } from '../../../../../src/platform/http/schema.ts';
import { trustDialect } from '../../../../../src/trust/http/dialect.ts';

const limits = new RateLimiter({ on: false, trustedProxies: new BlockList() });
const Name = strictObject({ name: Type.String() });
const leaking: { name: string } = JSON.parse('{"name":"n","secret":"leaked"}');

const routes = new Elysia()
  .use(open(limits, {}))
  .get('/leaks', () => leaking, { open: 'free', response: { 200: Name } })
  .get(
    '/undescribed',
    ({ set }) => {
      set.status = 202;
      return { name: 'leaked' };
    },
    { open: 'free', response: { 200: Name } },
  )
  .get('/params/:one/:two', ({ params }) => params, {
    open: 'free',
    params: strictObject({ one: Type.String(), two: Type.String() }),
  })
  .get('/query', ({ query }) => query, { open: 'free' })
  .get('/chosen', ({ status }) => status(304, undefined), { open: 'free' })
  .get('/own', () => new Response('own', { headers: { 'cache-control': 'public' } }), { open: 'free' })
  .get('/bytes', () => new Uint8Array([1, 2]), { open: 'free' })
  .get('/nothing', () => null, { open: 'free' })
  .get('/fixed', 'fixed')
  .post('/body', ({ body }) => body, { open: 'free', body: Name, response: { 200: Name } })
  .post('/optional', ({ body }) => ({ name: body?.name ?? 'none' }), {
    open: 'free',
    body: Type.Optional(Type.Union([Name, Type.Null()])),
  })
  .post('/local', ({ body }) => body, { body: Name })
  .post('/unread', async ({ request }) => request.text(), { parse: 'none', body: Name })
  .get('/cookies', ({ cookie }) => {
    cookie.first?.set({ value: 'a b', httpOnly: true, path: '/' });
    cookie.second?.set({ value: '2' });
    cookie.sent?.remove();
    cookie.unknown?.remove();
    return { sent: cookie.sent?.value };
  });

const appOf = (checksResponses: boolean) =>
  createApp({
    dialect: trustDialect,
    log: pino({ level: 'silent' }),
    limits,
    routes: [routes],
    checksResponses,
  });
const app = appOf(false);
const checking = appOf(true);

const ask = (path: string, init: RequestInit = {}, asked = app) =>
  asked.fetch(new Request(`http://localhost${path}`, init));
const post = (path: string, body: string) =>
  ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

describe('a response', () => {
  test('has only the members that its schema declares', async () => {
    expect(await (await ask('/leaks')).text()).toBe('{"name":"n"}');
  });

  test('with other members is an error where responses are checked', async () => {
    const response = await ask('/leaks', {}, checking);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('leaked');
  });

  test.each([app, checking])('with a status that no schema describes is an error', async (asked) => {
    const response = await ask('/undescribed', {}, asked);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('leaked');
  });

  test.each([
    ['/chosen', 304, '', null],
    ['/own', 200, 'own', null],
    ['/bytes', 200, '\u0001\u0002', null],
    ['/nothing', 200, '', null],
    ['/fixed', 200, 'fixed', null],
    ['/query?a=b%20c&d=e+f', 200, '{"a":"b c","d":"e f"}', 'application/json;charset=utf-8'],
  ] as const)('of %s has its status, and JSON is said to be JSON', async (path, status, text, type) => {
    const response = await ask(path);
    expect([response.status, await response.text()]).toEqual([status, text]);
    if (type !== null) expect(response.headers.get('content-type')).toBe(type);
  });

  test('has the common headers, unless the handler has set its own', async () => {
    const [query, own] = [await ask('/query'), await ask('/own')];
    expect(query.headers.get('cache-control')).toBe('no-store');
    expect(own.headers.get('cache-control')).toBe('public');
    for (const { headers } of [query, own]) {
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await ask('/query')).headers.get('x-request-id')).not.toBe(query.headers.get('x-request-id'));
  });

  test('sets each cookie, and removes only one that was sent', async () => {
    const { headers } = await ask('/cookies', { headers: { cookie: 'sent=1' } });
    expect(headers.getSetCookie()).toEqual([
      'first=a%20b; Path=/; HttpOnly',
      'second=2; Path=/',
      expect.stringMatching(/^sent=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970/),
    ]);
  });
});

describe('the path', () => {
  test.each([
    ['/params/a%20b/%F0%9F%98%80', 200, { one: 'a b', two: '😀' }],
    ['/params/a%2Fb/c', 200, { one: 'a/b', two: 'c' }],
    ['/params/%ff/c', 400, expect.objectContaining({ issues: { one: ['must be string'] } })],
    ['/params/a/', 404, expect.anything()],
    ['/params/a/b/', 404, expect.anything()],
    ['/%70arams/a/b', 404, expect.anything()],
  ])('%s has status %i', async (path, status, body) => {
    const response = await ask(path);
    expect([response.status, await response.json()]).toEqual([status, body]);
  });
});

describe('a body', () => {
  test.each([
    ['/body', '{"name":"n"}', 200, '{"name":"n"}'],
    ['/local', '{"name":"n"}', 200, '{"name":"n"}'],
    ['/unread', 'no JSON', 200, 'no JSON'],
    ['/optional', '', 200, '{"name":"none"}'],
    ['/optional', '{"name":"n"}', 200, '{"name":"n"}'],
  ])('of %s %s is read as its route says', async (path, body, status, text) => {
    const response = await post(path, body);
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  test.each([
    ['/body', ''],
    ['/body', '{}'],
    ['/body', '{"name":1}'],
    ['/body', '{"name":"n","more":1}'],
    ['/body', '[]'],
    ['/body', '{"name":"n"'],
    ['/optional', '{}'],
    ['/optional', '[]'],
    ['/local', '{"name":1}'],
    ['/local', ''],
  ])('of %s that is %p is refused', async (path, body) => {
    expect((await post(path, body)).status).toBe(400);
  });
});

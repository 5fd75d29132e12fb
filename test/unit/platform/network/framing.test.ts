import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { BlockList, connect } from 'node:net';
import { Elysia } from 'elysia';
import pino from 'pino';
import { createApp } from '../../../../src/platform/http/app.ts';
import { open } from '../../../../src/platform/http/auth/open.ts';
import { Refusal } from '../../../../src/platform/http/errors/errors.ts';
import { RateLimiter } from '../../../../src/platform/http/request/rate-limits.ts';
import { listen, type Server } from '../../../../src/platform/http/server.ts';
import { Overloaded } from '../../../../src/platform/store/errors.ts';
import { trustDialect } from '../../../../src/trust/http/dialect.ts';

let server: Server;
/** What handlers did. */
let done = 0;
const logged: Record<string, unknown>[] = [];

beforeAll(() => {
  const limits = new RateLimiter({ on: false, trustedProxies: new BlockList() });
  const routes = new Elysia()
    .use(open(limits, {}))
    .get('/here', () => ({ ok: true }), { open: 'free' })
    .get('/late', () => Promise.reject(new Refusal('overloaded', { message: 'The body took too long.' })), {
      open: 'free',
    })
    .get('/full', () => Promise.reject(new Overloaded()), { open: 'free' })
    .get('/broken', () => Promise.reject(new TypeError('a fault')), { open: 'free' })
    .post('/here', () => ({ done: ++done }), { open: 'free' });
  const log = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  server = listen('127.0.0.1', 0, null);
  server.serve(createApp({ dialect: trustDialect, log, limits, routes: [routes] }));
});
beforeEach(() => {
  done = 0;
  logged.length = 0;
});
afterAll(() => server.stop(0));

/**
 * Sends the parts of a request, some time apart.
 * @returns all that is received until the connection ends, or for half a second
 */
function send(...parts: string[]): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const over = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(got);
    };
    const timer = setTimeout(over, 500);
    socket.on('data', (data) => (got += data)).on('close', over);
    socket.on('error', () => undefined);
    const next = (): void => {
      const part = parts.shift();
      if (part === undefined) return;
      socket.write(part);
      setTimeout(next, 30);
    };
    socket.on('connect', next);
  });
}

const HOST = 'Host: a.example\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const CHUNKED = `POST /here HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n`;
const statusesIn = (response: string): string[] => response.match(/HTTP\/1\.1 \d+/g) ?? [];

describe('a request whose framing two readers could understand differently is one clear 400', () => {
  test.each([
    [
      'two Host headers',
      `GET /here HTTP/1.1\r\n${HOST}Host: b.example\r\n\r\n`,
      'Host header is given more than once',
    ],
    [
      'the same Host twice',
      `GET /here HTTP/1.1\r\n${HOST}${HOST}\r\n`,
      'Host header is given more than once',
    ],
    ['a list as Host', 'GET /here HTTP/1.1\r\nHost: a, b\r\n\r\n', 'Host header is given more than once'],
    ['HTTP/1.0 without Host', 'GET /here HTTP/1.0\r\n\r\n', 'Host header is missing'],
    ['an empty Host', 'GET /here HTTP/1.1\r\nHost:\r\n\r\n', 'Host header is missing'],
    ['a Host that is none', 'GET /here HTTP/1.1\r\nHost: a b\r\n\r\n', 'names no host'],
    ['a target that is no path', `CONNECT a.example:80 HTTP/1.1\r\n${HOST}\r\n`, 'names no host'],
    ['a target that is no URL', `CONNECT a:[ HTTP/1.1\r\n${HOST}\r\n`, 'names no host'],
    [
      'Content-Length twice',
      `POST /here HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
      'Content-Length is given more than once',
    ],
    [
      'trailers that are announced',
      `${CHUNKED}Trailer: X-T\r\n\r\n2\r\n{}\r\n0\r\nX-T: 1\r\n\r\n`,
      'Trailers',
    ],
  ])('%s', async (_name, request, sentence) => {
    const response = await send(request);
    expect([response.startsWith('HTTP/1.1 400 '), done]).toEqual([true, 0]);
    const problem: unknown = JSON.parse(/\{.*?\}/.exec(response)?.[0] ?? 'null');
    expect(problem).toMatchObject({
      reason_code: 'validation_error',
      error: expect.stringContaining(sentence),
    });
  });

  test.each([
    ['HTTP/1.1 without Host', ['GET /here HTTP/1.1\r\n\r\n']],
    ['two lengths', [`POST /here HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}}`]],
    ['a length and chunks', [`${CHUNKED}Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`]],
    ['trailers that come unannounced', [`${CHUNKED}\r\n2\r\n{}\r\n0\r\nX-T: 1\r\n\r\n`]],
    ['trailers behind the last chunk', [`${CHUNKED}\r\n2\r\n{}\r\n`, '0\r\nX-T: 1\r\n\r\n']],
  ])('by the runtime, and nothing is done: %s', async (_name, parts) => {
    const response = await send(...parts);
    expect([statusesIn(response), done]).toEqual([['HTTP/1.1 400'], 0]);
  });

  test.each([
    ['HTTP/1.0 with Host', [`GET /here HTTP/1.0\r\n${HOST}\r\n`], 0],
    ['HTTP/1.1', [`GET /here HTTP/1.1\r\n${HOST}\r\n`], 0],
    ['chunks without trailers', [`${CHUNKED}\r\n2\r\n{}\r\n0\r\n\r\n`], 1],
    ['chunks that come one by one', [`${CHUNKED}\r\n`, '1\r\n{\r\n', '1\r\n}\r\n', '0\r\n\r\n'], 1],
  ])('while a sound one is served: %s', async (_name, parts, times) => {
    const response = await send(...parts);
    expect([statusesIn(response), done]).toEqual([['HTTP/1.1 200'], times]);
  });
});

describe('the log of the server', () => {
  test.each([
    ['/late', 'warn', undefined],
    ['/full', 'warn', undefined],
    ['/broken', 'error', expect.stringContaining('a fault')],
  ])(
    'gets one line of many failures at %s, with a stack only where the fault is ours',
    async (path, level, stack) => {
      const statuses = new Set<number>();
      for (let turn = 0; turn < 50; turn++) statuses.add((await fetch(`${server.url}${path}`)).status);
      expect([...statuses]).toEqual([path === '/broken' ? 500 : 503]);
      expect(logged).toHaveLength(1);
      expect([logged[0]?.level, Object(logged[0]?.err).stack]).toEqual([level === 'warn' ? 40 : 50, stack]);
    },
  );
});

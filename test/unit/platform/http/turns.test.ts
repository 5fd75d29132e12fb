import { afterEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import type { App } from '../../../../src/platform/http/app.ts';
import { readBody } from '../../../../src/platform/http/request/body.ts';
import { responseWith } from '../../../../src/platform/http/send-together.ts';
import { listen, type Server } from '../../../../src/platform/http/server.ts';
import { Turns } from '../../../../src/platform/turns/turns.ts';
import { anotherTurn } from '../../../../src/platform/turns/visits.ts';
import { eventually } from '../../../support/virtual-time.ts';

const MIB = 2 ** 20;
let server: Server;
afterEach(() => server.stop(1000));

/**
 * Listens with turns that begin when the test says so: only the first request begins at once. The header
 * `payer` names who pays.
 */
function held(fetch: App['fetch']) {
  let time = 0;
  let planned: (() => void)[] = [];
  /** The last request of each payer. */
  const arrived = new Map<string, Request>();
  const turns = new Turns({ now: () => (time += 1000), later: (call) => void planned.push(call) });
  server = listen('127.0.0.1', 0, null, { turns });
  server.serve({
    fetch,
    unavailable: () => new Response('stopping', { status: 503 }),
    busy: () => new Response('busy', { status: 429 }),
    payerOf(request) {
      const id = request.headers.get('payer') ?? '';
      arrived.set(id, request);
      return { id, key: '', isFree: false };
    },
    async verifiedPayerOf(request) {
      const id = request.headers.get('verified');
      return id === null ? null : { id, key: '', isFree: false };
    },
  });
  return {
    turns,
    arrived,
    url: server.url,
    send: (payer: string, path: string, { headers = {}, ...init }: RequestInit = {}) =>
      globalThis.fetch(server.url + path, { ...init, headers: { payer, ...Object(headers) } }),
    waiting: (count: number) => eventually(() => turns.length === count),
    /** Begins one request. */
    next(): void {
      const calls = planned;
      planned = [];
      for (const call of calls) call();
    },
  };
}

/** An application that notes the paths of its requests, and holds the first until `release`. */
function noting() {
  const seen: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const fetch: App['fetch'] = async (request) => {
    const path = new URL(request.url).pathname;
    seen.push(path);
    if (path === '/first') await released;
    return new Response(path);
  };
  return { seen, release, fetch };
}

/** Begins all that wait. */
async function drain({ turns, next }: Pick<ReturnType<typeof held>, 'turns' | 'next'>): Promise<void> {
  await eventually(() => {
    next();
    return turns.length === 0;
  });
}

test('requests are worked on in the turns of their payers', async () => {
  const { seen, release, fetch } = noting();
  const { turns, send, waiting, next } = held(fetch);
  const sent = [send('a', '/first')];
  await eventually(() => seen.length === 1);
  for (const [at, path] of ['/a1', '/a2', '/a3', '/b1', '/b2'].entries()) {
    sent.push(send(path.charAt(1), path));
    await waiting(at + 1);
  }
  release();
  await drain({ turns, next });
  expect(await Promise.all(sent.map(async (one) => (await one).status))).toEqual(sent.map(() => 200));
  expect(seen).toEqual(['/first', '/a1', '/b1', '/a2', '/b2', '/a3']);
});

test('a request whose client left while it waited is not worked on', async () => {
  const { seen, release, fetch } = noting();
  const { turns, send, waiting, next, arrived } = held(fetch);
  const first = send('a', '/first');
  await eventually(() => seen.length === 1);
  const leaving = new AbortController();
  const left = send('b', '/left', { signal: leaving.signal });
  await waiting(1);
  const stayed = send('c', '/stayed');
  await waiting(2);
  leaving.abort();
  expect(await left.catch(() => 'left')).toBe('left');
  await eventually(() => arrived.get('b')?.signal.aborted === true);
  release();
  await drain({ turns, next });
  await Promise.all([first, stayed]);
  expect(seen).not.toContain('/left');
});

test('a stop refuses what waits, and ends what has begun', async () => {
  const { seen, release, fetch } = noting();
  const { turns, send, waiting } = held(fetch);
  const first = send('a', '/first');
  await eventually(() => seen.length === 1);
  const others = Array.from({ length: 20 }, (_, at) => send('b', `/${at}`, { method: 'POST' }));
  await waiting(20);
  const stopped = server.stop(10_000);
  expect(await Promise.all(others.map(async (one) => (await one).status))).toEqual(others.map(() => 503));
  release();
  expect(await (await first).text()).toBe('/first');
  await stopped;
  expect([seen, turns.length]).toEqual([['/first'], 0]);
});

test('a payer with too many bytes that wait is refused while others wait', async () => {
  const { seen, release, fetch } = noting();
  const { turns, send, waiting, next } = held(fetch);
  const sent = [send('a', '/first')];
  await eventually(() => seen.length === 1);
  sent.push(send('b', '/b'));
  await waiting(1);
  const large = () => send('a', '/large', { method: 'POST', body: new Uint8Array(MIB) });
  for (let at = 0; at < 8; at++) sent.push(large());
  await waiting(9);
  const refused = await large();
  expect([refused.status, await refused.text()]).toEqual([429, 'busy']);
  release();
  await drain({ turns, next });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200));
});

test('a length that is none, or above every limit, counts as that of the longest body', async () => {
  const { seen, release, fetch } = noting();
  const { turns, url, waiting, send } = held(fetch);
  const first = send('a', '/first');
  await eventually(() => seen.length === 1);
  const connections = [];
  for (const lengths of ['Content-Length: 5\r\nContent-Length: 5', `Content-Length: ${64 * MIB}`]) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\npayer: b\r\n${lengths}\r\n\r\nhello`);
    connections.push(socket);
    await waiting(connections.length);
  }
  expect(Reflect.get(turns, 'bytes')).toBe(2 * MIB);
  for (const socket of connections) socket.destroy();
  turns.stop();
  release();
  await first;
});

test('a request with a key that was not seen before is not refused for what others of its address do', async () => {
  const { seen, release, fetch } = noting();
  const { turns, send, waiting, next } = held(fetch);
  const sent = [send('address', '/first'), send('b', '/b')];
  await waiting(1);
  const body = new Uint8Array(MIB);
  for (let at = 0; at < 8; at++) sent.push(send('address', '/many', { method: 'POST', body }));
  await waiting(9);
  sent.push(send('address', '/new', { method: 'POST', body, headers: { verified: 'operator' } }));
  await waiting(10);
  expect((await send('address', '/more', { method: 'POST', body })).status).toBe(429);
  release();
  await drain({ turns, next });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200));
  expect(seen).toContain('/new');
});

test('a body that comes late takes another turn', async () => {
  const order: string[] = [];
  const { turns, send, waiting, next, url } = held(async (request) => {
    const path = new URL(request.url).pathname;
    order.push(`began ${path}`);
    const body = request.method === 'POST' ? await readBody(request, MIB) : null;
    order.push(`ended ${path}`);
    return new Response(String(body?.length));
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answer = new Promise<string>((resolve) => {
    const parts: string[] = [];
    socket.on('data', (part) => parts.push(part.toString())).on('close', () => resolve(parts.join('')));
  });
  socket.write(
    'POST /slow HTTP/1.1\r\nHost: x\r\npayer: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\n',
  );
  await eventually(() => order.length === 1);
  next();
  const other = send('b', '/b');
  await eventually(() => order.includes('ended /b'));
  const waits = send('c', '/c');
  await waiting(1);
  socket.write('body');
  await waiting(2);
  expect(order).toEqual(['began /slow', 'began /b', 'ended /b']);
  await drain({ turns, next });
  await Promise.all([other, waits]);
  expect(await answer).toEndWith('\r\n\r\n4');
  expect(order.at(-1)).toBe('ended /slow');
});

test('a large response is sent in turns while others wait, and is the same', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const large = Buffer.concat(Array.from({ length: 32 }, () => bytes));
  const { turns, send, waiting, next } = held(async (request) => {
    if (!request.url.endsWith('/large')) return new Response('small');
    await released;
    return responseWith(large, { headers: { 'content-type': 'application/json', etag: '"e"' } });
  });
  const sent = send('a', '/large');
  const other = send('b', '/b');
  await waiting(1);
  release();
  const response = await sent;
  const body = response.bytes();
  await drain({ turns, next });
  await eventually(() => {
    next();
    return Reflect.get(turns, 'active') === 0;
  });
  expect([response.status, response.headers.get('etag')]).toEqual([200, '"e"']);
  expect(large.equals(await body)).toBe(true);
  expect(await (await other).text()).toBe('small');
});

test('the work of a request waits for another turn where it asks for one', async () => {
  const order: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { turns, send, waiting, next } = held(async (request) => {
    const path = new URL(request.url).pathname;
    order.push(path);
    if (path === '/long') {
      await released;
      await anotherTurn();
      order.push('/long again');
    }
    return new Response();
  });
  const sent = [send('a', '/long'), send('b', '/b')];
  await waiting(1);
  release();
  await waiting(2);
  await drain({ turns, next });
  await Promise.all(sent);
  expect(order).toEqual(['/long', '/b', '/long again']);
});

test('long computations of payers go on in turns, however many one payer has', async () => {
  const order: string[] = [];
  const { turns, send, next } = held(async (request) => {
    const path = new URL(request.url).pathname;
    for (const part of [1, 2]) {
      await anotherTurn();
      order.push(`${path} ${part}`);
    }
    return new Response();
  });
  const paths = ['/a1', '/a2', '/a3', '/b'];
  const sent = paths.map((path) => send(path.charAt(1), path));
  await eventually(() => {
    if (turns.length < 4 && order.length === 0) return false;
    next();
    return order.length === 8;
  });
  await Promise.all(sent);
  expect(order.indexOf('/b 2')).toBeLessThan(5);
  expect(order.filter((entry) => entry.startsWith('/a')).at(-1)).toBe(order.at(-1) ?? '');
});

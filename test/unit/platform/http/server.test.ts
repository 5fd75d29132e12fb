import { expect, test } from 'bun:test';
import type { App } from '../../../../src/platform/http/app.ts';
import { responseWith } from '../../../../src/platform/http/send-together.ts';
import { listen } from '../../../../src/platform/http/server.ts';
import { headOf } from '../../../support/head.ts';

const unavailable = (): Response => new Response('stopping', { status: 503 });
const busy = (): Response => new Response('busy', { status: 429 });
const appOf = (fetch: App['fetch']): App => ({
  ...{ fetch, unavailable, busy },
  payerOf: () => ({ id: '', key: '', isFree: false }),
  verifiedPayerOf: async () => null,
});
const echo = appOf(async (request) => new Response(new URL(request.url).pathname));

test('requests that come before the application wait for it', async () => {
  const server = listen('127.0.0.1', 0, null);
  const early = fetch(`${server.url}/early`);
  server.serve(echo);
  expect(await (await early).text()).toBe('/early');
  await server.stop(1000);
  await expect(fetch(server.url)).rejects.toThrow();
});

test('a port has one listener, and an address that is not here has none', async () => {
  const server = listen('127.0.0.1', 0, null);
  const port = Number(new URL(server.url).port);
  expect(() => listen('127.0.0.1', port, null)).toThrow(/is in use/);
  expect(() => listen('203.0.113.1', port, null)).toThrow(/cannot listen on/);
  await server.stop(0);
});

test('an IPv6 address of a server stands in brackets', async () => {
  const server = listen('::1', 0, null);
  server.serve(echo);
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await (await fetch(`${server.url}/six`)).text()).toBe('/six');
  await server.stop(0);
});

test('HEAD of a stream reads nothing, cancels the stream and states no length', async () => {
  let [pulls, cancels] = [0, 0];
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      {
        pull(controller) {
          pulls++;
          controller.enqueue(new Uint8Array(1000));
          if (pulls === 100) controller.close();
        },
        cancel: () => void cancels++,
      },
      { highWaterMark: 0 },
    );
  const fetch: App['fetch'] = async () => new Response(stream(), { headers: { 'content-type': 'text/csv' } });
  const head = await headOf(fetch, '/');
  expect([head.status, head.rest, head.headers.get('content-type')]).toEqual([200, '', 'text/csv']);
  expect([head.headers.has('content-length'), pulls, cancels]).toEqual([false, 0, 1]);
});

/** Bodies around the limit of what is sent together with the headers. */
const BODIES: [string, string | Uint8Array<ArrayBuffer> | Blob][] = [
  ['without a body', ''],
  ['of a small text', 'x'.repeat(14_000)],
  ['of a larger text', 'x'.repeat(14_001)],
  ['of a text with few characters and many bytes', '€'.repeat(5_000)],
  ['of a text of a megabyte', '"ä€😀"'.repeat(100_000)],
  ['of bytes', new Uint8Array(200_000).fill(7)],
  ['of a blob', new Blob(['x'.repeat(200_000)])],
];

test.each(BODIES)(
  'a response %s that is ready later is whole, and HEAD has its length',
  async (_name, body) => {
    const server = listen('127.0.0.1', 0, null);
    server.serve(
      appOf(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return responseWith(body, { status: 201, headers: { 'content-type': 'text/plain', etag: '"e"' } });
      }),
    );
    const bytes = await new Response(body).bytes();
    const responses = await Promise.all(Array.from({ length: 8 }, () => fetch(server.url)));
    for (const response of responses) {
      expect([response.status, response.headers.get('etag')]).toEqual([201, '"e"']);
      expect(Buffer.compare(await response.bytes(), bytes)).toBe(0);
    }
    const head = await fetch(server.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([201, String(bytes.length)]);
    await server.stop(1000);
  },
);

test('a large response to a client that leaves does not affect the next', async () => {
  const server = listen('127.0.0.1', 0, null);
  const body = 'x'.repeat(2 ** 20);
  server.serve(
    appOf(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return responseWith(body, {});
    }),
  );
  for (let count = 0; count < 20; count++) {
    const leaving = new AbortController();
    const response = await fetch(server.url, { signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
  }
  expect((await (await fetch(server.url)).text()).length).toBe(body.length);
  await server.stop(1000);
});

test('stopping a server waits for running requests, and refuses new ones on open connections', async () => {
  const server = listen('127.0.0.1', 0, null);
  const { promise: finish, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  server.serve(
    appOf(async () => {
      begin();
      await finish;
      return new Response('finished');
    }),
  );
  const running = fetch(server.url);
  await begun;
  const stopped = server.stop(10_000);
  resolve();
  expect(await (await running).text()).toBe('finished');
  await stopped;
});

test('stopping a server does not wait for ever', async () => {
  const server = listen('127.0.0.1', 0, null);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  server.serve(
    appOf(() => {
      begin();
      return new Promise(() => undefined);
    }),
  );
  const running = fetch(server.url);
  await begun;
  await server.stop(20);
  await expect(running).rejects.toThrow();
});

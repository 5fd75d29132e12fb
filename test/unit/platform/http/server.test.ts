import { expect, test } from 'bun:test';
import type { App } from '../../../../src/platform/http/app.ts';
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

import { afterAll, expect, test } from 'bun:test';
import { Failure } from '../../../../src/platform/failure.ts';
import {
  displayUrl,
  fetchAll,
  fetchOk,
  isUrl,
  requireHttps,
} from '../../../../src/platform/network/fetch.ts';

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    switch (new URL(request.url).pathname) {
      case '/here':
        return new Response('found');
      case '/empty':
        return new Response(null, { status: 204 });
      case '/elsewhere':
        return new Response(null, { status: 302, headers: { location: '/here' } });
      case '/large':
        return new Response(new Uint8Array(2 ** 20 + 1));
      case '/slow':
        return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }));
      default:
        return new Response('not here', { status: 404 });
    }
  },
});
afterAll(() => server.stop(true));

const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
const fetching = { maxBytes: 2 ** 20, timeoutMs: 5_000, failed: 'says nothing', hint: 'ask another' };
const failure = (reading: Promise<unknown>): Promise<unknown> => reading.catch((error: unknown) => error);

test('a fetch returns the response with any status', async () => {
  const found = await fetchAll(at('/here'), fetching);
  expect([found.ok, found.status, Buffer.from(found.bytes).toString()]).toEqual([true, 200, 'found']);
  const missing = await fetchAll(at('/'), fetching);
  expect([missing.ok, missing.status, Buffer.from(missing.bytes).toString()]).toEqual([
    false,
    404,
    'not here',
  ]);
  expect((await fetchAll(at('/empty'), fetching)).bytes).toHaveLength(0);
  expect(Buffer.from(await fetchOk(at('/here'), fetching)).toString()).toBe('found');
});

test('a failed fetch reports the problem and a hint', async () => {
  const cases: [() => Promise<unknown>, RegExp, string | null][] = [
    [() => fetchOk(at('/'), fetching), /\/ says nothing: status 404$/, 'ask another'],
    [() => fetchAll(at('/elsewhere'), fetching), /\/elsewhere says nothing: /, 'ask another'],
    [
      () => fetchAll(at('/slow'), { ...fetching, timeoutMs: 100 }),
      /\/slow says nothing: .*timed out/,
      'ask another',
    ],
    [() => fetchAll(at('/large'), fetching), /\/large is larger than 1 MiB$/, expect.any(String)],
    [
      () => fetchAll('http://127.0.0.1:1/', fetching),
      /^http:\/\/127\.0\.0\.1:1\/ says nothing: /,
      'ask another',
    ],
  ];
  for (const [reading, message, hint] of cases) {
    const error = await failure(reading());
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ message: expect.stringMatching(message), hint });
  }
});

test('a fetch over plain http is only for this machine', () => {
  const refuse = (url: string) => () => requireHttps(new URL(url), 'words', 'write');
  for (const url of [
    'http://localhost:1',
    'http://127.0.0.1',
    'http://127.8.9.1',
    'http://[::1]:3',
    'https://a.example',
  ])
    expect(refuse(url)).not.toThrow();
  for (const url of [
    'http://a.example:8080',
    'http://localhost.a.example',
    'http://10.0.0.1',
    'http://127.0.0.1.a.example',
  ])
    expect(refuse(url)).toThrow(`words from ${new URL(url).host} cannot be authenticated over http`);
});

test('a source that is named is a URL or a file', () => {
  expect(['http://a', 'https://a/b', 'ftp://a', 'a', './http://a', '-'].map(isUrl)).toEqual([
    ...[true, true, false],
    ...[false, false, false],
  ]);
});

test('a password in a URL is never shown', async () => {
  expect(displayUrl('http://user:secret@a.example/x?y')).toBe('http://a.example/x?y');
  expect([displayUrl('http://a.example'), displayUrl('none')]).toEqual(['http://a.example', 'none']);
  const closed = await failure(fetchAll('http://user:secret@127.0.0.1:1/', fetching));
  expect(String(closed)).toMatch(/http:\/\/127\.0\.0\.1:1\/ says nothing/);
  const missing = await failure(fetchOk(at('/').replace('//', '//user:secret@'), fetching));
  expect(String(missing)).not.toContain('secret');
});

test('a fetch whose connection ends tells of it without advice to programmers', async () => {
  const rude = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.end() },
  });
  const ended = await failure(fetchAll(`http://127.0.0.1:${rude.port}/`, fetching));
  rude.stop(true);
  expect(String(ended)).toMatch(/says nothing: .*closed/);
  expect(String(ended)).not.toContain('verbose');
});

test('a request to this machine does not go through a proxy of the environment', async () => {
  const proxied: string[] = [];
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      proxied.push(url);
      return new Response('from the proxy');
    },
  });
  const { HTTP_PROXY: before } = process.env;
  process.env.HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
  try {
    const { bytes } = await fetchAll(at('/here'), fetching);
    expect([Buffer.from(bytes).toString(), proxied]).toEqual(['found', []]);
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = before;
    await proxy.stop(true);
  }
});

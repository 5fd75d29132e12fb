import { describe, expect, test } from 'bun:test';
import { SigningAgent } from '../../../src/sdk/typescript/agent.ts';
import { AgentKey } from '../../../src/sdk/typescript/agent-key.ts';
import { ApiError, ConnectionError } from '../../../src/sdk/typescript/errors.ts';
import { List } from '../../../src/sdk/typescript/pages.ts';
import { type Call, Transport } from '../../../src/sdk/typescript/transport.ts';
import { type Scripted, scriptedServer } from '../../support/scripted-server.ts';

const READ: Call = { method: 'GET', path: '/things' };
const WRITE: Call = { method: 'POST', path: '/things', body: { a: 1 } };
const SAFE_WRITE: Call = { ...WRITE, isIdempotent: true };
const KEY = 'pp_secret';

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: 'It is so.', reason_code: code, request_id: 'r1' }, { status, headers });
const ok = (): Response => Response.json({ done: true });

/** Returns the error of a call, and what the server saw. */
async function failureOf(call: Call, script: readonly Scripted[], more: object = {}) {
  await using server = scriptedServer(...script);
  const transport = new Transport({ url: server.url, apiKey: KEY, ...more });
  const error = await transport.json(call).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, seen: server.seen };
}

describe('a request is repeated', () => {
  test.each([
    ['a read after 503', READ, problem(503, 'overloaded', { 'retry-after': '0' })],
    [
      'a write with an Idempotency-Key after 503',
      SAFE_WRITE,
      problem(503, 'overloaded', { 'retry-after': '0' }),
    ],
    [
      'a write without one after 429, which has done nothing',
      WRITE,
      problem(429, 'rate_limit_exceeded', { 'retry-after': '0' }),
    ],
  ])('%s', async (_, call, first) => {
    const { error, seen } = await failureOf(call, [first, ok()]);
    expect(error).toBeNull();
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
  });

  test('with one Idempotency-Key for all attempts of a call, and another one for the next call', async () => {
    await using server = scriptedServer(problem(503, 'overloaded', { 'retry-after': '0' }), ok());
    const transport = new Transport({ url: server.url });
    await transport.json(SAFE_WRITE);
    await transport.json(SAFE_WRITE);
    await transport.json(SAFE_WRITE, { idempotencyKey: 'mine' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[3]).toBe('mine');
  });

  test('after a connection that ended before the response', async () => {
    let count = 0;
    const transport = new Transport({
      url: 'http://127.0.0.1:1',
      async fetch() {
        count++;
        if (count === 1) throw new TypeError('the connection was closed');
        return ok();
      },
    });
    expect(await transport.json<unknown>(READ)).toEqual({ done: true });
    expect(count).toBe(2);
  });
});

describe('a request is not repeated', () => {
  test.each([
    ['a write without an Idempotency-Key after 503', WRITE, problem(503, 'overloaded')],
    ['a read that is refused', READ, problem(404, 'not_found')],
    ['a write that contradicts the state', SAFE_WRITE, problem(409, 'conflict')],
    ['after an error of the service', READ, problem(500, 'internal_error')],
    [
      'when Retry-After is longer than a minute',
      READ,
      problem(429, 'rate_limit_exceeded', { 'retry-after': '61' }),
    ],
    [
      'when Retry-After is a date far ahead',
      READ,
      problem(503, 'overloaded', { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }),
    ],
  ])('%s', async (_, call, response) => {
    const { error, seen } = await failureOf(call, [response]);
    expect(error).toBeInstanceOf(ApiError);
    expect(seen).toHaveLength(1);
  });

  test('more often than maxRetries', async () => {
    const { error, seen } = await failureOf(READ, [problem(503, 'overloaded', { 'retry-after': '0' })], {
      maxRetries: 3,
    });
    expect(error).toMatchObject({ status: 503, code: 'overloaded', retryAfter: 0 });
    expect(seen).toHaveLength(4);
  });

  test('after its signal ended it, even while it waits', async () => {
    await using server = scriptedServer(problem(503, 'overloaded', { 'retry-after': '59' }));
    const controller = new AbortController();
    const call = new Transport({ url: server.url }).json(READ, { signal: controller.signal });
    while (server.seen.length === 0) await Bun.sleep(1);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await call.catch(() => undefined);
    expect(server.seen).toHaveLength(1);
  });
});

describe('an error', () => {
  test('of the trust service has its code, request id and problems by field', async () => {
    const body = {
      error: 'No.',
      reason_code: 'validation_error',
      request_id: 'r1',
      issues: { limit: ['must be 1', 'or 2'] },
    };
    const { error } = await failureOf(READ, [
      Response.json(body, { status: 400, headers: { 'x-request-id': 'r1' } }),
    ]);
    expect(error).toMatchObject({
      message: 'No. (limit must be 1, and or 2)',
      status: 400,
      code: 'validation_error',
      requestId: 'r1',
      body,
    });
    expect(Object(error).details.limit).toEqual(['must be 1', 'or 2']);
  });

  test('of the staffing service has the same', async () => {
    const body = {
      error: {
        code: 'VALIDATION_FAILED',
        message: 'No.',
        details: [{ field: '__proto__', message: 'is required' }],
      },
    };
    const { error } = await failureOf(READ, [Response.json(body, { status: 400 })]);
    expect(error).toMatchObject({ message: 'No. (__proto__ is required)', code: 'VALIDATION_FAILED' });
    expect(Object.entries(Object(error).details)).toEqual([['__proto__', ['is required']]]);
  });

  test('has no control characters of the service', async () => {
    const { error } = await failureOf(READ, [
      Response.json({ error: '\u001b]0;x\u0007\u202Eevil\n', reason_code: 'a\u001b' }, { status: 400 }),
    ]);
    expect(error).toMatchObject({ message: '�]0;x��evil�', code: 'a�' });
  });

  test.each([
    [
      'the page of a proxy',
      new Response('<html>', { status: 502 }),
      'The service has responded with status 502.',
    ],
    ['a list', Response.json([1], { status: 400 }), 'The service has responded with status 400.'],
    ['null', Response.json(null, { status: 400 }), 'The service has responded with status 400.'],
  ])('that is %s has the status', async (_, response, message) => {
    const { error } = await failureOf(WRITE, [response]);
    expect(error).toMatchObject({ message, code: '', requestId: null });
  });
});

describe('a hostile service', () => {
  test('that redirects to another origin gets no second request, and no key is sent there', async () => {
    await using other = scriptedServer(ok());
    const redirect = new Response(null, { status: 307, headers: { location: `${other.url}/` } });
    for (const call of [READ, SAFE_WRITE]) {
      const { error, seen } = await failureOf(call, [redirect]);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ problem: 'redirect' });
      expect(seen).toHaveLength(1);
    }
    expect(other.seen).toEqual([]);
  });

  test('that sends an endless response is left at maxResponseBytes', async () => {
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(32)),
        }),
      );
    const { error, seen } = await failureOf(READ, [endless], { maxResponseBytes: 5000 });
    expect(error).toMatchObject({ problem: 'too_large' });
    expect(seen).toHaveLength(1);
  });

  test('that never ends its response is left at the timeout, body included', async () => {
    const slow = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
          pull: () => new Promise(() => undefined),
        }),
      );
    const { error } = await failureOf(READ, [slow], { timeoutMs: 50, maxRetries: 0 });
    expect(error).toMatchObject({ problem: 'timeout' });
  });

  test.each([
    ['text that is not JSON', new Response('{')],
    ['other bytes than UTF-8', new Response(Uint8Array.of(0x22, 0xff, 0x22))],
    ['nothing', new Response('')],
  ])('that responds with %s is reported', async (_, response) => {
    const { error, seen } = await failureOf(READ, [response]);
    expect(error).toMatchObject({ problem: 'malformed' });
    expect(seen).toHaveLength(1);
  });

  test('whose list repeats a cursor does not keep its reader', async () => {
    const list = new List(
      async () => ({ rows: [1], next_cursor: 'same' }),
      ({ rows }) => rows,
    );
    expect(await list.toArray(2)).toEqual([1, 1]);
    await expect(list.toArray(10)).rejects.toThrow('a cursor comes a second time');
  });
});

describe('the key', () => {
  test.each([
    ['http://trust.example', 'must be https'],
    ['ftp://trust.example', 'must be an http or https URL'],
    ['trust.example', 'must be an http or https URL'],
    ['https://trust.example/api/v1/', 'Leave /api/v1 out'],
    ['https://user:word@trust.example', 'no user, query and fragment'],
    ['https://trust.example/?a=b', 'no user, query and fragment'],
    ['http://127.0.0.1.trust.example', 'must be https'],
  ])('is not sent to %s', (url, message) => {
    expect(() => new Transport({ url })).toThrow(message);
  });

  test('is sent to http of another machine only if the caller says so', () => {
    expect(new Transport({ url: 'http://trust.example', insecureHttp: true }).url.host).toBe('trust.example');
  });

  test.each(['pp_a\n', 'pp a', '', 'pp_ü'])('%p is refused, and not shown', (apiKey) => {
    expect(() => new Transport({ url: 'http://localhost', apiKey })).toThrow('characters that no key has');
  });

  test('is not sent with a call that takes none', async () => {
    await using server = scriptedServer(ok());
    const transport = new Transport({ url: `${server.url}/below/`, apiKey: KEY });
    await transport.json(READ);
    await transport.json({ ...READ, isPublic: true });
    expect(server.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/below/things', `Bearer ${KEY}`],
      ['/below/things', undefined],
    ]);
  });
});

describe('a value in the path', () => {
  test.each(['..', '.', ''])('%p is refused', async (id) => {
    const call = { ...READ, path: '/things/{id}', places: { id } };
    await expect(new Transport({ url: 'http://localhost' }).json(call)).rejects.toThrow('must not be');
  });

  test('is encoded; the path of a file keeps its slashes', async () => {
    await using server = scriptedServer(ok());
    const transport = new Transport({ url: server.url });
    await transport.json({ ...READ, path: '/things/{id}', places: { id: '../a?b#c/ü' } });
    await transport.json({
      ...READ,
      path: '/log/{path}',
      places: { path: '0/x001/067' },
      query: { a: undefined, b: 1 },
    });
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/things/..%2Fa%3Fb%23c%2F%C3%BC',
      '/log/0/x001/067?b=1',
    ]);
  });
});

describe('an agent authorizes a call', () => {
  const agent = new SigningAgent(AgentKey.generate());
  const audience = (name: string): Response => Response.json({ audience: `${name}+Qm9vay` });

  test('for the audience that the service states, if it names the host of the URL', async () => {
    let host = '';
    await using server = scriptedServer(() => audience(host), ok());
    host = new URL(server.url).host;
    const transport = new Transport({ url: server.url });
    await transport.json({ ...WRITE, body: { name: 'Ada' } }, { agent });
    await transport.json(WRITE, { agent });
    const [asked, first, second] = server.seen;
    expect([asked?.path, server.seen.length]).toEqual(['/api/v1/public-key', 3]);
    const { agent_auth: auth, ...rest } = JSON.parse(first?.body ?? '');
    expect(rest).toEqual({ name: 'Ada' });
    expect(auth).toMatchObject({
      commitment: agent.commitment,
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
    });
    expect(JSON.parse(second?.body ?? '').agent_auth.nonce).not.toBe(auth.nonce);
  });

  test('for that of a test service of this machine, which is another one after each reset', async () => {
    await using server = scriptedServer(audience('test.invalid/1'), ok(), audience('test.invalid/2'), ok());
    const transport = new Transport({ url: server.url });
    await transport.json(WRITE, { agent });
    await transport.json(WRITE, { agent });
    expect(server.seen).toHaveLength(4);
  });

  test.each(['bank.example', 'bank.example/log', 'test.invalid', ''])(
    'but not for %p, which could be another service',
    async (name) => {
      await using server = scriptedServer(audience(name), ok());
      const transport = new Transport({ url: server.url });
      await expect(transport.json(WRITE, { agent })).rejects.toThrow('audience');
      await transport.json(WRITE, { agent }).catch(() => undefined);
      expect(server.seen.every(({ path }) => path === '/api/v1/public-key')).toBeTrue();
    },
  );

  test('with a query is refused: no signature covers it', async () => {
    const transport = new Transport({ url: 'http://localhost', audience: 'localhost+a' });
    await expect(transport.json({ ...WRITE, query: { a: 1 } }, { agent })).rejects.toThrow(
      'no signature covers',
    );
  });
});

describe('the time with which agents sign', () => {
  const at = (now?: () => string | Promise<string>) =>
    new Transport({ url: 'http://127.0.0.1', ...(now !== undefined && { now }) }).now();

  test('is that of this machine, or what the option now returns', async () => {
    const before = Date.now();
    expect(await at()).toBeGreaterThanOrEqual(before);
    expect(await at(() => '2026-01-01T00:00:00Z')).toBe(Date.parse('2026-01-01T00:00:00Z'));
    expect(await at(async () => '2026-01-01T00:00:00Z')).toBe(Date.parse('2026-01-01T00:00:00Z'));
  });

  test('must be a time', async () => {
    await expect(at(() => 'soon\u001b[2J')).rejects.toThrow(
      'The option now returned soon\ufffd[2J, which is no time.',
    );
  });
});

import { afterEach, expect, test } from 'bun:test';
import { ServiceClient } from '../../../../src/platform/client/service-client.ts';
import { ServiceTarget } from '../../../../src/platform/client/service-target.ts';
import { Failure } from '../../../../src/platform/failure.ts';

/** A service of this test, which notes what it is sent. */
interface Asked {
  method: string;
  path: string;
  key: string | null;
  once: string | null;
}
let asked: Asked[] = [];
let pauses: number[] = [];
const servers: { stop(force?: boolean): unknown }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
  asked = [];
  pauses = [];
});

function serve(respond: (request: Request, attempt: number) => Response | Promise<Response>): string {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push({
        method: request.method,
        path: `${pathname}${search}`,
        key: request.headers.get('authorization'),
        once: request.headers.get('idempotency-key'),
      });
      return respond(request, asked.length);
    },
  });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const clientOf = (url: string) => new ServiceClient(url, 'pp_key12345', async (ms) => void pauses.push(ms));
const READ = { method: 'GET', path: '/api/v1/receipts' };
const CHANGE = { method: 'POST', path: '/api/v1/receipts', body: {} };
const failureOf = async (promise: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof Failure) return error;
  throw new Error(`no failure: ${String(error)}`);
};

test('a redirect is not followed, and the key goes nowhere else', async () => {
  const other = serve(() => Response.json({}));
  const url = serve(() => Response.redirect(`${other}/login`));
  const { message } = await failureOf(clientOf(url).request(READ));
  expect(message).toContain(`redirects to ${other}; the key was not sent there`);
  expect(asked).toHaveLength(1);
});

test.each([
  '/../admin',
  '/api/../../admin',
  '/%2e%2e/admin',
  '/\\\\evil.example/x',
  '/https://evil.example/',
])('the path %s of a service below a path leads to no other service', async (path) => {
  const url = serve(() => Response.json({}));
  const { message } = await failureOf(clientOf(`${url}/trust`).request({ method: 'GET', path }));
  expect(message).toContain('is no path of');
  expect(asked).toEqual([]);
});

test.each([200, 201])('an empty response with status %d is no success', async (status) => {
  const url = serve(() => new Response('', { status }));
  expect((await failureOf(clientOf(url).request(CHANGE))).message).toContain('and what is no JSON');
});

test('a response that is plain text is returned as text', async () => {
  const url = serve(() => new Response('c2sp.org/tlog-proof@v1\n'));
  expect(await clientOf(url).request(READ)).toBe('c2sp.org/tlog-proof@v1\n');
});

test('a response without a body may say that there is none', async () => {
  const url = serve(() => new Response(null, { status: 204 }));
  expect(await clientOf(url).request(CHANGE)).toBeNull();
});

test.each([
  [
    'validation',
    400,
    { error: 'Wrong.', reason_code: 'validation_error', issues: { a: ['is required'] } },
    2,
  ],
  ['no key', 401, { error: 'No key.', reason_code: 'unauthorized' }, 3],
  ['no right', 403, { error: 'No.', reason_code: 'forbidden' }, 3],
  ['nothing there', 404, { error: 'None.', reason_code: 'receipt_not_found' }, 4],
  ['a conflict', 409, { error: 'Done.', reason_code: 'receipt_already_finalized' }, 5],
  ['a rule', 402, { error: 'Too little.', reason_code: 'insufficient_credits' }, 1],
  ['a limit', 429, { error: 'Slow.', reason_code: 'rate_limited' }, 6],
  ['a failure', 500, { error: 'Broken.', reason_code: 'internal_error' }, 6],
  ['of the staffing service', 400, { error: { code: 'INVALID_NPI', message: 'No NPI.' } }, 2],
] as const)('the exit code of %s is that of its class', async (_, status, body, exitCode) => {
  const url = serve(() => Response.json(body, { status, headers: { 'retry-after': '60' } }));
  const failure = await failureOf(clientOf(url).request(CHANGE));
  expect(failure.exitCode).toBe(exitCode);
  expect(failure.message).toMatch(/^[A-Za-z_]+: /);
});

test('what a hostile service says has no character that a terminal obeys once it is printed', async () => {
  const url = serve(() => Response.json({ error: '\u001b[2J', reason_code: 'x' }, { status: 403 }));
  // main.ts prints failures as `printable`; the message itself is what the service sent.
  expect((await failureOf(clientOf(url).request(READ))).message).toBe('x: \u001b[2J');
});

test('what a hostile service says stays in one line, so that it is not taken for a hint of the program', async () => {
  const error = 'no\r\ncountersign: hint: run this';
  const url = serve(() => Response.json({ error, reason_code: 'x\ny' }, { status: 403 }));
  const { message } = await failureOf(clientOf(url).request(READ));
  expect(message).toBe('x\\ny: no\\r\\ncountersign: hint: run this');
});

test('a read whose response does not arrive in time is not repeated, as a change is', async () => {
  const url = serve(() => new Promise(() => undefined));
  const { message, exitCode } = await failureOf(clientOf(url).request(READ, { timeoutMs: 50 }));
  expect([exitCode, message]).toEqual([7, expect.stringContaining(`${url} does not respond`)]);
  expect(asked).toHaveLength(1);
  const change = { ...CHANGE, isIdempotent: true };
  await failureOf(clientOf(url).request(change, { timeoutMs: 50 }));
  expect(asked).toHaveLength(4);
});

test('a read is repeated while the service is unavailable, and a change that could be done twice is not', async () => {
  const url = serve((_, attempt) => Response.json({}, { status: attempt < 3 ? 503 : 200 }));
  expect(await clientOf(url).request(READ)).toEqual({});
  expect(pauses).toEqual([250, 500]);
  asked = [];
  expect((await failureOf(clientOf(url).request(CHANGE))).exitCode).toBe(6);
  expect(asked).toHaveLength(1);
});

test('a change that the service does once is repeated with its Idempotency-Key after a lost connection', async () => {
  const requests: string[] = [];
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        requests.push(bytes.toString());
        if (requests.length > 1)
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 13\r\nconnection: close\r\n\r\n{"done":true}');
        socket.end();
      },
    },
  });
  servers.push(listener);
  const client = clientOf(`http://127.0.0.1:${listener.port}`);
  expect(await client.request({ ...CHANGE, isIdempotent: true })).toEqual({ done: true });
  const keys = requests.map((request) => /idempotency-key: (\S+)/i.exec(request)?.[1]);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  requests.length = 0;
  const lost = await failureOf(client.request(CHANGE));
  expect([lost.exitCode, lost.message]).toEqual([
    7,
    expect.stringContaining('it is not known whether the change was made'),
  ]);
  expect(requests).toHaveLength(1);
});

test('a lost read and a change that never reached the service are only reported as no connection', async () => {
  const closing = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.end() },
  });
  servers.push(closing);
  for (const [url, asked] of [
    [`http://127.0.0.1:${closing.port}`, READ],
    ['http://127.0.0.1:1', CHANGE],
    ['http://127.0.0.1:1', { ...CHANGE, isIdempotent: true }],
  ] as const) {
    const { message, exitCode } = await failureOf(clientOf(url).request(asked));
    expect([exitCode, message]).toEqual([7, expect.not.stringContaining('not known')]);
  }
});

test.each([
  ['unauthorized', 'countersign login'],
  ['invalid_proof', null],
])('the hint of a 401 with the code %s names another key only if that helps', async (reason_code, hint) => {
  const url = serve(() => Response.json({ reason_code, error: 'x' }, { status: 401 }));
  const failure = await failureOf(clientOf(url).request(READ));
  expect(failure.hint).toEqual(hint === null ? null : expect.stringContaining(hint));
});

test('a limit is waited for as long as the service says, up to ten seconds', async () => {
  const url = serve((_, attempt) =>
    Response.json({}, { status: attempt === 1 ? 429 : 200, headers: { 'retry-after': '2' } }),
  );
  await clientOf(url).request(CHANGE);
  expect(pauses).toEqual([2000]);
  const busy = serve(() =>
    Response.json({ reason_code: 'x' }, { status: 429, headers: { 'retry-after': '600' } }),
  );
  expect((await failureOf(clientOf(busy).request(READ))).hint).toBe('try again in 600 seconds');
});

test('an endless response is cut', async () => {
  const url = serve(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(8 * 2 ** 20)),
        }),
      ),
  );
  const { message, hint } = await failureOf(clientOf(url).request(READ));
  expect([message, hint]).toEqual([
    expect.stringMatching(/^the response of http:\S+ is larger than 128 MiB$/),
    expect.stringContaining('check the URL'),
  ]);
});

test.each([
  ['HTML with 200', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['HTML with 502', () => new Response('<html>', { status: 502 })],
  [
    'a member twice',
    () => new Response('{"a":1,"a":2}', { headers: { 'content-type': 'application/json' } }),
  ],
])('%s is no response of a service', async (_, respond) => {
  const failure = await failureOf(clientOf(serve(respond)).request(CHANGE));
  expect(failure.message).toMatch(/what is no JSON|not as a Countersign service does/);
});

test('no connection has an exit code of its own', async () => {
  expect((await failureOf(clientOf('http://127.0.0.1:1').request(READ))).exitCode).toBe(7);
});

test('an operation that the service lacks is named, with the version of the service', async () => {
  const url = serve((request) =>
    request.url.endsWith('/api/health')
      ? Response.json({ version: '0.0.9' })
      : request.url.endsWith('/admin/openapi.json')
        ? Response.json({}, { status: 404 })
        : Response.json({ paths: { '/x': { get: { operationId: 'getX' } } } }),
  );
  const target = new ServiceTarget(clientOf(url));
  expect(await target.call('getX', { q: 'a b' })).toBeObject();
  expect(asked.at(-1)?.path).toBe('/x?q=a+b');
  const { message } = await failureOf(target.call('issueReceipt', {}));
  expect(message).toBe(`the service at ${url} (version 0.0.9) has no operation issueReceipt`);
});

test('the version of a service that does not say it is left out', async () => {
  const url = serve(() => Response.json({ paths: {} }));
  const { message } = await failureOf(new ServiceTarget(clientOf(url)).call('issueReceipt', {}));
  expect(message).toBe(`the service at ${url} has no operation issueReceipt`);
});

test.each(['', '.', '..'])('the path parameter %j is refused before anything is sent', async (id) => {
  const url = serve(() => Response.json({}));
  const target = new ServiceTarget(clientOf(url), { getReceipt: 'GET /api/v1/receipts/{id}' });
  await failureOf(target.call('getReceipt', { id }));
  expect(asked).toEqual([]);
});

test('a path parameter stays one segment, and a path of the service stays below its URL', async () => {
  const url = serve(() => Response.json({}));
  const operations = { getReceipt: 'GET /api/v1/receipts/{id}', evil: 'GET /\\\\evil.example/x' };
  const target = new ServiceTarget(clientOf(`${url}/below`), operations);
  await target.call('getReceipt', { id: 'a/../b?c#d' });
  expect(asked.map(({ path }) => path)).toEqual(['/below/api/v1/receipts/a%2F..%2Fb%3Fc%23d']);
  await failureOf(target.call('evil', {}));
  expect(asked).toHaveLength(1);
});

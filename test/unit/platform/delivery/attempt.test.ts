import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { attempt, type Endpoint, type Outcome } from '../../../../src/platform/delivery/attempt.ts';
import { newWebhookSecret } from '../../../../src/platform/delivery/signature.ts';
import { checkTarget } from '../../../../src/platform/delivery/target.ts';
import { NameError, type Resolve } from '../../../../src/platform/network/name-resolver.ts';
import { selfSigned } from '../../../support/certificate.ts';
import { type Receiver, receiver } from '../../../support/receiver.ts';
import { eventually } from '../../../support/virtual-time.ts';

const hasOpenssl = Bun.which('openssl') !== null;
const secret = newWebhookSecret();
const body = '{"type":"a.b","text":"\u00fc"}';
const stay = new AbortController().signal;
const started: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

function starts(...parts: Parameters<typeof receiver>): Receiver {
  const made = receiver(...parts);
  started.push(made);
  return made;
}

const loopback: Resolve = async () => ['127.0.0.1'];

function tries(
  url: string,
  { resolve = loopback, allowPrivate = true, timeoutMs = 5000, ca = '', leaving = stay, headers = {} } = {},
): Promise<Outcome> {
  const endpoint: Endpoint = { url, owner: 'somebody', secret, headers: () => headers };
  const message = { id: 'msg_1', timestamp: Math.floor(Date.now() / 1000), eventType: 'a.b', body };
  const rules = { targets: { allowPrivate, resolve }, timeoutMs, ...(ca === '' ? {} : { ca }) };
  return attempt(endpoint, message, rules, leaving);
}

function failed(error: string, status: number | null = null): Outcome {
  return { result: 'failed', status, error, gone: false };
}

describe('an attempt to deliver a webhook', () => {
  test('is a signed POST of the exact body', async () => {
    const to = starts(() => new Response(null, { status: 204 }));
    const outcome = await tries(`http://hooks.example:${to.port}/a?b=c`, { headers: { 'x-more': 'yes' } });
    expect(outcome).toEqual({ result: 'delivered', status: 204 });
    const [heard] = to.received;
    expect(heard).toMatchObject({ path: '/a?b=c', body });
    expect(heard?.headers).toMatchObject({
      host: `hooks.example:${to.port}`,
      'content-type': 'application/json',
      'user-agent': 'countersign',
      'content-length': String(Buffer.byteLength(body)),
      'x-more': 'yes',
    });
    expect(new Webhook(secret).verify(heard?.body ?? '', heard?.headers ?? {})).toEqual(JSON.parse(body));
  });

  test.each([200, 201, 202, 299])('with the response %d is delivered', async (status) => {
    const to = starts(() => new Response('thanks', { status }));
    expect(await tries(`http://127.0.0.1:${to.port}/`)).toEqual({ result: 'delivered', status });
  });

  test.each([400, 401, 404, 429, 500, 503])('with the response %d has failed', async (status) => {
    const to = starts(() => new Response(null, { status }));
    expect(await tries(`http://127.0.0.1:${to.port}/`)).toEqual(failed(`returned status ${status}`, status));
  });

  test('with the response 410 is the last one', async () => {
    const to = starts(() => new Response(null, { status: 410 }));
    expect(await tries(`http://127.0.0.1:${to.port}/`)).toMatchObject({ status: 410, gone: true });
  });

  test.each([301, 302, 303, 307, 308])('is not carried on by a %d', async (status) => {
    const elsewhere = starts(() => new Response());
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const to = starts(() => new Response(null, { status, headers: { location } }));
    expect(await tries(`http://127.0.0.1:${to.port}/`)).toEqual(failed(`returned status ${status}`, status));
    expect(elsewhere.received).toEqual([]);
  });

  test('ignores the proxy of the environment', async () => {
    const proxy = starts(() => new Response(null, { status: 500 }));
    const to = starts(() => new Response());
    const before = process.env.http_proxy;
    process.env.http_proxy = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await tries(`http://127.0.0.1:${to.port}/`)).toMatchObject({ result: 'delivered' });
    } finally {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
    expect(proxy.received).toEqual([]);
  });
});

describe('the responses of a receiver', () => {
  test('that do not end are read up to 64 KiB', async () => {
    let sent = 0;
    let letGo = false;
    const to = starts(() => {
      const endless = new ReadableStream({
        async pull(controller) {
          controller.enqueue(new Uint8Array(16 * 1024));
          sent += 16 * 1024;
          await Bun.sleep(1);
        },
        cancel() {
          letGo = true;
        },
      });
      return new Response(endless);
    });
    expect(await tries(`http://127.0.0.1:${to.port}/`)).toEqual({ result: 'delivered', status: 200 });
    await eventually(() => letGo);
    expect(sent).toBeLessThan(4 * 1024 * 1024);
  });

  test('that do not begin in time have failed', async () => {
    let letGo = false;
    const to = starts(
      (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            letGo = true;
          });
        }),
    );
    const outcome = await tries(`http://127.0.0.1:${to.port}/`, { timeoutMs: 500 });
    expect(outcome).toEqual(failed('no response within 0.5 s'));
    await eventually(() => letGo);
  });

  test('that began in time and do not end count by their status', async () => {
    const port = await listens(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab'));
      }),
    );
    const since = performance.now();
    const outcome = await tries(`http://127.0.0.1:${port}/`, { timeoutMs: 1000 });
    expect(outcome).toEqual({ result: 'delivered', status: 200 });
    expect(performance.now() - since).toBeLessThan(2000);
  });

  test.each([
    ['nothing', '', 'no response (ECONNRESET)'],
    ['garbage', 'garbage\r\n\r\n', 'no response (HPE_INVALID_CONSTANT)'],
    ['endless headers', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(300_000)}`, 'no response (HPE_HEADER_OVERFLOW)'],
    ['a drip of headers', null, 'no response within 0.1 s'],
  ])('%s', async (_, response, error) => {
    const port = await listens(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => {
          if (response !== null) socket.end(response);
          else socket.write('HTTP/1.1 200 OK\r\nA: ');
        });
      }),
    );
    expect(await tries(`http://127.0.0.1:${port}/`, { timeoutMs: response === null ? 100 : 5000 })).toEqual(
      failed(error),
    );
  });
});

describe('the connection of a delivery', () => {
  test('uses the address that was checked, even if the name resolves to another one now', async () => {
    const checked = starts(() => new Response());
    const other = starts(() => new Response(), { hostname: '127.0.0.2', port: checked.port });
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      return [asked === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    const outcome = await tries(`http://hooks.example:${checked.port}/`, { resolve });
    expect(outcome).toMatchObject({ result: 'delivered' });
    expect([asked, checked.received.length, other.received.length]).toEqual([1, 1, 0]);
  });

  test('is refused when the name has come to mean a private address since the subscription', async () => {
    const to = starts(() => new Response());
    const resolutions = [['1.1.1.1'], ['1.1.1.1', '127.0.0.1']];
    const resolve: Resolve = async () => resolutions.shift() ?? [];
    const url = await checkTarget(
      `https://hooks.example:${to.port}/`,
      { allowPrivate: false, resolve },
      'somebody',
    );
    expect(await tries(url, { resolve, allowPrivate: false })).toEqual(
      failed('the target must not point to a private, local or reserved address'),
    );
    expect(to.received).toEqual([]);
  });

  test('goes to the next address when the first refuses it', async () => {
    const to = starts(() => new Response());
    const resolve: Resolve = async () => ['127.0.0.2', '127.0.0.1'];
    const outcome = await tries(`http://hooks.example:${to.port}/`, { resolve });
    expect(outcome).toMatchObject({ result: 'delivered' });
  });

  test('to nobody, or to a name that means nothing, has failed', async () => {
    const to = receiver(() => new Response());
    await to.stop();
    expect(await tries(`http://127.0.0.1:${to.port}/`)).toEqual(failed('no response (ECONNREFUSED)'));
    const unknown = failed('the name does not resolve');
    const resolve = () => Promise.reject(new NameError('unknown', 'the name does not resolve'));
    expect(await tries('http://hooks.example/', { resolve })).toEqual(unknown);
    const silent = () => new Promise<never>(() => undefined);
    expect(await tries('http://hooks.example/', { resolve: silent, timeoutMs: 50 })).toEqual(
      failed('no response within 0.05 s'),
    );
  });

  test('is cut short by leaving', async () => {
    const leaving = new AbortController();
    const to = starts(() => new Promise(() => undefined));
    const trying = tries(`http://127.0.0.1:${to.port}/`, { leaving: leaving.signal });
    await to.waitForRequest(1);
    leaving.abort();
    expect(await trying).toEqual({ result: 'interrupted' });
    expect(await tries(`http://127.0.0.1:${to.port}/`, { leaving: leaving.signal })).toEqual({
      result: 'interrupted',
    });
    expect(to.received).toHaveLength(1);
  });
});

describe.skipIf(!hasOpenssl)('the TLS of a delivery', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-delivery-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function certificate(host: string): { cert: string; key: string } {
    const { cert, key } = selfSigned(directory, host.replaceAll(':', '-'), host);
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  }

  test("holds the certificate against the URL's name, and sends the name", async () => {
    const tls = certificate('hooks.example');
    const to = starts(() => new Response(), { tls });
    const url = `https://hooks.example.:${to.port}/`;
    expect(await tries(url, { ca: tls.cert })).toEqual({ result: 'delivered', status: 200 });
    expect(to.received[0]?.headers.host).toBe(`hooks.example:${to.port}`);
    const names: string[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    };
    const port = await listens(
      createTlsServer({ ...tls, SNICallback }, (socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
      ),
    );
    expect(await tries(`https://hooks.example:${port}/`, { ca: tls.cert })).toMatchObject({ status: 200 });
    expect(names).toEqual(['hooks.example']);
  });

  test('takes an address for a name where the URL has one', async () => {
    const tls = certificate('127.0.0.1');
    const to = starts(() => new Response(), { tls });
    const outcome = await tries(`https://127.0.0.1:${to.port}/`, { ca: tls.cert });
    expect(outcome).toMatchObject({ result: 'delivered' });
  });

  test.each([
    ['of another name', 'other.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of the address alone', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('refuses a certificate %s', async (_, host, code) => {
    const tls = certificate(host);
    const to = starts(() => new Response(), { tls });
    const outcome = await tries(`https://hooks.example:${to.port}/`, { ca: tls.cert });
    expect(outcome).toEqual(failed(`no response (${code})`));
    expect(to.received).toEqual([]);
  });

  test('refuses an untrusted certificate', async () => {
    const tls = certificate('hooks.example');
    const to = starts(() => new Response(), { tls });
    const outcome = await tries(`https://hooks.example:${to.port}/`);
    expect(outcome).toEqual(failed('no response (DEPTH_ZERO_SELF_SIGNED_CERT)'));
    expect(to.received).toEqual([]);
  });
});

async function listens(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  started.push({ stop: async () => void server.close() });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { issueBody } from '../../../support/client.ts';
import { exampleAgent } from '../../../support/evidence.ts';
import { finalized } from '../../../support/log.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

/** What answers with something else than JSON. */
const OTHER_TYPES = new Map([
  ['getReceiptProof', ['text/plain; charset=utf-8']],
  ['getLogCheckpoint', ['text/plain; charset=utf-8']],
  ['getLogVerifierKeys', ['text/plain; charset=utf-8']],
  ['getLogTile', ['application/octet-stream']],
  ['getAvatar', ['image/svg+xml']],
  ['getAgentAttestation', ['image/svg+xml', 'application/json']],
  ['getArtifactAttestation', ['application/json', 'image/svg+xml']],
]);
const ISSUE = '/api/v1/receipts';

interface Operation {
  method: string;
  path: string;
  keyed: boolean;
  example: unknown;
  responses: string[];
  targeted: boolean;
}

async function openapi(): Promise<{ paths: Record<string, Record<string, Record<string, unknown>>> }> {
  const response = await app.fetch(new Request('http://localhost/openapi.json'));
  return JSON.parse(await response.text());
}

/** Every operation of the OpenAPI document. */
async function operations(): Promise<Operation[]> {
  const { paths } = await openapi();
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: addressOf(path, operation.parameters),
      keyed: Object(operation.security ?? [{ apiKey: [] }])[0]?.apiKey !== undefined,
      // An example's id is nobody's; these answer what they say, but cannot succeed with it.
      targeted:
        (/\{keyHash\}|^\/api\/v1\/operator\/session$/.test(path) && method === 'delete') ||
        UNREPEATABLE.includes(path) ||
        path.startsWith('/api/v1/webhooks/{id}'),
      example: Object(operation.requestBody).content?.['application/json']?.example,
      responses: Object.keys(Object(operation.responses)),
    })),
  );
}

/** What takes a nonce that was just made, and who is somebody's in no example. */
const UNREPEATABLE = ['enroll/complete', 'autonomous/provision', '{id}/sponsor', '{id}/keys'].map(
  (path) => `/api/v1/passport/agents/${path}`,
);

/** A path with the examples of what has to be given; of receipts any id, which a test replaces. */
function addressOf(path: string, parameters: unknown): string {
  const needed: { name: string; in: string; required?: boolean; example?: string }[] = Object(
    parameters ?? [],
  );
  const query = needed.filter((parameter) => parameter.in === 'query' && parameter.required);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const example = needed.find((parameter) => parameter.name === name)?.example ?? 'rcpt_x';
    return example.startsWith('rcpt_') ? 'rcpt_x' : example;
  });
  return query.length === 0
    ? filled
    : `${filled}?${query.map(({ name, example }) => `${name}=${example}`).join('&')}`;
}

describe('the key comes before everything else', () => {
  test('every keyed operation answers 401 without one, with a malformed and an unknown one, whatever the body', async () => {
    const keyed = (await operations()).filter((operation) => operation.keyed);
    expect(keyed.length).toBe(20);
    const headers = [
      undefined,
      'Bearer ',
      'Bearer pp_short',
      `Bearer pp_${'A'.repeat(64)}`,
      `Basic ${'a'.repeat(64)}`,
      `Bearer pp_${'00'.repeat(32)}`,
    ];
    for (const { method, path, example } of keyed) {
      for (const authorization of headers) {
        for (const body of method === 'GET'
          ? [undefined]
          : [undefined, JSON.stringify(example), '{"bad', '\u0000']) {
          const init: RequestInit = { method, headers: { 'content-type': 'application/json' } };
          if (body !== undefined) init.body = body;
          const request = new Request(`http://localhost${path}`, init);
          if (authorization !== undefined) request.headers.set('authorization', authorization);
          const response = await app.fetch(request);
          const { reason_code } = JSON.parse(await response.text());
          expect([method, path, authorization, body, response.status, reason_code]).toEqual([
            method,
            path,
            authorization,
            body,
            401,
            'unauthorized',
          ]);
          expect(response.headers.get('www-authenticate')).toStartWith('Bearer');
        }
      }
    }
  });
});

describe('what is no request of ours', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const bad = (name: string, raw: NonNullable<Scenario['raw']>): Scenario => ({
    name,
    path: ISSUE,
    raw,
    status: 400,
    reasonCode: 'invalid_json',
  });
  const large = new Uint8Array(2 * 2 ** 20).fill(0x20);
  scenarios(
    () => app,
    [
      { name: 'an unknown path', path: '/api/v1/nothing', status: 404, reasonCode: 'not_found' },
      { name: 'a path of another case', path: '/API/v1/receipts', status: 404 },
      {
        name: 'a method that the path does not know',
        method: 'PUT',
        path: ISSUE,
        status: 405,
        reasonCode: 'method_not_allowed',
        answerHeaders: { allow: 'POST, GET, HEAD' },
      },
      { name: 'DELETE of a receipt', method: 'DELETE', path: `${ISSUE}/x`, status: 405 },
      bad('text that is no JSON', 'hello'),
      bad('JSON cut short', '{"agent_id":'),
      bad('a member twice', `{"agent_id":"a",${JSON.stringify(issueBody()).slice(1)}`),
      bad('65 levels', nested(65)),
      bad('half a million levels', nested(500_000)),
      bad('a lone surrogate', JSON.stringify(issueBody()).replace('agent-7', '\\ud800')),
      bad('bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])),
      bad('a byte order mark', `\ufeff${JSON.stringify(issueBody())}`),
      {
        name: '64 levels are JSON',
        path: ISSUE,
        raw: nested(64),
        status: 400,
        reasonCode: 'validation_error',
      },
      ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''].map(
        (type): Scenario => ({
          name: `a body of type "${type}"`,
          path: ISSUE,
          raw: JSON.stringify(issueBody()),
          headers: { 'content-type': type },
          status: 415,
          reasonCode: 'unsupported_media_type',
        }),
      ),
      {
        name: 'a JSON body with its charset named',
        path: ISSUE,
        raw: JSON.stringify(issueBody()),
        headers: { 'content-type': 'Application/JSON; charset=utf-8' },
        status: 201,
      },
      {
        name: '2 MiB, announced',
        path: ISSUE,
        raw: large,
        headers: { 'content-length': String(large.length) },
        status: 413,
        reasonCode: 'payload_too_large',
      },
      {
        name: '2 MiB, announced, without a key: the limit comes first',
        path: ISSUE,
        key: 'none',
        raw: large,
        headers: { 'content-length': String(large.length) },
        status: 413,
      },
      {
        name: '2 MiB in pieces',
        path: ISSUE,
        raw: new Blob([large]).stream(),
        status: 413,
        reasonCode: 'payload_too_large',
      },
      {
        name: '__proto__ is a field like another, and unknown',
        path: ISSUE,
        raw: JSON.stringify(issueBody()).replace('{', '{"__proto__":{"a":1},'),
        status: 400,
        issues: ['__proto__'],
      },
      {
        name: "the client's own request id",
        path: '/api/health',
        key: 'none',
        headers: { 'x-request-id': 'client-0001' },
        status: 200,
        answerHeaders: { 'x-request-id': 'client-0001', 'access-control-allow-origin': '*' },
      },
      {
        name: 'a request id that is not sane',
        path: '/api/health',
        key: 'none',
        headers: { 'x-request-id': '<script>alert(1)</script>' },
        status: 200,
        effects: (_, body) => expect(body.status).toBe('ok'),
      },
      {
        name: 'HEAD',
        method: 'HEAD',
        path: '/api/v1/public-key',
        key: 'none',
        status: 200,
        answerHeaders: {
          'cache-control': 'public, max-age=3600',
          'content-type': 'application/json;charset=utf-8',
        },
      },
      {
        name: 'CORS preflight of a public path',
        method: 'OPTIONS',
        path: '/api/v1/public-key',
        key: 'none',
        headers: { origin: 'https://example.org', 'access-control-request-method': 'GET' },
        status: 204,
        answerHeaders: {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD',
          allow: 'GET, HEAD, OPTIONS',
        },
      },
      {
        name: 'CORS preflight of a public path that takes a body',
        method: 'OPTIONS',
        path: '/api/v1/gate/verify',
        key: 'none',
        status: 204,
        answerHeaders: { 'access-control-allow-methods': 'POST', allow: 'POST, OPTIONS' },
      },
      {
        name: 'a path that two patterns fit names each method once',
        method: 'OPTIONS',
        path: '/api/v1/receipts/checkpoints',
        key: 'none',
        status: 204,
        answerHeaders: { 'access-control-allow-methods': 'GET, HEAD', allow: 'GET, HEAD, OPTIONS' },
      },
      {
        name: 'and so does a refusal',
        method: 'PUT',
        path: '/api/v1/receipts/checkpoints',
        status: 405,
        answerHeaders: { allow: 'GET, HEAD' },
      },
      {
        name: 'CORS preflight of a keyed path',
        method: 'OPTIONS',
        path: ISSUE,
        key: 'none',
        status: 204,
        answerHeaders: { 'access-control-allow-origin': null },
      },
      { name: 'OPTIONS of nothing', method: 'OPTIONS', path: '/nothing', status: 404 },
    ],
  );
});

describe('HEAD', () => {
  test('says how long the answer to GET is', async () => {
    for (const path of ['/api/v1/public-key', '/openapi.json', '/log/keys/checkpoint', '/nothing']) {
      // A request id of its own length is in what is refused.
      const ask = (method: string) =>
        app.fetch(new Request(`http://localhost${path}`, { method, headers: { 'x-request-id': 'one' } }));
      const [get, head] = [await ask('GET'), await ask('HEAD')];
      const { byteLength } = await get.arrayBuffer();
      expect([path, head.status, head.headers.get('content-length'), await head.text()]).toEqual([
        path,
        get.status,
        String(byteLength),
        '',
      ]);
    }
  });

  test('says no length where there is no body', async () => {
    const url = 'http://localhost/api/v1/receipts/checkpoints/latest';
    const etag = (await app.fetch(new Request(url))).headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    const head = await app.fetch(new Request(url, { method: 'HEAD', headers }));
    expect([head.status, head.headers.get('content-length')]).toEqual([304, null]);
  });
});

describe('the documentation', () => {
  test('says of every operation what it is, and every example works', async () => {
    const document = await openapi();
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: '/' }] });
    for (const item of Object.values(document.paths)) {
      for (const { operationId, summary, description, responses } of Object.values(item)) {
        for (const text of [operationId, summary, description]) expect(text).toMatch(/\w/);
        for (const [status, answer] of Object.entries(Object(responses))) {
          expect(Object(answer).description).toMatch(/\w/);
          // A refusal names the reason codes that it can have; health has none.
          if (status.startsWith('4')) expect(Object(answer).description).toMatch(/^[a-z_]+: [A-Z]/);
          const others = status === '200' ? OTHER_TYPES.get(String(operationId)) : undefined;
          const expected = status.startsWith('3') ? [] : (others ?? ['application/json']);
          const types = Object.keys(Object(Object(answer).content));
          expect([operationId, ...types]).toEqual([operationId, ...expected]);
        }
      }
    }
    const text = JSON.stringify(document);
    for (const leftover of [
      'x-complaint',
      'x-schema',
      'x-media-type',
      'x-answer-headers',
      'x-status-headers',
      'x-forms',
      'x-no-content',
      'multipart/form-data',
    ]) {
      expect(text).not.toContain(leftover);
    }
    for (const status of ['200', '304']) {
      const latest = document.paths['/api/v1/receipts/checkpoints/latest']?.get;
      expect(Object.keys(Object(Object(latest?.responses)[status]).headers)).toEqual([
        'X-Request-Id',
        'ETag',
        'Cache-Control',
      ]);
    }
    const proven = await finalized(app.own);
    await app.service.trust.log.publisher.publish();
    await exampleAgent(app);
    // What the example's agent brings comes before all that asks for it, and what ends it comes last.
    const turn = ({ path, method }: Operation) =>
      path.endsWith('/revoke') ? 1 : path.endsWith('/evidence') && method === 'POST' ? -1 : 0;
    const inOrder = (await operations()).sort((a, b) => turn(a) - turn(b));
    for (const { method, path, example, responses, targeted } of inOrder) {
      const { receipt_id } = path.endsWith('/proof') ? proven : (await app.own.issue()).body;
      const init: RequestInit = { method, headers: { 'content-type': 'application/json' } };
      if (example !== undefined) init.body = JSON.stringify(example);
      const address = path.replace('rcpt_x', String(receipt_id));
      const request = new Request(`http://localhost${address}`, init);
      request.headers.set('authorization', `Bearer ${app.apiKey}`);
      const { status } = await app.fetch(request);
      expect([method, path, responses.includes(String(status)), status < 400 || targeted]).toEqual([
        method,
        path,
        true,
        true,
      ]);
    }
  });

  test('is a document without a fault in the eyes of Redocly', async () => {
    const response = await app.fetch(new Request('http://localhost/openapi.json'));
    const file = `${import.meta.dir}/../../../../dist/openapi.json`;
    await Bun.write(file, await response.text());
    const lint = Bun.spawnSync(['node_modules/.bin/redocly', 'lint', '--format=json', file], {
      cwd: `${import.meta.dir}/../../../..`,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const report = JSON.parse(lint.stdout.toString());
    expect(report.problems.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([]);
    expect(report.totals.errors).toBe(0);
  });

  test('the page and all that it needs come from the executable', async () => {
    const get = (path: string) => app.fetch(new Request(`http://localhost${path}`));
    const start = await get('/');
    expect(start.headers.get('location')).toBe('/swagger');
    expect(start.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const page = await get('/swagger');
    const text = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const [, path = ''] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const file = await get(path);
      expect([path, file.status, (await file.text()).length > 100]).toEqual([path, 200, true]);
    }
    expect(text).not.toMatch(/https?:\/\//);
  });
});

describe('the keys', () => {
  scenarios(
    () => app,
    [
      {
        name: 'of every purpose',
        path: '/api/v1/transparency/keys',
        key: 'none',
        status: 200,
        effects: (_, { keys }) => {
          const rows: { purpose: string; algorithm: string }[] = Object(keys);
          expect(rows.map(({ purpose, algorithm }) => `${purpose} ${algorithm}`)).toEqual([
            'receipts Ed25519',
            'log Ed25519',
            'log ML-DSA-44',
            'credentials Ed25519',
          ]);
        },
      },
      {
        name: 'of one purpose',
        path: '/api/v1/public-key?purpose=credentials',
        key: 'none',
        status: 200,
        contains: ['z6Mk'],
      },
      {
        name: 'of no purpose',
        path: '/api/v1/public-key?purpose=x',
        key: 'none',
        status: 400,
        issues: ['purpose'],
      },
    ],
  );
});

describe('a query', () => {
  const names = (count: number): string => Array.from({ length: count }, (_, index) => `n${index}`).join('&');
  test('of 100 parameters is read', async () => {
    const url = `http://localhost/log/receipts/vkeys?${names(100)}`;
    expect((await app.fetch(new Request(url))).status).toBe(200);
  });

  scenarios(
    () => app,
    [
      {
        name: 'of more is refused',
        path: `/api/health?${names(101)}`,
        status: 400,
        reasonCode: 'validation_error',
        issues: ['query'],
      },
      {
        name: 'of 16 KB of names is refused by their number, not held against each other',
        path: `/api/health?${names(4000)}&n0`,
        status: 400,
        issues: ['query'],
      },
    ],
  );
});

describe('a body of more than 20000 members and elements', () => {
  const body = `{"operator_id":"a","domain":"CODE_GENERATION",${Array.from({ length: 20_000 }, (_, index) => `"m${index}":0`).join(',')}}`;
  scenarios(
    () => app,
    ['/api/v1/gate/verify', '/api/v1/receipts'].map((path) => ({
      name: `is refused by ${path}`,
      path,
      method: 'POST',
      raw: body,
      status: 400,
      reasonCode: 'validation_error',
      issues: ['body'],
      contains: ['The body must have at most 20000 members and elements together.'],
    })),
  );
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { issueBody } from '../../../support/client.ts';
import { exampleAgent } from '../../../support/evidence.ts';
import { headOf } from '../../../support/head.ts';
import { finalized } from '../../../support/log.ts';
import { parametersOf, responsesOf } from '../../../support/openapi.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { type More, type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ 'billing.processor': 'sandbox' });
});
afterAll(() => app.close());

/** What responds with something else than JSON. */
const JOURNAL_TYPES = ['application/json', 'application/x-ndjson', 'text/csv; charset=utf-8'];
const STATEMENT_TYPES = ['application/json', 'text/html; charset=utf-8', 'text/csv; charset=utf-8'];
const OTHER_TYPES = new Map([
  ['getCreditJournal', JOURNAL_TYPES],
  ['getAccountStatement', STATEMENT_TYPES],
  ['getAgentStatement', STATEMENT_TYPES],
  ['getOperatorJournal', JOURNAL_TYPES],
  ['getReceiptProof', ['text/plain; charset=utf-8', 'application/scitt-receipt+cose']],
  ['listAccountPayments', ['application/json', 'text/csv']],
  ['getReceiptBundle', ['application/vnd.countersign.bundle+json']],
  ['getEvidenceProof', ['text/plain; charset=utf-8']],
  ['getEvidenceBundle', ['application/vnd.countersign.bundle+json']],
  ['getLogCheckpoint', ['text/plain; charset=utf-8']],
  ['getLogVerifierKeys', ['text/plain; charset=utf-8']],
  ['getLogTile', ['application/octet-stream']],
  ['getAvatar', ['image/svg+xml']],
  ['getAgentAttestation', ['image/svg+xml', 'application/json']],
  ['getArtifactAttestation', ['application/json', 'image/svg+xml']],
  ['getReputationCredential', ['application/json', 'application/vc']],
  ['getClusterCredential', ['application/json', 'application/vc']],
  ['getStatusList', ['application/json', 'application/vc']],
  ['getReputationContext', ['application/ld+json']],
  ['getReputationContextV1', ['application/ld+json']],
  ['exportMetrics', ['application/json', 'application/x-protobuf']],
  ['getSustainabilityContext', ['application/ld+json']],
  ['getSustainabilityContextV1', ['application/ld+json']],
  ['getServiceDidDocument', ['application/did+ld+json']],
  ['getCompliancePackage', ['application/json', 'text/html; charset=utf-8']],
  ['getAuditPackage', ['application/json', 'text/html; charset=utf-8']],
  ['getClusterPackage', ['application/json', 'text/html; charset=utf-8']],
  ['getScorecard', ['application/json', 'text/html; charset=utf-8']],
  ['getAgentDidDocument', ['application/did+ld+json']],
  ['getAgentWebDidDocument', ['application/did+ld+json']],
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

/**
 * Returns whether an operation always needs an API key; with an empty alternative, a signature in the body
 * also suffices.
 */
function needsKey(security: unknown): boolean {
  const ways = Array.isArray(security) ? security : [];
  return Object(ways[0]).apiKey !== undefined && ways.every((way) => Object.keys(Object(way)).length > 0);
}

async function openapi(): Promise<{ paths: Record<string, Record<string, Record<string, unknown>>> }> {
  const response = await app.fetch(new Request('http://localhost/openapi.json'));
  return JSON.parse(await response.text());
}

/** Every operation of the OpenAPI document. */
async function operations(): Promise<Operation[]> {
  const document = await openapi();
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: addressOf(path, parametersOf(document, operation)),
      keyed: needsKey(operation.security ?? [{ apiKey: [] }]),
      // An example's id is nobody's; these return what they say, but cannot succeed with it.
      targeted:
        (/\{keyHash\}|^\/api\/v1\/operator\/session$/.test(path) && method === 'delete') ||
        UNREPEATABLE.includes(path) ||
        path.startsWith('/api/v1/webhooks/{id}') ||
        // Their examples name an artifact and an item of evidence of the demonstration.
        path.startsWith('/api/v1/artifacts/') ||
        /\/evidence\/\{event\}\/(?:proof|bundle)$/.test(path) ||
        // Only in the demonstration does a day or a month with movements end.
        path.endsWith('/head-proof') ||
        /\/statements\/\{month\}$/.test(path) ||
        // Only in the demonstration does this agent have a report, and this cluster telemetry.
        path === '/api/v1/compliance/audit-package/{commitment}' ||
        /^\/api\/v1\/datacenter\/(?:clusters|compliance)\//.test(path) ||
        // Its example is about an agent of another operator, in the demonstration.
        path === '/api/v1/passport/agents/{id}/assessments' ||
        // Its example names a transaction of the demonstration.
        path === '/api/v1/transactions/{transaction_id}' ||
        // Its example names a credential of the demonstration.
        path === '/api/v1/credentials/{id}/revoke' ||
        // Only in the demonstration has this operator paid.
        path === '/api/v1/account/billing-portal' ||
        // Their examples name agents that have credits, tasks and proposals in the demonstration.
        /^\/api\/v1\/(?:passport\/(?:engagements|credits\/transfers)|acp\/|agora\/|agent-pay\/(?!products))/.test(
          path,
        ) ||
        // The one names a session that is paid in the demonstration, the other needs a signature of the
        // processor.
        /^\/api\/billing\/(?:claim|webhook)$/.test(path),
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
function addressOf(path: string, parameters: readonly Record<string, unknown>[]): string {
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const { example } = parameters.find((parameter) => parameter.name === name) ?? {};
    if (typeof example !== 'string')
      throw new Error(`{${name}} of ${path} has no example: \`examples\` of its schema`);
    return example.startsWith('rcpt_') ? 'rcpt_x' : example;
  });
  return query.length === 0
    ? filled
    : `${filled}?${query.map(({ name, example }) => `${name}=${example}`).join('&')}`;
}

describe('an API key is checked before everything else', () => {
  test('by every keyed operation: 401 without one, with a malformed and an unknown one, whatever the body', async () => {
    const keyed = (await operations()).filter((operation) => operation.keyed);
    expect(keyed.length).toBeGreaterThanOrEqual(20);
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
          const { reason_code, message } = JSON.parse(await response.text());
          // The errors of OTLP are a google.rpc.Status, whose message begins with the code.
          const code = reason_code ?? /^\w+(?=: )/.exec(message)?.[0];
          expect([method, path, authorization, body, response.status, code]).toEqual([
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

test('a body that is not JSON is refused with the cause, said once', async () => {
  const headers = { authorization: `Bearer ${app.apiKey}`, 'content-type': 'application/json' };
  const request = new Request(`http://localhost${ISSUE}`, { method: 'POST', headers, body: '{"a":' });
  const { error } = JSON.parse(await (await app.fetch(request)).text());
  expect(error).toStartWith('The body is not valid JSON: Unexpected EOF');
});

describe('a request to the trust service:', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const bad = (name: string, raw: NonNullable<More['raw']>): Scenario => [
    name,
    `POST ${ISSUE}`,
    '400 invalid_json',
    { raw },
  ];
  const large = new Uint8Array(2 * 2 ** 20).fill(0x20);
  scenarios(
    () => app,
    [
      ['an unknown path is not found', 'GET /api/v1/nothing', '404 not_found'],
      ['a path in another case is not found', 'GET /API/v1/receipts', '404'],
      [
        'a method that the path does not know is refused with those that it knows',
        `PUT ${ISSUE}`,
        '405 method_not_allowed',
        { responseHeaders: { allow: 'POST, GET, HEAD' } },
      ],
      ['a receipt is not deleted', `DELETE ${ISSUE}/x`, '405'],
      bad('a body of text that is no JSON is refused', 'hello'),
      bad('a body of JSON cut short is refused', '{"agent_id":'),
      bad('a body with a member twice is refused', `{"agent_id":"a",${JSON.stringify(issueBody()).slice(1)}`),
      bad('a body of 65 levels is refused', nested(65)),
      bad('a body of half a million levels is refused', nested(500_000)),
      bad(
        'a body with a lone surrogate is refused',
        JSON.stringify(issueBody()).replace('agent-7', '\\ud800'),
      ),
      bad('a body of bytes that are no UTF-8 is refused', new Uint8Array([0x22, 0xff, 0xfe, 0x22])),
      bad('a body that begins with a byte order mark is refused', `\ufeff${JSON.stringify(issueBody())}`),
      ['a body of 64 levels is read', `POST ${ISSUE}`, '400 validation_error', { raw: nested(64) }],
      ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''].map(
        (type): Scenario => [
          `a body of type "${type}" is refused`,
          `POST ${ISSUE}`,
          '415 unsupported_media_type',
          { raw: JSON.stringify(issueBody()), headers: { 'content-type': type } },
        ],
      ),
      [
        'a JSON body with its charset named is taken',
        `POST ${ISSUE}`,
        '201',
        { raw: JSON.stringify(issueBody()), headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
      ],
      [
        'a body of 2 MiB that is announced is refused',
        `POST ${ISSUE}`,
        '413 payload_too_large',
        { raw: large, headers: { 'content-length': String(large.length) } },
      ],
      [
        'a body of 2 MiB that is announced is refused before the key is asked for',
        `POST ${ISSUE}`,
        '413',
        { by: 'anyone', raw: large, headers: { 'content-length': String(large.length) } },
      ],
      [
        'a body of 2 MiB that comes in pieces is refused',
        `POST ${ISSUE}`,
        '413 payload_too_large',
        { raw: new Blob([large]).stream() },
      ],
      [
        '__proto__ is an unknown field like any other',
        `POST ${ISSUE}`,
        '400 validation_error: __proto__',
        { raw: JSON.stringify(issueBody()).replace('{', '{"__proto__":{"a":1},') },
      ],
      [
        "the client's own request id comes back",
        'GET /api/health',
        '200',
        {
          by: 'anyone',
          headers: { 'x-request-id': 'client-0001' },
          responseHeaders: { 'x-request-id': 'client-0001', 'access-control-allow-origin': '*' },
        },
      ],
      [
        'a request id with a script in it is replaced by another',
        'GET /api/health',
        '200',
        {
          by: 'anyone',
          headers: { 'x-request-id': '<script>alert(1)</script>' },
          effects: (_, body) => expect(body.status).toBe('ok'),
        },
      ],
      [
        'HEAD returns the headers of GET',
        'HEAD /api/v1/public-key',
        '200',
        {
          by: 'anyone',
          responseHeaders: {
            'cache-control': 'public, max-age=3600',
            'content-type': 'application/json;charset=utf-8',
          },
        },
      ],
      [
        'a CORS preflight of a public path allows every origin',
        'OPTIONS /api/v1/public-key',
        '204',
        {
          by: 'anyone',
          headers: { origin: 'https://example.org', 'access-control-request-method': 'GET' },
          responseHeaders: {
            'access-control-allow-origin': '*',
            'access-control-allow-methods': 'GET, HEAD',
            allow: 'GET, HEAD, OPTIONS',
          },
        },
      ],
      [
        'a CORS preflight of a public path that takes a body allows POST',
        'OPTIONS /api/v1/gate/verify',
        '204',
        { by: 'anyone', responseHeaders: { 'access-control-allow-methods': 'POST', allow: 'POST, OPTIONS' } },
      ],
      [
        'OPTIONS of a path that two patterns fit names each method once',
        'OPTIONS /api/v1/receipts/checkpoints',
        '204',
        {
          by: 'anyone',
          responseHeaders: { 'access-control-allow-methods': 'GET, HEAD', allow: 'GET, HEAD, OPTIONS' },
        },
      ],
      [
        'a refused method of a path that two patterns fit names each method once',
        'PUT /api/v1/receipts/checkpoints',
        '405',
        { responseHeaders: { allow: 'GET, HEAD' } },
      ],
      [
        'a CORS preflight of a keyed path allows no origin',
        `OPTIONS ${ISSUE}`,
        '204',
        { by: 'anyone', responseHeaders: { 'access-control-allow-origin': null } },
      ],
      ['OPTIONS of an unknown path is not found', 'OPTIONS /nothing', '404'],
    ],
  );
});

describe('HEAD', () => {
  test.each<[path: string, headers?: Record<string, string>]>([
    ['/api/v1/public-key'],
    ['/openapi.json'],
    ['/openapi.json', { 'accept-encoding': 'gzip' }],
    ['/swagger'],
    ['/'],
    ['/log/keys/checkpoint'],
    [`/api/v1/avatar/${'0'.repeat(64)}`],
    ['/account'],
    ['/nothing'],
    ['/nothing', { accept: 'text/html' }],
  ])(
    'of %s with %j has the headers and the length of the response to GET, and no body',
    async (path, headers = {}) => {
      // A request id of its own length is in what is refused.
      const all = { ...headers, 'x-request-id': 'one' };
      const get = await app.fetch(
        new Request(`http://localhost${path}`, { headers: all, redirect: 'manual' }),
      );
      const { byteLength } = await get.arrayBuffer();
      const head = await headOf(app.fetch, path, all);
      expect([head.status, head.headers.get('content-length'), head.rest]).toEqual([
        get.status,
        String(byteLength),
        '',
      ]);
      for (const [name, value] of get.headers) expect([name, head.headers.get(name)]).toEqual([name, value]);
    },
  );

  test('has no Content-Length for a response without a body', async () => {
    const path = '/api/v1/receipts/checkpoints/latest';
    const etag = (await app.fetch(new Request(`http://localhost${path}`))).headers.get('etag') ?? '';
    const head = await headOf(app.fetch, path, { 'if-none-match': etag });
    expect([head.status, head.headers.get('content-length'), head.rest]).toEqual([304, null, '']);
  });
});

describe('the OpenAPI document', () => {
  const get = (headers: Record<string, string>) =>
    app.fetch(new Request('http://localhost/openapi.json', { headers }));

  test('is served in the best coding that the client accepts', async () => {
    const plain = await (await get({})).text();
    const unpacked = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.1, gzip', 'gzip'],
      ['*', 'br'],
    ] as const) {
      const response = await get({ 'accept-encoding': accepted });
      expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
        coding,
        'Accept-Encoding',
      ]);
      expect(unpacked[coding](await response.arrayBuffer()).toString()).toBe(plain);
    }
    for (const accepted of ['identity', 'deflate', 'gzip;q=0', '', 'zstd, br;q=0']) {
      const response = await get({ 'accept-encoding': accepted });
      expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, plain]);
    }
  });

  test.each(['swagger-ui.css', 'swagger-ui-bundle.js'])(
    'has a page whose %s is compressed and sent once',
    async (file) => {
      const ask = (headers: Record<string, string>) =>
        app.fetch(new Request(`http://localhost/swagger/${file}`, { headers }));
      const [plain, small] = [await ask({}), await ask({ 'accept-encoding': 'br' })];
      const text = await plain.text();
      expect(text).toBe(
        await Bun.file(`${import.meta.dir}/../../../../node_modules/swagger-ui-dist/${file}`).text(),
      );
      const bytes = await small.arrayBuffer();
      expect(brotliDecompressSync(bytes).toString()).toBe(text);
      expect(bytes.byteLength).toBeLessThan(text.length / 3);
      expect((await ask({ 'if-none-match': small.headers.get('etag') ?? '' })).status).toBe(304);
    },
  );

  test('is not sent again to a client that has it, in any coding', async () => {
    const etag = (await get({ 'accept-encoding': 'gzip' })).headers.get('etag') ?? '';
    for (const accepted of ['gzip', 'br', 'identity']) {
      const response = await get({ 'accept-encoding': accepted, 'if-none-match': etag });
      expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, etag, '']);
    }
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  test('has less than 800 kB', async () => {
    expect((await (await get({})).arrayBuffer()).byteLength).toBeLessThan(800_000);
  });
});

describe('the OpenAPI document of the trust service', () => {
  test('documents the Idempotency-Key for every POST with a key, except A2A and those that open a session or a portal', async () => {
    const document = await openapi();
    const without = Object.entries(document.paths)
      .filter(([, { post }]) => post !== undefined && Object(post.security ?? [{ apiKey: [] }])[0]?.apiKey)
      .filter(([, { post }]) => !parametersOf(document, post).some(({ name }) => name === 'Idempotency-Key'))
      .map(([path]) => path);
    // A repeated message of A2A is recognized by its messageId. A portal that is opened again changes nothing.
    expect(without).toEqual([
      '/api/v1/account/billing-portal',
      '/api/v1/a2a/tasks',
      '/api/v1/operator/session',
    ]);
  });

  test('describes every operation, and every example works', async () => {
    const document = await openapi();
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: '/' }] });
    for (const item of Object.values(document.paths)) {
      for (const operation of Object.values(item)) {
        const { operationId, summary, description } = operation;
        for (const text of [operationId, summary, description]) expect(text).toMatch(/\w/);
        for (const [status, response] of responsesOf(document, operation)) {
          expect(Object(response).description).toMatch(/\w/);
          // A refusal names the reason codes that it can have; health has none.
          if (status.startsWith('4')) expect(Object(response).description).toMatch(/^[a-z_]+: [A-Z]/);
          const others =
            status === '200' || operationId === 'exportMetrics'
              ? OTHER_TYPES.get(String(operationId))
              : undefined;
          const expected = status.startsWith('3') || status === '204' ? [] : (others ?? ['application/json']);
          const types = Object.keys(Object(Object(response).content));
          expect([operationId, ...types]).toEqual([operationId, ...expected]);
        }
      }
    }
    const text = JSON.stringify(document);
    for (const leftover of [
      'x-message',
      'x-schema',
      'x-media-type',
      'x-response-headers',
      'x-status-headers',
      'x-forms',
      'x-no-content',
      'x-other-encoding',
      'x-error-form',
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
    const { subjectCommitment } = await exampleAgent(app);
    const anyCredential = async () =>
      JSON.stringify((await app.anyone.get(`/api/v1/credentials/${subjectCommitment}`)).body);
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
      // Credentials and packages wait for the checkpoints of what they count.
      await publishCheckpoints(app);
      // No example can have a credential of this service. That of another one shows what it looks like.
      const isOfCredential = path === '/api/v1/credentials/verify';
      if (isOfCredential) {
        const members = Object.keys(Object(example)).sort();
        expect(members).toEqual(Object.keys(JSON.parse(await anyCredential())).sort());
      }
      const { status } = await app.fetch(
        isOfCredential ? new Request(request, { body: await anyCredential() }) : request,
      );
      expect([method, path, responses.includes(String(status)), status < 400 || targeted]).toEqual([
        method,
        path,
        true,
        true,
      ]);
    }
  });

  test('is without a fault in the eyes of Redocly', async () => {
    const response = await app.fetch(new Request('http://localhost/openapi.json'));
    const file = `${import.meta.dir}/../../../../dist/openapi.json`;
    await Bun.write(file, await response.text());
    const lint = Bun.spawnSync(['node_modules/.bin/redocly', 'lint', '--format=json', file], {
      cwd: `${import.meta.dir}/../../../..`,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const report = JSON.parse(lint.stdout.toString());
    // The methods differ, and no credential has the id `status`.
    const known = '`/api/v1/credentials/status/{list}` and `/api/v1/credentials/{id}/revoke`';
    const problems: { message: string }[] = report.problems;
    expect(problems.filter(({ message }) => !message.includes(known))).toEqual([]);
    expect(report.totals.errors).toBe(0);
  });

  test('has a page that the executable serves with all its files', async () => {
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

describe('the published keys', () => {
  scenarios(
    () => app,
    [
      [
        'are listed for every purpose',
        'GET /api/v1/transparency/keys',
        '200',
        {
          effects: (_, { keys }) => {
            const rows: { purpose: string; algorithm: string }[] = Object(keys);
            expect(rows.map(({ purpose, algorithm }) => `${purpose} ${algorithm}`)).toEqual([
              'receipts Ed25519',
              'credentials Ed25519',
              ...LOG_NAMES.flatMap((name) => [`${name}-log Ed25519`, `${name}-log ML-DSA-44`]),
            ]);
          },
        },
      ],
      [
        'are given for one purpose',
        'GET /api/v1/public-key?purpose=credentials',
        '200',
        { contains: ['z6Mk'] },
      ],
      [
        'are not given for an unknown purpose',
        'GET /api/v1/public-key?purpose=x',
        '400 validation_error: purpose',
      ],
      [
        'are given for each log, under its own purpose',
        'GET /api/v1/public-key?purpose=revocations-log',
        '200',
        { contains: ['"purpose":"revocations-log"'] },
      ],
      [
        'are not given for all logs at once',
        'GET /api/v1/public-key?purpose=log',
        '400 validation_error: purpose',
      ],
    ],
    { by: 'anyone' },
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
      ['of 101 parameters is refused', `GET /api/health?${names(101)}`, '400 validation_error: query'],
      [
        'of 16 KB of names is refused by their number, not held against each other',
        `GET /api/health?${names(4000)}&n0`,
        '400 validation_error: query',
      ],
    ],
  );
});

describe('a body of more than 20000 members and elements', () => {
  const body = `{"operator_id":"a","domain":"CODE_GENERATION",${Array.from({ length: 20_000 }, (_, index) => `"m${index}":0`).join(',')}}`;
  scenarios(
    () => app,
    ['/api/v1/gate/verify', '/api/v1/receipts'].map(
      (path): Scenario => [
        `is refused by ${path}`,
        `POST ${path}`,
        '400 validation_error: body',
        { raw: body, contains: ['The body must have at most 20000 members and elements together.'] },
      ],
    ),
  );
});

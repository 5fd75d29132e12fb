import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { MAX_INSTANCES } from '../../../../src/trust/datacenter/otlp/body-rules.ts';
import { counter, gauge, HOUR, metricsOf } from '../../../support/otlp.ts';
import { decodedResponse, decodedStatus, encodedMetrics } from '../../../support/otlp-protobuf.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const PATH = '/api/v1/datacenter/otlp/v1/metrics';
const PROTOBUF = 'application/x-protobuf';

let app: TrustApp;
let clusters = 0;

beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

const instance = (id = 'rack-1') => ({
  'countersign.cluster.id': `protobuf-${++clusters}`,
  'service.instance.id': id,
});
const energy = () => counter('hw.host.energy', 'kW.h', [[0, HOUR, 10]]);

/** Posts bytes. @returns the response, whose body is always protobuf */
async function post(
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  { method = 'POST', key = app.own.key }: { method?: string; key?: string | null } = {},
) {
  const response = await app.fetch(
    new Request(`http://localhost${PATH}`, {
      method,
      headers: {
        'content-type': PROTOBUF,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(method === 'GET' ? {} : { body }),
    }),
  );
  expect(response.headers.get('content-type')).toBe(PROTOBUF);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

async function sent(body: JsonObject, headers: Record<string, string> = {}) {
  const { status, bytes } = await post(encodedMetrics(body), headers);
  expect(status).toBe(200);
  return decodedResponse(bytes);
}

/** The telemetry of a cluster, without what differs between clusters. Read past the program. */
const itemsOf = (cluster: string) =>
  app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<Record<string, number | string | null>, [string]>(
        `SELECT class, window_start, window_end, it_mwh, power_mw, inlet_mc FROM datacenter_evidence
         JOIN datacenter_cluster USING (cluster_seq) WHERE cluster_id = ? ORDER BY receipt_seq`,
      )
      .all(cluster),
  );

describe('Metrics of OpenTelemetry in protobuf', () => {
  test('become the same telemetry as in JSON, and all were accepted', async () => {
    const metrics = [energy(), gauge('hw.host.ambient_temperature', 'Cel', [[HOUR, 20.5]])];
    const [inJson, inProtobuf] = [instance(), instance()];
    expect((await app.own.post(PATH, metricsOf(inJson, metrics))).body).toEqual({});
    expect((await post(encodedMetrics(metricsOf(inProtobuf, metrics)))).bytes).toHaveLength(0);
    const items = await itemsOf(inProtobuf['countersign.cluster.id']);
    expect(items).toHaveLength(1);
    expect(items).toEqual(await itemsOf(inJson['countersign.cluster.id']));
  });

  test('are accepted in part: the response has the number of rejected data points and the reasons', async () => {
    const body = metricsOf(instance(), [energy(), gauge('system.memory.usage', 'By', [[0, 1]])]);
    expect(await sent(body)).toEqual({
      partialSuccess: { rejectedDataPoints: '1', errorMessage: '1: "system.memory.usage" has no mapping.' },
    });
  });

  test('may be compressed, and a message without fields is a request without metrics', async () => {
    const attributes = instance();
    const compressed = gzipSync(encodedMetrics(metricsOf(attributes, [energy()])));
    const { status } = await post(new Uint8Array(compressed), { 'content-encoding': 'gzip' });
    expect(status).toBe(200);
    expect(await itemsOf(attributes['countersign.cluster.id'])).toHaveLength(1);
    expect((await post(new Uint8Array(0))).status).toBe(200);
  });

  test('that are sent again, also in JSON, store nothing', async () => {
    const attributes = instance();
    const body = metricsOf(attributes, [energy()]);
    for (let count = 0; count < 2; count++) expect(await sent(body)).toEqual({});
    expect((await app.own.post(PATH, body)).body).toEqual({});
    expect(await itemsOf(attributes['countersign.cluster.id'])).toHaveLength(1);
  });

  test('with an Idempotency-Key have the first response again, and another body is refused', async () => {
    const headers = { 'idempotency-key': 'protobuf-1' };
    const body = encodedMetrics(metricsOf(instance(), [gauge('x', '1', [[0, 1]])]));
    const first = await post(body, headers);
    const again = await post(body, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.bytes).toEqual(first.bytes);
    const other = await post(encodedMetrics(metricsOf(instance(), [gauge('y', '1', [[0, 1]])])), headers);
    expect([other.status, decodedStatus(other.bytes)]).toEqual([
      422,
      { code: 3, message: expect.stringMatching(/^idempotency_key_reused: /) },
    ]);
  });

  test('that are NaN, infinite or not recorded are no values', async () => {
    const points = [Number.NaN, Number.POSITIVE_INFINITY].map(
      (value, hour) => [hour * HOUR, String(value)] as const,
    );
    const { partialSuccess } = await sent(metricsOf(instance(), [gauge('hw.host.power', 'W', points)]));
    expect(partialSuccess).toEqual({
      rejectedDataPoints: '2',
      errorMessage: '2: hw.host.power is not a finite number.',
    });
  });
});

describe('An error of OTLP in protobuf', () => {
  const empty = new Uint8Array(0);
  const many = () => ({
    resourceMetrics: Array.from(
      { length: MAX_INSTANCES + 1 },
      (_, n) => Object(metricsOf(instance(`rack-${n}`), [])).resourceMetrics[0],
    ),
  });
  const gzip = { 'content-encoding': 'gzip' };

  test.each<[string, () => ReturnType<typeof post>, number, number, string]>([
    [
      'a body that is no message',
      () => post(Uint8Array.of(0x0a, 9)),
      400,
      3,
      'validation_error: The body is not a valid protobuf message: it ends within a field.',
    ],
    [
      'JSON that is declared as protobuf',
      () => post(new TextEncoder().encode('{"resourceMetrics":[]}')),
      400,
      3,
      'validation_error: The body is not a valid protobuf message: ',
    ],
    [
      'a body that is no gzip',
      () => post(Uint8Array.of(0x0a, 0), gzip),
      400,
      3,
      'validation_error: The body is not valid gzip.',
    ],
    [
      'a body of gigabytes in gzip',
      () => post(new Uint8Array(gzipSync(Buffer.alloc(300 * 2 ** 20))), gzip),
      413,
      3,
      'payload_too_large: The body is larger than 1048576 bytes.',
    ],
    ['a large body', () => post(new Uint8Array(2 ** 20 + 1)), 413, 3, 'payload_too_large: '],
    [
      'empty messages in a body of 1 MiB',
      () => post(new Uint8Array(2 ** 19).fill(0x0a).map((byte, at) => (at % 2 === 0 ? byte : 0))),
      400,
      3,
      'validation_error: The body must have at most 20000 fields and packed elements together.',
    ],
    [
      'too many instances',
      () => post(encodedMetrics(many())),
      413,
      3,
      'payload_too_large: The request has metrics of 51 instances.',
    ],
    [
      'another compression',
      () => post(empty, { 'content-encoding': 'zstd' }),
      415,
      3,
      'unsupported_media_type: The body is not OTLP/HTTP. ',
    ],
    ['no key', () => post(empty, {}, { key: null }), 401, 16, 'unauthorized: '],
    ['GET', () => post(empty, {}, { method: 'GET' }), 405, 12, 'method_not_allowed: '],
  ])('is a google.rpc.Status: %s', async (_what, request, status, code, message) => {
    const response = await request();
    expect([response.status, decodedStatus(response.bytes)]).toEqual([
      status,
      { code, message: expect.stringContaining(message) },
    ]);
  });

  test('while the service stops, and of a payer with too many requests, is a google.rpc.Status too', async () => {
    const request = new Request(`http://localhost${PATH}`, {
      method: 'POST',
      headers: { 'content-type': PROTOBUF },
    });
    const service = app.service.app('/');
    await service.load();
    for (const [response, status, code] of [
      [service.unavailable(request), 503, 14],
      [service.busy(request), 429, 8],
    ] as const) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, '1']);
      expect(decodedStatus(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ code });
    }
  });
});

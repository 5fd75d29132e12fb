import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { MAX_INSTANCES } from '../../../../src/trust/datacenter/otlp/body-rules.ts';
import { deleteOldReadings } from '../../../../src/trust/datacenter/otlp/retention.ts';
import { impossibleReadings } from '../../../../src/trust/datacenter/otlp/store.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { client } from '../../../support/client.ts';
import { duringTheRequest } from '../../../support/late-body.ts';
import {
  counter,
  cumulative,
  gauge,
  HOUR,
  MINUTE,
  metricsOf,
  T0,
  temperature,
} from '../../../support/otlp.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const PATH = '/api/v1/datacenter/otlp/v1/metrics';

let app: TrustApp;
let clusters = 0;

beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

/** The attributes of an instance in a cluster that no other test uses. */
const instance = (cluster = `otlp-${++clusters}`, id = 'rack-1') => ({
  'countersign.cluster.id': cluster,
  'service.instance.id': id,
});

/** Items of a cluster, read past the program. */
const itemsOf = (cluster: string) =>
  app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<Record<string, number | string | null>, [string]>(
        `SELECT instance_id, event_type, class, counts_energy, (window_start - ${T0}) AS start, (window_end - ${T0}) AS end, it_mwh,
         power_mw, inlet_mc, junction_mc, facility_mwh, hex(payload_digest) AS digest FROM datacenter_evidence
         JOIN datacenter_cluster USING (cluster_seq) JOIN datacenter_instance USING (instance_seq) WHERE cluster_id = ? ORDER BY receipt_seq`,
      )
      .all(cluster),
  );

const sent = async (body: JsonObject) => {
  const response = await app.own.post(PATH, body);
  expect(response.status).toBe(200);
  return response.body;
};

const energy = (points: readonly (readonly [number, number, number])[] = [[0, HOUR, 10]]) =>
  counter('hw.host.energy', 'kW.h', points);

describe('Metrics of OpenTelemetry', () => {
  test('become telemetry with a receipt, and all were accepted', async () => {
    const attributes = instance();
    const body = metricsOf(attributes, [
      energy(),
      temperature('INLET', [[HOUR, 22.5]]),
      temperature('CPU0_DIE', [[HOUR, 70]]),
      counter('countersign.facility.energy', 'kW.h', [[0, HOUR, 12]]),
    ]);
    expect(await sent(body)).toEqual({});
    const items = await itemsOf(attributes['countersign.cluster.id']);
    expect(items).toMatchObject([
      {
        instance_id: 'rack-1',
        event_type: 'HARDWARE_POWER_VALIDATION',
        class: 'declared',
        counts_energy: 1,
        start: 0,
        end: HOUR,
        it_mwh: 10_000_000,
        facility_mwh: 12_000_000,
        power_mw: 10_000_000,
        inlet_mc: 22_500,
        junction_mc: 70_000,
      },
    ]);
    const { body: page } = await app.own.get('/api/v1/receipts?agent_id=rack-1&limit=1');
    expect(page.receipts).toMatchObject([
      { input_digest: String(items[0]?.digest).toLowerCase(), status: 'success' },
    ]);
  });

  test('of a synthetic origin are simulated', async () => {
    const attributes = { ...instance(), 'countersign.origin': 'synthetic' };
    await sent(metricsOf(attributes, [energy()]));
    expect(await itemsOf(attributes['countersign.cluster.id'])).toMatchObject([{ class: 'simulated' }]);
  });

  test('that are sent again store nothing, and none is rejected', async () => {
    const attributes = instance();
    const requests = [
      metricsOf(attributes, [energy(), gauge('hw.host.ambient_temperature', 'Cel', [[HOUR, 20]])]),
      metricsOf({ ...attributes, 'service.instance.id': 'rack-2' }, [
        cumulative('hw.host.energy', 'J', -HOUR, [
          [0, 5_000_000],
          [HOUR, 7_000_000],
        ]),
      ]),
      metricsOf({ ...attributes, 'service.instance.id': 'rack-3' }, [
        gauge('hw.host.power', 'W', [
          [0, 500],
          [HOUR, 600],
        ]),
      ]),
    ];
    for (const request of requests) await sent(request);
    const items = await itemsOf(attributes['countersign.cluster.id']);
    expect(items.map(({ power_mw }) => power_mw)).toEqual([10_000_000, 555_556, 600_000]);
    for (const request of [...requests, ...requests]) expect(await sent(request)).toEqual({});
    expect(await itemsOf(attributes['countersign.cluster.id'])).toEqual(items);
  });

  test('whose windows are spread over more than 400 slots and days together are refused, and nothing is stored', async () => {
    const cluster = `otlp-${++clusters}`;
    const racks = (count: number) => ({
      resourceMetrics: Array.from({ length: count }, (_, rack) =>
        metricsOf(instance(cluster, `rack-${rack}`), [energy([[0, 24 * HOUR, 10]])]),
      ).flatMap(({ resourceMetrics }) => (Array.isArray(resourceMetrics) ? resourceMetrics : [])),
    });
    // A day from noon to noon has 96 slots.
    const { status, body } = await app.own.post(PATH, racks(5));
    expect([status, String(body.message)]).toEqual([413, expect.stringContaining('more than 400 slots')]);
    expect(await itemsOf(cluster)).toEqual([]);
    await sent(racks(4));
    expect(await itemsOf(cluster)).toHaveLength(4);
  });

  test('that are sent twice at the same time are stored once', async () => {
    const attributes = instance();
    const read = (time: number, value: number) =>
      metricsOf(attributes, [cumulative('hw.host.energy', 'kW.h', -HOUR, [[time, value]])]);
    await sent(read(0, 100));
    await Promise.all([sent(read(HOUR, 110)), sent(read(HOUR, 110)), sent(read(HOUR, 110))]);
    expect(await itemsOf(attributes['countersign.cluster.id'])).toMatchObject([{ it_mwh: 10_000_000 }]);
  });

  test('of a cumulative counter count from reading to reading, over requests', async () => {
    const attributes = instance();
    const read = (time: number, value: number) =>
      sent(metricsOf(attributes, [cumulative('hw.host.energy', 'kW.h', -9999 * HOUR, [[time, value]])]));
    expect(await read(0, 123_456)).toEqual({
      partialSuccess: {
        rejectedDataPoints: '0',
        errorMessage: '1 first reading counts from the next reading.',
      },
    });
    expect(await read(HOUR, 123_460)).toEqual({});
    expect(await read(2 * HOUR, 123_465)).toEqual({});
    expect(await itemsOf(attributes['countersign.cluster.id'])).toMatchObject([
      { start: 0, end: HOUR, it_mwh: 4_000_000 },
      { start: HOUR, end: 2 * HOUR, it_mwh: 5_000_000 },
    ]);
  });

  test('are accepted in part: the response has the number of rejected data points and the reasons', async () => {
    const attributes = instance();
    const body = metricsOf(attributes, [
      energy(),
      gauge('system.memory.usage', 'By', [
        [0, 1],
        [HOUR, 2],
      ]),
    ]);
    expect(await sent(body)).toEqual({
      partialSuccess: { rejectedDataPoints: '2', errorMessage: '2: "system.memory.usage" has no mapping.' },
    });
    expect(await itemsOf(attributes['countersign.cluster.id'])).toHaveLength(1);
  });

  test('have at most ten reasons in a response', async () => {
    const metrics = Array.from({ length: 12 }, (_, n) => gauge(`metric.${n}`, '1', [[0, 1]]));
    const { partialSuccess } = await sent(metricsOf(instance(), metrics));
    expect(partialSuccess).toMatchObject({ rejectedDataPoints: '12' });
    expect(Object(partialSuccess).errorMessage).toEndWith(
      '1: "metric.9" has no mapping. and 2 more reasons.',
    );
  });

  test.each<[what: string, metrics: JsonObject[], reason: string]>([
    [
      'less energy of the facility than of its IT equipment',
      [energy(), counter('countersign.facility.energy', 'kW.h', [[0, HOUR, 9]])],
      '2: rack-1: facility_energy_kwh must be at least it_energy_kwh, since a facility includes its IT equipment.',
    ],
    [
      'power that is 1,000 times above the nameplate',
      [energy(), gauge('countersign.nameplate.power', 'mW', [[HOUR, 10_000]])],
      '2: rack-1: measured_power_avg_w must be at most 1.5 times baseline_nameplate_w: check the units; ' +
        'it_energy_kwh must be at most 1.5 times what baseline_nameplate_w consumes in the window: check the units.',
    ],
    [
      'an interval of a year',
      [energy([[-8760 * HOUR, 0, 1]])],
      '1: rack-1: window_end must be at most 31 days after window_start.',
    ],
    [
      'water without energy',
      [counter('countersign.water', 'L', [[0, HOUR, 1]])],
      '1: rack-1: event_type HARDWARE_POWER_VALIDATION needs measured_power_avg_w or it_energy_kwh or facility_energy_kwh.',
    ],
  ])('with %s are rejected', async (_what, metrics, errorMessage) => {
    const attributes = instance();
    const { partialSuccess } = await sent(metricsOf(attributes, metrics));
    expect(Object(partialSuccess).errorMessage).toBe(errorMessage);
    expect(await itemsOf(attributes['countersign.cluster.id'])).toEqual([]);
  });

  test('whose window overlaps an item are rejected with its id, and other instances are stored', async () => {
    const attributes = instance();
    await sent(metricsOf(attributes, [energy()]));
    const both = [
      ...Object(metricsOf(attributes, [energy([[HOUR / 2, 2 * HOUR, 1]])])).resourceMetrics,
      ...Object(metricsOf({ ...attributes, 'service.instance.id': 'rack-2' }, [energy()])).resourceMetrics,
    ];
    const { partialSuccess } = await sent({ resourceMetrics: both });
    expect(partialSuccess).toMatchObject({
      rejectedDataPoints: '1',
      errorMessage: expect.stringMatching(
        /^1: rack-1: conflict: The window overlaps that of dce_[0-9a-f]{32} .*[^.]\.$/,
      ),
    });
    const items = await itemsOf(attributes['countersign.cluster.id']);
    expect(items.map(({ instance_id }) => instance_id)).toEqual(['rack-1', 'rack-2']);
  });

  test("of another operator's cluster are rejected, and leave no reading", async () => {
    const attributes = instance();
    await sent(metricsOf(attributes, [energy()]));
    const read = (time: number) =>
      metricsOf(attributes, [cumulative('hw.host.energy', 'kW.h', -HOUR, [[time, time]])]);
    for (const time of [2 * HOUR, 3 * HOUR]) {
      const { status, body } = await app.other.post(PATH, read(time));
      expect([status, body]).toEqual([
        200,
        {
          partialSuccess: {
            rejectedDataPoints: '1',
            errorMessage: `1: the cluster ${attributes['countersign.cluster.id']} belongs to another operator.`,
          },
        },
      ]);
    }
    expect(await itemsOf(attributes['countersign.cluster.id'])).toHaveLength(1);
  });

  test('in one transaction: with too many windows nothing is stored', async () => {
    const points = Array.from({ length: MAX_INSTANCES + 1 }, (_, n) => {
      return [2 * n * MINUTE, (2 * n + 1) * MINUTE, 0.1] as const;
    });
    const attributes = instance();
    const { status } = await app.own.post(PATH, metricsOf(attributes, [energy(points)]));
    expect(status).toBe(413);
    expect(await itemsOf(attributes['countersign.cluster.id'])).toEqual([]);
    expect(await sent(metricsOf(attributes, [energy(points.slice(1))]))).toEqual({});
    expect(await itemsOf(attributes['countersign.cluster.id'])).toHaveLength(MAX_INSTANCES);
  });

  test('with an Idempotency-Key have the first response again', async () => {
    const headers = { 'idempotency-key': 'otlp-1' };
    const body = metricsOf(instance(), [gauge('x', '1', [[0, 1]])]);
    const first = await app.own.post(PATH, body, headers);
    const again = await app.own.post(PATH, body, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = metricsOf(instance(), [gauge('x', '1', [[0, 2]])]);
    expect((await app.own.post(PATH, other, headers)).body).toEqual({
      code: 3,
      message: expect.stringMatching(/^idempotency_key_reused: /),
    });
  });

  test('with an Idempotency-Key of a body whose members were in another order have the same response', async () => {
    const headers = { 'idempotency-key': 'otlp-2' };
    const { resourceMetrics } = metricsOf(instance(), [gauge('x', '1', [[0, 1]])]);
    await app.own.post(PATH, { resourceMetrics, a: { y: 1, z: 'é' } }, headers);
    const again = await app.own.post(PATH, { a: { z: 'é', y: 1 }, resourceMetrics }, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

const type = { 'content-type': 'application/json' };
const body = { resourceMetrics: [] };
const table: Scenario[] = [
  ['a request without metrics succeeds', `POST ${PATH}`, '200', { body }],
  ['an empty object succeeds', `POST ${PATH}`, '200', { body: {} }],
  ['a request that maps nothing succeeds', `POST ${PATH}`, '200', { body: { resourceSpans: [] } }],
  [
    'a request in gzip succeeds',
    `POST ${PATH}`,
    '200',
    { raw: gzipSync(JSON.stringify(body)), headers: { ...type, 'content-encoding': 'gzip' } },
  ],
  [
    'a body that is no gzip is refused',
    `POST ${PATH}`,
    '400 validation_error',
    { raw: JSON.stringify(body), headers: { ...type, 'content-encoding': 'gzip' } },
  ],
  [
    'a body that is more than 1 MiB after decompression is refused',
    `POST ${PATH}`,
    '413 payload_too_large',
    { raw: gzipSync(Buffer.alloc(2 ** 21, ' ')), headers: { ...type, 'content-encoding': 'gzip' } },
  ],
  [
    'another media type is refused with those that are accepted',
    `POST ${PATH}`,
    '415 unsupported_media_type',
    {
      raw: new Uint8Array([10, 0]),
      headers: { 'content-type': 'application/octet-stream' },
      contains: ['application/x-protobuf or application/json'],
    },
  ],
  [
    'brotli is refused',
    `POST ${PATH}`,
    '415 unsupported_media_type',
    { raw: '{}', headers: { ...type, 'content-encoding': 'br' } },
  ],
  ['an array is refused', `POST ${PATH}`, '400 validation_error', { body: [] }],
  ['no body is refused', `POST ${PATH}`, '400 validation_error'],
  ['a body that is no JSON is refused', `POST ${PATH}`, '400 invalid_json', { raw: '{', headers: type }],
  [
    'a number that no double holds is a rejected data point',
    `POST ${PATH}`,
    '200',
    {
      raw: JSON.stringify(metricsOf(instance(), [gauge('hw.host.power', 'W', [[0, 4711]])])).replace(
        '4711',
        '1e309',
      ),
      headers: type,
      contains: ['"rejectedDataPoints":"1"', 'hw.host.power is not a finite number'],
    },
  ],
  [
    'NaN without quotes is refused',
    `POST ${PATH}`,
    '400 invalid_json',
    { raw: '{"resourceMetrics":[NaN]}', headers: type },
  ],
  [
    'a member that occurs twice is refused',
    `POST ${PATH}`,
    '400 invalid_json',
    { raw: '{"resourceMetrics":[],"resourceMetrics":[]}', headers: type },
  ],
  [
    'resources that are no array are refused',
    `POST ${PATH}`,
    '400 validation_error',
    {
      body: { resourceMetrics: {} },
      contains: ['{"code":3,"message":"validation_error: resourceMetrics must be an array."}'],
    },
  ],
  [
    'a data point that is no object is refused',
    `POST ${PATH}`,
    '400 validation_error',
    {
      body: { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ gauge: { dataPoints: [5] } }] }] }] },
      contains: ['resourceMetrics.0.scopeMetrics.0.metrics.0.gauge.dataPoints.0 must be object'],
    },
  ],
  [
    'a request with too many instances is refused',
    `POST ${PATH}`,
    '413 payload_too_large',
    {
      body: () => ({
        resourceMetrics: Array.from({ length: MAX_INSTANCES + 1 }, (_, n) =>
          Object(metricsOf(instance('many', `rack-${n}`), [])).resourceMetrics.at(0),
        ),
      }),
      contains: ['metrics of 51 instances'],
    },
  ],
  [
    'a request with too many members and elements is refused',
    `POST ${PATH}`,
    '400 validation_error',
    { body: { resourceMetrics: Array.from({ length: 20_001 }, () => ({})) } },
  ],
  ['a request without a key is refused', `POST ${PATH}`, '401 unauthorized', { by: 'anyone', body }],
  ['GET is refused', `GET ${PATH}`, '405 method_not_allowed'],
];
describe('The way in for OTLP', () => {
  scenarios(() => app, table);

  test('is closed to holder keys', async () => {
    const { commitment } = await enrolledAgent(app);
    const request = { role: 'holder', subject_commitment: commitment };
    const { body: made } = await app.own.post('/api/v1/operator/api-keys', request);
    const holder = client(app.fetch, 'http://localhost', String(made.api_key));
    expect((await holder.post(PATH, body)).status).toBe(403);
  });

  test('stores nothing for a key that is deleted while its request is under way', async () => {
    const { body: made } = await app.own.post('/api/v1/operator/api-keys', { role: 'issuer' });
    const attributes = instance();
    const request = {
      method: 'POST',
      path: PATH,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${made.api_key}` },
      body: metricsOf(attributes, [energy()]),
    };
    const { status } = await duringTheRequest(app.fetch, request, async () => {
      const deleted = await app.own.call(
        'DELETE',
        `/api/v1/operator/api-keys/${made.key_hash ?? made.keyHash}`,
      );
      expect(deleted.status).toBeWithin(200, 300);
    });
    expect(status).toBe(401);
    expect(await itemsOf(attributes['countersign.cluster.id'])).toEqual([]);
  });
});

describe('The readings of instruments', () => {
  const read = async (attributes: Record<string, string>, time: number) =>
    sent(metricsOf(attributes, [cumulative('hw.host.energy', 'kW.h', -HOUR, [[time, 5]])]));
  const count = () =>
    app.service.trust.store.read(
      ({ connection }) =>
        connection.sqlite
          .query<{ readings: number }, []>('SELECT count(*) AS readings FROM datacenter_reading')
          .get()?.readings ?? 0,
    );

  test('are deleted when they are older than the longest window', async () => {
    const { store } = app.service.trust;
    await deleteOldReadings(store, { now: () => T0 + 90 * 24 * HOUR });
    const before = await count();
    await read(instance(), 0);
    expect(await count()).toBe(before + 2);
    await deleteOldReadings(store, { now: () => T0 + 32 * 24 * HOUR });
    expect(await count()).toBe(before + 2);
    await deleteOldReadings(store, { now: () => T0 + 32 * 24 * HOUR + 1 });
    expect(await count()).toBe(before);
  });

  test('only move ahead, also past the program', async () => {
    await read(instance(), 0);
    const change = app.service.trust.store.writeAsService(async ({ connection }) => {
      connection.sqlite.run('UPDATE datacenter_reading SET time = time - 1');
    });
    await expect(change).rejects.toThrow();
  });

  test('do not come from the future, after which all later ones would look like repetitions', async () => {
    const attributes = instance();
    const readings = (points: [number, number][]) =>
      sent(metricsOf(attributes, [cumulative('hw.host.energy', 'kW.h', -HOUR, points)]));
    const { partialSuccess } = await readings([
      [0, 1],
      [1e12, 9],
    ]);
    expect(partialSuccess).toMatchObject({ rejectedDataPoints: '1' });
    expect(await readings([[HOUR, 3]])).toEqual({});
    expect(await itemsOf(attributes['countersign.cluster.id'])).toMatchObject([
      { end: HOUR, it_mwh: 2_000_000 },
    ]);
  });

  test('are audited by fsck', async () => {
    const { store } = app.service.trust;
    expect(await store.read(impossibleReadings)).toEqual([]);
    await read(instance(), 0);
    // The largest reading that is accepted, and larger ones.
    for (const kwh of [1e13, 1.1e13, 1e300, 1e304])
      await sent(metricsOf(instance(), [cumulative('hw.host.energy', 'kW.h', 0, [[HOUR, kwh]])]));
    expect(await store.read(impossibleReadings)).toEqual([]);
    await store.writeAsService(async ({ connection }) => {
      connection.sqlite.run('UPDATE datacenter_reading SET time = time + 1, value = 9e999');
    });
    expect((await store.read(impossibleReadings))[0]).toMatchObject({
      table: 'datacenter_reading',
      what: 'the reading is impossible',
    });
    await store.writeAsService(async ({ connection }) => {
      connection.sqlite.run('DELETE FROM datacenter_reading');
    });
  });
});

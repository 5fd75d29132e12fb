import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../../../../src/platform/http/errors/errors.ts';
import type { JsonObject, JsonValue } from '../../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../../src/proof/encoding/steps.ts';
import { readMetrics } from '../../../../../src/trust/datacenter/otlp/read-metrics.ts';
import { bySource } from '../../../../../src/trust/datacenter/otlp/sources.ts';

const metricsIn = (body: JsonObject) => inOneGo(readMetrics(body));

/** A request with one metric. */
const withMetric = (metric: JsonValue): JsonObject => ({
  resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }],
});
const withPoint = (point: JsonValue): JsonObject =>
  withMetric({ name: 'hw.host.power', unit: 'W', gauge: { dataPoints: [point] } });

/** The problems that a request is refused for. */
function issuesOf(body: JsonObject): unknown {
  try {
    metricsIn(body);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'validation_error') return error.details.issues;
    throw error;
  }
  return null;
}

/** The only data point of a request. */
function pointOf(point: JsonObject) {
  return metricsIn(withPoint(point))[0]?.metrics[0]?.points[0];
}

describe('A request in OTLP/JSON', () => {
  test.each<[what: string, body: JsonObject]>([
    ['is empty', {}],
    ['has no resources', { resourceMetrics: [] }],
    ['has null for a list', { resourceMetrics: null }],
    ['has an empty resource', { resourceMetrics: [{}] }],
    ['has an empty scope', { resourceMetrics: [{ resource: {}, scopeMetrics: [{ scope: null }] }] }],
    ['has members that are unknown, and original field names', { resource_metrics: 5, next: { a: [1] } }],
  ])('that %s has no metrics', (_what, body) => {
    expect(metricsIn(body).flatMap(({ metrics }) => metrics)).toEqual([]);
  });

  test.each<[value: JsonObject, number: number | null]>([
    [{ asInt: '5' }, 5],
    [{ asInt: -5 }, -5],
    [{ asInt: '9223372036854775807' }, 2 ** 63],
    [{ asDouble: 5.5 }, 5.5],
    [{ asDouble: '5.5e1' }, 55],
    [{ asDouble: 'NaN' }, Number.NaN],
    [{ asDouble: '-Infinity' }, Number.NEGATIVE_INFINITY],
    [{ asDouble: '1e309' }, Number.POSITIVE_INFINITY],
    [{ asDouble: -0 }, -0],
    [{ asDouble: null, asInt: '7' }, 7],
    [{}, null],
    [{ asInt: '5', flags: 1 }, null],
    [{ asInt: '5', flags: 2 }, 5],
  ])('has %j as the value %d', (value, number) => {
    expect(pointOf({ timeUnixNano: '1777593600000000000', ...value })?.value).toBe(number);
  });

  test.each<[time: JsonValue, ms: number]>([
    ['1777593600123456789', 1_777_593_600_123],
    [1_777_593_600_123_000_000, 1_777_593_600_123],
    ['999999', 0],
    ['18446744073709551615', 18_446_744_073_709],
  ])('has %j as a time in nanoseconds', (timeUnixNano, ms) => {
    expect(pointOf({ timeUnixNano })?.time).toBe(ms);
  });

  test.each<[start: JsonValue]>([[null], [0], ['0']])('has %j as an unknown start', (startTimeUnixNano) => {
    expect(pointOf({ timeUnixNano: '1777593600000000000', startTimeUnixNano })?.start).toBeNull();
  });

  test('has the same series for the same attributes in another order', () => {
    const [a, b] = [
      { key: 'hw.id', value: { stringValue: 'x' } },
      { key: 'hw.name', value: { intValue: '5' } },
    ];
    const time = { timeUnixNano: '1777593600000000000' };
    expect(pointOf({ ...time, attributes: [a, b] })?.attributes).toBe(
      pointOf({ ...time, attributes: [b, a] })?.attributes ?? '',
    );
    expect(pointOf({ ...time, attributes: [a] })?.attributes).not.toBe(
      pointOf({ ...time, attributes: [b] })?.attributes ?? '',
    );
  });

  test.each<[form: string, count: number, metric: JsonObject]>([
    ['cumulative', 1, { sum: { aggregationTemporality: 2, dataPoints: [{ timeUnixNano: '1' }] } }],
    ['delta', 0, { sum: { aggregationTemporality: 1 } }],
    ['other', 1, { sum: { dataPoints: [{ timeUnixNano: '1' }] } }],
    ['other', 2, { histogram: { dataPoints: [{}, {}] } }],
    ['other', 1, { exponentialHistogram: { dataPoints: [{}] } }],
    ['other', 1, { summary: { dataPoints: [{}] } }],
    ['other', 0, {}],
  ])('has a metric of the form %s with %d data points', (form, count, metric) => {
    expect(metricsIn(withMetric(metric))[0]?.metrics[0]).toMatchObject({ form, count });
  });
});

describe('A malformed request is refused, and the member is named:', () => {
  const METRIC = 'resourceMetrics.0.scopeMetrics.0.metrics.0';
  const POINT = `${METRIC}.gauge.dataPoints.0`;
  const time = { timeUnixNano: '1777593600000000000' };
  test.each<[body: JsonObject, path: string, sentence: string]>([
    [{ resourceMetrics: {} }, 'resourceMetrics', 'must be an array'],
    [{ resourceMetrics: [5] }, 'resourceMetrics.0', 'must be object'],
    [{ resourceMetrics: [{ resource: [] }] }, 'resourceMetrics.0.resource', 'must be object'],
    [
      { resourceMetrics: [{ resource: { attributes: [null] } }] },
      'resourceMetrics.0.resource.attributes.0',
      'must be object',
    ],
    [
      { resourceMetrics: [{ resource: { attributes: [{ key: 5 }] } }] },
      'resourceMetrics.0.resource.attributes.0.key',
      'must be string',
    ],
    [
      { resourceMetrics: [{ resource: { attributes: [{ key: 'a', value: 'b' }] } }] },
      'resourceMetrics.0.resource.attributes.0.value',
      'must be object',
    ],
    [{ resourceMetrics: [{ scopeMetrics: 'x' }] }, 'resourceMetrics.0.scopeMetrics', 'must be an array'],
    [withMetric({ name: 5 }), `${METRIC}.name`, 'must be string'],
    [withMetric({ unit: [] }), `${METRIC}.unit`, 'must be string'],
    [withMetric({ gauge: [] }), `${METRIC}.gauge`, 'must be object'],
    [withMetric({ histogram: { dataPoints: 'x' } }), `${METRIC}.histogram.dataPoints`, 'must be an array'],
    [
      withMetric({ sum: { aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA' } }),
      `${METRIC}.sum.aggregationTemporality`,
      'must be the number 1 (delta) or 2 (cumulative)',
    ],
    [
      withMetric({ sum: { aggregationTemporality: 3 } }),
      `${METRIC}.sum.aggregationTemporality`,
      'must be the number 1 (delta) or 2 (cumulative)',
    ],
    [withPoint({ asInt: '1' }), `${POINT}.timeUnixNano`, 'is required'],
    [
      withPoint({ timeUnixNano: '2026-05-01T00:00:00Z' }),
      `${POINT}.timeUnixNano`,
      'must be nanoseconds since 1970, as a decimal text or a number',
    ],
    [
      withPoint({ timeUnixNano: -1 }),
      `${POINT}.timeUnixNano`,
      'must be nanoseconds since 1970, as a decimal text or a number',
    ],
    [
      withPoint({ ...time, asInt: '5.5' }),
      `${POINT}.asInt`,
      'must be an integer, as a number or a decimal text',
    ],
    [
      withPoint({ ...time, asInt: 5.5 }),
      `${POINT}.asInt`,
      'must be an integer, as a number or a decimal text',
    ],
    [withPoint({ ...time, asDouble: 'five' }), `${POINT}.asDouble`, 'must be a number'],
    [withPoint({ ...time, asDouble: '0x10' }), `${POINT}.asDouble`, 'must be a number'],
    [withPoint({ ...time, asDouble: '' }), `${POINT}.asDouble`, 'must be a number'],
    [withPoint({ ...time, asDouble: true }), `${POINT}.asDouble`, 'must be a number'],
  ])('%j', (body, path, sentence) => {
    expect(issuesOf(body)).toEqual({ [path]: [sentence] });
  });
});

describe('The instance of a resource', () => {
  const sourcesOf = (attributes: Readonly<Record<string, string>>) => {
    const refused = new Map<string, number>();
    const body = {
      resourceMetrics: [
        {
          resource: {
            attributes: Object.entries(attributes).map(([key, stringValue]) => ({
              key,
              value: { stringValue },
            })),
          },
          scopeMetrics: [{ metrics: [{ name: 'x', gauge: { dataPoints: [{ timeUnixNano: '1' }] } }] }],
        },
      ],
    };
    const sources = bySource(metricsIn(body), refused).map(({ source }) => source);
    return { sources, refused: Object.fromEntries(refused) };
  };
  const own = { 'countersign.cluster.id': 'hall-1', 'service.instance.id': 'rack-1' };

  test.each<[attributes: Readonly<Record<string, string>>, cluster: string, instance: string]>([
    [own, 'hall-1', 'rack-1'],
    [{ ...own, 'k8s.cluster.name': 'k8s', 'host.id': 'h', 'host.name': 'n' }, 'hall-1', 'rack-1'],
    [{ 'k8s.cluster.name': 'k8s', 'host.id': 'h', 'host.name': 'n' }, 'k8s', 'h'],
    [{ 'k8s.cluster.name': 'k8s', 'host.id': '', 'host.name': 'n' }, 'k8s', 'n'],
  ])('is named by %j', (attributes, clusterId, instanceId) => {
    expect(sourcesOf(attributes)).toEqual({
      sources: [{ clusterId, instanceId, origin: 'live-instrument', meter: {} }],
      refused: {},
    });
  });

  test.each<[attributes: Readonly<Record<string, string>>, reason: string]>([
    [
      { 'service.instance.id': 'r' },
      'the resource attributes countersign.cluster.id, k8s.cluster.name have no name of 1 to 128 letters, digits and . _ : -, other than . and ..',
    ],
    [
      { 'countersign.cluster.id': 'hall 1', 'service.instance.id': 'r' },
      'the resource attributes countersign.cluster.id, k8s.cluster.name have no name of 1 to 128 letters, digits and . _ : -, other than . and ..',
    ],
    [
      { 'countersign.cluster.id': 'h' },
      'the resource attributes service.instance.id, host.id, host.name have no name of 1 to 128 letters, digits and . _ : -, other than . and ..',
    ],
    [
      { ...own, 'service.instance.id': 'x'.repeat(129) },
      'the resource attributes service.instance.id, host.id, host.name have no name of 1 to 128 letters, digits and . _ : -, other than . and ..',
    ],
    [
      { ...own, 'countersign.origin': 'hardware' },
      'the resource attribute countersign.origin is neither live-instrument nor synthetic',
    ],
    [
      { ...own, 'countersign.meter.role': 'racks' },
      'the resource attribute countersign.meter.role is none of it, facility, both',
    ],
    [
      { ...own, 'countersign.pue.category': '4' },
      'the resource attribute countersign.pue.category is none of the strings 1, 2, 3',
    ],
  ])('is missing with %j', (attributes, reason) => {
    expect(sourcesOf(attributes)).toEqual({ sources: [], refused: { [reason]: 1 } });
  });

  test('is synthetic if its resource states that', () => {
    expect(sourcesOf({ ...own, 'countersign.origin': 'synthetic' }).sources).toMatchObject([
      { origin: 'synthetic' },
    ]);
  });

  test('says what its meter is of', () => {
    const said = { 'countersign.meter.role': 'it', 'countersign.pue.category': '2' };
    expect(sourcesOf({ ...own, ...said }).sources).toMatchObject([
      { meter: { meter_role: 'it', pue_category: 2 } },
    ]);
  });

  test('is one for several resources with its name', () => {
    const resource = {
      resource: {
        attributes: Object.entries(own).map(([key, stringValue]) => ({ key, value: { stringValue } })),
      },
      scopeMetrics: [{ metrics: [{ name: 'x' }] }],
    };
    const sources = bySource(metricsIn({ resourceMetrics: [resource, resource] }), new Map());
    expect(sources.map(({ metrics }) => metrics.length)).toEqual([2]);
  });
});

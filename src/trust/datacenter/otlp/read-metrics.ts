import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import type { Steps } from '../../../proof/encoding/steps.ts';
import { commonErrors } from '../../http/errors.ts';

/** How the values of a metric relate to time: moments, or sums over an interval. `other` has no mapping. */
export type MetricForm = 'gauge' | 'delta' | 'cumulative' | 'other';

/** One data point of a metric. Times are milliseconds since 1970, rounded down. */
export interface DataPoint {
  /** The start of the interval of a sum; null if it is unknown. */
  start: number | null;
  time: number;
  /** null if nothing was recorded. */
  value: number | null;
  /** The attributes as text: equal for the points of one series. */
  attributes: string;
  /** `hw.sensor_location`, or its earlier names; empty without one. */
  location: string;
}

/** One metric of a resource. */
export interface Metric {
  scope: string;
  name: string;
  unit: string;
  form: MetricForm;
  isMonotonic: boolean;
  /** Of `other` forms only their number is known. */
  points: readonly DataPoint[];
  count: number;
}

/** What one resource reported. */
export interface ResourceMetrics {
  /** The attributes of the resource that are strings. */
  attributes: ReadonlyMap<string, string>;
  metrics: readonly Metric[];
}

const SENSOR_LOCATIONS = ['hw.sensor_location', 'hw.temperature.sensor_location', 'sensor_location'];
/** DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK. */
const NO_RECORDED_VALUE = 1;
const AGGREGATION = { 1: 'delta', 2: 'cumulative' } as const;
/** The data points that are read in one step. */
const POINTS = 100;
/** The members of a Metric that are forms without a mapping. */
const OTHER_FORMS = ['histogram', 'exponentialHistogram', 'summary'];

/**
 * Reads an ExportMetricsServiceRequest in OTLP/JSON, in steps (OTLP specification 1.10, "JSON Protobuf
 * Encoding"; proto3 JSON mapping). Unknown members are ignored, and null is an absent member. 64-bit integers
 * are decimal texts or numbers, enumerations are numbers.
 * @throws ApiError validation_error for a member of another type
 */
export function* readMetrics(body: JsonObject): Steps<ResourceMetrics[]> {
  const resources: ResourceMetrics[] = [];
  for (const { item, at } of listIn(body, 'resourceMetrics', '')) {
    const resource = objectIn(item, 'resource', at);
    const attributes = stringsOf(attributesIn(resource ?? {}, `${at}.resource`));
    const metrics: Metric[] = [];
    for (const { item: scoped, at: scopeAt } of listIn(item, 'scopeMetrics', at)) {
      const scope = textIn(objectIn(scoped, 'scope', scopeAt) ?? {}, 'name', `${scopeAt}.scope`);
      for (const { item: metric, at: metricAt } of listIn(scoped, 'metrics', scopeAt)) {
        metrics.push(yield* readMetric(metric, scope, metricAt));
      }
    }
    resources.push({ attributes, metrics });
    yield;
  }
  return resources;
}

function* readMetric(metric: JsonObject, scope: string, at: string): Steps<Metric> {
  const identity = { scope, name: textIn(metric, 'name', at), unit: textIn(metric, 'unit', at) };
  const gauge = objectIn(metric, 'gauge', at);
  if (gauge !== null) {
    const points = yield* pointsIn(gauge, `${at}.gauge`);
    return { ...identity, form: 'gauge', isMonotonic: false, points, count: points.length };
  }
  const sum = objectIn(metric, 'sum', at);
  if (sum !== null) {
    const points = yield* pointsIn(sum, `${at}.sum`);
    const form = aggregationIn(sum, `${at}.sum`);
    return { ...identity, form, isMonotonic: sum.isMonotonic === true, points, count: points.length };
  }
  const count = OTHER_FORMS.reduce((total, name) => {
    const form = objectIn(metric, name, at);
    return form === null ? total : total + listIn(form, 'dataPoints', `${at}.${name}`).length;
  }, 0);
  return { ...identity, form: 'other', isMonotonic: false, points: [], count };
}

function aggregationIn(sum: JsonObject, at: string): MetricForm {
  const { aggregationTemporality: value } = sum;
  if (value === undefined || value === null || value === 0) return 'other';
  if (value === 1 || value === 2) return AGGREGATION[value];
  throw malformed(`${at}.aggregationTemporality`, 'must be the number 1 (delta) or 2 (cumulative)');
}

function* pointsIn(data: JsonObject, at: string): Steps<DataPoint[]> {
  const points: DataPoint[] = [];
  for (const { item: point, at: pointAt } of listIn(data, 'dataPoints', at)) {
    const attributes = attributesIn(point, pointAt);
    const strings = stringsOf(attributes);
    const time = timeIn(point, 'timeUnixNano', pointAt);
    if (time === null) throw malformed(`${pointAt}.timeUnixNano`, 'is required');
    points.push({
      start: timeIn(point, 'startTimeUnixNano', pointAt),
      time,
      value: numberIn(point, pointAt),
      attributes: JSON.stringify([...attributes].sort(([a], [b]) => (a < b ? -1 : 1))),
      location: SENSOR_LOCATIONS.map((key) => strings.get(key)).find((text) => text !== undefined) ?? '',
    });
    if (points.length % POINTS === 0) yield;
  }
  return points;
}

/** Returns the number of a point: NaN and infinities are numbers here, and no mapping accepts them. */
function numberIn(point: JsonObject, at: string): number | null {
  const { flags, asDouble, asInt } = point;
  if (typeof flags === 'number' && (flags & NO_RECORDED_VALUE) !== 0) return null;
  if (asDouble !== undefined && asDouble !== null) {
    if (typeof asDouble === 'number') return asDouble;
    if (typeof asDouble === 'string' && DOUBLE.test(asDouble)) return Number(asDouble);
    throw malformed(`${at}.asDouble`, 'must be a number');
  }
  if (asInt !== undefined && asInt !== null) {
    if (typeof asInt === 'number' && Number.isInteger(asInt)) return asInt;
    if (typeof asInt === 'string' && /^-?\d{1,19}$/.test(asInt)) return Number(asInt);
    throw malformed(`${at}.asInt`, 'must be an integer, as a number or a decimal text');
  }
  return null;
}

/** A double in the proto3 JSON mapping that is a text. */
const DOUBLE = /^(?:NaN|-?Infinity|-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?)$/;

/** @returns milliseconds since 1970; null for 0, which is an unknown time */
function timeIn(point: JsonObject, name: string, at: string): number | null {
  const value = point[name];
  if (value === undefined || value === null || value === 0 || value === '0') return null;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return Math.floor(value / 1e6);
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return Number(value.slice(0, -6));
  throw malformed(`${at}.${name}`, 'must be nanoseconds since 1970, as a decimal text or a number');
}

/** Returns the attributes by key; of two with the same key the first. */
function attributesIn(of: JsonObject, at: string): Map<string, JsonValue> {
  const attributes = new Map<string, JsonValue>();
  for (const { item, at: attributeAt } of listIn(of, 'attributes', at)) {
    const key = textIn(item, 'key', attributeAt);
    if (!attributes.has(key)) attributes.set(key, objectIn(item, 'value', attributeAt) ?? {});
  }
  return attributes;
}

function stringsOf(attributes: ReadonlyMap<string, JsonValue>): Map<string, string> {
  return new Map(
    [...attributes].flatMap(([key, value]) =>
      isJsonObject(value) && typeof value.stringValue === 'string' ? [[key, value.stringValue]] : [],
    ),
  );
}

function listIn(of: JsonObject, name: string, at: string): { item: JsonObject; at: string }[] {
  const list = of[name] ?? [];
  const path = at === '' ? name : `${at}.${name}`;
  if (!Array.isArray(list)) throw malformed(path, 'must be an array');
  return list.map((item, index) => {
    if (!isJsonObject(item)) throw malformed(`${path}.${index}`, 'must be object');
    return { item, at: `${path}.${index}` };
  });
}

function objectIn(of: JsonObject, name: string, at: string): JsonObject | null {
  const value = of[name] ?? null;
  if (value === null || isJsonObject(value)) return value;
  throw malformed(`${at}.${name}`, 'must be object');
}

function textIn(of: JsonObject, name: string, at: string): string {
  const value = of[name] ?? '';
  if (typeof value === 'string') return value;
  throw malformed(`${at}.${name}`, 'must be string');
}

function malformed(path: string, sentence: string): Error {
  return commonErrors.validation_error({ issues: { [path]: [sentence] } });
}

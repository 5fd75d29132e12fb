import type { JsonObject } from '../../src/proof/encoding/json.ts';

/** Metrics in OTLP/JSON. Times are milliseconds after `T0`, 12:00 UTC of a day. */

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const T0 = Date.UTC(2026, 4, 1, 12);

/** A time in nanoseconds since 1970, as a text. */
export function at(time: number): string {
  const ms = T0 + time;
  return ms === 0 ? '0' : `${ms}000000`;
}

type Attributes = Readonly<Record<string, string>>;

const attributesOf = (attributes: Attributes): JsonObject[] =>
  Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** A request with the metrics of one resource. */
export function metricsOf(resource: Attributes, metrics: readonly JsonObject[]): JsonObject {
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeMetrics: [{ scope: { name: 'test' }, metrics: [...metrics] }],
      },
    ],
  };
}

/** A counter with delta temporality, by start, end and value of its points. */
export function counter(
  name: string,
  unit: string,
  points: readonly (readonly [start: number, end: number, value: number | string])[],
  attributes: Attributes = {},
): JsonObject {
  const dataPoints = points.map(([start, end, asDouble]) => ({
    startTimeUnixNano: at(start),
    timeUnixNano: at(end),
    asDouble,
    attributes: attributesOf(attributes),
  }));
  return { name, unit, sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints } };
}

/** A counter with cumulative temporality that began at `start`, by time and value of its readings. */
export function cumulative(
  name: string,
  unit: string,
  start: number,
  readings: readonly (readonly [time: number, value: number])[],
  attributes: Attributes = {},
): JsonObject {
  const dataPoints = readings.map(([time, asDouble]) => ({
    startTimeUnixNano: at(start),
    timeUnixNano: at(time),
    asDouble,
    attributes: attributesOf(attributes),
  }));
  return { name, unit, sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } };
}

/** A gauge, by time and value of its points. */
export function gauge(
  name: string,
  unit: string,
  points: readonly (readonly [time: number, value: number | string])[],
  attributes: Attributes = {},
): JsonObject {
  const dataPoints = points.map(([time, asDouble]) => ({
    timeUnixNano: at(time),
    asDouble,
    attributes: attributesOf(attributes),
  }));
  return { name, unit, gauge: { dataPoints } };
}

/** Temperatures in degrees Celsius of a sensor. */
export function temperature(
  location: string,
  points: readonly (readonly [time: number, value: number])[],
): JsonObject {
  return gauge('hw.temperature', 'Cel', points, location === '' ? {} : { 'hw.sensor_location': location });
}

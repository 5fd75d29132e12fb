import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { FIRST_WINDOW, type Quantity } from '../limits.ts';
import {
  type CounterResult,
  countUp,
  cumulativeIntervals,
  deltaIntervals,
  type Interval,
  joined,
  type Reading,
} from './counters.ts';
import { COUNTERS, GAUGES, keyOf } from './keys.ts';
import { converted, type MetricMapping, mappingOf } from './metrics.ts';
import type { DataPoint, Metric } from './read-metrics.ts';

/** The maximum number of counters of one instance, in a request and in its stored readings. */
const MAX_SERIES = 64;

/** A value of a gauge. */
export interface Sample {
  member: Quantity;
  combined: MetricMapping['combined'];
  series: string;
  time: number;
  value: number;
}

/** What the metrics of one instance say, in the units of telemetry. */
export interface InstanceReadings {
  /** What each counter counted: joined intervals of each series. */
  counted: { member: Quantity; intervals: Interval[] }[];
  samples: Sample[];
  /** New readings by series. */
  readings: Map<string, Reading>;
  hasCounters: boolean;
  baselines: number;
  refused: Map<string, number>;
}

/** The units of a mapping, for messages. */
const unitsOf = ({ units }: MetricMapping): string => Object.keys(units).join(', ');
/** A name from a request, short enough for a message. */
const shown = (text: string): string => JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);

/** What to send instead of a metric without a mapping that looks as if it had one. */
const INSTEAD: Readonly<Record<string, string>> = {
  'hw.energy': 'hw.energy is of a component: send hw.host.energy, which contains it',
  'hw.power': 'hw.power is of a component: send hw.host.power or hw.host.energy, which contain it',
};

/**
 * Reads the metrics of one instance: counters become intervals, gauges samples. Others are refused.
 * @param last the stored readings of the instance, by series
 * @param now milliseconds since 1970
 */
export function readInstance(
  metrics: readonly Metric[],
  last: ReadonlyMap<string, Reading>,
  now: number,
): InstanceReadings {
  const instance: InstanceReadings = {
    counted: [],
    samples: [],
    readings: new Map(),
    hasCounters: false,
    baselines: 0,
    refused: new Map(),
  };
  /** The metric and the scope of each sum. Two that report the same energy would count it twice. */
  const reporters = new Map<Quantity, string>();
  const series = new Map<string, Counter>();
  for (const metric of metrics) {
    const mapping = mappingOf(metric.name);
    const problem = mapping === null ? withoutMapping(metric.name) : formProblem(metric, mapping);
    if (mapping === null || problem !== null) {
      countUp(instance.refused, problem ?? '', metric.count);
      continue;
    }
    const points = datedPoints(metric, now, instance.refused);
    if (mapping.combined === 'counter' || mapping.combined === 'total') {
      const reporter = `${metric.name} of the scope ${shown(metric.scope)}`;
      const first = reporters.get(mapping.member) ?? reporter;
      reporters.set(mapping.member, first);
      if (first !== reporter) {
        countUp(instance.refused, `${reporter} is already reported by ${first}`, points.length);
        continue;
      }
    }
    if (mapping.combined === 'counter') collect(series, metric, mapping, points, instance.refused);
    else sample(instance, metric, mapping, points);
  }
  const known = [...last.keys()].filter((key) => key !== COUNTERS && key !== GAUGES).length;
  for (const counter of series.values()) {
    const key = keyOf(counter.metric.scope, counter.metric.name, counter.attributes);
    const previous = last.get(key) ?? null;
    if (previous === null && known + instance.readings.size >= MAX_SERIES) {
      const reason = `${counter.metric.name} has more than ${MAX_SERIES} series in one instance`;
      countUp(instance.refused, reason, counter.points.length);
    } else count(instance, key, counter, previous);
  }
  return instance;
}

interface Counter {
  metric: Metric;
  mapping: MetricMapping;
  attributes: string;
  points: DataPoint[];
}

function collect(
  series: Map<string, Counter>,
  metric: Metric,
  mapping: MetricMapping,
  points: readonly DataPoint[],
  refused: Map<string, number>,
): void {
  for (const point of points) {
    const key = JSON.stringify([metric.scope, metric.name, point.attributes]);
    const counter = series.get(key) ?? { metric, mapping, attributes: point.attributes, points: [] };
    series.set(key, counter);
    const isSame = counter.metric.form === metric.form && counter.metric.unit === metric.unit;
    if (isSame) counter.points.push(point);
    else countUp(refused, `${metric.name} changes its unit or temporality within the request`);
  }
}

function count(instance: InstanceReadings, key: string, counter: Counter, previous: Reading | null): void {
  const { metric, mapping, points } = counter;
  const inUnit = ({ value }: DataPoint): number | null =>
    value === null ? null : converted(value, mapping, metric.unit);
  const converts = points.map((point) => ({ ...point, value: inUnit(point) }));
  const result: CounterResult =
    metric.form === 'delta' ? deltaIntervals(converts) : cumulativeIntervals(converts, previous);
  instance.hasCounters = true;
  instance.baselines += result.baselines;
  if (result.reading !== null) instance.readings.set(key, result.reading);
  for (const [reason, refusedPoints] of result.refused) {
    countUp(instance.refused, `${metric.name} ${reason}`, refusedPoints);
  }
  if (result.intervals.length > 0) {
    instance.counted.push({ member: mapping.member, intervals: joined(result.intervals) });
  }
}

function sample(
  instance: InstanceReadings,
  metric: Metric,
  mapping: MetricMapping,
  points: readonly DataPoint[],
): void {
  for (const { time, value, attributes, location } of points) {
    const member = mapping.memberAt === undefined ? mapping.member : mapping.memberAt(location);
    const inUnit = value === null ? null : converted(value, mapping, metric.unit);
    if (inUnit === null) continue;
    if (member === null) {
      countUp(
        instance.refused,
        `${metric.name} of the sensor location ${shown(location)} is neither at the inlet nor in a processor`,
      );
    } else if (!Number.isFinite(inUnit)) countUp(instance.refused, `${metric.name} is not a finite number`);
    else {
      const combined = member === 'inlet_temp_c' ? 'mean' : mapping.combined;
      instance.samples.push({ member, combined, series: attributes, time, value: inUnit });
    }
  }
}

function withoutMapping(name: string): string {
  if (Object.hasOwn(INSTEAD, name)) return INSTEAD[name] ?? '';
  return `${shown(name)} has no mapping`;
}

function formProblem(metric: Metric, mapping: MetricMapping): string | null {
  const { name, unit, form, isMonotonic } = metric;
  if (mapping.combined !== 'counter') {
    if (form !== 'gauge') return `${name} is not a gauge`;
  } else if ((form !== 'delta' && form !== 'cumulative') || !isMonotonic) {
    return `${name} is not a monotonic sum with delta or cumulative temporality`;
  }
  if (converted(0, mapping, unit) !== null) return null;
  return `${name} has the unit ${shown(unit)} instead of one of ${unitsOf(mapping)}`;
}

/**
 * Returns the points with a possible time. After one in the future, all points would look like repetitions.
 */
function datedPoints({ name, points }: Metric, now: number, refused: Map<string, number>): DataPoint[] {
  return points.filter(({ start, time }) => {
    const isLate = time > now + AHEAD_MS;
    const isEarly = time < FIRST_WINDOW || (start !== null && start < FIRST_WINDOW);
    if (isLate) countUp(refused, `${name} is in the future`);
    else if (isEarly) countUp(refused, `${name} is from before the year 2000`);
    return !isLate && !isEarly;
  });
}

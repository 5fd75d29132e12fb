import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/units.ts';
import { LIMITS, type Quantity } from '../limits.ts';
import type { Telemetry } from '../schema.ts';
import { countUp, inOrder, type Reading } from './counters.ts';
import { COUNTERS, GAUGES } from './keys.ts';
import type { Metric } from './read-metrics.ts';
import { type InstanceReadings, readInstance, type Sample } from './readings.ts';

/** Where the metrics come from. */
export interface Source {
  clusterId: string;
  instanceId: string;
  origin: Telemetry['origin'];
  /** What its energy is of, where the resource states it. */
  meter: Pick<Telemetry, 'meter_role' | 'pue_category'>;
}

/** Telemetry from the metrics of one instance, and the number of its data points. */
export interface MappedTelemetry {
  telemetry: Telemetry;
  points: number;
}

/** The telemetry from the metrics of one instance. */
export interface MappedInstance {
  telemetry: MappedTelemetry[];
  /** The readings to store, by series. */
  readings: Map<string, Reading>;
  /** The number of readings from which the next one counts. */
  baselines: number;
  /** The number of data points that were refused, by the reason. */
  refused: Map<string, number>;
}

/** A gauge is valid for the time since its previous value, at most an hour. */
const MAX_GAP_MS = HOUR_MS;
/** A gauge that differs by this factor from the counter has another unit. */
const UNIT_ERROR = 100;
/** The `telemetry_source` of this telemetry. */
const TELEMETRY_SOURCE = 'otlp';
/** Gauges that mean nothing without others. */
const CONTEXT: readonly Quantity[] = ['baseline_nameplate_w', 'grid_carbon_intensity_g_per_kwh'];

interface Window {
  start: number;
  end: number;
  /** The sums of counters, by member. */
  sums: Map<Quantity, number>;
  samples: Sample[];
  points: number;
}

/**
 * Maps the metrics of one instance to telemetry. Each window of its counters is one item, with the gauges in
 * it. Gauges outside of these windows are one item for each run of samples. With counters these are only
 * temperatures, since the power follows from the energy.
 * @param last the stored readings of the instance, by series
 * @param now milliseconds since 1970
 */
export function mapInstance(
  source: Source,
  metrics: readonly Metric[],
  last: ReadonlyMap<string, Reading>,
  now: number,
): MappedInstance {
  const instance = readInstance(metrics, last, now);
  const { samples, readings, refused } = instance;
  const windows = counterWindows(instance);
  const loose = assign(samples, windows);
  const hasCounters = instance.hasCounters || last.has(COUNTERS);
  const gauges = gaugeWindows(loose, last.get(GAUGES) ?? null, hasCounters);
  const context = assign(gauges.context, gauges.windows);
  if (windows.length + gauges.windows.length + gauges.baselines + instance.baselines === 0 && !hasCounters) {
    for (const { member } of context) {
      countUp(refused, `${member} needs a counter or a gauge of the same instance in the request`);
    }
  }
  const counted = [
    ...windows.map(({ end }) => end),
    ...[...instance.readings.values()].map(({ time }) => time),
  ];
  keepNewest(readings, COUNTERS, last, counted);
  keepNewest(
    readings,
    GAUGES,
    last,
    samples.map(({ time }) => time),
  );
  const telemetry: MappedTelemetry[] = [];
  for (const window of [...windows, ...gauges.windows]) {
    const values = valuesOf(window);
    const problem = rangeProblem(values);
    if (problem !== null) countUp(refused, problem, window.points);
    else telemetry.push({ telemetry: telemetryOf(source, window, values), points: window.points });
  }
  return { telemetry, readings, baselines: instance.baselines + gauges.baselines, refused };
}

/**
 * Returns the windows of counters. Counters with the same window share it; windows that overlap are refused.
 */
function counterWindows({ counted, refused }: InstanceReadings): Window[] {
  const byTimes = new Map<string, Window>();
  for (const { member, intervals } of counted) {
    for (const { start, end, value, points } of intervals) {
      const key = `${start} ${end}`;
      const window = byTimes.get(key) ?? { start, end, sums: new Map(), samples: [], points: 0 };
      window.sums.set(member, (window.sums.get(member) ?? 0) + value);
      window.points += points;
      byTimes.set(key, window);
    }
  }
  const windows: Window[] = [];
  const sorted = [...byTimes.values()].sort((a, b) => a.start - b.start || b.sums.size - a.sums.size);
  for (const window of sorted) {
    if (window.start >= (windows.at(-1)?.end ?? Number.NEGATIVE_INFINITY)) windows.push(window);
    else {
      const names = [...window.sums.keys()].join(', ');
      countUp(refused, `${names}: the window overlaps the window of another counter`, window.points);
    }
  }
  return windows;
}

/**
 * Adds each sample to the window that contains its time.
 * @returns the samples without a window
 * @param windows in the order of time
 */
function assign(samples: readonly Sample[], windows: readonly Window[]): Sample[] {
  let next = 0;
  return inOrder(samples).filter((sample) => {
    while (sample.time > (windows[next]?.end ?? Number.POSITIVE_INFINITY)) next++;
    const window = windows[next];
    if (window === undefined || sample.time <= window.start) return true;
    window.samples.push(sample);
    window.points++;
    return false;
  });
}

interface GaugeWindows {
  windows: Window[];
  context: Sample[];
  baselines: number;
}

/**
 * Returns the windows of gauges outside of those of counters. They reach from sample to sample, in runs
 * without a gap of more than an hour.
 */
function gaugeWindows(loose: readonly Sample[], last: Reading | null, hasCounters: boolean): GaugeWindows {
  const result: GaugeWindows = { windows: [], context: [], baselines: 0 };
  let before = last?.time ?? null;
  for (const [time, samples] of Map.groupBy(loose, ({ time }) => time)) {
    // A sample that is not newer than the last one is a repetition.
    if (last !== null && time <= last.time) continue;
    const used = samples.filter(({ member }) => {
      return !CONTEXT.includes(member) && !(hasCounters && member === 'measured_power_avg_w');
    });
    result.context.push(...samples.filter(({ member }) => CONTEXT.includes(member)));
    if (used.length === 0) continue;
    if (before === null || time - before > MAX_GAP_MS) result.baselines += used.length;
    else extend(result.windows, before, time, used);
    before = time;
  }
  return result;
}

/** Adds samples valid from `start` to `end` to the last run, or to a new one after a gap or a UTC day. */
function extend(windows: Window[], start: number, end: number, samples: readonly Sample[]): void {
  const run = windows.at(-1);
  const isSameDay =
    run !== undefined && Math.floor((run.end - 1) / DAY_MS) === Math.floor((end - 1) / DAY_MS);
  if (run?.end === start && isSameDay) {
    run.end = end;
    run.samples.push(...samples);
    run.points += samples.length;
  } else {
    windows.push({ start, end, sums: new Map(), samples: [...samples], points: samples.length });
  }
}

/** Returns the values of a window by member, rounded to what is stored. */
function valuesOf({ start, end, sums, samples }: Window): Map<Quantity, number> {
  const values = new Map(sums);
  for (const [member, all] of Map.groupBy(samples, (sample) => sample.member)) {
    values.set(member, combined(all));
  }
  const rounded = (member: Quantity, value: number): number => {
    // A mean power of microwatts must match the stored energy of 31 days.
    const factor = member === 'measured_power_avg_w' ? 1e6 : LIMITS[member].factor;
    return Math.round(value * factor) / factor;
  };
  const energy = sums.get('it_energy_kwh');
  if (energy !== undefined) {
    // Computed from the rounded energy, since both must agree.
    const mean = (rounded('it_energy_kwh', energy) * 1000 * HOUR_MS) / (end - start);
    const gauge = values.get('measured_power_avg_w') ?? mean;
    // A gauge shows moments, so the mean power comes from the counter. A gauge in another unit is refused.
    const isUnitError = mean > 0 && gauge > 0 && Math.max(mean / gauge, gauge / mean) >= UNIT_ERROR;
    values.set('measured_power_avg_w', isUnitError ? gauge : mean);
  }
  return new Map([...values].map(([member, value]) => [member, rounded(member, value)]));
}

/** Returns the one value of a window: the highest, the mean, or the sum of the means of several series. */
function combined(samples: readonly Sample[]): number {
  const values = samples.map(({ value }) => value);
  const [first] = samples;
  if (first?.combined === 'peak') return values.reduce((a, b) => Math.max(a, b));
  if (first?.combined === 'mean') return meanOf(values);
  const series = [...Map.groupBy(samples, (sample) => sample.series).values()];
  return series.reduce((sum, all) => sum + meanOf(all.map(({ value }) => value)), 0);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rangeProblem(values: ReadonlyMap<Quantity, number>): string | null {
  for (const [member, value] of values) {
    const { minimum, maximum } = LIMITS[member];
    if (!(value >= minimum && value <= maximum)) {
      return `${member} would be ${value}, and must be from ${minimum} to ${maximum}: check the unit`;
    }
  }
  return null;
}

function telemetryOf(
  { clusterId, instanceId, origin, meter }: Source,
  { start, end }: Window,
  values: ReadonlyMap<Quantity, number>,
): Telemetry {
  const isThermal = [...values.keys()].every(
    (member) => member === 'inlet_temp_c' || member === 'peak_junction_temp_c' || CONTEXT.includes(member),
  );
  return {
    cluster_id: clusterId,
    instance_id: instanceId,
    event_type: isThermal ? 'THERMAL_SAFETY_AUDIT' : 'HARDWARE_POWER_VALIDATION',
    origin,
    window_start: timestampOf(start),
    window_end: timestampOf(end),
    telemetry_source: TELEMETRY_SOURCE,
    ...(isThermal ? {} : meter),
    ...Object.fromEntries(values),
  };
}

function keepNewest(
  readings: Map<string, Reading>,
  series: string,
  last: ReadonlyMap<string, Reading>,
  times: readonly number[],
): void {
  const newest = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (newest > (last.get(series)?.time ?? Number.NEGATIVE_INFINITY)) {
    readings.set(series, { time: newest, value: null });
  }
}

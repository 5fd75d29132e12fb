import { DAY_MS } from '../../../platform/time/units.ts';
import { MAX_WINDOW_MS } from '../limits.ts';
import type { DataPoint } from './read-metrics.ts';

/** The newest reading of a series. `value` is null for gauges. Times are milliseconds since 1970. */
export interface Reading {
  time: number;
  value: number | null;
}

/** What a counter counted in a window. */
export interface Interval {
  start: number;
  end: number;
  value: number;
  /** The data points that it comes from. */
  points: number;
}

/** The result of the data points of one series. */
export interface CounterResult {
  intervals: Interval[];
  /** The newest reading, if it is newer than the one before. */
  reading: Reading | null;
  /** The number of readings from which the next one counts: the first, and the first after a reset. */
  baselines: number;
  /** The number of points that were refused, by the reason. */
  refused: Map<string, number>;
}

/** More than any meter shows, in kWh and litres. Above it, differences of readings would be inexact. */
export const MAX_READING = 1e13;

/**
 * Returns the intervals of a counter with delta temporality: each point is the sum from its start to its
 * time. Points without a start, of an empty interval, and that overlap an earlier one are refused.
 */
export function deltaIntervals(points: readonly DataPoint[]): CounterResult {
  const result = emptyResult();
  let reached = Number.NEGATIVE_INFINITY;
  for (const { start, time, value } of inOrder(points)) {
    if (value === null) continue;
    const problem = countProblem(value) ?? startProblem(start, time);
    if (problem !== null || start === null) refuse(result, problem ?? 'has no startTimeUnixNano');
    else if (start < reached) refuse(result, 'overlaps another data point of the same series');
    else {
      result.intervals.push({ start, end: time, value, points: 1 });
      reached = time;
    }
  }
  return result;
}

/**
 * Returns the intervals between the readings of a counter with cumulative temporality. The first reading
 * counts nothing: exporters disagree about what was counted before it (OpenTelemetry metrics data model,
 * "Cumulative streams: handling unknown start time"). A value below the one before, or a start at or after
 * it, is a reset; readings that are not newer than the last one are repetitions.
 * @param last the newest reading of earlier requests, null for none
 */
export function cumulativeIntervals(points: readonly DataPoint[], last: Reading | null): CounterResult {
  const result = emptyResult();
  let before = last;
  for (const { start, time, value } of inOrder(points)) {
    if (value === null) continue;
    const problem = countProblem(value);
    if (problem !== null) {
      refuse(result, problem);
      continue;
    }
    if (before !== null && time <= before.time) continue;
    const counted = before === null || before.value === null ? null : value - before.value;
    const isReset = before !== null && start !== null && start >= before.time;
    const isTooLong = before !== null && time - before.time > MAX_WINDOW_MS;
    if (before === null || counted === null || counted < 0 || isReset || isTooLong) result.baselines++;
    else result.intervals.push({ start: before.time, end: time, value: counted, points: 1 });
    before = { time, value };
  }
  if (before !== last) result.reading = before;
  return result;
}

/** Joins intervals that follow each other without a gap, unless they end on different UTC days. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const runs: Interval[] = [];
  for (const interval of intervals) {
    const run = runs.at(-1);
    if (run !== undefined && run.end === interval.start && dayOf(run.end) === dayOf(interval.end)) {
      run.end = interval.end;
      run.value += interval.value;
      run.points += interval.points;
    } else runs.push({ ...interval });
  }
  return runs;
}

/** Adds to a count by a reason. */
export function countUp(counts: Map<string, number>, reason: string, points = 1): void {
  counts.set(reason, (counts.get(reason) ?? 0) + points);
}

/** Returns points in the order of time. */
export function inOrder<Point extends { time: number }>(points: readonly Point[]): Point[] {
  return points.toSorted((a, b) => a.time - b.time);
}

function emptyResult(): CounterResult {
  return { intervals: [], reading: null, baselines: 0, refused: new Map() };
}

function refuse({ refused }: CounterResult, reason: string): void {
  countUp(refused, reason);
}

function countProblem(value: number): string | null {
  if (!Number.isFinite(value)) return 'is not a finite number';
  if (value > MAX_READING) return `is above ${MAX_READING} in the unit of its member`;
  return value < 0 ? 'is a counter and negative' : null;
}

function startProblem(start: number | null, time: number): string | null {
  return start !== null && start >= time
    ? 'has a startTimeUnixNano that is not before its timeUnixNano'
    : null;
}

function dayOf(end: number): number {
  return Math.floor((end - 1) / DAY_MS);
}

import { describe, expect, test } from 'bun:test';
import { dailyPlot, frameOf } from '../../../../../src/trust/datacenter/page/daily-plot.ts';

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10);
const series = (values: Record<number, number | null>) =>
  Object.entries(values).map(([n, value]) => ({ day: day(Number(n)), value }));

/** Returns the plot of some days, by their number in 2026. */
function plot(values: Record<number, number | null>, mean: number | null = null) {
  const points = series(values);
  const frame = frameOf([points], 1);
  if (frame === null) throw new Error('no day has a value');
  const { text } = dailyPlot(points, frame, mean, 'A label');
  const [, path = ''] = /<path class="series" d="([^"]*)"/.exec(text) ?? [];
  const points_ = [...text.matchAll(/<circle class="point" cx="([\d.]+)%" cy="([\d.]+)%"/g)];
  const days = [...text.matchAll(/<text class="day[^"]*" [^>]*>([^<]*)</g)].map(([, shown]) => shown);
  return { text, path, dots: points_.map(([, x, y]) => [Number(x), Number(y)]), days };
}

const everyDay = (last: number, gaps: readonly number[]): Record<number, number | null> =>
  Object.fromEntries(
    Array.from({ length: last }, (_, n) => [n + 1, 1.2 + n / 1000] as const).filter(
      ([n]) => !gaps.includes(n),
    ),
  );

describe('the frame of several plots', () => {
  test('has the first and the last day with a value of any of them, and its lowest value is the floor', () => {
    const frame = frameOf([series({ 3: 1.2, 1: null }), series({ 2: 1.63, 9: null })], 1);
    expect(frame).toEqual({ days: { first: day(2), last: day(3) }, values: [1, 1.8] });
  });

  test('has a height also if all values are the floor', () => {
    expect(frameOf([series({ 1: 1 })], 1)?.values).toEqual([1, 1.12]);
  });

  test('does not exist without a value', () => {
    expect([frameOf([], 1), frameOf([series({ 1: null })], 1)]).toEqual([null, null]);
  });
});

describe('the plot of values of days', () => {
  test('is one line for days in sequence, from the floor up', () => {
    const { path } = plot({ 1: 1, 2: 1.2, 3: 1.1 });
    // Half a day stands before the first and after the last day.
    expect(path).toBe('M166.7,1000L500,0L833.3,500');
  });

  test('has a gap where a day is missing or has no value', () => {
    const lines = (values: Record<number, number | null>) => plot(values).path.split('M').length - 1;
    expect(lines({ 1: 1.1, 2: 1.1, 3: 1.1, 4: 1.1 })).toBe(1);
    expect(lines({ 1: 1.1, 2: 1.1, 4: 1.1, 5: 1.1 })).toBe(2);
    expect(lines({ 1: 1.1, 2: 1.1, 3: null, 4: 1.1, 5: 1.1 })).toBe(2);
  });

  test('has a point for each day up to a month, and in a longer time only for days between two gaps', () => {
    expect(plot(everyDay(31, [5])).dots).toHaveLength(30);
    expect(plot(everyDay(60, [])).dots).toEqual([]);
    expect(plot(everyDay(60, [20, 22, 59])).dots).toHaveLength(2);
  });

  test('of a single day has it in the middle, with its date', () => {
    const { dots, days } = plot({ 40: 1.25 });
    expect(dots).toEqual([[50, 0]]);
    expect(days).toEqual(['2026-02-09']);
  });

  test('has at most 8 dates, which are those of days, also for a year', () => {
    for (const count of [1, 2, 3, 7, 31, 90, 200, 366]) {
      const { days } = plot(everyDay(count, []));
      expect([count, days.length > 0 && days.length <= 8]).toEqual([count, true]);
      expect(new Set(days).size).toBe(days.length);
    }
  });

  test('has the mean as a dashed line if it is within the frame', () => {
    const isDashed = (mean: number | null) => plot({ 1: 1.2, 2: 1.4 }, mean).text.includes('class="mean"');
    expect([1.3, 0.9, 9, null].map(isDashed)).toEqual([true, false, false, false]);
  });

  test('has a text alternative, and no length that is not finite', () => {
    const { text } = plot({ 1: 1, 2: 60_000 });
    expect(text).toContain('aria-label="A label"');
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });
});

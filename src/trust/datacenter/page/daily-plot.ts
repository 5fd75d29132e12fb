import { scaleLinear, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { type Html, html } from '../../../platform/page/html.ts';
import { SIDE, share, valueAxis } from '../../../platform/page/plots/axes.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';

/** A value of a UTC day; null if the day has none. */
export interface DailyValue {
  /** Like `2026-01-31`. */
  day: string;
  value: number | null;
}

/** What several plots have in common, so that a reader can compare them. */
export interface PlotFrame {
  /** The first and the last day. */
  days: { first: string; last: string };
  /** The lowest and the highest value of the vertical axis. */
  values: readonly [low: number, high: number];
}

/** Returns the frame that shows all days with a value, from `floor` up; null if no day has one. */
export function frameOf(series: readonly (readonly DailyValue[])[], floor: number): PlotFrame | null {
  const days: string[] = [];
  let highest = floor;
  for (const { day, value } of series.flat()) {
    if (value === null) continue;
    days.push(day);
    highest = Math.max(highest, value);
  }
  const [first, ...more] = days.sort();
  if (first === undefined) return null;
  const [low = floor, high = highest] = scaleLinear([floor, Math.max(highest, floor + 0.1)], [0, 1])
    .nice(4)
    .domain();
  return { days: { first, last: more.at(-1) ?? first }, values: [low, high] };
}

/** Up to this number of days, each day has a point. */
const POINT_DAYS = 31;

/**
 * Draws values of days as a line with gaps where days have no value. A day between two gaps is a point.
 * Lengths are percentages, so that the plot fits any width and its labels keep their size.
 *
 * @param mean the value of the whole period, as a dashed line
 * @param label a text alternative in one sentence
 */
export function dailyPlot(
  values: readonly DailyValue[],
  { days: { first, last }, values: domain }: PlotFrame,
  mean: number | null,
  label: string,
): Html {
  const start = Date.parse(first);
  const count = Math.round((Date.parse(last) - start) / DAY_MS) + 1;
  const known = new Map(values.map(({ day, value }) => [day, value]));
  const points = Array.from({ length: count }, (_, index) => {
    const at = start + index * DAY_MS;
    return { at, value: known.get(timestampOf(at).slice(0, 10)) ?? null };
  });
  // With half a day at each end, even a single day is in the middle of a plot.
  const x = scaleUtc([start - DAY_MS / 2, start + (count - 0.5) * DAY_MS], [0, SIDE]);
  const y = scaleLinear(domain, [SIDE, 0]);
  const path = line<(typeof points)[number]>(
    ({ at }) => x(at),
    ({ value }) => y(value ?? 0),
  )
    .defined(({ value }) => value !== null)
    .digits(1)(points);
  const dots = points.flatMap(({ at, value }, index) => {
    if (value === null) return [];
    const isAlone =
      (points[index - 1]?.value ?? null) === null && (points[index + 1]?.value ?? null) === null;
    if (!isAlone && count > POINT_DAYS) return [];
    return [html`<circle class="point" cx="${share(x(at))}" cy="${share(y(value))}" r="2.5"/>`];
  });
  const dashed =
    mean === null || mean < domain[0] || mean > domain[1]
      ? null
      : html`<line class="mean" x1="0" x2="100%" y1="${share(y(mean))}" y2="${share(y(mean))}"/>`;
  return html`<svg class="plot" role="img" aria-label="${label}">
${valueAxis(y, y.ticks(4))}
${dayAxis(x, count)}
${dashed}<svg width="100%" height="100%" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none"><path class="series" d="${path ?? ''}"/></svg>
${dots}
</svg>`;
}

/** Labels days. On a narrow screen, every second label is hidden. */
function dayAxis(x: ReturnType<typeof scaleUtc<number>>, count: number): Html {
  // No tick is between two days.
  const ticks = x.ticks(Math.min(6, count)).filter((date) => date.getTime() % DAY_MS === 0);
  return html`${ticks.map((date, index) => {
    const at = share(x(date));
    // A label at the end of the axis would be cut.
    const anchor = x(date) > SIDE * 0.9 ? 'end' : 'middle';
    const minor = index % 2 === 1 ? ' minor' : '';
    return html`<line class="axis" x1="${at}" x2="${at}" y1="100%" y2="100%" transform="translate(0 4)"/><text class="day${minor}" x="${at}" y="100%" dy="18" text-anchor="${anchor}">${date.toISOString().slice(0, 10)}</text>`;
  })}`;
}

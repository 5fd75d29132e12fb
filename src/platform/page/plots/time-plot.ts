import { scaleLinear, scaleUtc } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { type Html, html } from '../html.ts';
import { SIDE, share, timeAxis, valueAxis } from './axes.ts';

/** A count of a period, such as an hour. */
export interface CountedPeriod {
  /** Milliseconds since 1970; `to` is not a part of it. */
  from: number;
  to: number;
  count: number;
  /** What a pointer on the bar shows. */
  title: string;
}

/** The part of a period that its bar fills. */
const FILLED = 0.8;

/**
 * Draws counts of periods that follow each other as bars. Lengths are percentages, so that the plot fits any
 * width and its labels keep their size.
 * @param periods at least one, oldest first
 * @param label a text alternative in one sentence
 */
export function barPlot(periods: readonly CountedPeriod[], label: string): Html {
  const x = scaleUtc([periods[0]?.from ?? 0, periods.at(-1)?.to ?? 0], [0, SIDE]);
  const y = countScale(periods.map(({ count }) => count));
  const bars = periods.map(({ from, to, count, title }) => {
    if (count <= 0) return null;
    const width = x(to) - x(from);
    const left = x(from) + (width * (1 - FILLED)) / 2;
    // A count that is small beside the others is seen, too.
    const height = Math.max(SIDE - y(count), SIDE / 100);
    return html`<rect class="filled" x="${share(left)}" width="${share(width * FILLED)}" y="${share(SIDE - height)}" height="${share(height)}"><title>${title}</title></rect>`;
  });
  return html`<svg class="plot" role="img" aria-label="${label}">
${countAxis(y)}
${timeAxis(x)}
${bars}
</svg>`;
}

/** A count at a time, in milliseconds since 1970. */
export interface CountAt {
  at: number;
  count: number;
}

/** The axes of a plot of steps. */
export interface StepFrame {
  /** The end of the axis of time, in milliseconds since 1970. */
  end: number;
  /** Whether the vertical axis begins at 0; else it begins near the least count, so that changes are seen. */
  fromZero: boolean;
}

/**
 * Draws a count over time, which is constant between the points, as a line.
 * @param points at least one, oldest first
 * @param label a text alternative in one sentence
 */
export function stepPlot(points: readonly CountAt[], { end, fromZero }: StepFrame, label: string): Html {
  const start = points[0]?.at ?? 0;
  // With a second more, even a single point is a line.
  const x = scaleUtc([start, Math.max(end, start + 1000)], [0, SIDE]);
  const counts = points.map(({ count }) => count);
  const y = countScale(counts, fromZero ? 0 : Math.min(...counts));
  const last = { at: Math.max(end, start + 1000), count: points.at(-1)?.count ?? 0 };
  const path = line<CountAt>(
    ({ at }) => x(at),
    ({ count }) => y(count),
  )
    .curve(curveStepAfter)
    .digits(1)([...points, last]);
  return html`<svg class="plot${isShort(y) ? null : ' wide'}" role="img" aria-label="${label}">
${countAxis(y)}
${timeAxis(x)}
<svg width="100%" height="100%" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none"><path class="series" d="${path ?? ''}"/></svg>
</svg>`;
}

/** Returns the vertical scale of counts, from a round number at most `low`, to a round number. */
function countScale(counts: readonly number[], low = 0) {
  const least = Math.min(low, ...counts);
  return scaleLinear([least, Math.max(least + 1, ...counts)], [SIDE, 0]).nice(4);
}

/** Counts from this one on are short on an axis, such as 20M. */
const LONG = 10_000_000;

/** Draws the vertical axis of counts, whose ticks are integers. */
function countAxis(y: ReturnType<typeof countScale>): Html {
  const ticks = y.ticks(4).filter(Number.isInteger);
  return valueAxis(y, ticks, isShort(y) ? '~s' : ',d');
}

/** Returns whether an axis has short counts: 20k from 0 on, else 19,500. */
function isShort(y: ReturnType<typeof countScale>): boolean {
  const [low = 0, high = 0] = y.domain();
  return low === 0 || high >= LONG;
}

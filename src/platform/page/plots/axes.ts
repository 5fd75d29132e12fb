import type { ScaleLinear, ScaleTime } from 'd3-scale';
import { DAY_MS } from '../../time/units.ts';
import { type Html, html } from '../html.ts';

/** The side of the square in which plots are computed. The browser scales it to the size of the plot. */
export const SIDE = 1000;

/** Formats a length of the square as a percentage with two decimals. */
export function share(length: number): string {
  return `${Math.round((length / SIDE) * 10_000) / 100}%`;
}

/**
 * Draws ticks of the vertical axis. The lowest one is the base line.
 * @param format a format of d3-format, such as `~s`; by default as many decimals as the ticks need
 */
export function valueAxis(y: ScaleLinear<number, number>, ticks: readonly number[], format?: string): Html {
  const formatted = y.tickFormat(4, format);
  return html`${ticks.map((value, index) => {
    const at = share(y(value));
    // With the unit of the other ticks it would be 0k.
    const label = formatted(value).replace(/^0[a-zA-Z]$/, '0');
    const kind = index === 0 ? 'axis' : 'grid';
    return html`<line class="${kind}" x1="0" x2="100%" y1="${at}" y2="${at}"/><text x="-8" y="${at}" dy="4" text-anchor="end">${label}</text>`;
  })}`;
}

/** The label of a tick this near to an end of the axis would reach over it. */
const NEAR = 70;

/** Draws the ticks of a horizontal axis of time (UTC). On a narrow screen, every second label is hidden. */
export function timeAxis(x: ScaleTime<number, number>): Html {
  const [start = new Date(0), end = start] = x.domain();
  const isShort = end.getTime() - start.getTime() <= 2 * DAY_MS;
  const labelOf = (date: Date): string => {
    const text = date.toISOString();
    return isShort ? text.slice(11, 16) : text.slice(0, 10);
  };
  const labels = x.ticks(6).flatMap((date) => {
    const isLabelled = x(date) >= NEAR && x(date) <= SIDE - NEAR;
    return isLabelled ? [{ at: share(x(date)), label: labelOf(date) }] : [];
  });
  return html`${labels.map(({ at, label }, index) => {
    // Ticks within one day would have the same label.
    if (label === labels[index - 1]?.label) return null;
    const kind = index % 2 === 1 ? 'minor' : '';
    return html`<line class="axis" x1="${at}" x2="${at}" y1="100%" y2="100%" transform="translate(0 4)"/><text class="${kind}" x="${at}" y="100%" dy="18" text-anchor="middle">${label}</text>`;
  })}`;
}

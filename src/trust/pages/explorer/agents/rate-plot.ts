import { scaleLinear } from 'd3-scale';
import { type Html, html } from '../../../../platform/page/html.ts';
import { SIDE, share } from '../../../../platform/page/plots/axes.ts';

/** The success rates of an agent, from 0 to 1, and its score, from 0 to 100. */
export interface Rates {
  now: number;
  /** Of the 30 days that ended a week ago; null without outcomes. */
  before: number | null;
  score: number;
}

/** The vertical positions of both rows in the square. */
const [BEFORE, NOW] = [250, 750];

/**
 * Formats a rate of at most four decimals as a percentage with one decimal. What is not all is not shown as
 * 100%, and what is not nothing not as 0%.
 */
export function percent(rate: number): string {
  const rounded = Math.round(rate * 1000);
  const shown = rate > 0 && rate < 1 ? Math.min(Math.max(rounded, 1), 999) : rounded;
  return `${(shown / 10).toFixed(1)}%`;
}

/** Returns a change of a rate in percentage points, with one decimal as `percent` has. */
export const pointsOf = (change: number): number => Math.round(change * 1000) / 10;

/**
 * Draws the success rates of now and of a week ago as points, and what is between the score and the rate as a
 * line.
 * @param label a text alternative in one sentence
 */
export function ratePlot({ now, before, score }: Rates, label: string): Html {
  const x = scaleLinear([0, 1], [0, SIDE]);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((value, index) => {
    const at = share(x(value));
    const anchor = value === 0 ? 'start' : value === 1 ? 'end' : 'middle';
    return html`<line class="${index === 0 ? 'axis' : 'grid'}" x1="${at}" x2="${at}" y1="0" y2="100%"/><text class="${index % 2 === 1 ? 'minor' : ''}" x="${at}" y="100%" dy="18" text-anchor="${anchor}">${percent(value)}</text>`;
  });
  return html`<svg class="plot rates" role="img" aria-label="${label}">
${grid}
${before === null ? null : point('Week ago', before, BEFORE, 'sibling')}
<line class="trunk" x1="${share(x(score / 100))}" x2="${share(x(now))}" y1="${share(NOW)}" y2="${share(NOW)}"/>
<text x="${share(x(score / 100))}" y="${share(NOW)}" dy="20" text-anchor="${score < 10 ? 'start' : 'end'}">score ${score}</text>
${point('Now', now, NOW, 'filled')}
</svg>`;

  function point(name: string, rate: number, y: number, kind: string): Html {
    const at = share(x(rate));
    const anchor = rate > 0.9 ? 'end' : rate < 0.1 ? 'start' : 'middle';
    return html`<text x="-10" y="${share(y)}" dy="4" text-anchor="end">${name}</text><circle class="${kind}" cx="${at}" cy="${share(y)}" r="6"/><text class="name" x="${at}" y="${share(y)}" dy="-12" text-anchor="${anchor}">${percent(rate)}</text>`;
  }
}

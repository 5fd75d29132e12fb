import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { MarketResult } from '../../test/support/market/simulation.ts';
import { labelOf, resultOf } from './results.ts';

/** A picture of the scores of some kinds of agents by day. */
export interface Plot {
  /** Of the file. */
  name: string;
  title: string;
  /** At most as many as there are colors. */
  kinds: readonly string[];
}

/** The pictures of docs/reputation.md. */
export const PLOTS: readonly Plot[] = [
  {
    name: 'market-work',
    title: 'Scores of agents that work, by day',
    kinds: ['lazy-silent', 'mixed', 'market', 'firm', 'trading', 'lazy-market', 'lazy-firm'],
  },
  {
    name: 'market-gamed',
    title: 'Scores of agents that do no work, and of honest ones in the market, by day',
    kinds: ['market', 'lying-firm', 'paid-hired-by-4', 'hired-by-4', 'ring', 'pair', 'sybil'],
  },
];

/** Colors for the light and the dark mode, which people who see few colors can tell apart, too. */
const COLORS = [
  ['#0072b2', '#56b4e9'],
  ['#b34700', '#ff9d57'],
  ['#007a5a', '#3fd0a4'],
  ['#a34c80', '#e5a0c8'],
  ['#6b5b00', '#e0cf4f'],
  ['#555555', '#bbbbbb'],
  ['#7a3ff2', '#b79bff'],
] as const;
const INK = ['#24292f', '#e6edf3'];
const GRID = ['#d0d7de', '#30363d'];

const [WIDTH, HEIGHT] = [860, 380];
/** Where the curves are. */
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 530, 40, 340];
/** The labels at the ends of the curves are at least so far apart. */
const LABEL_HEIGHT = 17;
/** From the end of a curve to its label. */
const LEADER = 34;

/** Draws the mean scores of kinds of agents by day, each curve with its name at its end. */
export function plotOf({ title, kinds }: Plot, result: MarketResult): string {
  const x = scaleLinear([0, result.days], [LEFT, RIGHT]);
  const y = scaleLinear([0, 100], [BOTTOM, TOP]);
  const curves = kinds.map((name, index) => {
    const { scores } = resultOf(result, name);
    return { name, scores, last: scores.at(-1) ?? 0, color: `c${index}` };
  });
  const heights = apart(curves.map(({ last }) => y(last)));
  const said = curves.map(({ name, last }) => `${labelOf(name)}: ${Math.round(last)}`).join('; ');
  const path = line<number>(
    (_score, index) => x(index + 1),
    (score) => y(score),
  ).digits(1);
  const lines = curves.map(
    ({ scores, color, name, last }, index) =>
      `<path class="${color}" ${stroke(index)} stroke-width="2" d="${path(scores) ?? ''}"/>
<path class="${color}" ${stroke(index)} stroke-width="1" d="M${RIGHT + 3},${at(y(last))}L${RIGHT + LEADER - 4},${at(heights[index] ?? 0)}"/>
<text class="ink" fill="${INK[0]}" x="${RIGHT + LEADER}" y="${at((heights[index] ?? 0) + 4)}">${Math.round(last)} ${escaped(labelOf(name))}</text>`,
  );
  const rows = [0, 25, 50, 75, 100].map(
    (score) =>
      `<path class="grid" stroke="${GRID[0]}" stroke-width="1" d="M${LEFT},${y(score)}H${RIGHT}"/>
<text class="ink" fill="${INK[0]}" x="${LEFT - 8}" y="${y(score) + 4}" text-anchor="end">${score}</text>`,
  );
  const columns = x
    .ticks(6)
    .map(
      (day) =>
        `<text class="ink" fill="${INK[0]}" x="${at(x(day))}" y="${BOTTOM + 20}" text-anchor="middle">${day === 0 ? 'day 0' : day}</text>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>${escaped(title)}</title>
<desc>${escaped(`After ${result.days} days: ${said}.`)}</desc>
<style>${darkStyle(curves.length)}</style>
<text class="ink" fill="${INK[0]}" x="${LEFT}" y="20" font-weight="bold">${escaped(title)}</text>
${[...rows, ...columns, ...lines].join('\n')}
</svg>
`;
}

const stroke = (index: number): string => `fill="none" stroke="${COLORS[index]?.[0] ?? INK[0]}"`;

function darkStyle(curves: number): string {
  const colors = COLORS.slice(0, curves).map(([, dark], index) => `.c${index}{stroke:${dark}}`);
  return `@media (prefers-color-scheme:dark){.ink{fill:${INK[1]}}.grid{stroke:${GRID[1]}}${colors.join('')}}`;
}

/** Moves labels apart, from the highest down, and up again from the lowest if they would leave the picture. */
function apart(heights: readonly number[]): number[] {
  const order = heights.map((_height, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const moved = [...heights];
  // Half of a group is above where it would be, half below.
  let least = TOP - 2 * LABEL_HEIGHT + 8;
  for (const index of order) {
    moved[index] = Math.max(moved[index] ?? 0, least);
    least = (moved[index] ?? 0) + LABEL_HEIGHT;
  }
  let most = BOTTOM;
  for (const index of order.toReversed()) {
    moved[index] = Math.min(moved[index] ?? 0, most);
    most = (moved[index] ?? 0) - LABEL_HEIGHT;
  }
  return moved;
}

function at(length: number): string {
  return String(Math.round(length * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

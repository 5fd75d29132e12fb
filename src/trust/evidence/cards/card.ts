import { escapeXml } from '../../../platform/page/escape.ts';
import { identicon, SIDE } from './identicon.ts';
import { type Picture, picture, truncateToWidth } from './svg.ts';

const WIDTH = 640;
const HEIGHT = 324;
const EDGE = 28;
const PICTURE = 116;
const TEXT_LEFT = EDGE + PICTURE + 24;
const COLUMN = (WIDTH - 2 * EDGE) / 3;

/**
 * Colours for light and dark mode. Text has a contrast of at least 4.5:1 with its background (WCAG 2, AA).
 */
export const PALETTE = {
  background: ['#ffffff', '#0d1117'],
  border: ['#d0d7de', '#3d444d'],
  text: ['#1f2328', '#f0f6fc'],
  muted: ['#59636e', '#9da7b3'],
  good: ['#116329', '#56d364'],
  goodBackground: ['#dafbe1', '#12361f'],
  bad: ['#a40e26', '#ff9492'],
  badBackground: ['#ffebe9', '#4a1417'],
} as const;

/** Width of a regular letter relative to a bold one. */
const REGULAR = 0.9;

type Paint = keyof typeof PALETTE;

const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

interface CardMetric {
  label: string;
  value: string;
  /** The unit or sample of the value. */
  note: string;
}

/** The content of a card. All texts are plain text, not escaped. */
export interface Card {
  /** Text alternatives: `title` is a few words, `description` all of the content. */
  title: string;
  description: string;
  /** The agent's subject commitment, whose identicon is shown: 64 hexadecimal characters. */
  subject: string;
  /** Cut to fit. */
  heading: string;
  /** The status: a word in a pill, green if `isGood`, else red. */
  badge: { word: string; isGood: boolean };
  /** `hash` is shown shortened next to the badge; `line` below them, cut to fit. */
  hash: string;
  line: string;
  metrics: readonly [CardMetric, CardMetric, CardMetric];
  /** The service that measured, cut to fit, and when. */
  issuer: string;
  at: string;
}

/** Draws a card for a page such as a README. Its text is readable down to half of the 640 units of width. */
export function cardPicture(card: Card): Picture {
  const { title, description, subject, badge, metrics } = card;
  const name = `c${subject.slice(0, 12)}`;
  const fill = (paint: Paint): string => `class="${name}${paint}" fill="${PALETTE[paint][0]}"`;
  const stroke = (paint: Paint): string =>
    `class="${name}${paint}Line" fill="none" stroke="${PALETTE[paint][0]}"`;
  const text = (x: number, y: number, size: number, paint: Paint, words: string, more = ''): string =>
    `<text x="${x}" y="${y}" font-size="${size}" ${fill(paint)}${more}>${escapeXml(words)}</text>`;

  const night = Object.entries(PALETTE)
    .map(([paint, [, dark]]) => `.${name}${paint}{fill:${dark}}.${name}${paint}Line{stroke:${dark}}`)
    .join('');
  const [sign, on]: [Paint, Paint] = badge.isGood ? ['good', 'goodBackground'] : ['bad', 'badBackground'];
  const pill = 62 + badge.word.length * 15.5;
  const tick = badge.isGood ? 'l6 6 11-13' : 'm2-6 13 13m0-13-13 13';
  const longest = Math.max(...metrics.map(({ value }) => value.length));
  // 285 follows from the width of bold letters and digits: the longest value fits its column.
  const size = Math.min(38, Math.floor(285 / longest));
  const content = [
    `<style>@media (prefers-color-scheme:dark){${night}}</style><g font-family="${SANS}">`,
    `<rect x="1" y="1" width="${WIDTH - 2}" height="${HEIGHT - 2}" rx="18" ${fill('background')}/>`,
    `<rect x="1" y="1" width="${WIDTH - 2}" height="${HEIGHT - 2}" rx="18" stroke-width="2" ${stroke('border')}/>`,
    `<svg x="${EDGE}" y="${EDGE}" width="${PICTURE}" height="${PICTURE}" viewBox="0 0 ${SIDE} ${SIDE}">`,
    `<g${badge.isGood ? '' : ' opacity="0.35"'}>${identicon(subject)}</g></svg>`,
    // A nested SVG clips text whose width was estimated wrongly.
    `<svg x="${TEXT_LEFT}" y="20" width="${WIDTH - EDGE - TEXT_LEFT}" height="52">`,
    text(
      0,
      39,
      32,
      'text',
      truncateToWidth(card.heading, (WIDTH - EDGE - TEXT_LEFT) / 32),
      ' font-weight="700"',
    ),
    '</svg>',
    `<rect x="${TEXT_LEFT}" y="76" width="${pill}" height="36" rx="18" ${fill(on)}/>`,
    `<path d="M${TEXT_LEFT + 16} 94${tick}" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" ${stroke(sign)}/>`,
    text(TEXT_LEFT + 43, 101, 20, sign, badge.word, ' font-weight="700" letter-spacing="1"'),
    text(
      TEXT_LEFT + pill + 14,
      101,
      20,
      'muted',
      short(card.hash, pill > 200 ? 4 : 8),
      ` font-family="${MONO}"`,
    ),
    `<svg x="${TEXT_LEFT}" y="116" width="${WIDTH - EDGE - TEXT_LEFT}" height="36">`,
    text(0, 24, 20, 'muted', truncateToWidth(card.line, (WIDTH - EDGE - TEXT_LEFT) / (20 * REGULAR))),
    '</svg>',
    `<path d="M${EDGE} 168H${WIDTH - EDGE}" stroke-width="2" ${stroke('border')}/>`,
    ...metrics.flatMap(({ label, value, note }, index) => {
      const x = EDGE + index * COLUMN;
      return [
        text(x, 200, 20, 'muted', label),
        text(x, 242, size, 'text', value, ' font-weight="700"'),
        text(x, 269, 20, 'muted', note),
      ];
    }),
    `<svg x="${EDGE}" y="284" width="360" height="34">`,
    text(0, 20, 18, 'muted', truncateToWidth(card.issuer, 360 / (18 * REGULAR))),
    '</svg>',
    text(WIDTH - EDGE, 304, 18, 'muted', card.at, ' text-anchor="end"'),
    '</g>',
  ];
  return picture({ width: WIDTH, height: HEIGHT, title, description, content: content.join('') });
}

/** Shortens a hash for display. The full hash is in the description. */
function short(hash: string, characters: number): string {
  return `${hash.slice(0, characters)}…${hash.slice(-characters)}`;
}

import { sha256 } from '../../../platform/crypto/crypto.ts';

/** A colour for light and dark mode. */
type Shade = readonly [light: string, dark: string];

/**
 * Sixteen hues at equal distances in OKLCH. Lightness in light and dark mode: background 0.955 and 0.25, body
 * 0.6 and 0.7, accent 0.42 and 0.87. Every body and accent has a contrast of at least 3:1 with every
 * background (WCAG 2, graphics).
 */
export const HUES: readonly { background: Shade; body: Shade; accent: Shade }[] = [
  { background: ['#feeaed', '#301a1e'], body: ['#d04a69', '#eb7289'], accent: ['#812a3e', '#fec2ca'] },
  { background: ['#ffebe7', '#301b17'], body: ['#d24f37', '#ec7760'], accent: ['#822d1e', '#ffc4b7'] },
  { background: ['#fdede3', '#2f1d11'], body: ['#c16302', '#e48233'], accent: ['#773a00', '#fec7a2'] },
  { background: ['#f9efe0', '#2b1f0d'], body: ['#a97505', '#d09101'], accent: ['#674603', '#f6cd90'] },
  { background: ['#f3f1e0', '#25220d'], body: ['#928103', '#b49f08'], accent: ['#584e03', '#e2d690'] },
  { background: ['#edf3e3', '#1f2411'], body: ['#718d01', '#8ead32'], accent: ['#435501', '#c9de9c'] },
  { background: ['#e7f4e7', '#172617'], body: ['#279936', '#5bb661'], accent: ['#135d1d', '#afe4b0'] },
  { background: ['#e3f5ed', '#0f271e'], body: ['#019771', '#04ba8c'], accent: ['#045b44', '#98e8c8'] },
  { background: ['#e0f5f3', '#092725'], body: ['#0a938e', '#08b6af'], accent: ['#025956', '#8ae8e1'] },
  { background: ['#e0f4f9', '#0a262b'], body: ['#0590a5', '#02b2cb'], accent: ['#045764', '#8ae4f7'] },
  { background: ['#e3f3fd', '#0f2430'], body: ['#068bc0', '#03abec'], accent: ['#035476', '#a5ddfe'] },
  { background: ['#e8f1fe', '#172232'], body: ['#357ee3', '#5f9ffa'], accent: ['#1c4c8d', '#bad6ff'] },
  { background: ['#edeffe', '#1e2032'], body: ['#6f6fe2', '#8d92f9'], accent: ['#42428c', '#cbd0fe'] },
  { background: ['#f3edfd', '#251d30'], body: ['#9562d3', '#b185eb'], accent: ['#5a3982', '#dec9fe'] },
  { background: ['#f8ebf8', '#2a1c2b'], body: ['#b156b7', '#cc7bd1'], accent: ['#6c3270', '#f3c0f5'] },
  { background: ['#fcebf3', '#2e1b25'], body: ['#c54d93', '#e074b0'], accent: ['#792c59', '#ffbede'] },
];

/** Allowed distances between the hues of body and accent: neighbouring hues would look the same. */
const DISTANCES = [3, 4, 5, 6, 10, 11, 12, 13] as const;

const CELLS = 6;
const CELL = 14;
const MARGIN = 6;
/** The side of the picture in SVG units. */
export const SIDE = CELLS * CELL + 2 * MARGIN;

/** What an identicon is made of: its colours, and the paths of its patches in SVG. */
interface Identicon {
  background: Shade;
  body: Shade;
  accent: Shade;
  bodyPath: string;
  accentPath: string;
}

/**
 * Returns the identicon of a hash (64 hexadecimal characters): six by six patches of SIDE by SIDE units, with
 * the right half mirroring the left. It must never change. SHA-256 of the hash selects everything, so that
 * similar hashes look different.
 */
export function identiconOf(hash: string): Identicon {
  const bytes = sha256(`identicon:${hash}`);
  const chosen = (index: number): number => bytes[index] ?? 0;
  const hue = chosen(30) % HUES.length;
  const distance = DISTANCES[chosen(31) % DISTANCES.length] ?? 0;
  const background = HUES[hue]?.background;
  const body = HUES[hue]?.body;
  const accent = HUES[(hue + distance) % HUES.length]?.accent;
  if (background === undefined || body === undefined || accent === undefined)
    throw new Error('the index of a hue is out of range');
  const paths = { body: '', accent: '' };
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS / 2; column++) {
      const byte = chosen((row * CELLS) / 2 + column);
      const colour = byte >= 160 ? 'accent' : 'body';
      const y = MARGIN + row * CELL;
      const left = patch(byte % 16, MARGIN + column * CELL, y, false);
      const right = patch(byte % 16, MARGIN + (CELLS - 1 - column) * CELL, y, true);
      paths[colour] += left + right;
    }
  }
  return { background, body, accent, bodyPath: paths.body, accentPath: paths.accent };
}

/**
 * Draws the identicon of a hash for light and dark mode.
 * @returns SVG content of SIDE by SIDE units, with CSS classes that are unique to the hash
 */
export function identicon(hash: string): string {
  const { background, body, accent, bodyPath, accentPath } = identiconOf(hash);
  const name = `i${hash.slice(0, 12)}`;
  const fill = (part: string, [light]: Shade): string => `class="${name}${part}" fill="${light}"`;
  const darkRule = (part: string, [, dark]: Shade): string => `.${name}${part}{fill:${dark}}`;
  return (
    `<style>@media (prefers-color-scheme:dark){${darkRule('g', background)}${darkRule('b', body)}${darkRule('a', accent)}}</style>` +
    `<rect ${fill('g', background)} width="${SIDE}" height="${SIDE}" rx="14"/>` +
    `<path ${fill('b', body)} d="${bodyPath}"/><path ${fill('a', accent)} d="${accentPath}"/>`
  );
}

/** Returns the path of one patch with its upper left corner at x and y. @param form 0 to 15 */
function patch(form: number, x: number, y: number, isMirrored: boolean): string {
  const ends = isMirrored ? [x + CELL, x] : [x, x + CELL];
  const [near = 0, far = 0] = ends;
  // Clockwise from the upper left; if mirrored, counterclockwise from the upper right, with reversed arcs.
  const corners = [`${near} ${y}`, `${far} ${y}`, `${far} ${y + CELL}`, `${near} ${y + CELL}`];
  const corner = (turned: number): string => corners[(form + turned) % 4] ?? '';
  const arc = `A${CELL} ${CELL} 0 0 ${isMirrored ? 0 : 1} `;
  const half = CELL / 2;
  const disc = (radius: number): string => {
    const across = `a${radius} ${radius} 0 0 1 `;
    return `M${x + half - radius} ${y + half}${across}${2 * radius} 0${across}${-2 * radius} 0z`;
  };
  switch (form) {
    case 0:
    case 1:
    case 2:
      return '';
    case 3:
      return `M${x} ${y}h${CELL}v${CELL}h-${CELL}z`;
    case 4:
    case 5:
    case 6:
    case 7:
      return `M${corner(0)}L${corner(1)}${arc}${corner(3)}z`;
    case 8:
    case 9:
    case 10:
    case 11:
      return `M${corner(0)}L${corner(1)}L${corner(3)}z`;
    case 12:
    case 13:
      return `M${corner(0)}${arc}${corner(2)}${arc}${corner(0)}z`;
    case 14:
      return disc(half);
    default:
      return disc(half / 2);
  }
}

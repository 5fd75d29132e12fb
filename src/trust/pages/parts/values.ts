import { type Content, type Html, html } from '../../../platform/page/html.ts';
import { truncateToWidth, visibleText } from '../../evidence/cards/svg.ts';

/** The width in em to which texts of strangers are cut. */
const STRANGER_EM = 40;

/**
 * Returns a text that a stranger wrote: one line, cut, without invisible characters, and isolated so that its
 * direction does not change the text around it.
 */
export function strangerText(text: string, width = STRANGER_EM): Html {
  return html`<bdi>${plainText(text, width)}</bdi>`;
}

/** Returns the same without markup, for the title of a window. */
export function plainText(text: string, width = STRANGER_EM): string {
  return truncateToWidth(visibleText(text) ?? 'unreadable name', width);
}

/** Returns the beginning of a hash or an identifier, with an ellipsis. */
export function shortHash(text: string, length = 12): Html {
  return html`<span class="hash">${text.length > length + 4 ? `${text.slice(0, length)}…` : text}</span>`;
}

/** The units of ages, largest first, in milliseconds. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Younger than this is now. Ages of seconds would change the page each second. */
const NOW_MS = 60_000;

/**
 * Returns how long ago a time was, in words, such as `3 minutes ago`.
 * @param now milliseconds since 1970 @param at RFC 3339
 */
export function ago(now: number, at: string): string {
  const age = now - Date.parse(at);
  if (age <= -NOW_MS) return `dated ${amountOf(-age)} ahead of this service's clock`;
  return age < NOW_MS ? '< 1 minute ago' : `${amountOf(age)} ago`;
}

function amountOf(ms: number): string {
  const [unit, size] = UNITS.find(([, least]) => ms >= least) ?? UNITS[2];
  const amount = Math.floor(ms / size);
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** A tile with a figure. */
export interface Tile {
  name: string;
  value: Content;
  /** A line below the figure. */
  note?: Content;
  /** Whether the figure is a word, which is shown smaller. */
  isWord?: boolean;
}

/** Returns tiles with figures. */
export function tiles(all: readonly Tile[]): Html {
  return html`<dl class="tiles">
${all.map(
  ({ name, value, note = null, isWord = false }) =>
    html`<div><dt>${name}</dt><dd class="${isWord ? 'word' : ''}">${value}${note === null ? null : html`<small>${note}</small>`}</dd></div>\n`,
)}</dl>
`;
}

import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { lazy } from '../../../platform/lazy.ts';
import { escapeXml } from '../../../platform/page/escape.ts';

/** An SVG document and its entity tag. */
export interface Picture {
  svg: string;
  /** A strong entity tag (RFC 9110), from the SHA-256 of the document. */
  etag: string;
}

interface Described {
  width: number;
  height: number;
  /** Text alternative in a few words. */
  title: string;
  description: string;
  /** SVG content with escaped texts. */
  content: string;
}

/** Builds an SVG document without external resources. `title` and `description` are plain text. */
export function picture({ width, height, title, description, content }: Described): Picture {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escapeXml(title)}</title><desc>${escapeXml(description)}</desc>${content}</svg>\n`;
  return { svg, etag: `"${sha256Hex(svg).slice(0, 32)}"` };
}

const graphemes = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
/**
 * Invisible characters (controls, formats, private and unassigned), except the joiners of letters and emoji.
 */
const INVISIBLE = /(?![\u200c\u200d])\p{C}/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** The longest emoji have ten code points. A longer grapheme is a letter with many combining marks. */
const GRAPHEME_MAX = 10;

/** Returns the visible characters of a text in one line, not escaped; null if there are none. */
export function visibleText(text: string): string | null {
  const seen = text.toWellFormed().replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
  return VISIBLE.test(seen) ? seen : null;
}

/**
 * Cuts a line to at most `width` em at a grapheme boundary, and adds an ellipsis. Directional isolates around
 * it keep right-to-left text from affecting its surroundings. Not escaped.
 */
export function truncateToWidth(line: string, width: number): string {
  const shown: { text: string; end: number }[] = [];
  let end = 0;
  for (const { segment } of graphemes().segment(line)) {
    const points = [...segment];
    const text = points.length > GRAPHEME_MAX ? (points[0] ?? '') : segment;
    end += widthOf(text);
    shown.push({ text, end });
    if (end > width) break;
  }
  const isWhole = end <= width;
  const fitting = isWhole ? shown : shown.filter((character) => character.end <= width - 1);
  const text = fitting.map((character) => character.text).join('');
  return `\u2068${isWhole ? text : `${text.trimEnd()}…`}\u2069`;
}

/** Returns an upper bound of a character's width in em, for common bold sans-serif fonts. */
function widthOf(character: string): number {
  if (/^[iljtfr.,:;'|!()[\] ]$/.test(character)) return 0.42;
  if (/^[a-z0-9]$/.test(character)) return character === 'm' || character === 'w' ? 1.05 : 0.7;
  if (/^[\u0020-\u024f\u0370-\u06ff]/.test(character)) return /^[MW@%]$/.test(character) ? 1.15 : 0.8;
  return 1.2;
}

import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { lazy } from '../../platform/lazy.ts';

/** A picture as it is sent. */
export interface Picture {
  svg: string;
  /** A strong entity tag: of these very bytes. */
  etag: string;
}

interface Described {
  width: number;
  height: number;
  /** What it shows in a few words, for those who do not see it. */
  title: string;
  description: string;
  /** What is drawn: SVG, every text in it escaped. */
  content: string;
}

/** An SVG document that needs nothing from elsewhere. `title` and `description` are plain text. */
export function picture({ width, height, title, description, content }: Described): Picture {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escapeXml(title)}</title><desc>${escapeXml(description)}</desc>${content}</svg>\n`;
  return { svg, etag: `"${sha256Hex(svg).slice(0, 32)}"` };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Whatever no XML 1.0 document may contain, not even escaped (section 2.2). */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const PLAIN = /^[\w .,:;()/-]*$/;

/** Text as it stands between tags, or in an attribute within quotes. */
export function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(NO_XML, '\ufffd')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

const graphemes = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
/** What nobody sees (controls, formats, private and unassigned characters), but for what joins letters and emoji. */
const INVISIBLE = /(?![\u200c\u200d])\p{C}/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** The longest emoji have ten code points. What is longer is one letter under a heap of marks. */
const GRAPHEME_MAX = 10;

/** What there is to be seen of a text, in one line; null for nothing. Not escaped. */
export function visibleText(text: string): string | null {
  const seen = text.toWellFormed().replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
  return VISIBLE.test(seen) ? seen : null;
}

/**
 * A line of at most `width` times the size of its letters, cut where a character ends, between marks that keep its direction
 * from whatever stands beside it. Not escaped.
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
  const kept = isWhole ? shown : shown.filter((character) => character.end <= width - 1);
  const text = kept.map((character) => character.text).join('');
  return `\u2068${isWhole ? text : `${text.trimEnd()}…`}\u2069`;
}

/** How wide a character is at most in usual bold fonts without serifs, in times of their size. */
function widthOf(character: string): number {
  if (/^[iljtfr.,:;'|!()[\] ]$/.test(character)) return 0.42;
  if (/^[a-z0-9]$/.test(character)) return character === 'm' || character === 'w' ? 1.05 : 0.7;
  if (/^[\u0020-\u024f\u0370-\u06ff]/.test(character)) return /^[MW@%]$/.test(character) ? 1.15 : 0.8;
  return 1.2;
}

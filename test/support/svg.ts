import { expect } from 'bun:test';
import { DOMParser, type Element, ParseError } from '@xmldom/xmldom';

const ELEMENTS = ['svg', 'title', 'desc', 'style', 'g', 'rect', 'path', 'text'];
const ATTRIBUTES = [
  ...['xmlns', 'width', 'height', 'viewBox', 'role', 'class', 'fill', 'stroke', 'stroke-width', 'opacity'],
  ...['stroke-linecap', 'stroke-linejoin', 'x', 'y', 'rx', 'd', 'font-size', 'font-family', 'font-weight'],
  ...['letter-spacing', 'text-anchor'],
];
/** Colours for the dark, and nothing else. */
const STYLE = /^@media \(prefers-color-scheme:dark\)\{(\.\w+\{(fill|stroke):#[0-9a-f]{6}\})+\}$/;
const NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * The root of an SVG as a parser of others reads it, which has to take it without a word; and nothing is in it but a few
 * elements and attributes, none of which runs, links or loads anything.
 */
export function parseSvg(svg: string): Element {
  const complaints: string[] = [];
  const parser = new DOMParser({
    onError: (level, message) => {
      // A name may contain the replacement character, of which the parser only wonders how it came there.
      if (!/replacement character/i.test(message)) complaints.push(`${level}: ${message}`);
      if (level !== 'warning') throw new ParseError(message);
    },
  });
  const document = parser.parseFromString(svg, 'image/svg+xml');
  expect(complaints).toEqual([]);
  expect(svg.isWellFormed()).toBe(true);
  // XML 1.0, section 2.2, of which parsers are lenient.
  expect(svg).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
  const wrong: string[] = [];
  for (const element of document.getElementsByTagName('*')) {
    if (element.namespaceURI !== NAMESPACE || !ELEMENTS.includes(element.tagName))
      wrong.push(element.tagName);
    for (const { name, value } of element.attributes) {
      const isHarmless = name === 'xmlns' || !/url\(|[a-z]+:\/\/|javascript:|data:/i.test(value);
      if (!ATTRIBUTES.includes(name) || !isHarmless) wrong.push(`${name}="${value}"`);
    }
    const { textContent } = element;
    if (element.tagName === 'style' && !STYLE.test(textContent ?? '')) wrong.push(`style: ${textContent}`);
  }
  expect(wrong).toEqual([]);
  const root = document.documentElement;
  if (root === null) throw new Error('there is no root');
  return root;
}

/** The words of a picture, as they are shown: those of its text elements. */
export function wordsOf(root: Element): string[] {
  return [...root.getElementsByTagName('text')].map(({ textContent }) => textContent ?? '');
}

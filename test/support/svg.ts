import { expect } from 'bun:test';
import { DOMParser, type Element, ParseError } from '@xmldom/xmldom';

const ELEMENTS = ['svg', 'title', 'desc', 'style', 'g', 'rect', 'path', 'text'];
const ATTRIBUTES = [
  ...['xmlns', 'width', 'height', 'viewBox', 'role', 'class', 'fill', 'stroke', 'stroke-width', 'opacity'],
  ...['stroke-linecap', 'stroke-linejoin', 'x', 'y', 'rx', 'd', 'font-size', 'font-family', 'font-weight'],
  ...['letter-spacing', 'text-anchor'],
];
/** The only allowed style: colors for dark mode. */
const STYLE = /^@media \(prefers-color-scheme:dark\)\{(\.\w+\{(fill|stroke):#[0-9a-f]{6}\})+\}$/;
const NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * Parses an SVG with an independent parser, which must accept it without warnings, and returns its root.
 * Checks that it has only a few allowed elements and attributes, none of which can run, link or load
 * anything.
 */
export function parseSvg(svg: string): Element {
  const complaints: string[] = [];
  const parser = new DOMParser({
    onError: (level, message) => {
      // A name may contain the replacement character, which causes only a warning of the parser.
      if (!/replacement character/i.test(message)) complaints.push(`${level}: ${message}`);
      if (level !== 'warning') throw new ParseError(message);
    },
  });
  const document = parser.parseFromString(svg, 'image/svg+xml');
  expect(complaints).toEqual([]);
  expect(svg.isWellFormed()).toBe(true);
  // Forbidden by XML 1.0, section 2.2, which parsers do not enforce.
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

/** Returns the visible words of a picture, from its text elements. */
export function wordsOf(root: Element): string[] {
  return [...root.getElementsByTagName('text')].map(({ textContent }) => textContent ?? '');
}

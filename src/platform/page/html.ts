import { escapeXml } from './escape.ts';

class Markup {
  constructor(readonly text: string) {}
}

/** Markup in HTML, or SVG inside HTML. Only `html` makes it, so every text in it is escaped. */
export type Html = Markup;

/**
 * What a template of `html` may contain: texts, which are escaped; markup; lists of both. null is nothing.
 */
export type Content = Html | string | number | null | readonly Content[];

/**
 * Builds markup from a template literal. Texts and numbers between the literal parts are escaped for content
 * and for attributes in double quotes.
 */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = literals[0] ?? '';
  for (const [index, content] of contents.entries()) text += textOf(content) + (literals[index + 1] ?? '');
  return new Markup(text);
}

function textOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return escapeXml(content);
  if (typeof content === 'number') return String(content);
  return content instanceof Markup ? content.text : content.map(textOf).join('');
}

/**
 * Returns a style element. Its content is not escaped, as HTML demands. @throws RangeError for content with
 * `<`
 */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new RangeError('A style must not contain "<".');
  return new Markup(`<style>${css}</style>`);
}

import { createHash } from 'node:crypto';
import { ICON_URL } from '../http/icon.ts';
import { type Html, html, styleElement } from './html.ts';
import { SIGN } from './sign.ts';
import { type SheetMargins, STYLE, sheetStyle } from './style.ts';

/** A page for people: one HTML document that loads nothing, runs no script and prints on A4. */
export interface Page {
  title: string;
  margins: SheetMargins;
  body: Html;
  /** What the page says first, such as that of a demonstration; null for nothing. */
  notice: string | null;
}

export interface RenderedPage {
  text: string;
  headers: Readonly<Record<string, string>>;
}

/** The parts of an HTML document, and what its content security policy allows. */
interface HtmlDocument extends Omit<Page, 'margins'> {
  styles: readonly string[];
  /** Further elements of the head. */
  head?: Html | null;
  /** What precedes the main part, such as a header. */
  before?: Html | null;
  /** What follows the main part, such as a footer. */
  after?: Html | null;
  /** Where its forms may send, as CSP has it. */
  formAction: "'none'" | "'self'";
  /** The path of the only script, which may read from this origin; null for none. */
  script?: string | null;
}

/** The way from a document to the start page of the service, which is not printed. */
const HOME = html`<header class="home screen"><a href="/">${SIGN} Countersign</a></header>\n`;

/** The hashes of styles, which are few: nearly every page has the same ones. */
const hashes = new Map<string, string>();
const MAX_HASHES = 100;

function hashOf(style: string): string {
  const known = hashes.get(style);
  if (known !== undefined) return known;
  if (hashes.size >= MAX_HASHES) hashes.clear();
  const hash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  hashes.set(style, hash);
  return hash;
}

/**
 * Returns the document of a page and its headers. The content security policy allows the two styles of the
 * page by their hashes, and nothing else: no script, no form, no resource.
 */
export function renderPage({ margins, ...page }: Page): RenderedPage {
  return renderDocument({
    ...page,
    styles: [STYLE, sheetStyle(margins)],
    before: HOME,
    formAction: "'none'",
  });
}

/**
 * Returns an HTML document whose content security policy allows its styles, forms to `formAction`, and a
 * script of this origin if it has one.
 */
export function renderDocument({
  title,
  styles,
  head = null,
  before = null,
  after = null,
  body,
  notice,
  formAction,
  script = null,
}: HtmlDocument): RenderedPage {
  const first = notice === null ? null : html`<p class="notice" role="note">${notice}</p>\n`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ICON_URL}">
${styles.map((style) => html`${styleElement(style)}\n`)}${head}${script === null ? null : html`<script src="${script}" defer></script>\n`}</head>
<body>
${first}${before}<main>
${body}
</main>
${after}</body>
</html>
`;
  return {
    text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; style-src ${styles.map(hashOf).join(' ')}; img-src data:; ` +
        `${script === null ? '' : "script-src 'self'; connect-src 'self'; "}base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    },
  };
}

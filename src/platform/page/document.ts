import { createHash } from 'node:crypto';
import { NOTICE } from '../http/openapi/demonstration.ts';
import { lazy } from '../lazy.ts';
import { type Html, html, styleElement } from './html.ts';
import { type SheetMargins, STYLE, sheetStyle } from './style.ts';

/** A page for people: one HTML document that loads nothing, runs no script and prints on A4. */
export interface Page {
  title: string;
  margins: SheetMargins;
  body: Html;
  /** Whether the data is that of a demonstration, which the page then says first. */
  isDemonstration: boolean;
}

export interface RenderedPage {
  text: string;
  headers: Readonly<Record<string, string>>;
}

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const hashOfStyle = lazy(() => hashOf(STYLE));

/**
 * Returns the document of a page and its headers. The content security policy allows the two styles of the page by their hashes, and
 * nothing else: no script, no form, no resource.
 */
export function renderPage({ title, margins, body, isDemonstration }: Page): RenderedPage {
  const sheet = sheetStyle(margins);
  const notice = isDemonstration ? html`<p class="notice" role="note">${NOTICE}</p>\n` : null;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${styleElement(STYLE)}
${styleElement(sheet)}
</head>
<body>
${notice}<main>
${body}
</main>
</body>
</html>
`;
  return {
    text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; style-src ${hashOfStyle()} ${hashOf(sheet)}; img-src data:; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  };
}

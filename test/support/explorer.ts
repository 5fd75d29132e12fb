import { type SeenPage, seenPage } from './page.ts';
import type { TrustApp } from './trust-app.ts';

/** The response to a browser that opens an address. */
export interface OpenedPage extends SeenPage {
  status: number;
  text: string;
  headers: Headers;
}

/** What a browser accepts for an address that a person opens. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/**
 * Opens an address as a browser does, without following redirects. Checks that the page has only harmless
 * elements and is small.
 */
export async function openPage(
  { fetch }: Pick<TrustApp, 'fetch'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenedPage> {
  const request = new Request(`http://localhost${path}`, { headers: { accept: BROWSER, ...headers } });
  const response = await fetch(request);
  const text = await response.text();
  if (text.length > MAX_PAGE) throw new Error(`${path} has ${text.length} characters`);
  return { ...(await seenPage(text, true)), status: response.status, text, headers: response.headers };
}

/** The most characters of a page, with its styles. */
const MAX_PAGE = 60_000;

/** Returns the text of a page without its markup and styles, with single spaces. */
export function wordsOf({ text }: Pick<OpenedPage, 'text'>): string {
  return text
    .replace(/^[\s\S]*<body>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&apos;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

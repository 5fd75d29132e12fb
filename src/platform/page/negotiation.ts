import { prefersPage } from '../http/request/accept.ts';
import { isNotModified } from '../http/request/conditional.ts';
import { ETAG_HEADER, textOf } from '../http/schema.ts';

/** Set by scripts/build.ts: the built commit; empty when it is unknown. */
declare const BUILT_COMMIT: string;

/** The schema of a page as a form of a response, in addition to JSON. */
export const PageText = textOf('text/html; charset=utf-8', 'A page without scripts, to read or to print.');

/** The headers of a document in two forms, for the documentation. */
export const FORM_HEADERS = {
  ETag: ETAG_HEADER,
  'Cache-Control': '`no-cache`: ask again each time.',
  Vary: 'Accept',
};

/** Clients ask again each time: with the ETag, an unchanged document costs them nothing. */
const REVALIDATE = 'no-cache';

/**
 * Sets the headers of a document that is sent as JSON or as a page. The headers of a page replace them.
 * @param etag the entity tag of the JSON
 * @param isPrivate whether shared caches must not store it
 * @returns the form that the request prefers; null if the client has it already
 */
export function wantedForm(
  request: Request,
  headers: Record<string, string | number>,
  etag: string,
  isPrivate = false,
): 'json' | 'page' | null {
  const isPage = prefersPage(request);
  Object.assign(headers, { vary: 'Accept', 'content-type': 'application/json' });
  const caching = isPrivate ? `private, ${REVALIDATE}` : REVALIDATE;
  if (isNotModified(request, headers, isPage ? etagOfPage(etag) : etag, caching)) return null;
  return isPage ? 'page' : 'json';
}

/** Pages change with the program, and their documents do not. */
const BUILD = typeof BUILT_COMMIT === 'string' && BUILT_COMMIT !== '' ? `-${BUILT_COMMIT}` : '';

/**
 * Returns the entity tag of the page of a document: strong tags of two forms differ (RFC 9110 section 8.8.3).
 */
function etagOfPage(etag: string): string {
  return `${etag.slice(0, -1)}-page${BUILD}"`;
}

import fresh from 'fresh';

/**
 * Returns whether an If-None-Match header names this entity tag, or any (RFC 9110 section 13.1.2). Only that header counts: with
 * `Cache-Control: no-cache` beside it, which is an instruction for caches, the answer is still 304.
 */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  return fresh({ 'if-none-match': header ?? undefined }, { etag });
}

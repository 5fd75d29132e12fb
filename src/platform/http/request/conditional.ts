import fresh from 'fresh';

/**
 * Returns whether an If-None-Match header contains this entity tag or `*` (RFC 9110 section 13.1.2). No other header matters:
 * `Cache-Control: no-cache` is an instruction for caches, and the response is still 304.
 */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  return fresh({ 'if-none-match': header ?? undefined }, { etag });
}

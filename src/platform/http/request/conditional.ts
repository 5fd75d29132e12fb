import fresh from 'fresh';

/**
 * Returns whether an If-None-Match header contains this entity tag or `*` (RFC 9110 section 13.1.2). No other
 * header matters: `Cache-Control: no-cache` is an instruction for caches, and the response is still 304.
 */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  return fresh({ 'if-none-match': header ?? undefined }, { etag });
}

/**
 * Sets the headers of a document that clients may cache. Returns whether the client has it already, so that
 * the response is 304.
 */
export function isNotModified(
  request: Request,
  headers: Record<string, string | number>,
  etag: string,
  cacheControl: string,
): boolean {
  Object.assign(headers, { etag, 'cache-control': cacheControl });
  return matchesEtag(request.headers.get('if-none-match'), etag);
}

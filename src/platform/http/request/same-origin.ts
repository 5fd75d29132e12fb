/**
 * Returns whether a page of another origin made the browser send this request. Decides like Go's
 * net/http.CrossOriginProtection: by Sec-Fetch-Site where the browser sends it, else by Origin. A request
 * with neither is not from a browser of the last years, and nothing of a browser's, such as cookies, is in it
 * that another site could use.
 *
 * @param ownUrl the URL of the service for its clients, whose host a proxy may have replaced in the request;
 * null if unknown
 */
export function isCrossOrigin({ headers, url }: Request, ownUrl: string | null): boolean {
  const site = headers.get('sec-fetch-site');
  // `none`: the user's own action, such as a bookmark.
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const origin = headers.get('origin');
  if (origin === null) return false;
  const host = URL.parse(origin)?.host ?? null;
  return host === null || (host !== URL.parse(url)?.host && host !== URL.parse(ownUrl ?? '')?.host);
}

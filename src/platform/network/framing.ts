/**
 * Returns the problem of a request's framing as a sentence for the client; null for a valid one. The runtime
 * accepts these requests: it joins repeated headers with commas, gives a request without Host (HTTP/1.0) a
 * URL that is only a path, and treats a body as complete before it reads trailers, which then fail.
 */
export function framingFault({ url, headers }: Request): string | null {
  const host = headers.get('host') ?? '';
  if (host.includes(',')) return 'The Host header is given more than once.';
  if (!/^https?:\/\//.test(url)) {
    return host === '' ? 'The Host header is missing.' : 'The Host header names no host.';
  }
  if (!/^\d*$/.test(headers.get('content-length') ?? '')) return 'Content-Length is given more than once.';
  if (headers.has('trailer')) return 'Trailers are not supported: send all headers before the body.';
  return null;
}

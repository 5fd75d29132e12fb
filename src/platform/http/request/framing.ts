/**
 * What is wrong with how a request is framed, as a sentence for its sender; null for a sound one. The runtime lets these
 * through: it joins repeated headers with commas, gives a request without Host (HTTP/1.0) a URL that is a mere path, and takes
 * a body for complete before it meets the trailers, on which it then gives up.
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

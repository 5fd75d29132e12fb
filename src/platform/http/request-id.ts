const SANE = /^[\w.:/+=-]{1,128}$/;

/** The client's own `X-Request-Id` if it is short and plain, so that logs of both sides meet; else a new UUIDv7. */
export function requestId(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && SANE.test(given) ? given : Bun.randomUUIDv7();
}

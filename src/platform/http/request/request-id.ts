const SANE = /^[\w.:/+=-]{1,128}$/;

/** A new UUIDv7, whatever the client sent. */
export function ownRequestId(_request: Request): string {
  return Bun.randomUUIDv7();
}

/** The client's own `X-Request-Id` if it is short and plain, so that logs of both sides meet; else a new UUIDv7. */
export function requestId(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && SANE.test(given) ? given : Bun.randomUUIDv7();
}

const SANE = /^[\w.:/+=-]{1,128}$/;

/** Returns a new UUIDv7 and ignores the client's id. */
export function ownRequestId(_request: Request): string {
  return Bun.randomUUIDv7();
}

/**
 * Returns the client's `X-Request-Id` if it is short and plain, so that logs of both sides can be matched;
 * else a new UUIDv7.
 */
export function requestId(request: Request): string {
  const clientId = request.headers.get('x-request-id');
  return clientId !== null && SANE.test(clientId) ? clientId : Bun.randomUUIDv7();
}

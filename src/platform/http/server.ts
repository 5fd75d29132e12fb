import { Failure } from '../failure.ts';
import type { Tls } from '../network/tls.ts';
import { localUrl, networkUrls } from '../network/urls.ts';
import { withTimeout } from '../time/timeout.ts';
import type { App } from './app.ts';
import { Traffic } from './traffic.ts';

/** Above the bodies that are taken, so that refusing one is ours to answer; the runtime's own refusal has no body. */
const BACKSTOP_BYTES = 64 * 1024 * 1024;

/** How long an answer that is written may take to leave before its connection is closed. */
const FLUSH_MS = 100;

export interface Server {
  /** Where this machine reaches it. */
  url: string;
  /** Where others reach it that listens on all addresses; null for one address. */
  network: string[] | null;
  /** Hands over to the application; requests that came before wait for it. */
  serve(app: App): void;
  /** Takes no more requests, waits for those under way for at most `graceMs`, and closes every connection. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Listens on `host` and `port` (0 takes a free one), alone: two processes never share a port. `traffic` counts the requests that are
 * being answered. @throws Failure
 */
export function listen(host: string, port: number, tls: Tls | null, traffic = new Traffic()): Server {
  const { promise: ready, resolve: serve } = Promise.withResolvers<App>();
  let stopping = false;
  let whenIdle: (() => void) | null = null;
  const server = bind(host, port, tls, async (request, peer) => {
    const app = await ready;
    if (stopping) return app.unavailable(request);
    traffic.begin();
    try {
      return await app.fetch(request, peer);
    } finally {
      traffic.end();
      if (traffic.open === 0) whenIdle?.();
    }
  });
  const scheme = tls === null ? 'http' : 'https';
  // Only one that listens on a Unix socket has no port.
  const bound = server.port ?? port;
  return {
    url: localUrl(scheme, host, bound),
    network: networkUrls(scheme, host, bound),
    serve,
    async stop(graceMs) {
      stopping = true;
      const closed = server.stop();
      const nothing = (): void => undefined;
      if (traffic.open > 0) {
        await withTimeout(new Promise<void>((resolve) => (whenIdle = resolve)), graceMs, nothing);
      }
      // The last answer is on its way out when its handler has returned.
      await withTimeout(closed, FLUSH_MS, nothing);
      await server.stop(true);
    },
  };
}

function bind(
  hostname: string,
  port: number,
  tls: Tls | null,
  fetch: (request: Request, peer: string | null) => Promise<Response>,
) {
  try {
    return Bun.serve({
      hostname,
      port,
      ...(tls === null ? {} : { tls }),
      reusePort: false,
      // The runtime's own page for a failure would show source; ours never fails, and if it did, says nothing.
      development: false,
      error: () => new Response(null, { status: 500 }),
      idleTimeout: 30,
      maxRequestBodySize: BACKSTOP_BYTES,
      fetch: (request, server) => fetch(request, server.requestIP(request)?.address ?? null),
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE')
      throw new Failure(
        `port ${port} of ${hostname} is in use`,
        'name another port with --port; 0 selects a free one',
      );
    throw new Failure(
      `cannot listen on ${hostname}:${port}: ${error instanceof Error ? error.message : error}`,
      'check --host and --port',
    );
  }
}

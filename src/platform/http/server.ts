import { Failure } from '../failure.ts';
import { lazy } from '../lazy.ts';
import type { Tls } from '../network/tls.ts';
import { localUrl, networkUrls } from '../network/urls.ts';
import { withTimeout } from '../time/timeout.ts';
import type { Payer } from '../turns/payers.ts';
import { Turns } from '../turns/turns.ts';
import type { Visit } from '../turns/visit.ts';
import { inVisit } from '../turns/visits.ts';
import type { App } from './app.ts';
import { MAX_BODY_BYTES } from './request/body.ts';
import type { Peer } from './request/rate-limits.ts';
import { sentInTurns } from './send-in-turns.ts';
import { sentTogether } from './send-together.ts';
import { Traffic } from './traffic.ts';

/**
 * The runtime's limit of a body. It is above the service's limit, so that the service refuses a body itself;
 * the runtime's response has no body.
 */
const BACKSTOP_BYTES = 64 * 1024 * 1024;

/** The timeout for sending a finished response, after which its connection is closed. */
const FLUSH_MS = 100;

export interface Server {
  /** The URL for this machine. */
  url: string;
  /** The URLs for other machines if it listens on all addresses; null for one address. */
  network: string[] | null;
  /** Starts the application; earlier requests wait for it. */
  serve(app: App): void;
  /**
   * Refuses new requests, waits up to `graceMs` milliseconds for running ones, and closes every connection.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Listens on `host` and `port` (0 selects a free one). Two processes never share a port.
 * @param traffic counts the running requests
 * @param turns says when each is worked on
 * @throws Failure
 */
export function listen(
  host: string,
  port: number,
  tls: Tls | null,
  { traffic = new Traffic(), turns = new Turns() }: { traffic?: Traffic; turns?: Turns } = {},
): Server {
  const { promise: ready, resolve: start } = Promise.withResolvers<App>();
  let started: App | null = null;
  const serve = (app: App): void => {
    started = app;
    start(app);
  };
  let stopping = false;
  let whenIdle: (() => void) | null = null;
  const arrived = (payer: Payer, request: Request): Visit | null => turns.arrived(payer, bodyBytes(request));
  /**
   * Where the address of a request has too many that wait, its key may be one that was not seen before: it is
   * not refused for what others behind the same address do.
   */
  const arrivedByKey = async (app: App, request: Request): Promise<Visit | null> => {
    const payer = await app.verifiedPayerOf(request);
    return payer === null ? null : arrived(payer, request);
  };
  const server = bind(host, port, tls, async (request, peer, waitLong) => {
    const app = started ?? (await ready);
    if (app.takesLong?.(request) === true) waitLong();
    if (stopping) return app.unavailable(request);
    const payer = app.payerOf(request, peer);
    const visit = arrived(payer, request) ?? (await arrivedByKey(app, request));
    if (visit === null) return app.busy(request);
    try {
      if (visit.first !== true) {
        if (!(await visit.first)) return app.unavailable(request);
        visit.begin();
        // Its client has left, so nobody reads a response.
        if (request.signal.aborted) return new Response();
      }
      // Those that wait keep nothing busy.
      traffic.begin();
      try {
        const response = await inVisit(visit, () => app.fetch(request, peer));
        if (request.method === 'HEAD') return response;
        return visit.othersWait ? await sentInTurns(response, visit) : sentTogether(response);
      } finally {
        traffic.end();
        if (traffic.open === 0) whenIdle?.();
      }
    } finally {
      visit.end();
    }
  });
  const scheme = tls === null ? 'http' : 'https';
  // Only a listener on a Unix socket has no port.
  const bound = server.port ?? port;
  return {
    url: localUrl(scheme, host, bound),
    network: networkUrls(scheme, host, bound),
    serve,
    async stop(graceMs) {
      stopping = true;
      turns.stop();
      const closed = server.stop();
      const nothing = (): void => undefined;
      if (traffic.open > 0) {
        await withTimeout(new Promise<void>((resolve) => (whenIdle = resolve)), graceMs, nothing);
      }
      // The last response may still be on its way when its handler has returned.
      await withTimeout(closed, FLUSH_MS, nothing);
      await server.stop(true);
    },
  };
}

/** Returns the bytes of a body that are read at most, which one of unknown length counts as. */
function bodyBytes({ method, headers }: Request): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  const length = headers.get('content-length') ?? '';
  return /^\d+$/.test(length) ? Math.min(Number(length), MAX_BODY_BYTES) : MAX_BODY_BYTES;
}

function bind(
  hostname: string,
  port: number,
  tls: Tls | null,
  fetch: (request: Request, peer: Peer, waitLong: () => void) => Promise<Response>,
) {
  try {
    return Bun.serve({
      hostname,
      port,
      ...(tls === null ? {} : { tls }),
      reusePort: false,
      // The runtime's error page would show source code. The handler never fails; if it did, the response
      // would be empty.
      development: false,
      error: () => new Response(null, { status: 500 }),
      idleTimeout: 30,
      maxRequestBodySize: BACKSTOP_BYTES,
      fetch: (request, server) =>
        fetch(
          request,
          lazy(() => server.requestIP(request)?.address ?? null),
          () => server.timeout(request, 0),
        ),
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE')
      throw new Failure(
        `port ${port} of ${hostname} is in use`,
        'specify another port with --port; 0 selects a free one',
      );
    throw new Failure(
      `cannot listen on ${hostname}:${port}: ${error instanceof Error ? error.message : error}`,
      'check --host and --port',
    );
  }
}

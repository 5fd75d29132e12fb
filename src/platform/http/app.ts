import { type AnyElysia, Elysia, NotFoundError, ParseError, ValidationError } from 'elysia';
import type { Logger } from 'pino';
import { LimitedLog, placeOf } from '../monitoring/log-limit.ts';
import { type MetricsRecorder, noopRecorder } from '../monitoring/recorder.ts';
import { Overloaded, ReadOnly, StorageUnavailable } from '../store/errors.ts';
import { ApiError, type Cause, type Details, type Dialect, Refusal, textOf } from './errors/errors.ts';
import { issuesOf } from './errors/issues.ts';
import { refuseLargeBody } from './request/body.ts';
import { framingFault } from './request/framing.ts';
import { headResponse } from './request/head.ts';
import type { RateLimiter } from './request/rate-limits.ts';
import { ownRequestId, requestId } from './request/request-id.ts';
import { RouteTable } from './request/route-table.ts';

/** On every answer: it is data for the one who asked, never a page, and nobody stores it unless it says so itself. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export interface App {
  /** Answers one request; never rejects. `peer` is the address at the other end of its connection. */
  fetch(request: Request, peer?: string | null): Promise<Response>;
  /** The answer while the service is stopping: nothing was done, ask again elsewhere or later. */
  unavailable(request: Request): Response;
}

/** What an application is made of. */
export interface AppContext {
  dialect: Dialect;
  log: Logger;
  limits: RateLimiter;
  routes: readonly AnyElysia[];
  /** Answers requests for the documentation; null for every other request. */
  docs?(request: Request): Promise<Response> | Response | null;
  recorder?: MetricsRecorder;
  /** Returns what is wrong with the host that a request names, as a sentence for its sender. */
  hostFault?(request: Request): string | null;
  /** Whether the first request of a route compiles its handler: 5 ms, which pay off after some hundred requests. */
  compiles?: boolean;
}

/**
 * The request's one way, for both services: id, limits, route, then the route's own key, JSON, schema and rules; and
 * the only place where an error becomes an answer.
 */
export function createApp({
  dialect,
  log,
  limits,
  routes,
  docs = () => null,
  recorder = noopRecorder,
  hostFault = () => null,
  compiles = true,
}: AppContext): App {
  const idFor = dialect.takesRequestIds ? requestId : ownRequestId;
  const failures = new LimitedLog(log);
  /** The pattern that a request matched, for whoever observes: on its way in, or on its way out with an error. */
  const matched = new WeakMap<Request, string>();
  const elysia = new Elysia({ normalize: false, aot: compiles, strictPath: true })
    .onError({ as: 'global' }, ({ error, request, route, set }) => {
      if (route !== '') matched.set(request, route);
      const id = String(set.headers['x-request-id'] ?? idFor(request));
      set.headers['x-request-id'] = id;
      const problem = problemOf(error, dialect, () => notFound(dialect, table, request));
      const { status, message } = responseTo(problem.code, dialect);
      if (status >= 500) failures.write(...failureOf(error, problem.code, id, dialect));
      set.status = status;
      // RFC 9110 section 15.5.2: a 401 always says how one authenticates.
      const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
      Object.assign(set.headers, challenge, problem.details.headers, { 'content-type': 'application/json' });
      const body = dialect.errorBody({ message, ...problem.details, code: problem.code, requestId: id });
      return new Response(JSON.stringify(body), { status });
    })
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, HEADERS);
      set.headers['x-request-id'] = idFor(request);
      refuseLargeBody(request);
    })
    .onBeforeHandle({ as: 'global' }, ({ request, route }) => {
      matched.set(request, route);
      refuseParameters(request);
    });
  for (const plugin of routes) elysia.use(plugin);
  const table = new RouteTable(elysia);

  const answer = async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') {
      const { status, headers } = table.options(new URL(request.url).pathname);
      const id = { 'x-request-id': idFor(request) };
      if (status !== 404) return new Response(null, { status, headers: { ...HEADERS, ...id, ...headers } });
    }
    const page = await docs(request);
    page?.headers.set('x-request-id', idFor(request));
    return page ?? elysia.handle(request);
  };
  /** An answer outside of all routes. */
  const refusal = (
    cause: Cause,
    request: Request,
    said: string | undefined,
    more: Record<string, string> = {},
  ): Response => {
    const code = dialect.causes[cause];
    const { status, message } = responseTo(code, dialect);
    const id = idFor(request);
    const body = dialect.errorBody({ code, message: said ?? message, requestId: id });
    return Response.json(body, { status, headers: { ...HEADERS, 'x-request-id': id, ...more } });
  };
  const logsRequests = log.isLevelEnabled('debug');
  return {
    unavailable: (request) =>
      refusal('overloaded', request, undefined, { 'retry-after': '1', connection: 'close' }),
    async fetch(given, peer = null) {
      const since = performance.now();
      const fault = framingFault(given) ?? hostFault(given);
      const request = fault === null ? readable(given) : null;
      if (request === null) {
        // What comes next on such a connection could be anything.
        return refusal('invalid', given, fault ?? 'The Host header names no host.', { connection: 'close' });
      }
      limits.seen(request, peer);
      const whole = await answer(request);
      const ms = performance.now() - since;
      const route = matched.get(request) ?? null;
      recorder.request(given.method, route, whole.status, ms / 1000);
      if (logsRequests) {
        const { method } = given;
        const id = whole.headers.get('x-request-id');
        log.debug({ requestId: id, method, route, status: whole.status, ms }, 'request');
      }
      return given.method === 'HEAD' ? headResponse(whole) : whole;
    },
  };
}

/**
 * A request that the framework reads rightly: HEAD as GET, and a host of at least four characters, since it looks for the
 * path behind them. @returns null when the Host header makes no URL of the request's target
 */
function readable(request: Request): Request | null {
  if (request.method !== 'HEAD' && isOfSoundOrigin(request.url)) return request;
  const url = URL.parse(request.url);
  if (url === null) return null;
  const hasShortHost = url.host.length < 4;
  if (!hasShortHost) soundOrigin = `${url.origin}/`;
  const hosted = hasShortHost
    ? new Request(`http://localhost${url.pathname}${url.search}`, request)
    : request;
  return request.method === 'HEAD' ? new Request(hosted, { method: 'GET' }) : hosted;
}

/** That of the last request that was parsed: nearly all come for the same host, and parsing takes a twentieth of a small request's time. */
let soundOrigin: string | null = null;

/** Whether a URL begins with an origin that is known to be one. Whatever path follows, it is a URL. */
function isOfSoundOrigin(url: string): boolean {
  return soundOrigin !== null && url.startsWith(soundOrigin);
}

/** How a failure is logged: what only means "later" is load or the client's doing, so nobody needs to know where it was thrown. */
function failureOf(
  error: unknown,
  code: string,
  requestId: string,
  { causes }: Dialect,
): Parameters<LimitedLog['write']> {
  const message = 'request failed';
  if (code !== causes.overloaded) {
    return [
      `${code} ${placeOf(error)}`,
      { level: 'error', fields: { requestId, err: error, code }, message },
    ];
  }
  const reason = error instanceof Error && error.message !== '' ? error.message : code;
  return [`${code} ${reason}`, { level: 'warn', fields: { requestId, code, reason }, message }];
}

/** Returns the status of an error, and its message where nothing more specific is known. */
function responseTo(code: string, { errors }: Dialect): { status: number; message: string } {
  const entry = errors[code];
  return entry === undefined
    ? { status: 500, message: 'unexpected failure' }
    : { status: entry.status, message: textOf(entry) };
}

interface Problem {
  code: string;
  details: Details;
}

function problemOf(error: unknown, dialect: Dialect, onNoRoute: () => Problem): Problem {
  const { causes } = dialect;
  if (error instanceof ParseError && error.cause !== undefined) {
    return problemOf(error.cause, dialect, onNoRoute);
  }
  if (error instanceof ApiError) return { code: error.code, details: error.details };
  if (error instanceof Refusal) return { code: causes[error.cause], details: error.details };
  if (error instanceof ReadOnly) {
    return {
      code: causes.storage,
      details: {
        message: 'This server is read-only. Nothing was changed. Send the request to a server that writes.',
      },
    };
  }
  if (error instanceof StorageUnavailable) return { code: causes.storage, details: {} };
  if (error instanceof Overloaded)
    return { code: causes.overloaded, details: { headers: { 'retry-after': '1' } } };
  if (error instanceof NotFoundError) return onNoRoute();
  if (error instanceof ValidationError && error.type !== 'response') {
    const { validator } = error;
    const issues = 'Errors' in validator ? issuesOf(validator.Errors(error.value)) : {};
    return { code: causes.invalid, details: { issues } };
  }
  return { code: causes.internal, details: {} };
}

/** A path that exists under other methods is a 405 that names them (RFC 9110 section 15.5.6), else a 404. */
function notFound(dialect: Dialect, table: RouteTable, request: Request): Problem {
  const allowed = table.methodsAt(new URL(request.url).pathname);
  return allowed.length === 0 || allowed.includes(request.method)
    ? { code: dialect.causes.not_found, details: {} }
    : { code: dialect.causes.method, details: { headers: { allow: allowed.join(', ') } } };
}

/** Of a query. No operation takes a fifth of them. */
export const MAX_PARAMETERS = 100;

/** Of two values for one name a client meant one, and nobody can tell which. @throws Refusal invalid */
function refuseParameters({ url }: Request): void {
  const query = url.indexOf('?');
  if (query === -1) return;
  const pairs = url.slice(query + 1).split('&');
  if (pairs.length > MAX_PARAMETERS) {
    throw new Refusal('invalid', { issues: { query: [`must have at most ${MAX_PARAMETERS} parameters`] } });
  }
  // A plain name is read as it stands: most queries have no other, and decoding them all takes its time.
  const raw = pairs.map((pair) => pair.split('=', 1)[0] ?? '');
  const isPlain = raw.every((name) => /^\w+$/.test(name));
  const names = isPlain ? raw : [...new URLSearchParams(url.slice(query)).keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length === 0) return;
  throw new Refusal('invalid', {
    issues: Object.fromEntries(repeated.map((name) => [name, ['is given more than once']])),
  });
}

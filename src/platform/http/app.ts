import { type AnyElysia, Elysia, NotFoundError, ParseError, ValidationError } from 'elysia';
import type { Logger } from 'pino';
import { LimitedLog, placeOf } from '../monitoring/log-limit.ts';
import { type MetricsRecorder, noopRecorder } from '../monitoring/recorder.ts';
import { framingFault } from '../network/framing.ts';
import { Overloaded, ReadOnly, StorageUnavailable } from '../store/errors.ts';
import { KnownPayers, type Payer } from '../turns/payers.ts';
import {
  ApiError,
  type Cause,
  type Details,
  type Dialect,
  type ErrorDefinition,
  Refusal,
  textOf,
} from './errors/errors.ts';
import { issuesOf } from './errors/issues.ts';
import { refuseLargeBody } from './request/body.ts';
import type { ErrorOfPage, PageRoute } from './request/page-route.ts';
import type { RateLimiter } from './request/rate-limits.ts';
import { ownRequestId, requestId } from './request/request-id.ts';
import { RouteTable } from './request/route-table.ts';

/**
 * The headers of every response. It is data for the client and never a page, and it must not be stored unless
 * the response allows that.
 */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The message for a payer with too many requests that wait. */
export const BUSY =
  'Too many of your requests, or too many bytes in their bodies, are waiting while others wait too. Send fewer at once.';

export interface App {
  /**
   * Returns the response to one request; never rejects. The response to HEAD is that to GET: the runtime
   * sends its headers, with the length of a body that is in memory, and cancels a stream, which it never
   * reads. @param peer the IP address of the client's connection
   */
  fetch(request: Request, peer?: string | null): Promise<Response>;
  /** Returns who pays for a request. */
  payerOf(request: Request, peer: string | null): Payer;
  /**
   * Verifies the credential of a request if it is not known.
   * @returns who pays for the request; null if it has no credential that is new and valid
   */
  verifiedPayerOf(request: Request): Promise<Payer | null>;
  /** Returns the response while the service is stopping: nothing was done, and the client should retry. */
  unavailable(request: Request): Response;
  /** Returns the response to a request of a payer with too many that wait. */
  busy(request: Request): Response;
}

/** The parts of an application. */
export interface AppContext {
  dialect: Dialect;
  log: Logger;
  limits: RateLimiter;
  /** The payers of known keys; none by default. */
  payers?: KnownPayers;
  /** Verifies a request's credential, so that its payer is known. */
  verifyPayer?(request: Request): Promise<unknown>;
  routes: readonly AnyElysia[];
  /**
   * Returns the response to a request for the documentation; null for other requests. Rejects with Refusal
   * for a refused one.
   */
  docs?(request: Request): Promise<Response> | null;
  recorder?: MetricsRecorder;
  /** Returns the problem of a request's host as a sentence for the client; null for none. */
  hostFault?(request: Request): string | null;
  /** Called with the error of a request, before it becomes a response. */
  onProblem?(request: Request, error: unknown, problem: Problem): void;
  /**
   * True if the first request of a route compiles its handler: it takes 5 ms and pays off after some hundred
   * requests.
   */
  compiles?: boolean;
}

/**
 * Creates the application of a service. Every request passes the same steps: id, limits, route,
 * authentication, JSON, schema, handler. Only here, errors become responses.
 */
export function createApp({
  dialect,
  log,
  limits,
  payers = new KnownPayers(),
  verifyPayer = async () => undefined,
  routes,
  docs = () => null,
  recorder = noopRecorder,
  hostFault = () => null,
  onProblem = () => undefined,
  compiles = true,
}: AppContext): App {
  const idFor = dialect.takesRequestIds ? requestId : ownRequestId;
  const failures = new LimitedLog(log);
  /**
   * The errors of pages, which become pages outside of the framework, because the code for pages is loaded
   * when it is needed.
   */
  const failedPages = new WeakMap<Request, { failed: ErrorOfPage; page: PageRoute }>();
  /** The route pattern of each request, for the metrics. It is set before the handler or with an error. */
  const matched = new WeakMap<Request, string>();
  const elysia = new Elysia({ normalize: false, aot: compiles, strictPath: true })
    .onError({ as: 'global' }, ({ error, request, route, set }) => {
      if (route !== '') matched.set(request, route);
      const id = String(set.headers['x-request-id'] ?? idFor(request));
      set.headers['x-request-id'] = id;
      const problem = problemOf(error, dialect, () => notFound(dialect, table, request));
      onProblem(request, error, problem);
      const { status, code } = problem.definition;
      const message = textOf(problem.definition);
      if (status >= 500) failures.write(...failureOf(error, problem, id, dialect));
      set.status = status;
      // A 401 must have a challenge (RFC 9110 section 15.5.2).
      const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
      Object.assign(set.headers, challenge, problem.details.headers, { 'content-type': 'application/json' });
      const page = table.pageAt(new URL(request.url).pathname);
      if (page !== null) {
        failedPages.set(request, { failed: { status, message, ...problem.details, requestId: id }, page });
      }
      const body = dialect.errorBody({ message, ...problem.details, code, requestId: id });
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

  const respond = async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') {
      const { status, headers } = table.options(new URL(request.url).pathname);
      const id = { 'x-request-id': idFor(request) };
      if (status !== 404) return new Response(null, { status, headers: { ...HEADERS, ...id, ...headers } });
    }
    const page = docs(request);
    if (page !== null) return withId(await page.catch((error: unknown) => refused(error, request)), request);
    const response = await elysia.handle(request);
    const failure = failedPages.get(request);
    if (failure === undefined) return response;
    const { text, headers } = await failure.page.errorPage(failure.failed);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return new Response(text, { status: response.status, headers: response.headers });
  };
  /** Returns an error response outside of all routes. */
  const refusal = (
    cause: Cause,
    request: Request,
    text: string | undefined,
    more: Record<string, string> = {},
  ): Response => {
    const definition = dialect.causes[cause];
    const id = idFor(request);
    const message = text ?? textOf(definition);
    const body = dialect.errorBody({ code: definition.code, message, requestId: id });
    return Response.json(body, {
      status: definition.status,
      headers: { ...HEADERS, 'x-request-id': id, ...more },
    });
  };
  /**
   * Returns the response to a refused request for the documentation. @throws every error that is no Refusal
   */
  const refused = (error: unknown, request: Request): Response => {
    if (!(error instanceof Refusal)) throw error;
    const { message, headers } = error.details;
    return refusal(error.cause, request, message, headers);
  };
  const withId = (response: Response, request: Request): Response => {
    response.headers.set('x-request-id', idFor(request));
    return response;
  };
  const logsRequests = log.isLevelEnabled('debug');
  return {
    payerOf(request, peer) {
      if (isHealth(request)) return healthPayer(limits.payerAt(request, peer));
      return payers.of(request) ?? limits.payerAt(request, peer, payers.credentialOf(request) ?? '');
    },
    async verifiedPayerOf(request) {
      if (payers.credentialOf(request) === null || payers.of(request) !== null) return null;
      // Who cannot be verified now, such as when the disk fails, waits with the others.
      await verifyPayer(request).catch(() => undefined);
      return payers.of(request);
    },
    unavailable: (request) =>
      refusal('overloaded', request, undefined, { 'retry-after': '1', connection: 'close' }),
    busy(request) {
      const response = refusal('rate', request, BUSY, { 'retry-after': '1' });
      recorder.request(request.method, null, response.status, 0);
      return response;
    },
    async fetch(given, peer = null) {
      const since = performance.now();
      const fault = framingFault(given) ?? hostFault(given);
      const request = fault === null ? readable(given) : null;
      if (request === null) {
        // The next bytes of this connection cannot be trusted to be a request.
        return refusal('invalid', given, fault ?? 'The Host header names no host.', { connection: 'close' });
      }
      limits.seen(request, peer);
      const response = await respond(request);
      const ms = performance.now() - since;
      const route = matched.get(request) ?? null;
      const { status, headers } = response;
      recorder.request(given.method, route, status, ms / 1000);
      if (logsRequests) {
        const { method } = given;
        log.debug({ requestId: headers.get('x-request-id'), method, route, status, ms }, 'request');
      }
      return response;
    },
  };
}

/** The end of a URL that is answered from memory, for those who must know how the service is. */
const HEALTH = /^[^/]*\/\/[^/]*\/api\/health(?:\?|$)/;

/** Returns the payer of requests of an address for the health of a service, apart from all its others. */
export function healthPayer({ id, network, ...address }: Payer): Payer {
  const named = network === undefined ? {} : { network: `health ${network}` };
  return { ...address, ...named, id: `health ${id}`, asksHealth: true };
}

/** Returns whether a request asks for the health of the service. */
export function isHealth({ url }: Request): boolean {
  return url.includes('/api/health') && HEALTH.test(url);
}

/**
 * Returns a request that the framework can process: HEAD as GET, and a host of at least four characters,
 * because the framework searches for the path after them.
 * @returns null when the Host header and the target form no URL
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

/**
 * The origin of the last parsed request. Nearly all requests have the same one, and parsing takes a twentieth
 * of the time of a small request.
 */
let soundOrigin: string | null = null;

/** Returns whether a URL begins with the known origin. With any path, it is then a valid URL. */
function isOfSoundOrigin(url: string): boolean {
  return soundOrigin !== null && url.startsWith(soundOrigin);
}

/**
 * Returns the log line of a failure. An overload, and an error that is expected, have no stack, because their
 * position in the code says nothing.
 */
function failureOf(
  error: unknown,
  { definition: { code }, details }: Problem,
  requestId: string,
  { causes }: Dialect,
): Parameters<LimitedLog['write']> {
  const message = 'request failed';
  const isExpected = details.isExpected === true;
  if (code !== causes.overloaded.code && !isExpected) {
    return [
      `${code} ${placeOf(error)}`,
      { level: 'error', fields: { requestId, err: error, code }, message },
    ];
  }
  const reason = error instanceof Error && error.message !== '' ? error.message : code;
  const fields = { requestId, code, reason };
  return isExpected
    ? [`${code} ${reason}`, { level: 'info', fields, message: 'request refused' }]
    : [`${code} ${reason}`, { level: 'warn', fields, message }];
}

/** An error as clients see it. */
export interface Problem {
  definition: ErrorDefinition;
  details: Details;
}

function problemOf(error: unknown, dialect: Dialect, onNoRoute: () => Problem): Problem {
  const { causes } = dialect;
  if (error instanceof ParseError && error.cause !== undefined) {
    return problemOf(error.cause, dialect, onNoRoute);
  }
  if (error instanceof ApiError) return { definition: error.definition, details: error.details };
  if (error instanceof Refusal) return { definition: causes[error.cause], details: error.details };
  if (error instanceof ReadOnly) {
    return {
      definition: causes.storage,
      details: {
        message: 'This server is read-only. Nothing was changed. Send the request to a server that writes.',
        isExpected: true,
      },
    };
  }
  if (error instanceof StorageUnavailable) return { definition: causes.storage, details: {} };
  if (error instanceof Overloaded)
    return { definition: causes.overloaded, details: { headers: { 'retry-after': '1' } } };
  if (error instanceof NotFoundError) return onNoRoute();
  if (error instanceof ValidationError && error.type !== 'response') {
    const { validator } = error;
    const issues = 'Errors' in validator ? issuesOf(validator.Errors(error.value)) : {};
    return { definition: causes.invalid, details: { issues } };
  }
  return { definition: causes.internal, details: {} };
}

/**
 * Returns 405 with the allowed methods for a path that exists with other methods (RFC 9110 section 15.5.6),
 * else 404.
 */
function notFound(dialect: Dialect, table: RouteTable, request: Request): Problem {
  const allowed = table.methodsAt(new URL(request.url).pathname);
  return allowed.length === 0 || allowed.includes(request.method)
    ? { definition: dialect.causes.not_found, details: {} }
    : { definition: dialect.causes.method, details: { headers: { allow: allowed.join(', ') } } };
}

/** The maximum number of query parameters. Every operation has less than a fifth of it. */
export const MAX_PARAMETERS = 100;

/**
 * Refuses repeated and too many parameters: with two values for one name, the intended one is unknown.
 * @throws Refusal invalid
 */
function refuseParameters({ url }: Request): void {
  const query = url.indexOf('?');
  if (query === -1) return;
  const pairs = url.slice(query + 1).split('&');
  if (pairs.length > MAX_PARAMETERS) {
    throw new Refusal('invalid', { issues: { query: [`must have at most ${MAX_PARAMETERS} parameters`] } });
  }
  // Most queries have only plain names, and decoding all names takes time.
  const raw = pairs.map((pair) => pair.split('=', 1)[0] ?? '');
  const isPlain = raw.every((name) => /^\w+$/.test(name));
  const names = isPlain ? raw : [...new URLSearchParams(url.slice(query)).keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length === 0) return;
  throw new Refusal('invalid', {
    issues: Object.fromEntries(repeated.map((name) => [name, ['is given more than once']])),
  });
}

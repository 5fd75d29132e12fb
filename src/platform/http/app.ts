import type { AnyElysia } from 'elysia';
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
import { prefersPage } from './request/accept.ts';
import { refuseLargeBody } from './request/body.ts';
import type { Peer, RateLimiter } from './request/rate-limits.ts';
import { ownRequestId, requestId } from './request/request-id.ts';
import { RouteTable } from './request/route-table.ts';
import { Exchange, type ResponseSettings } from './routing/exchange.ts';
import { COMMON_HEADERS } from './routing/response.ts';
import { Router } from './routing/router.ts';

/** The message for a payer with too many requests that wait. */
export const BUSY =
  'Too many of your requests, or too many bytes in their bodies, are waiting while others wait too. Send fewer at once.';

/** The shortest origin of a URL, such as http://a.bc, up to the slash of its path. */
const SHORTEST_ORIGIN = 'http://a.bc'.length;

/** What is known of a request once its route was found. */
interface Asked {
  /** The pattern of the route; null for none. */
  route: string | null;
}

export interface App {
  /**
   * Returns the response to one request; never rejects. The response to HEAD is that to GET: the runtime
   * sends its headers, with the length of a body that is in memory, and cancels a stream, which it never
   * reads. @param peer the address of the client
   */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Returns who pays for a request. */
  payerOf(request: Request, peer: Peer): Payer;
  /**
   * Verifies the credential of a request if it is not known.
   * @returns who pays for the request; null if it has no credential that is new and valid
   */
  verifiedPayerOf(request: Request): Promise<Payer | null>;
  /** Returns whether the response to a request may take longer than the listener waits; absent for never. */
  takesLong?(request: Request): boolean;
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
  docs?(request: Request, path: string): Promise<Response> | null;
  recorder?: MetricsRecorder;
  /** Returns the problem of a request's host as a sentence for the client; null for none. */
  hostFault?(request: Request): string | null;
  /** Called with the error of a request, before it becomes a response. */
  onProblem?(request: Request, error: unknown, problem: Problem): void;
  /** Whether what handlers return is compared with its schema before it is sent; false by default. */
  checksResponses?: boolean;
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
  checksResponses = false,
}: AppContext): App {
  const idFor = dialect.takesRequestIds ? requestId : ownRequestId;
  const failures = new LimitedLog(log);
  // Without the rest of them, which holds the routers of the plugins: a megabyte.
  const declared = routes.flatMap((plugin) =>
    plugin.routes.map(({ method, path, handler, hooks }) => ({ method, path, handler, hooks })),
  );
  const table = new RouteTable(declared);
  const router = new Router(declared, { checksResponses });

  /** Returns the response to an error, as a page where the others of the path are pages. */
  const failed = async (
    error: unknown,
    request: Request,
    path: string,
    { headers }: ResponseSettings,
  ): Promise<Response> => {
    const requestId = headers['x-request-id'] ?? '';
    // A body that nobody has looked at takes the runtime longer to discard: beside 100 connections that send
    // 300 KB without a key, others waited for 13 to 24 ms, and wait for 6 with this.
    if (!request.bodyUsed) void request.body;
    const problem = problemOf(error, dialect);
    onProblem(request, error, problem);
    const { details } = problem;
    const { status } = problem.definition;
    if (status >= 500) failures.write(...failureOf(error, problem, requestId, dialect));
    // A 401 must have a challenge (RFC 9110 section 15.5.2).
    const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    const all = { ...COMMON_HEADERS, ...headers, ...challenge, ...details.headers };
    const page = table.pageAt(path);
    if (page !== null) {
      const address = request.url.slice(request.url.indexOf('/', SHORTEST_ORIGIN));
      const message = textOf(problem.definition);
      const shown = await page.errorPage({ status, message, ...details, requestId, address });
      return new Response(shown.text, { status, headers: { ...all, ...shown.headers } });
    }
    return written(problem, request, path, requestId, all);
  };

  /** Returns an error response in the form of its path. */
  const written = (
    { definition, details }: Problem,
    request: Request,
    path: string,
    requestId: string,
    headers: Record<string, string>,
  ): Response => {
    const { status, code } = definition;
    const form = table.errorFormAt(path)?.write({ definition, details }, request) ?? {
      body: JSON.stringify(dialect.errorBody({ message: textOf(definition), ...details, code, requestId })),
      mediaType: 'application/json',
    };
    return new Response(form.body, { status, headers: { ...headers, 'content-type': form.mediaType } });
  };

  const respond = async (request: Request, asked: Asked): Promise<Response> => {
    const { url, method } = request;
    const pathStart = url.indexOf('/', SHORTEST_ORIGIN);
    const queryStart = url.indexOf('?', pathStart);
    const path = queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
    const id = idFor(request);
    if (method === 'OPTIONS') {
      const { status, headers } = table.options(path);
      if (status !== 404)
        return new Response(null, { status, headers: { ...COMMON_HEADERS, 'x-request-id': id, ...headers } });
    }
    const found = router.find(method, path);
    const page = found === null ? docs(request, path) : null;
    if (page !== null) {
      const response = await page.catch((error: unknown) => refused(error, request));
      response.headers.set('x-request-id', id);
      return response;
    }
    const set: ResponseSettings = { status: 200, headers: { 'x-request-id': id } };
    try {
      refuseLargeBody(request);
      if (found === null) throw noRoute(table.methodsAt(path), method);
      const { route, run, page: shownAt } = found.store;
      asked.route = route;
      if (shownAt !== null) {
        set.headers.vary = 'Accept';
        const target = prefersPage(request) ? shownAt(found.params) : null;
        if (target !== null) {
          const query = queryStart === -1 ? '' : url.slice(queryStart);
          const headers = { ...COMMON_HEADERS, ...set.headers, location: `${target}${query}` };
          return new Response(null, { status: 303, headers });
        }
      }
      return await run(new Exchange(request, set, route, found.params, queryStart));
    } catch (error) {
      return failed(error, request, path, set);
    }
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
    const details = text === undefined ? {} : { message: text };
    const path = URL.parse(request.url)?.pathname ?? '';
    const headers = { ...COMMON_HEADERS, 'x-request-id': id, ...more };
    return written({ definition, details }, request, path, id, headers);
  };
  /**
   * Returns the response to a refused request for the documentation. @throws every error that is no Refusal
   */
  const refused = (error: unknown, request: Request): Response => {
    if (!(error instanceof Refusal)) throw error;
    const { message, headers } = error.details;
    return refusal(error.cause, request, message, headers);
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
      const asked: Asked = { route: null };
      const response = await respond(request, asked);
      const ms = performance.now() - since;
      const { route } = asked;
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

function problemOf(error: unknown, dialect: Dialect): Problem {
  const { causes } = dialect;
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
  return { definition: causes.internal, details: {} };
}

/**
 * Returns 405 with the allowed methods for a path that exists with other methods (RFC 9110 section 15.5.6),
 * else 404.
 */
function noRoute(allowed: readonly string[], method: string): Refusal {
  return allowed.length === 0 || allowed.includes(method)
    ? new Refusal('not_found')
    : new Refusal('method', { headers: { allow: allowed.join(', ') } });
}

import { type AnyElysia, Elysia, NotFoundError, ParseError, ValidationError } from 'elysia';
import type { Logger } from 'pino';
import { Overloaded, StorageUnavailable } from '../store/errors.ts';
import { refuseLargeBody } from './body.ts';
import { ApiError, type Details, type Dialect, Refusal } from './errors.ts';
import { issuesOf } from './issues.ts';
import { requestId } from './request-id.ts';
import { RouteTable } from './route-table.ts';

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
  /** Answers one request; never rejects. */
  fetch(request: Request): Promise<Response>;
  /** The answer while the service is stopping: nothing was done, ask again elsewhere or later. */
  unavailable(request: Request): Response;
}

/**
 * The request's one way, for both services: id, limits, route, then the route's own key, JSON, schema and rules; and
 * the only place where an error becomes an answer.
 */
export function createApp(
  dialect: Dialect,
  log: Logger,
  routes: readonly AnyElysia[],
  docs: (request: Request) => Promise<Response> | Response | null,
): App {
  const elysia = new Elysia({ normalize: false, aot: true })
    .onError({ as: 'global' }, ({ error, request, set }) => {
      const id = String(set.headers['x-request-id'] ?? requestId(request));
      set.headers['x-request-id'] = id;
      const problem = problemOf(error, dialect, () => notFound(dialect, table, request));
      const { status = 500, message = 'unexpected failure' } = dialect.errors[problem.code] ?? {};
      if (status >= 500) log.error({ requestId: id, err: error, code: problem.code }, 'request failed');
      set.status = status;
      Object.assign(set.headers, problem.details.headers, { 'content-type': 'application/json' });
      const body = dialect.errorBody({ message, ...problem.details, code: problem.code, requestId: id });
      return new Response(JSON.stringify(body), { status });
    })
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, HEADERS);
      set.headers['x-request-id'] = requestId(request);
      refuseLargeBody(request);
    })
    .onBeforeHandle({ as: 'global' }, ({ request }) => refuseRepeatedParameters(request));
  for (const plugin of routes) elysia.use(plugin);
  const table = new RouteTable(elysia);

  return {
    unavailable(request) {
      const code = dialect.causes.overloaded;
      const { status = 503, message = 'stopping' } = dialect.errors[code] ?? {};
      const id = requestId(request);
      const headers = { ...HEADERS, 'x-request-id': id, 'retry-after': '1', connection: 'close' };
      return Response.json(dialect.errorBody({ code, message, requestId: id }), { status, headers });
    },
    async fetch(request) {
      const { method } = request;
      if (method === 'OPTIONS') {
        const { status, headers } = table.options(new URL(request.url).pathname);
        const id = { 'x-request-id': requestId(request) };
        if (status !== 404) return new Response(null, { status, headers: { ...HEADERS, ...id, ...headers } });
      }
      const head = method === 'HEAD';
      const page = await docs(request);
      page?.headers.set('x-request-id', requestId(request));
      const response =
        page ?? (await elysia.handle(head ? new Request(request, { method: 'GET' }) : request));
      return head ? new Response(null, response) : response;
    },
  };
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

/** Of two values for one name a client meant one, and nobody can tell which. */
function refuseRepeatedParameters({ url }: Request): void {
  const query = url.indexOf('?');
  if (query === -1) return;
  const names = [...new URLSearchParams(url.slice(query)).keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length === 0) return;
  throw new Refusal('invalid', {
    issues: Object.fromEntries(repeated.map((name) => [name, ['is given more than once']])),
  });
}

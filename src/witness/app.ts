import { type App, BUSY, healthPayer, isHealth } from '../platform/http/app.ts';
import { type Cause, Refusal } from '../platform/http/errors/errors.ts';
import type { RateLimiter } from '../platform/http/request/rate-limits.ts';
import { routesOf } from '../platform/module.ts';
import { LimitedLog, placeOf } from '../platform/monitoring/log-limit.ts';
import type { MetricsRecorder } from '../platform/monitoring/recorder.ts';
import { framingFault } from '../platform/network/framing.ts';
import { Overloaded, StorageUnavailable } from '../platform/store/errors.ts';
import type { LoadedWitnessModule, WitnessRunning } from './module.ts';
import { text, type WitnessRoute } from './route.ts';

/** The parts of a witness's HTTP application. */
export interface WitnessAppParts extends WitnessRunning {
  modules: readonly LoadedWitnessModule[];
  limits: RateLimiter;
  recorder: MetricsRecorder;
}

/** The HTTP statuses of those platform errors that a witness can raise. */
const STATUSES: Partial<Record<Cause, number>> = {
  invalid_json: 400,
  too_large: 413,
  rate: 429,
  overloaded: 503,
};

/**
 * Creates the HTTP application of a witness (C2SP tlog-witness). Requests and responses are plain text; there
 * are no API keys.
 *
 * @throws Failure when two routes have the same path
 */
export function createWitnessApp({ witness, config, modules, limits, recorder }: WitnessAppParts): App {
  const failures = new LimitedLog(witness.log);
  const routes = routesOf(modules, { witness, config }, ({ path, methods }) =>
    methods.map((method) => ({ method, path })),
  );
  const respond = async (request: Request, match: ReturnType<typeof routeOf>): Promise<Response> => {
    const fault = framingFault(request);
    if (fault !== null) return text(400, fault, { connection: 'close' });
    if (match === null) return text(404, 'not found');
    const { methods, policy, handle } = match.route;
    if (!methods.includes(request.method)) {
      return text(405, `method not allowed; use ${methods.join(' or ')}`, { allow: methods.join(', ') });
    }
    const counted = policy === null ? {} : await limits.count(request, policy);
    const response = await handle(request, ...match.groups);
    for (const [name, value] of Object.entries(counted)) response.headers.set(name, value);
    return response;
  };
  const failed = (error: unknown, id: string): Response => {
    if (error instanceof Refusal) {
      return text(STATUSES[error.cause] ?? 500, error.message, error.details.headers ?? {});
    }
    if (error instanceof Overloaded)
      return text(503, 'too many writes are waiting; try again', { 'retry-after': '1' });
    failures.write(placeOf(error), {
      level: 'error',
      fields: { requestId: id, err: error },
      message: 'request failed',
    });
    return error instanceof StorageUnavailable
      ? text(503, 'the database could not be written; nothing was cosigned')
      : text(500, 'unexpected failure');
  };
  return {
    payerOf: (request, peer) =>
      isHealth(request) ? healthPayer(limits.payerAt(request, peer)) : limits.payerAt(request, peer),
    verifiedPayerOf: async () => null,
    busy: () => text(429, BUSY, { 'retry-after': '1' }),
    unavailable: () => text(503, 'the witness is stopping', { 'retry-after': '1', connection: 'close' }),
    async fetch(request, peer = null) {
      const since = performance.now();
      const id = Bun.randomUUIDv7();
      const match = routeOf(routes, URL.parse(request.url)?.pathname ?? '');
      const route = match?.route.path ?? null;
      let response: Response;
      try {
        limits.seen(request, peer);
        response = await respond(request, match);
      } catch (error) {
        response = failed(error, id);
      }
      response.headers.set('x-request-id', id);
      const { method } = request;
      const { status } = response;
      const ms = performance.now() - since;
      recorder.request(method, route, status, ms / 1000);
      witness.log.debug({ requestId: id, method, route, status, ms }, 'request');
      return response;
    },
  };
}

/** Returns the route of a path and the groups that its pattern matches; null when no route matches. */
function routeOf(
  routes: readonly WitnessRoute[],
  path: string,
): { route: WitnessRoute; groups: readonly string[] } | null {
  for (const route of routes) {
    if (route.pattern === undefined) {
      if (route.path === path) return { route, groups: [] };
    } else {
      const [matched, ...groups] = route.pattern.exec(path) ?? [];
      if (matched !== undefined) return { route, groups };
    }
  }
  return null;
}

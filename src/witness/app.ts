import type { App } from '../platform/http/app.ts';
import { readBody } from '../platform/http/body.ts';
import { type Cause, Refusal } from '../platform/http/errors.ts';
import { framingFault } from '../platform/http/framing.ts';
import { headOf } from '../platform/http/head.ts';
import type { Limits, Policy } from '../platform/http/limits.ts';
import { LimitedLog, placeOf } from '../platform/log-limit.ts';
import type { Observer } from '../platform/observer.ts';
import { Overloaded, StorageUnavailable } from '../platform/store/errors.ts';
import { formatVerifierKey } from '../proof/log/note.ts';
import { addCheckpoint, newestNote, type Witness } from './checkpoints/add.ts';

/** A checkpoint with 16 signatures by ML-DSA-44 and the longest proof fits. */
const MAX_BODY_BYTES = 65_536;

const TEXT = 'text/plain; charset=utf-8';
const HEADERS = {
  // Any page may read it: nobody's credentials open anything here.
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': TEXT,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

interface Policies {
  submissions: Policy;
  publicReads: Policy;
}

interface Route {
  /** As the metrics name it. */
  pattern: string;
  methods: readonly string[];
  policy: keyof Policies | null;
  answer(request: Request): Promise<Response>;
}

/** The platform's own refusals, of which a witness can meet these. */
const STATUSES: Partial<Record<Cause, number>> = {
  invalid_json: 400,
  too_large: 413,
  rate: 429,
  overloaded: 503,
};

/** A witness over HTTP (C2SP tlog-witness): plain text in, plain text out, no key and no page. */
export function createWitnessApp(
  witness: Witness,
  limits: Limits,
  policies: Policies,
  observer: Observer,
): App {
  const failures = new LimitedLog(witness.log);
  const answered = async (request: Request, route: Route | null): Promise<Response> => {
    const fault = framingFault(request);
    if (fault !== null) return text(400, fault, { connection: 'close' });
    if (route === null) return text(404, 'there is nothing here');
    if (!route.methods.includes(request.method)) {
      return text(405, `this takes ${route.methods.join(' and ')}`, { allow: route.methods.join(', ') });
    }
    const counted = route.policy === null ? {} : await limits.count(request, policies[route.policy]);
    const response = await route.answer(request);
    for (const [name, value] of Object.entries(counted)) response.headers.set(name, value);
    return response;
  };
  const failed = (error: unknown, id: string): Response => {
    if (error instanceof Refusal) {
      return text(STATUSES[error.cause] ?? 500, error.message, error.details.headers ?? {});
    }
    if (error instanceof Overloaded) return text(503, 'too much is waiting', { 'retry-after': '1' });
    failures.write(placeOf(error), {
      level: 'error',
      fields: { requestId: id, err: error },
      message: 'request failed',
    });
    return error instanceof StorageUnavailable
      ? text(503, 'the disk does not take it; nothing was cosigned')
      : text(500, 'unexpected failure');
  };
  return {
    unavailable: () => text(503, 'the witness is stopping', { 'retry-after': '1', connection: 'close' }),
    async fetch(request, peer = null) {
      const since = performance.now();
      const id = Bun.randomUUIDv7();
      const route = routeOf(witness, URL.parse(request.url)?.pathname ?? '');
      let response: Response;
      try {
        limits.seen(request, peer);
        response = await answered(request, route);
      } catch (error) {
        response = failed(error, id);
      }
      response.headers.set('x-request-id', id);
      const { method } = request;
      const { status } = response;
      const ms = performance.now() - since;
      observer.request(method, route?.pattern ?? null, status, ms / 1000);
      witness.log.debug({ requestId: id, method, route: route?.pattern ?? null, status, ms }, 'request');
      return method === 'HEAD' ? headOf(response) : response;
    },
  };
}

const READ = ['GET', 'HEAD'];

function routeOf(witness: Witness, path: string): Route | null {
  if (path === '/add-checkpoint') {
    return {
      pattern: path,
      methods: ['POST'],
      policy: 'submissions',
      async answer(request) {
        const { status, body, contentType } = await addCheckpoint(
          witness,
          await readBody(request, MAX_BODY_BYTES),
        );
        return new Response(body, { status, headers: { ...HEADERS, 'content-type': contentType ?? TEXT } });
      },
    };
  }
  const [, originHash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  if (originHash !== undefined) {
    return {
      pattern: '/:origin/checkpoint',
      methods: READ,
      policy: 'publicReads',
      async answer() {
        const note = await newestNote(witness, originHash);
        if (note === null) return text(404, 'no checkpoint of this log was ever cosigned here');
        return new Response(note, { headers: { ...HEADERS, 'cache-control': 'public, max-age=1' } });
      },
    };
  }
  // The second is where `countersign healthcheck` asks.
  if (path === '/health' || path === '/api/health') {
    return {
      pattern: '/health',
      methods: READ,
      policy: null,
      async answer() {
        const { isWell, problems } = witness.health.current;
        return isWell ? text(200, 'healthy') : text(503, problems.join('\n'));
      },
    };
  }
  if (path !== '/') return null;
  return {
    pattern: path,
    methods: READ,
    policy: 'publicReads',
    answer: async () => text(200, page(witness)),
  };
}

/** What somebody needs who wants to trust it. */
function page({ identity, logs }: Witness): string {
  return [
    `${identity.name} is a witness of transparency logs (c2sp.org/tlog-witness).`,
    '',
    'Its keys:',
    ...identity.verifiers.map((key) => `  ${formatVerifierKey(key)}`),
    '',
    'It cosigns:',
    ...[...logs.keys()].map((origin) => `  ${origin}`),
  ].join('\n');
}

function text(status: number, sentence: string, more: Record<string, string> = {}): Response {
  return new Response(`${sentence}\n`, { status, headers: { ...HEADERS, ...more } });
}

import { parseJson } from '../../proof/encoding/json.ts';
import { type ApiCall, apiClient } from '../demo/api-client.ts';
import { Failure } from '../failure.ts';
import { readText, requireFile } from '../files/read.ts';
import { isThisMachine } from '../network/addresses.ts';
import { fetchAll } from '../network/fetch.ts';

/** A test service or a demonstration that runs on this machine. */
export interface RunningTestService {
  /** `trust` or `staffing`. */
  service: string;
  ask: ApiCall;
  /** A member of its ready file; null if that has none. */
  secret(name: string): string | null;
}

const FETCHING = {
  maxBytes: 2 ** 20,
  timeoutMs: 30_000,
  returnsRedirects: true,
  failed: 'does not respond',
} as const;

/**
 * Finds the service that wrote a ready file, which must be a test service or a demonstration.
 * @throws Failure (exit code 2) for any other service, and for another machine
 */
export async function runningTestService(readyFile: string): Promise<RunningTestService> {
  const ready = readyOf(readyFile);
  const { url, service } = ready;
  if (typeof url !== 'string' || !URL.canParse(url) || typeof service !== 'string') {
    throw new Failure(`${readyFile} is not the ready file of a service`, 'serve --ready-file writes it', 2);
  }
  if (!isThisMachine(new URL(url).hostname)) {
    const hint = 'events are triggered only in test services and demonstrations, which are on this machine';
    throw new Failure(`${readyFile} names ${url}, which is another machine`, hint, 2);
  }
  const ask = apiClient({ fetch: (request) => sent(url, request) });
  const health = await ask('GET /api/health');
  if (health.test !== true && health.demo !== true) {
    throw new Failure(
      `the service at ${url} is neither a test service nor a demonstration`,
      'start one with serve --test or serve --demo',
      2,
    );
  }
  return {
    service,
    ask,
    secret: (name) => {
      const value = ready[name];
      return typeof value === 'string' ? value : null;
    },
  };
}

function readyOf(path: string): Readonly<Record<string, unknown>> {
  requireFile(path);
  const text = readText(path);
  try {
    return Object(parseJson(text));
  } catch {
    return {};
  }
}

/** Sends a request that names only a path to the service at `url`. */
async function sent(url: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { status, headers, bytes } = await fetchAll(
    new URL(`${pathname}${search}`, url).href,
    { ...FETCHING, hint: 'check that the service of the ready file runs' },
    { method: request.method, headers: request.headers, body: await request.arrayBuffer() },
  );
  return new Response(bytes, { status, headers });
}

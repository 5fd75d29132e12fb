import type { RateLimit } from '../platform/http/request/rate-limits.ts';

/** A route of the witness. Requests and responses are plain text. */
export interface WitnessRoute {
  /** The path, or its template, as it appears in the metrics. */
  path: string;
  /** Matches the route's paths, unless `path` is the only one. The handler gets the groups as arguments. */
  pattern?: RegExp;
  methods: readonly string[];
  /** The rate limit per client address; null for none. */
  policy: RateLimit | null;
  handle(request: Request, ...groups: readonly string[]): Promise<Response>;
}

/** The methods of a read-only route. */
export const READ = ['GET', 'HEAD'];

export const TEXT = 'text/plain; charset=utf-8';

/** The headers of every response. */
export const HEADERS = {
  // Any web page may read the responses: they depend on no credentials.
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': TEXT,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Returns a plain-text response; adds the final newline. */
export function text(status: number, sentence: string, more: Record<string, string> = {}): Response {
  return new Response(`${sentence}\n`, { status, headers: { ...HEADERS, ...more } });
}

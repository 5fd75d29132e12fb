import type { RateLimit } from '../platform/http/request/rate-limits.ts';

/** A route of the witness: plain text in, plain text out. */
export interface WitnessRoute {
  /** As the metrics name it. */
  path: string;
  /** The paths that it answers, where they are not `path` alone; what its groups match is handed to `answer`. */
  pattern?: RegExp;
  methods: readonly string[];
  /** By which each client address is limited; null where none is. */
  policy: RateLimit | null;
  handle(request: Request, ...groups: readonly string[]): Promise<Response>;
}

/** The methods of what is only read. */
export const READ = ['GET', 'HEAD'];

export const TEXT = 'text/plain; charset=utf-8';

/** On every answer. */
export const HEADERS = {
  // Any page may read it: nobody's credentials open anything here.
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': TEXT,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** An answer of one line, or of several. */
export function text(status: number, sentence: string, more: Record<string, string> = {}): Response {
  return new Response(`${sentence}\n`, { status, headers: { ...HEADERS, ...more } });
}

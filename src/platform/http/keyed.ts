import { Elysia } from 'elysia';
import { readJson } from './body.ts';

/**
 * The macro that puts the key before everything else of a request: `keyed: true` on a route answers 401 before its
 * body is read, with good, bad and no JSON alike; then reads the body strictly and hands the handler the `principal`.
 *
 * Both hooks are needed: `parse` is skipped for a request without a body, and `transform` alone would run after the
 * framework's own parser.
 */
export function keyed<Principal>(authenticate: (request: Request) => Promise<Principal>) {
  const principals = new WeakMap<Request, Principal>();
  const enter = async (request: Request): Promise<void> => {
    if (!principals.has(request)) principals.set(request, await authenticate(request));
  };
  return new Elysia({ name: 'keyed' }).macro({
    keyed: {
      parse: async ({ request }: { request: Request }) => {
        await enter(request);
        return readJson(request);
      },
      transform: async ({ request }: { request: Request }) => {
        await enter(request);
      },
      resolve: ({ request }: { request: Request }) => {
        const principal = principals.get(request);
        if (principal === undefined) throw new Error('a keyed route was reached without a key');
        return { principal };
      },
    },
  });
}

/** The token of `Authorization: Bearer <token>` (RFC 6750 section 2.1); null for anything else. */
export function bearerToken(request: Request): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}

import { Elysia } from 'elysia';
import { readJson } from '../request/body.ts';
import type { RateLimiter } from '../request/rate-limits.ts';
import type { Authenticator } from './keyed.ts';
import { publicGuard, type RateLimits } from './open.ts';

interface Context {
  request: Request;
  body: unknown;
  set: { headers: Record<string, string | number> };
}

/** The requirements of a route: its rate limit, and the access that a given key must have. */
interface Identified<Name, Access> {
  policy: Name;
  access: Access;
}

/** Authenticates the requests with a key. */
interface OptionalAuthenticator<Principal extends object, Access>
  extends Pick<Authenticator<Principal, Access>, 'authenticate'> {
  /** Returns whether a request is authenticated at all. */
  isAsked(request: Request): boolean;
}

/**
 * Returns the macro for public endpoints that return more to authenticated clients. Anyone may call them.
 * With `Authorization`, the key is checked before the body is read, as on keyed routes. The handler gets the
 * `principal`; null without a key. A session cookie is ignored, because other sites could make a browser send
 * it.
 */
export function identified<Principal extends object, Access, Name extends string>(
  { authenticate, isAsked }: OptionalAuthenticator<Principal, Access>,
  limits: RateLimiter,
  policies: RateLimits<Name>,
) {
  const principals = new WeakMap<Request, Principal>();
  const enter = publicGuard(limits, policies);
  return new Elysia({ name: 'identified' }).macro({
    identified: ({ policy, access }: Identified<Name, Access>) => ({
      transform: async (context: Context) => {
        const { request, set } = context;
        await enter(context, policy);
        if (isAsked(request)) principals.set(request, await authenticate(request, access, set.headers));
        context.body = await readJson(request);
      },
      resolve: ({ request }: Context) => ({ principal: principals.get(request) ?? null }),
    }),
  });
}

import { Elysia } from 'elysia';
import { readJson } from '../request/body.ts';
import type { RateLimiter } from '../request/rate-limits.ts';
import type { Authenticator } from './keyed.ts';
import { publicGuard, type RateLimits } from './open.ts';

interface Context {
  request: Request;
  set: { headers: Record<string, string | number> };
}

/** What a route asks: how its callers are limited, and what a key has to be where one comes. */
interface Identified<Name, Access> {
  policy: Name;
  access: Access;
}

/**
 * The macro of public endpoints that do more for whom they know: open to anyone, and with `Authorization` the key is asked
 * for before the body is read, as on keyed routes. The handler gets the `principal`, null for those who sent none. A session's
 * cookie does not count: other sites could make a browser send it.
 */
export function identified<Principal extends object, Access, Name extends string>(
  { authenticate }: Pick<Authenticator<Principal, Access>, 'authenticate'>,
  limits: RateLimiter,
  policies: RateLimits<Name>,
) {
  const principals = new WeakMap<Request, Principal>();
  const enterOpen = publicGuard(limits, policies);
  const enter = async (context: Context, { policy, access }: Identified<Name, Access>): Promise<void> => {
    const { request, set } = context;
    await enterOpen(context, policy);
    if (principals.has(request) || !request.headers.has('authorization')) return;
    principals.set(request, await authenticate(request, access, set.headers));
  };
  return new Elysia({ name: 'identified' }).macro({
    identified: (asked: Identified<Name, Access>) => ({
      parse: async (context: Context) => {
        await enter(context, asked);
        return readJson(context.request);
      },
      transform: async (context: Context) => enter(context, asked),
      resolve: ({ request }: Context) => ({ principal: principals.get(request) ?? null }),
    }),
  });
}

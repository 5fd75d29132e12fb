import { Elysia } from 'elysia';
import { readJson } from '../request/body.ts';
import type { RateLimit, RateLimiter } from '../request/rate-limits.ts';

/** The rate limits by name. */
export type RateLimits<Name extends string> = Readonly<Record<Name, RateLimit>>;

interface Context {
  request: Request;
  set: { headers: Record<string, string | number> };
}

const CORS = {
  'access-control-allow-origin': '*',
  // Every header, such as ETag and Cosigned: a response that needs no credentials has none to hide.
  'access-control-expose-headers': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Returns the macro for public endpoints. Any web page may read their responses (CORS), because these need no
 * credentials. Keyed endpoints send no CORS headers, so browsers block other origins. `open: 'free'` has no
 * rate limit; any other name selects a rate limit for each client address.
 */
export function open<Name extends string>(limits: RateLimiter, policies: RateLimits<Name>) {
  const enter = publicGuard(limits, policies);
  return new Elysia({ name: 'open' }).macro({
    open: (name: Name | 'free') => ({
      transform: async (context: Context & { body: unknown }) => {
        await enter(context, name);
        context.body = await readJson(context.request);
      },
    }),
  });
}

/** Returns the first step of every public endpoint: it adds the CORS headers and counts the request. */
export function publicGuard<Name extends string>(limits: RateLimiter, policies: RateLimits<Name>) {
  return async ({ request, set }: Context, name: Name | 'free'): Promise<void> => {
    Object.assign(set.headers, CORS);
    if (name !== 'free') Object.assign(set.headers, await limits.count(request, policies[name]));
  };
}

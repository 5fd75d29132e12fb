import { Elysia } from 'elysia';
import { readJson } from '../request/body.ts';
import type { RateLimit, RateLimiter } from '../request/rate-limits.ts';

/** The policies by their names. */
export type RateLimits<Name extends string> = Readonly<Record<Name, RateLimit>>;

interface Context {
  request: Request;
  set: { headers: Record<string, string | number> };
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * The macro of public endpoints: any page may read their answers (CORS), since there is nothing in them that the
 * reader's own credentials would have to open. Keyed endpoints say nothing, so browsers keep other origins out.
 * `open: 'free'` is not limited; any other name is that of a policy, by which each client address is. Both hooks are
 * needed, as in `keyed`.
 */
export function open<Name extends string>(limits: RateLimiter, policies: RateLimits<Name>) {
  const enter = publicGuard(limits, policies);
  return new Elysia({ name: 'open' }).macro({
    open: (name: Name | 'free') => ({
      parse: async (context: Context) => {
        await enter(context, name);
        return readJson(context.request);
      },
      transform: async (context: Context) => enter(context, name),
    }),
  });
}

/** What every public endpoint does first, once a request: its answer may be read by any page, and it is counted. */
export function publicGuard<Name extends string>(limits: RateLimiter, policies: RateLimits<Name>) {
  const counted = new WeakSet<Request>();
  return async ({ request, set }: Context, name: Name | 'free'): Promise<void> => {
    if (counted.has(request)) return;
    counted.add(request);
    Object.assign(set.headers, CORS);
    if (name !== 'free') Object.assign(set.headers, await limits.count(request, policies[name]));
  };
}

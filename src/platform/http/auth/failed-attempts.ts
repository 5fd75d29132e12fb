import { ApiError } from '../errors/errors.ts';
import type { RateLimit, RateLimiter } from '../request/rate-limits.ts';
import type { Authenticator } from './keyed.ts';

/**
 * Wraps an authenticator so that each 401 counts against a rate limit of the client address. A client without
 * a valid key therefore gets no more attempts than public requests. Requests with a valid key are not
 * counted, even from the same address. Beyond the limit, the address gets the refusal `rate` instead of the
 * 401.
 */
export function countFailedAttempts<Principal extends object, Access>(
  keys: Authenticator<Principal, Access>,
  limits: RateLimiter,
  policy: RateLimit,
): Authenticator<Principal, Access> {
  const counted: Authenticator<Principal, Access>['authenticate'] = async (request, access, headers) => {
    try {
      return await keys.authenticate(request, access, headers);
    } catch (error) {
      if (error instanceof ApiError && error.definition.status === 401) {
        Object.assign(headers, await limits.count(request, policy));
      }
      throw error;
    }
  };
  return { ...keys, authenticate: counted };
}

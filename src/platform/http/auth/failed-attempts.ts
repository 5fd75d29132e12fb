import { ApiError, type Dialect } from '../errors/errors.ts';
import type { RateLimit, RateLimiter } from '../request/rate-limits.ts';
import type { Authenticator } from './keyed.ts';

/**
 * The same keys, whose refusals by 401 are counted against a policy of the client address: a stranger who has no key, or guesses
 * one, gets no more of them than of what is open to strangers. Requests with a good key are not counted, whoever else is
 * behind the same address. An address that used up its requests gets the refusal `rate` instead of the 401.
 */
export function countFailedAttempts<Principal extends object, Access>(
  keys: Authenticator<Principal, Access>,
  { errors }: Pick<Dialect, 'errors'>,
  limits: RateLimiter,
  policy: RateLimit,
): Authenticator<Principal, Access> {
  const counted: Authenticator<Principal, Access>['authenticate'] = async (request, access, headers) => {
    try {
      return await keys.authenticate(request, access, headers);
    } catch (error) {
      if (error instanceof ApiError && errors[error.code]?.status === 401) {
        Object.assign(headers, await limits.count(request, policy));
      }
      throw error;
    }
  };
  return { ...keys, authenticate: counted };
}

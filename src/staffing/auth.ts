import { countFailedAttempts } from '../platform/http/auth/failed-attempts.ts';
import { type Authenticator, keyed } from '../platform/http/auth/keyed.ts';
import { open } from '../platform/http/auth/open.ts';
import type { RateLimiter } from '../platform/http/request/rate-limits.ts';
import { idempotencyStore } from '../platform/idempotency/service.ts';
import { authenticateAdmin } from './admin/token.ts';
import type { StaffingContext } from './context.ts';
import { staffingDialect } from './http/dialect.ts';
import type { Access, Admin, Principal } from './principal.ts';

/** Returns the route macros for authentication: by a partner's key, by the admin token, or public. */
export function staffingAuth(
  { principals, clock, clockWatch, policy, meter, adminTokenHash }: StaffingContext,
  limits: RateLimiter,
) {
  const idempotency = idempotencyStore(clock, clockWatch);
  const guarded = <By extends object, Of>(these: Authenticator<By, Of>): Authenticator<By, Of> =>
    countFailedAttempts(these, staffingDialect, limits, policy.publicPosts);
  return {
    keyed: keyed(
      guarded<Principal, Access>({
        authenticate: (request, access, headers) => principals.authenticate(request, access, meter, headers),
        authorize: null,
        idempotencyScope: ({ partnerId, tier }) => `${partnerId} ${tier}`,
        idempotency,
      }),
    ),
    admin: keyed(
      guarded<Admin, true>({
        authenticate: async (request) => authenticateAdmin(adminTokenHash, request),
        authorize: null,
        idempotencyScope: () => 'admin',
        idempotency,
      }),
    ),
    open: open(limits, { newAccounts: policy.newAccounts }),
  };
}

export type StaffingAuth = ReturnType<typeof staffingAuth>;

import { countGuesses } from '../platform/http/auth/failed-attempts.ts';
import { type Keys, keyed } from '../platform/http/auth/keyed.ts';
import { open } from '../platform/http/auth/open.ts';
import type { Limits } from '../platform/http/request/rate-limits.ts';
import { idempotencyStore } from '../platform/idempotency/service.ts';
import { authenticateAdmin } from './admin/token.ts';
import type { Staffing } from './context.ts';
import { staffingDialect } from './dialect.ts';
import type { Access, Admin, Principal } from './principal.ts';

/** The ways in, as macros of every route: with a partner's key, with the admin token, or open to anyone. */
export function staffingDoors(
  { principals, clock, clockWatch, rules, meter, adminTokenHash }: Staffing,
  limits: Limits,
) {
  const idempotency = idempotencyStore(clock, clockWatch);
  const guarded = <By extends object, Of>(these: Keys<By, Of>): Keys<By, Of> =>
    countGuesses(these, staffingDialect, limits, rules.publicPosts);
  return {
    keyed: keyed(
      guarded<Principal, Access>({
        authenticate: (request, access, headers) => principals.authenticate(request, access, meter, headers),
        idempotencyScope: ({ partnerId, tier }) => `${partnerId} ${tier}`,
        idempotency,
      }),
    ),
    admin: keyed(
      guarded<Admin, true>({
        authenticate: async (request) => authenticateAdmin(adminTokenHash, request),
        idempotencyScope: () => 'admin',
        idempotency,
      }),
    ),
    open: open(limits, { newAccounts: rules.newAccounts }),
  };
}

export type Doors = ReturnType<typeof staffingDoors>;

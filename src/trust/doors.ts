import { countGuesses } from '../platform/http/auth/failed-attempts.ts';
import { identified } from '../platform/http/auth/identified.ts';
import { type Keys, keyed } from '../platform/http/auth/keyed.ts';
import { open } from '../platform/http/auth/open.ts';
import type { Limits } from '../platform/http/request/rate-limits.ts';
import { idempotencyStore } from '../platform/idempotency/service.ts';
import type { Trust } from './context.ts';
import { trustDialect } from './dialect.ts';
import { type Bringer, bringers } from './evidence/bringers.ts';
import type { Access, Principal } from './operators/principals.ts';

/**
 * The ways in, as macros of routes: with a key, open to anyone, open with a key that says more, or with the credential that the
 * type of a piece of evidence asks for.
 */
export function trustDoors(trust: Trust, limits: Limits) {
  const { principals, clock, clockWatch, rules } = trust;
  const idempotency = idempotencyStore(clock, clockWatch);
  const keys: Keys<Principal, Access> = {
    authenticate: (request, access) => principals.authenticate(request, access),
    idempotencyScope: ({ keyHash }) => keyHash,
    idempotency,
  };
  const guarded = <By extends object, Of>(these: Keys<By, Of>): Keys<By, Of> =>
    countGuesses(these, trustDialect, limits, rules.policies.publicPosts);
  return {
    keyed: keyed(guarded(keys)),
    bringing: keyed(guarded<Bringer, true>({ ...bringers(trust), idempotency })),
    open: open(limits, rules.policies),
    identified: identified(keys, limits, rules.policies),
    /** Who sent a request, as limits count callers. */
    callerOf: (request: Request) => limits.callerOf(request),
  };
}

export type Doors = ReturnType<typeof trustDoors>;

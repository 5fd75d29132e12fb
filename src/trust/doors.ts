import { identified } from '../platform/http/identified.ts';
import { type Keys, keyed } from '../platform/http/keyed.ts';
import type { Limits } from '../platform/http/limits.ts';
import { open } from '../platform/http/open.ts';
import { idempotencyStore } from '../platform/idempotency/service.ts';
import type { Trust } from './context.ts';
import type { Access, Principal } from './operators/principals.ts';

/** The ways in, as macros of every route: with a key, open to anyone, or open with a key that says more. */
export function trustDoors({ principals, clock, rules }: Trust, limits: Limits) {
  const keys: Keys<Principal, Access> = {
    authenticate: (request, access) => principals.authenticate(request, access),
    idempotencyScope: ({ keyHash }) => keyHash,
    idempotency: idempotencyStore(clock),
  };
  return {
    keyed: keyed(keys),
    open: open(limits, rules.policies),
    identified: identified(keys, limits, rules.policies),
  };
}

export type Doors = ReturnType<typeof trustDoors>;

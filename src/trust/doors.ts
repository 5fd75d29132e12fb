import { keyed } from '../platform/http/keyed.ts';
import type { Limits } from '../platform/http/limits.ts';
import { open } from '../platform/http/open.ts';
import { idempotencyStore } from '../platform/idempotency/service.ts';
import type { Trust } from './context.ts';
import type { Access, Principal } from './operators/principals.ts';

/** The two ways in, as macros of every route: with a key, or open to anyone. */
export function trustDoors({ principals, clock, rules }: Trust, limits: Limits) {
  return {
    keyed: keyed<Principal, Access>({
      authenticate: (request, access) => principals.authenticate(request, access),
      idempotencyScope: ({ keyHash }) => keyHash,
      idempotency: idempotencyStore(clock),
    }),
    open: open(limits, rules.policies),
  };
}

export type Doors = ReturnType<typeof trustDoors>;

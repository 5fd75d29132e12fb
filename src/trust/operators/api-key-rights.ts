import type { Principal } from './auth/authenticate.ts';
import type { NewKeyFields } from './new-api-key.ts';
import { isWithin } from './scope.ts';

/** Describes the rights of a key beyond those of the key that creates or deletes it; null if it has none. */
export function excessRights(
  principal: Pick<Principal, 'admin' | 'scope'>,
  fields: Pick<NewKeyFields, 'admin' | 'scope'>,
): string | null {
  if (fields.admin && !principal.admin) return 'this key is not an admin key';
  return isWithin(fields.scope, principal.scope) ? null : "the scope is wider than this key's own";
}

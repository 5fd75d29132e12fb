import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { excessRights } from './api-key-rights.ts';
import { type Actor, isLocalAdministrator, requireOperator } from './auth/actor.ts';
import type { Principals } from './auth/authenticate.ts';
import { requireKey } from './get-api-key.ts';
import type { LastingActs } from './restored/lasting-acts.ts';
import { hasEnded, requireRunning } from './scope.ts';
import { deleteKeys, hasOtherIssuer } from './store.ts';

/**
 * Deletes a key; the key and its sessions end at once. A key can delete itself, and keys without more rights
 * than it has. The local administrator can delete any key of an operator.
 * @throws ApiError not_found; forbidden for a key with more rights than the caller's, and for every other key
 * if the caller is a holder key; scope_ended for every other key if the caller's scope has ended; conflict
 * for the last issuer key whose scope has not ended
 */
export async function deleteApiKey(
  {
    store,
    clock,
    principals,
    acts,
  }: { store: Store; clock: Clock; principals: Principals; acts: LastingActs },
  actor: Actor,
  keyHash: string,
) {
  const isOwn = keyHash === actor.keyHash;
  const { operatorSeq } = requireOperator(actor);
  const deleted = await store.write(actor.authority.neverRefused, async (tx) => {
    const now = clock.now();
    if (!isOwn) requireRunning(actor, now);
    if (!isOwn && actor.role === 'holder') {
      throw commonErrors.forbidden({
        message: 'A holder key can delete only itself. Use an issuer key for other keys.',
      });
    }
    const key = await requireKey(tx, operatorSeq, keyHash);
    const excess = isOwn ? null : excessRights(actor, key);
    if (excess !== null) {
      throw commonErrors.forbidden({
        message: `A key cannot delete a key with more rights than its own: ${excess}. Use a key with these rights.`,
      });
    }
    // The local administrator can create another key.
    if (key.role === 'issuer' && !isLocalAdministrator(actor)) {
      // Keys whose scope has ended can make no other key, so they do not replace one that can.
      const from = hasEnded(key.scope, now) ? 0 : now;
      if (!(await hasOtherIssuer(tx, { operatorSeq, keyHash, now: from }))) {
        throw commonErrors.conflict({
          message:
            'The last issuer key cannot be deleted. Create another issuer key first; keys whose scope has ended do not count.',
        });
      }
    }
    await deleteKeys(tx, [keyHash]);
    principals.changedIn(tx);
    return { keyHash, deleted: true as const };
  });
  await acts.written();
  return deleted;
}

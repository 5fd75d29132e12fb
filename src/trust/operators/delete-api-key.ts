import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { requireOperatorIn } from './account-state.ts';
import { excessRights } from './api-key-rights.ts';
import type { Principal, Principals } from './auth/principals.ts';
import { requireKey } from './get-api-key.ts';
import { hasEnded, requireRunning } from './scope.ts';
import { countOtherIssuers, deleteKeys, hasAdminKey, keyOfOperator } from './store.ts';

/**
 * Deletes a key; the key and its sessions end at once. A key can delete itself, and keys that have no rights
 * beyond its own.
 * @throws ApiError not_found; forbidden for a key with more rights than the caller's, and for every other key
 * if the caller is a holder key; scope_ended for every other key if the caller's scope has ended; conflict
 * for the last issuer key whose scope has not ended
 */
export async function deleteApiKey(
  { store, clock, principals }: { store: Store; clock: Clock; principals: Principals },
  principal: Principal,
  keyHash: string,
) {
  const isOwn = keyHash === principal.keyHash;
  return store.write(principal.authority.neverRefused, async (tx) => {
    const { operatorSeq } = principal;
    const now = clock.now();
    if (!isOwn) requireRunning(principal, now);
    if (!isOwn && principal.role === 'holder') {
      throw commonErrors.forbidden({
        message: 'A holder key can delete only itself. Use an issuer key for other keys.',
      });
    }
    const key = await requireKey(tx, operatorSeq, keyHash);
    const excess = isOwn ? null : excessRights(principal, key);
    if (excess !== null) {
      throw commonErrors.forbidden({
        message: `A key cannot delete a key with more rights than its own: ${excess}. Use a key with these rights.`,
      });
    }
    // Keys whose scope has ended can make no other key, so they do not replace one that can.
    const from = hasEnded(key.scope, now) ? 0 : now;
    if (key.role === 'issuer' && (await countOtherIssuers(tx, operatorSeq, keyHash, from)) === 0) {
      throw commonErrors.conflict({
        message:
          'The last issuer key cannot be deleted. Create another issuer key first; keys whose scope has ended do not count.',
      });
    }
    await deleteKeys(tx, [keyHash]);
    principals.changedIn(tx);
    return { keyHash, deleted: true as const };
  });
}

/**
 * Deletes any key of any operator, also its last one, since an administrator can create another. The key and
 * its sessions end at once.
 * @returns whether the operator has an issuer key left whose scope has not ended, and the installation an
 * admin key
 * @throws ApiError not_found
 */
export async function deleteKeyOf(
  { store, principals, clock }: { store: Store; principals: Principals; clock: Clock },
  operatorId: string,
  keyHash: string,
) {
  return store.writeAsService(async (tx) => {
    const { operatorSeq } = await requireOperatorIn(tx, operatorId);
    if ((await keyOfOperator(tx, operatorSeq, keyHash)) === undefined) {
      throw commonErrors.not_found({
        message: `${operatorId} has no key with the hash ${keyHash}. See countersign operators keys list ${operatorId}.`,
      });
    }
    await deleteKeys(tx, [keyHash]);
    principals.changedIn(tx);
    const issuers = await countOtherIssuers(tx, operatorSeq, keyHash, clock.now());
    return {
      keyHash,
      deleted: true as const,
      has_issuer_key: issuers > 0,
      installation_has_admin_key: await hasAdminKey(tx),
    };
  });
}

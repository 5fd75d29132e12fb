import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { requireOperatorIn } from '../account-state.ts';
import type { Principals } from '../auth/principals.ts';
import type { NewApiKey } from '../schema.ts';
import { countOtherIssuers, deleteKeys, hasAdminKey, keyOfOperator } from '../store.ts';
import { createKeyIn, listApiKeys, newKeyFields } from './api-keys.ts';

/** Creates a key for any operator, for example after it lost its key. @throws ApiError not_found, validation_error */
export async function createKeyFor(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  operatorId: string,
  request: NewApiKey,
) {
  const fields = newKeyFields(request);
  return store.writeAsService(async (tx) => {
    const { operatorSeq } = await requireOperatorIn(tx, operatorId);
    return createKeyIn(tx, { clock, ids }, operatorSeq, fields);
  });
}

/** Returns a page of any operator's keys, newest first. @throws ApiError not_found, validation_error for an invalid cursor */
export async function listKeysOf(
  context: { store: Store; cursors: Cursors },
  operatorId: string,
  cursor: string | null,
) {
  const { operatorSeq } = await context.store.read((snapshot) => requireOperatorIn(snapshot, operatorId));
  return listApiKeys(context, { operatorSeq }, { limit: '100', ...(cursor === null ? {} : { cursor }) });
}

/**
 * Deletes any key of any operator, also its last one, since an administrator can create another. The key and its sessions end at once.
 * @returns whether the operator has an issuer key left whose scope has not ended, and the installation an admin key @throws ApiError not_found
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

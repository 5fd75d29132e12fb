import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { type KeyView, keyView } from './api-key-view.ts';
import type { Principal } from './auth/authenticate.ts';
import { type ApiKeyRow, keyOfOperator } from './store.ts';

/** Returns one of the operator's keys by its hash. @throws ApiError not_found */
export async function getApiKey(
  { store }: { store: Store },
  { operatorSeq }: Pick<Principal, 'operatorSeq'>,
  keyHash: string,
): Promise<KeyView> {
  return keyView(await store.read((snapshot) => requireKey(snapshot, operatorSeq, keyHash)));
}

export async function requireKey(
  snapshot: Snapshot,
  operatorSeq: number,
  keyHash: string,
): Promise<ApiKeyRow> {
  const key = /^[0-9a-f]{64}$/.test(keyHash) ? await keyOfOperator(snapshot, { operatorSeq, keyHash }) : null;
  if (key === null) {
    throw commonErrors.not_found({
      message:
        'The operator has no key with this hash. List its keys with GET /api/v1/operator/api-keys, or as the administrator with countersign operators keys list.',
    });
  }
  return key;
}

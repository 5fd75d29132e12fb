import { Type } from '@sinclair/typebox';
import { type Cursors, positionTime } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { pageRequest } from '../http/paging.ts';
import { requireOperatorIn } from './account-state.ts';
import { keyView } from './api-key-view.ts';
import type { Principal } from './auth/principals.ts';
import { keysOf } from './store.ts';

/** The list of an operator's keys, ordered by creation time and hash. */
const API_KEYS = {
  name: 'api-keys',
  position: Type.Tuple([positionTime, Type.String({ pattern: '^[0-9a-f]{64}$' })]),
};

/**
 * Returns a page of the operator's keys, newest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listApiKeys(
  { store, cursors }: { store: Store; cursors: Cursors },
  { operatorSeq }: Pick<Principal, 'operatorSeq'>,
  query: { limit?: string; cursor?: string },
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(API_KEYS, [operatorSeq]));
  const position = after === undefined ? undefined : { createdAt: after[0], keyHash: after[1] };
  const found = await store.read((snapshot) => keysOf(snapshot, operatorSeq, position, limit + 1));
  const { page, next_cursor } = takePage(found, (last) => [last.createdAt, last.keyHash]);
  return { api_keys: page.map(keyView), next_cursor };
}

/**
 * Returns a page of any operator's keys, newest first.
 * @throws ApiError not_found, validation_error for an invalid cursor
 */
export async function listKeysOf(
  context: { store: Store; cursors: Cursors },
  operatorId: string,
  cursor: string | null,
) {
  const { operatorSeq } = await context.store.read((snapshot) => requireOperatorIn(snapshot, operatorId));
  return listApiKeys(context, { operatorSeq }, { limit: '100', ...(cursor === null ? {} : { cursor }) });
}

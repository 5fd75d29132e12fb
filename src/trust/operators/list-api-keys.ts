import { Type } from '@sinclair/typebox';
import { type Cursors, positionTime } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { pageRequest } from '../http/paging.ts';
import { keyView } from './api-key-view.ts';
import { type Actor, requireOperator } from './auth/actor.ts';
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
  actor: Actor,
  query: { limit?: string; cursor?: string },
) {
  const { operatorSeq } = requireOperator(actor);
  const { limit, after, takePage } = pageRequest(query, cursors.of(API_KEYS, [operatorSeq]));
  const position = after === undefined ? undefined : { createdAt: after[0], keyHash: after[1] };
  const rows = await store.read((snapshot) => keysOf(snapshot, operatorSeq, position, limit + 1));
  const { page, next_cursor } = takePage(rows, (last) => [last.createdAt, last.keyHash]);
  return { api_keys: page.map(keyView), next_cursor };
}

import { Type } from '@sinclair/typebox';
import { positionTime } from '../../platform/http/pagination/cursor.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import { keyView } from './key-view.ts';
import type { Accounts } from './services.ts';
import { keysAfter } from './store.ts';

/** The cursor of a partner's key list: time and id. */
const KEYS = {
  name: 'keys',
  position: Type.Tuple([positionTime, Type.String({ pattern: '^key_[0-9a-f]{32}$' })]),
};

/**
 * Returns a page of the partner's keys in the caller's tier, newest first. @throws ApiError INVALID_CURSOR
 */
export async function listKeys(
  { store, cursors }: Pick<Accounts, 'store' | 'cursors'>,
  { partnerSeq, tier }: Principal,
  query: { limit?: string; cursor?: string },
) {
  const request = pageRequest(query, cursors.of(KEYS, [partnerSeq, tier]));
  const { limit, after } = request;
  const position = after === undefined ? undefined : { createdAt: after[0], keyId: after[1] };
  const rows = await store.read((snapshot) => keysAfter(snapshot, { partnerSeq, tier }, position, limit + 1));
  return listResponse(request, rows, keyView, ({ createdAt, keyId }) => [createdAt, keyId]);
}

import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import { ownerOf, ownIn } from './requisition.ts';
import type { Requisitions } from './services.ts';
import { deleteRequisitionRow } from './store.ts';

/**
 * Deletes a sandbox requisition, which then no longer counts for the limit. @throws ApiError NOT_FOUND,
 * INVALID_STATE for a live one
 */
export async function deleteRequisition(
  { store }: Pick<Requisitions, 'store'>,
  principal: Principal,
  id: string,
) {
  return store.write(principal.authority, async (tx) => {
    const { mode, requisitionId, requisitionSeq } = await ownIn(tx, principal, id);
    if (mode === 'live') {
      throw commonErrors.INVALID_STATE({
        message: 'A live requisition cannot be deleted. Cancel it instead.',
      });
    }
    await deleteRequisitionRow(tx, { ...ownerOf(principal), requisitionSeq });
    return { id: requisitionId, deleted: true as const };
  });
}

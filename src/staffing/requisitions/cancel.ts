import type { Principal } from '../http/principal.ts';
import { ownIn } from './requisition.ts';
import type { Requisitions } from './services.ts';
import { setStatusIn } from './status.ts';

/** Cancels a requisition. @throws ApiError NOT_FOUND, INVALID_STATE */
export async function cancelRequisition(
  requisitions: Pick<Requisitions, 'store' | 'clock' | 'sender'>,
  principal: Principal,
  id: string,
) {
  return requisitions.store.write(principal.authority, async (tx) =>
    setStatusIn(tx, requisitions, await ownIn(tx, principal, id), 'cancelled'),
  );
}

import type { Principal } from '../http/principal.ts';
import { ownIn, type RequisitionView, viewIn } from './requisition.ts';
import type { Requisitions } from './services.ts';

/**
 * Returns a requisition of the caller. @throws ApiError NOT_FOUND, even for another partner's or mode's
 * requisition
 */
export async function getRequisition(
  { store }: Pick<Requisitions, 'store'>,
  principal: Principal,
  id: string,
): Promise<RequisitionView> {
  return store.read(async (snapshot) => viewIn(snapshot, await ownIn(snapshot, principal, id)));
}

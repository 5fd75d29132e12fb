import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import { positionOf, requisitionPosition } from './list-position.ts';
import { ownerOf, viewIn } from './requisition.ts';
import type { Requisitions } from './services.ts';
import { type RequisitionRow, requisitionByExternalId, selectRequisitions } from './store.ts';

/** The cursor of a partner's requisitions. */
const REQUISITIONS = { name: 'jobs', position: requisitionPosition };

/** Returns a page of the caller's requisitions, newest first. @throws ApiError INVALID_CURSOR */
export async function listRequisitions(
  { store, cursors }: Pick<Requisitions, 'store' | 'cursors'>,
  principal: Principal,
  query: { status?: Status; external_id?: string; limit?: string; cursor?: string },
) {
  const owner = ownerOf(principal);
  const request = pageRequest(
    query,
    cursors.of(REQUISITIONS, [owner.partnerSeq, owner.mode, query.status, query.external_id]),
  );
  const { limit, after } = request;
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await found(snapshot),
      (row) => viewIn(snapshot, row),
      ({ createdAt, requisitionSeq }) => [createdAt, requisitionSeq],
    ),
  );

  async function found(snapshot: Snapshot): Promise<RequisitionRow[]> {
    const { external_id: externalId, status } = query;
    if (externalId === undefined)
      return selectRequisitions(snapshot, owner, status, positionOf(after), limit + 1);
    const job = await requisitionByExternalId(snapshot, { ...owner, externalId });
    return job === null || (status !== undefined && job.status !== status) ? [] : [job];
  }
}

import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import { positionOf, requisitionPosition } from './list-position.ts';
import { type RequisitionView, viewIn } from './requisition.ts';
import type { Requisitions } from './services.ts';
import { type Owner, selectAllRequisitions } from './store.ts';

/** The cursor of the list of all partners' requisitions. */
const ALL_REQUISITIONS = { name: 'admin jobs', position: requisitionPosition };

/**
 * Returns a page of all partners' requisitions with their owners, newest first. @throws ApiError
 * INVALID_CURSOR
 */
export async function listAllRequisitions<View>(
  { store, cursors }: Pick<Requisitions, 'store' | 'cursors'>,
  query: Paging & { status?: Status; mode?: Tier },
  view: (snapshot: Snapshot, owner: Owner, job: RequisitionView) => Promise<View>,
) {
  const request = pageRequest(query, cursors.of(ALL_REQUISITIONS, [query.status, query.mode]));
  const { limit, after } = request;
  const filter = { status: query.status, mode: query.mode };
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await selectAllRequisitions(snapshot, filter, positionOf(after), limit + 1),
      async (row) => view(snapshot, row, await viewIn(snapshot, row)),
      ({ createdAt, requisitionSeq }) => [createdAt, requisitionSeq],
    ),
  );
}

import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import { partnerIdIn } from '../accounts/account.ts';
import { listAllRequisitions } from '../requisitions/list-all.ts';
import type { Requisitions } from '../requisitions/services.ts';

/** Returns a page of all partners' requisitions, newest first. @throws ApiError INVALID_CURSOR */
export function listAllJobs(
  requisitions: Pick<Requisitions, 'store' | 'cursors'>,
  query: Paging & { status?: Status; mode?: Tier },
) {
  return listAllRequisitions(requisitions, query, async (snapshot, { partnerSeq }, job) => ({
    partner_id: await partnerIdIn(snapshot, partnerSeq),
    ...job,
  }));
}

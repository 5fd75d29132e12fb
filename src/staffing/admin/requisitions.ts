import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import { partnerIdIn } from '../accounts/service.ts';
import { listAllRequisitions, type Requisitions, setLiveStatusIn } from '../requisitions/service.ts';

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

/** Changes the status of a live requisition. @throws ApiError NOT_FOUND, INVALID_STATE */
export function setJobStatus(
  requisitions: Pick<Requisitions, 'store' | 'clock' | 'sender'>,
  id: string,
  status: Status,
) {
  return requisitions.store.writeAsService(async (tx) => {
    const { owner, job } = await setLiveStatusIn(tx, requisitions, id, status);
    return { partner_id: await partnerIdIn(tx, owner.partnerSeq), ...job };
  });
}

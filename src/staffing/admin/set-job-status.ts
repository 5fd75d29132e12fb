import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import { partnerIdIn } from '../accounts/account.ts';
import type { Requisitions } from '../requisitions/services.ts';
import { setLiveStatusIn } from '../requisitions/status.ts';

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

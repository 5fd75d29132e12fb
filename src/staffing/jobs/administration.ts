import type { Tier } from '../../../db/staffing/accounts.ts';
import type { Status } from '../../../db/staffing/jobs.ts';
import type { Desk } from '../context.ts';
import { staffingError } from '../dialect.ts';
import { listAnswer, type Paging, pageOf } from '../list.ts';
import { isJobId, moveIn, viewIn } from './service.ts';
import { jobSql, selectEveryones } from './store.ts';

/** A page of all partners' requisitions, newest first. @throws ApiError INVALID_CURSOR */
export async function listAllJobs(
  { store, cursorKey }: Desk,
  query: Paging & { status?: Status; mode?: Tier },
) {
  const scope = JSON.stringify(['admin jobs 1', query.status, query.mode]);
  const { rows, after } = pageOf(query, scope, cursorKey);
  const [createdAt = '', seq = ''] = after ?? [];
  const place = after === undefined ? undefined : { createdAt, requisitionSeq: Number(seq) };
  const filter = { status: query.status, mode: query.mode };
  return store.read((snapshot) =>
    listAnswer(
      selectEveryones(snapshot, filter, place, rows + 1),
      rows,
      ({ requisition, partnerId }) => ({ partner_id: partnerId, ...viewIn(snapshot, requisition) }),
      ({ requisition }) => [requisition.createdAt, String(requisition.requisitionSeq)],
      scope,
      cursorKey,
    ),
  );
}

/** Moves a live requisition. @throws ApiError NOT_FOUND, INVALID_STATE */
export async function setJobStatus(desk: Desk, id: string, status: Status) {
  return desk.store.writeAsService((tx) => {
    const found = isJobId(id) ? jobSql(tx).anyById.get({ requisitionId: id }) : undefined;
    if (found === undefined) {
      throw staffingError('NOT_FOUND', { message: 'There is no requisition with this id.' });
    }
    const { requisition, partnerId } = found;
    if (requisition.mode === 'sandbox') {
      throw staffingError('INVALID_STATE', { message: 'A sandbox requisition is worked by nobody.' });
    }
    return { partner_id: partnerId, ...moveIn(tx, desk, requisition, status) };
  });
}

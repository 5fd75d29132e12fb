import type { Tier } from '../../../db/staffing/accounts.ts';
import type { Status } from '../../../db/staffing/jobs.ts';
import type { Paging } from '../../platform/http/page.ts';
import type { Desk } from '../context.ts';
import { staffingError } from '../dialect.ts';
import { listAnswer, pageRequest } from '../list.ts';
import { isJobId, moveIn, REQUISITION_POSITION, viewIn } from './service.ts';
import { jobSql, selectEveryones } from './store.ts';

/** The list of all partners' requisitions. */
const ALL_REQUISITIONS = { name: 'admin jobs', position: REQUISITION_POSITION };

/** A page of all partners' requisitions, newest first. @throws ApiError INVALID_CURSOR */
export async function listAllJobs(
  { store, cursors }: Desk,
  query: Paging & { status?: Status; mode?: Tier },
) {
  const pages = cursors.of(ALL_REQUISITIONS, [query.status, query.mode]);
  const { rows, after } = pageRequest(query, pages);
  const place = after === undefined ? undefined : { createdAt: after[0], requisitionSeq: after[1] };
  const filter = { status: query.status, mode: query.mode };
  return store.read((snapshot) =>
    listAnswer(
      selectEveryones(snapshot, filter, place, rows + 1),
      rows,
      ({ requisition, partnerId }) => ({ partner_id: partnerId, ...viewIn(snapshot, requisition) }),
      ({ requisition }) => pages.write([requisition.createdAt, requisition.requisitionSeq]),
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

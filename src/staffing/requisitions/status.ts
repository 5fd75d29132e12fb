import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { notifyIn } from '../webhooks/notify.ts';
import { isRequisitionId, type RequisitionView, saveIn } from './requisition.ts';
import type { Requisitions } from './services.ts';
import {
  insertStatusChange,
  type Owner,
  type RequisitionRow,
  requisitionOfAnyPartner,
  statusChangesOf,
} from './store.ts';

/** The allowed status changes. The statuses without an entry are final. */
const STATUS_CHANGES: Partial<Record<Status, readonly Status[]>> = {
  submitted: ['cancelled'],
  open: ['on_hold', 'filled', 'cancelled', 'closed'],
  on_hold: ['open', 'filled', 'cancelled', 'closed'],
};

/**
 * Changes the status of any partner's live requisition. @returns it with its owner. @throws ApiError
 * NOT_FOUND, INVALID_STATE
 */
export async function setLiveStatusIn(
  tx: Transaction,
  requisitions: Pick<Requisitions, 'clock' | 'sender'>,
  id: string,
  status: Status,
): Promise<{ owner: Owner; job: RequisitionView }> {
  const row = isRequisitionId(id) ? await requisitionOfAnyPartner(tx, id) : null;
  if (row === null)
    throw commonErrors.NOT_FOUND({ message: 'There is no requisition with this id. Check the id.' });
  if (row.mode === 'sandbox') {
    throw commonErrors.INVALID_STATE({
      message: 'The status of a sandbox requisition never changes. Name a live requisition.',
    });
  }
  return { owner: row, job: await setStatusIn(tx, requisitions, row, status) };
}

/**
 * Changes the status of a requisition, adds it to the history and notifies the partner's webhook. @throws
 * ApiError INVALID_STATE
 */
export async function setStatusIn(
  tx: Transaction,
  requisitions: Pick<Requisitions, 'clock' | 'sender'>,
  row: RequisitionRow,
  status: Status,
): Promise<RequisitionView> {
  const next = STATUS_CHANGES[row.status];
  if (next?.includes(status) !== true) {
    const instead = next === undefined ? 'This status is final.' : `It can become ${next.join(', ')}.`;
    throw commonErrors.INVALID_STATE({
      message: `A ${row.mode} requisition that is ${row.status} does not become ${status}. ${instead}`,
    });
  }
  const { clock } = requisitions;
  const { requisitionSeq } = row;
  const place = (await statusChangesOf(tx, requisitionSeq)).length + 1;
  await insertStatusChange(tx, { requisitionSeq, place, status, at: timestamp(clock) });
  const job = await saveIn(tx, clock, { ...row, status });
  await notifyIn(tx, requisitions, row, job);
  return job;
}

/** @throws ApiError INVALID_STATE for a requisition whose status is final */
export function requireNotFinal({ status }: RequisitionRow): void {
  if (STATUS_CHANGES[status] !== undefined) return;
  throw commonErrors.INVALID_STATE({
    message: `The requisition is ${status}, which is final. Submit a new one instead.`,
  });
}

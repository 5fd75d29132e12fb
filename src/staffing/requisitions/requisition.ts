import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import { stateOf } from '../registry/vocabulary/states.ts';
import {
  type Owner,
  type RequisitionRow,
  requisitionOf,
  type StatusChangeRow,
  statusChangesOf,
  updateRequisition,
} from './store.ts';

/** Returns a requisition for a response. */
function requisitionView(row: RequisitionRow, moves: readonly StatusChangeRow[]) {
  return {
    id: row.requisitionId,
    object: 'requisition' as const,
    mode: row.mode,
    status: row.status,
    worked: row.mode === 'live',
    title: row.title,
    specialty: row.specialty,
    specialty_code: row.specialtyCode,
    state: row.state,
    city: row.city,
    weeks: row.weeks,
    external_id: row.externalId,
    positions: row.positions,
    start_date: row.startDate,
    shift: row.shift,
    employment_type: row.employmentType,
    notes: row.notes,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    history: moves.map(({ status, at }) => ({ status, at })),
  };
}

/** A requisition in a response. */
export type RequisitionView = ReturnType<typeof requisitionView>;

/** Returns a requisition for a response, after reading its history. */
export async function viewIn(snapshot: Snapshot, row: RequisitionRow): Promise<RequisitionView> {
  return requisitionView(row, await statusChangesOf(snapshot, row.requisitionSeq));
}

/** Stores a changed requisition with the current time. @returns it for a response */
export async function saveIn(tx: Transaction, clock: Clock, row: RequisitionRow): Promise<RequisitionView> {
  const saved = { ...row, updatedAt: timestamp(clock) };
  await updateRequisition(tx, saved);
  return viewIn(tx, saved);
}

/**
 * Returns a requisition of the caller. @throws ApiError NOT_FOUND, even for another partner's or mode's
 * requisition
 */
export async function ownIn(
  snapshot: Snapshot,
  principal: Principal,
  requisitionId: string,
): Promise<RequisitionRow> {
  const row = isRequisitionId(requisitionId)
    ? await requisitionOf(snapshot, { ...ownerOf(principal), requisitionId })
    : null;
  if (row === null) {
    throw commonErrors.NOT_FOUND({
      message: 'You have no requisition with this id. Check the id, and that the key has its tier.',
    });
  }
  return row;
}

/** Returns whether a text has the form of a requisition's id. Other texts need no lookup. */
export function isRequisitionId(text: string): boolean {
  return /^req_[0-9a-f]{32}$/.test(text);
}

/** Returns the owner of the requisitions that a caller sees: its partner and tier. */
export function ownerOf({ partnerSeq, tier }: Principal): Owner {
  return { partnerSeq, mode: tier };
}

/** Returns the two letters of a US state. @throws ApiError VALIDATION_FAILED */
export function knownState(text: string): string {
  const state = stateOf(text);
  if (state !== null) return state;
  const issues = { state: ['must be the two letters of a US state, district, territory or armed forces'] };
  throw commonErrors.VALIDATION_FAILED({ issues });
}

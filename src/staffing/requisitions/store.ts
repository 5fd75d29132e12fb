import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { requisition, requisitionCount, requisitionMove } from '../../../db/staffing/requisitions.ts';
import { STATUSES, type Status } from '../../../db/staffing/requisitions-enums.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';

/** A stored requisition. */
export type RequisitionRow = typeof requisition.$inferSelect;

/** An entry of a requisition's status history, with its index. */
export type StatusChangeRow = typeof requisitionMove.$inferSelect;

/** The owner of requisitions: all queries for a partner filter by both members. */
export interface Owner {
  partnerSeq: number;
  mode: RequisitionRow['mode'];
}

const sql = sqlOf({ requisition, requisitionCount, requisitionMove });

const OWNED = sql.part`partner_seq = ${'partnerSeq'} AND mode = ${'mode'}`;

/** Stores a new requisition. @throws DuplicateRow when the owner already uses its external id */
export const insertRequisition = sql.insertRow(requisition, {
  without: ['requisitionSeq'],
  fixed: { updatedAt: sql.part`${'createdAt:requisition.createdAt'}` },
});

/** Updates a requisition of its owner. */
export const updateRequisition = sql.update(requisition, [
  'status',
  'title',
  'specialty',
  'specialtyCode',
  'state',
  'city',
  'weeks',
  'positions',
  'startDate',
  'shift',
  'employmentType',
  'notes',
  'updatedAt',
])`WHERE requisition_seq = ${'requisitionSeq'} AND ${OWNED}`;

export const deleteRequisitionRow = sql.run`
  DELETE FROM requisition WHERE requisition_seq = ${'requisitionSeq'} AND ${OWNED}`;

/** Returns a requisition of an owner; null when there is none. */
export const requisitionOf = sql.row(requisition)`WHERE requisition_id = ${'requisitionId'} AND ${OWNED}`;

/** Returns the requisition of an owner with an external id; null when there is none. */
export const requisitionByExternalId = sql.row(requisition)`
  WHERE ${OWNED} AND external_id = ${'externalId'}`;

/** Returns any partner's requisition, only for the administrator of the service; null when there is none. */
export const requisitionOfAnyPartner = sql.row(requisition)`WHERE requisition_id = ${'requisitionId'}`;

const storedCount = sql.value(requisitionCount.requisitions)`WHERE ${OWNED}`;

export async function countRequisitions(snapshot: Snapshot, owner: Owner): Promise<number> {
  return (await storedCount(snapshot, owner)) ?? 0;
}

/** Returns the status history of a requisition in order. */
export const statusChangesOf = sql.rows(requisitionMove)`
  WHERE requisition_seq = ${'requisitionSeq'} ORDER BY place`;

/** Appends to the status history of a requisition. */
export const insertStatusChange = sql.insert(requisitionMove);

/** The position of a row; the page begins after it. */
export interface RequisitionPosition {
  createdAt: string;
  requisitionSeq: number;
}

/** The position before all rows, after which the first page begins. */
const NEWEST: RequisitionPosition = { createdAt: '~', requisitionSeq: 0 };
const AFTER = sql.part`(created_at, requisition_seq) < (${'createdAt'}, ${'requisitionSeq'})`;
const NEWEST_FIRST = sql.part`ORDER BY created_at DESC, requisition_seq DESC`;

const page = sql.rows(requisition)`WHERE ${OWNED} AND ${AFTER} ${NEWEST_FIRST} LIMIT ${'limit'}`;
const pageByStatus = sql.rows(requisition)`
  WHERE ${OWNED} AND status = ${'status'} AND ${AFTER} ${NEWEST_FIRST} LIMIT ${'limit'}`;

/** Returns a page of a partner's requisitions, newest first. */
export function selectRequisitions(
  snapshot: Snapshot,
  owner: Owner,
  status: Status | undefined,
  after: RequisitionPosition = NEWEST,
  limit: number,
): Promise<RequisitionRow[]> {
  const { createdAt, requisitionSeq } = after;
  const values = { ...owner, createdAt, requisitionSeq, limit };
  return status === undefined ? page(snapshot, values) : pageByStatus(snapshot, { ...values, status });
}

const pagesOfAll = new Map<number, ReturnType<typeof pageOfAll>>();

/**
 * Returns the statement for pages of all partners' requisitions, only for the administrator of the service.
 * Each tier and status is a range of an index, newest last; SQLite merges the ranges and reads only what the
 * page needs.
 */
function pageOfAll(ranges: number) {
  const parts = Array.from(
    { length: ranges },
    (_, index) => sql.part`SELECT created_at, requisition_seq FROM requisition
      WHERE mode = ${`mode${index}:mode`} AND status = ${`status${index}:requisition.status`} AND ${AFTER}`,
  );
  return sql.rows(requisition)`WHERE requisition_seq IN (
      SELECT requisition_seq FROM (${sql.join(parts, ' UNION ALL ')} ORDER BY 1 DESC, 2 DESC LIMIT ${'limit'})
    ) ${NEWEST_FIRST}`;
}

/** Returns a page of all partners' requisitions, newest first. */
export function selectAllRequisitions(
  snapshot: Snapshot,
  filter: { status: Status | undefined; mode: RequisitionRow['mode'] | undefined },
  after: RequisitionPosition = NEWEST,
  limit: number,
): Promise<RequisitionRow[]> {
  const modes = filter.mode === undefined ? TIERS : [filter.mode];
  const statuses = filter.status === undefined ? STATUSES : [filter.status];
  const ranges = modes.flatMap((mode) => statuses.map((status) => ({ mode, status })));
  const statement = pagesOfAll.get(ranges.length) ?? pageOfAll(ranges.length);
  pagesOfAll.set(ranges.length, statement);
  return statement(snapshot, {
    ...Object.fromEntries(ranges.map(({ mode }, index) => [`mode${index}`, mode])),
    ...Object.fromEntries(ranges.map(({ status }, index) => [`status${index}`, status])),
    createdAt: after.createdAt,
    requisitionSeq: after.requisitionSeq,
    limit,
  });
}

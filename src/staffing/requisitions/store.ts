import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { requisition, requisitionCount, requisitionMove } from '../../../db/staffing/requisitions.ts';
import { STATUSES, type Status } from '../../../db/staffing/requisitions-enums.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** A stored requisition. */
export type RequisitionRow = typeof requisition.$inferSelect;

/** An entry of a requisition's status history, with its index. */
export type StatusChangeRow = typeof requisitionMove.$inferSelect;

/** The owner of requisitions: all queries for a partner filter by both members. */
export interface Owner {
  partnerSeq: number;
  mode: RequisitionRow['mode'];
}

const ownedBy = [
  eq(requisition.partnerSeq, bound(requisition.partnerSeq, 'partnerSeq')),
  eq(requisition.mode, bound(requisition.mode, 'mode')),
];
/** The position before all rows, after which the first page begins. */
const NEWEST = { createdAt: '~', requisitionSeq: 0 };
const isAfterPosition = sql`(${requisition.createdAt}, ${requisition.requisitionSeq}) < (${$('createdAt')}, ${$('seq')})`;
const newestFirst = [desc(requisition.createdAt), desc(requisition.requisitionSeq)] as const;

const query = statements((orm) => ({
  insert: () =>
    orm
      .insert(requisition)
      .values(everyColumn(requisition, ['requisitionSeq'], { updatedAt: $('createdAt') }))
      .returning()
      .prepare(),
  own: () =>
    orm
      .select()
      .from(requisition)
      .where(
        and(eq(requisition.requisitionId, bound(requisition.requisitionId, 'requisitionId')), ...ownedBy),
      )
      .prepare(),
  byExternalId: () =>
    orm
      .select()
      .from(requisition)
      .where(and(...ownedBy, eq(requisition.externalId, bound(requisition.externalId, 'externalId'))))
      .prepare(),
  countOf: () =>
    orm
      .select({ requisitions: requisitionCount.requisitions })
      .from(requisitionCount)
      .where(
        and(
          eq(requisitionCount.partnerSeq, bound(requisitionCount.partnerSeq, 'partnerSeq')),
          eq(requisitionCount.mode, bound(requisitionCount.mode, 'mode')),
        ),
      )
      .prepare(),
  update: () =>
    orm
      .update(requisition)
      .set({
        status: sql`${$('status')}`,
        title: sql`${$('title')}`,
        specialty: sql`${$('specialty')}`,
        specialtyCode: sql`${$('specialtyCode')}`,
        state: sql`${$('state')}`,
        city: sql`${$('city')}`,
        weeks: sql`${$('weeks')}`,
        positions: sql`${$('positions')}`,
        startDate: sql`${$('startDate')}`,
        shift: sql`${$('shift')}`,
        employmentType: sql`${$('employmentType')}`,
        notes: sql`${$('notes')}`,
        updatedAt: sql`${$('updatedAt')}`,
      })
      .where(
        and(eq(requisition.requisitionSeq, bound(requisition.requisitionSeq, 'requisitionSeq')), ...ownedBy),
      )
      .prepare(),
  delete: () =>
    orm
      .delete(requisition)
      .where(
        and(eq(requisition.requisitionSeq, bound(requisition.requisitionSeq, 'requisitionSeq')), ...ownedBy),
      )
      .prepare(),
  insertMove: () => orm.insert(requisitionMove).values(everyColumn(requisitionMove)).prepare(),
  moves: () =>
    orm
      .select()
      .from(requisitionMove)
      .where(eq(requisitionMove.requisitionSeq, bound(requisitionMove.requisitionSeq, 'requisitionSeq')))
      .orderBy(asc(requisitionMove.place))
      .prepare(),
  page: () =>
    orm
      .select()
      .from(requisition)
      .where(and(...ownedBy, isAfterPosition))
      .orderBy(...newestFirst)
      .limit($('limit'))
      .prepare(),
  pageByStatus: () =>
    orm
      .select()
      .from(requisition)
      .where(and(...ownedBy, eq(requisition.status, bound(requisition.status, 'status')), isAfterPosition))
      .orderBy(...newestFirst)
      .limit($('limit'))
      .prepare(),
  everyone: () => pagesOfAll(orm),
  anyById: () =>
    orm
      .select()
      .from(requisition)
      .where(eq(requisition.requisitionId, bound(requisition.requisitionId, 'requisitionId')))
      .prepare(),
}));

/**
 * Returns a function that returns the statement for pages of all partners' requisitions, only for the
 * administrator of the service. Each tier and status is a range of an index, newest last; SQLite merges the
 * ranges and reads only what the page needs.
 */
function pagesOfAll(orm: Snapshot['connection']['orm']) {
  const prepare = (ranges: number) => {
    const range = (
      _: unknown,
      index: number,
    ): SQL => sql`SELECT ${requisition.createdAt}, ${requisition.requisitionSeq} FROM ${requisition}
      WHERE ${requisition.mode} = +${$(`mode${index}`)} AND ${requisition.status} = +${$(`status${index}`)} AND ${isAfterPosition}`;
    const newest = sql`${sql.join(Array.from({ length: ranges }, range), sql` UNION ALL `)} ORDER BY 1 DESC, 2 DESC LIMIT +${$('limit')}`;
    return orm
      .select()
      .from(requisition)
      .where(inArray(requisition.requisitionSeq, sql`(SELECT requisition_seq FROM (${newest}))`))
      .orderBy(...newestFirst)
      .prepare();
  };
  const prepared = new Map<number, ReturnType<typeof prepare>>();
  return (ranges: number) => {
    const statement = prepared.get(ranges) ?? prepare(ranges);
    prepared.set(ranges, statement);
    return statement;
  };
}

/** The position of a row; the page begins after it. */
export interface RequisitionPosition {
  createdAt: string;
  requisitionSeq: number;
}

/** The columns of a new requisition. */
export type NewRequisition = Omit<RequisitionRow, 'requisitionSeq' | 'updatedAt'>;

/** Stores a new requisition. @throws DuplicateRow when the owner already uses its external id */
export function insertRequisition(tx: Transaction, row: NewRequisition): Promise<RequisitionRow> {
  return query(tx, (sql) => sql.insert.get({ ...row, updatedAt: row.createdAt }));
}

/** Updates a requisition of its owner. */
export function updateRequisition(tx: Transaction, row: RequisitionRow): Promise<void> {
  return query(tx, (sql) => void sql.update.run({ ...row }));
}

export function deleteRequisitionRow(tx: Transaction, owner: Owner, requisitionSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.delete.run({ ...owner, requisitionSeq }));
}

/** Returns a requisition of an owner; null when there is none. */
export function requisitionOf(
  snapshot: Snapshot,
  owner: Owner,
  requisitionId: string,
): Promise<RequisitionRow | null> {
  return query(snapshot, (sql) => sql.own.get({ ...owner, requisitionId }) ?? null);
}

/** Returns the requisition of an owner with an external id; null when there is none. */
export function requisitionByExternalId(
  snapshot: Snapshot,
  owner: Owner,
  externalId: string,
): Promise<RequisitionRow | null> {
  return query(snapshot, (sql) => sql.byExternalId.get({ ...owner, externalId }) ?? null);
}

/** Returns any partner's requisition, only for the administrator of the service; null when there is none. */
export function requisitionOfAnyPartner(
  snapshot: Snapshot,
  requisitionId: string,
): Promise<RequisitionRow | null> {
  return query(snapshot, (sql) => sql.anyById.get({ requisitionId }) ?? null);
}

export function countRequisitions(snapshot: Snapshot, owner: Owner): Promise<number> {
  return query(snapshot, (sql) => sql.countOf.get({ ...owner })?.requisitions ?? 0);
}

/** Returns the status history of a requisition in order. */
export function statusChangesOf(snapshot: Snapshot, requisitionSeq: number): Promise<StatusChangeRow[]> {
  return query(snapshot, (sql) => sql.moves.all({ requisitionSeq }));
}

/** Appends to the status history of a requisition. */
export function insertStatusChange(tx: Transaction, row: StatusChangeRow): Promise<void> {
  return query(tx, (sql) => void sql.insertMove.run({ ...row }));
}

/** Returns a page of a partner's requisitions, newest first. */
export function selectRequisitions(
  snapshot: Snapshot,
  owner: Owner,
  status: Status | undefined,
  after: RequisitionPosition = NEWEST,
  limit: number,
): Promise<RequisitionRow[]> {
  const place = { createdAt: after.createdAt, seq: after.requisitionSeq, limit };
  return query(snapshot, (sql) =>
    status === undefined
      ? sql.page.all({ ...owner, ...place })
      : sql.pageByStatus.all({ ...owner, status, ...place }),
  );
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
  return query(snapshot, (sql) =>
    sql.everyone(ranges.length).all({
      ...Object.fromEntries(
        ranges.flatMap(({ mode, status }, index) => [
          [`mode${index}`, mode],
          [`status${index}`, status],
        ]),
      ),
      createdAt: after.createdAt,
      seq: after.requisitionSeq,
      limit,
    }),
  );
}

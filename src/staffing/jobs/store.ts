import { and, asc, count, desc, eq, sql } from 'drizzle-orm';
import { partner } from '../../../db/staffing/accounts.ts';
import { requisition, requisitionMove, type Status } from '../../../db/staffing/jobs.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

export type RequisitionRow = typeof requisition.$inferSelect;
export type MoveRow = typeof requisitionMove.$inferSelect;

/** Whose requisitions: every read and write of a partner's names both. */
export interface Owner {
  partnerSeq: number;
  mode: RequisitionRow['mode'];
}

const ownedBy = [
  eq(requisition.partnerSeq, bound(requisition.partnerSeq, 'partnerSeq')),
  eq(requisition.mode, bound(requisition.mode, 'mode')),
];
/** Before every place: what a first page begins behind. */
const NEWEST = { createdAt: '~', requisitionSeq: 0 };
const isBehind = sql`(${requisition.createdAt}, ${requisition.requisitionSeq}) < (${$('createdAt')}, ${$('seq')})`;
const newestFirst = [desc(requisition.createdAt), desc(requisition.requisitionSeq)] as const;

/** The SQL of requisitions and their moves. */
export const jobSql = syncStatements((orm) => ({
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
      .select({ requisitions: count() })
      .from(requisition)
      .where(and(...ownedBy))
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
      .where(and(...ownedBy, isBehind))
      .orderBy(...newestFirst)
      .limit($('rows'))
      .prepare(),
  pageByStatus: () =>
    orm
      .select()
      .from(requisition)
      .where(and(...ownedBy, eq(requisition.status, bound(requisition.status, 'status')), isBehind))
      .orderBy(...newestFirst)
      .limit($('rows'))
      .prepare(),
  /** Of all partners, for the operator of the service alone. */
  everyone: () =>
    orm
      .select({ requisition, partnerId: partner.partnerId })
      .from(requisition)
      .innerJoin(partner, eq(partner.partnerSeq, requisition.partnerSeq))
      .where(
        and(
          sql`(${$('status')} IS NULL OR ${requisition.status} = ${$('status')})`,
          sql`(${$('mode')} IS NULL OR ${requisition.mode} = ${$('mode')})`,
          isBehind,
        ),
      )
      .orderBy(...newestFirst)
      .limit($('rows'))
      .prepare(),
  anyById: () =>
    orm
      .select({ requisition, partnerId: partner.partnerId })
      .from(requisition)
      .innerJoin(partner, eq(partner.partnerSeq, requisition.partnerSeq))
      .where(eq(requisition.requisitionId, bound(requisition.requisitionId, 'requisitionId')))
      .prepare(),
}));

/** Where a page begins: behind this row. */
export interface Place {
  createdAt: string;
  requisitionSeq: number;
}

/** A page of a partner's requisitions, newest first. */
export function selectJobs(
  snapshot: Snapshot,
  owner: Owner,
  status: Status | undefined,
  after: Place = NEWEST,
  rows: number,
): RequisitionRow[] {
  const place = { createdAt: after.createdAt, seq: after.requisitionSeq, rows };
  const sql = jobSql(snapshot);
  return status === undefined
    ? sql.page.all({ ...owner, ...place })
    : sql.pageByStatus.all({ ...owner, status, ...place });
}

/** A page of all partners' requisitions, newest first. */
export function selectEveryones(
  snapshot: Snapshot,
  filter: { status: Status | undefined; mode: RequisitionRow['mode'] | undefined },
  after: Place = NEWEST,
  rows: number,
) {
  return jobSql(snapshot).everyone.all({
    status: filter.status ?? null,
    mode: filter.mode ?? null,
    createdAt: after.createdAt,
    seq: after.requisitionSeq,
    rows,
  });
}

import { Type } from '@sinclair/typebox';
import type { Status } from '../../../db/staffing/jobs.ts';
import { timestamp } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/crypto.ts';
import { positionNumber, positionTime } from '../../platform/http/cursor.ts';
import type { Once } from '../../platform/http/idempotency.ts';
import { newId } from '../../platform/ids.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { canonicalJson } from '../../proof/encoding/canonical-json.ts';
import type { Principal } from '../accounts/principals.ts';
import { specialtyCode } from '../clinicians/service.ts';
import type { Desk, Staffing } from '../context.ts';
import { staffingError } from '../dialect.ts';
import { listAnswer, pageRequest } from '../list.ts';
import { stateOf } from '../registry/vocabulary/states.ts';
import { SANDBOX_REQUISITIONS } from '../rules.ts';
import { notifyIn } from '../webhooks/service.ts';
import type { Change, Job } from './schema.ts';
import { jobSql, type MoveRow, type Owner, type RequisitionRow, selectJobs } from './store.ts';

/** Where a status can go by the operator's hand; from the others nothing goes on. */
const MOVES: Partial<Record<Status, readonly Status[]>> = {
  submitted: ['cancelled'],
  open: ['on_hold', 'filled', 'cancelled', 'closed'],
  on_hold: ['open', 'filled', 'cancelled', 'closed'],
};

/** Requisitions are listed by time and sequence number. */
export const REQUISITION_POSITION = Type.Tuple([positionTime, positionNumber]);
const REQUISITIONS = { name: 'jobs', position: REQUISITION_POSITION };

/** A requisition as it is answered. */
function jobView(row: RequisitionRow, moves: readonly MoveRow[]) {
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

export type JobView = ReturnType<typeof jobView>;

/** The same with its history looked up. */
export function viewIn(snapshot: Snapshot, row: RequisitionRow): JobView {
  const { requisitionSeq } = row;
  return jobView(row, jobSql(snapshot).moves.all({ requisitionSeq }));
}

/**
 * Stores a requisition. The same content under the same external_id again answers with what is there.
 *
 * @returns the answer's status, 201 or 200, and the requisition
 * @throws ApiError VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, REQUISITION_LIMIT_REACHED, REGISTRY_UNAVAILABLE
 */
export async function submit(staffing: Staffing, principal: Principal, job: Job, once: Once) {
  const owner = ownerOf(principal);
  const state = knownState(job.state);
  const bodyDigest = sha256Hex(canonicalJson({ ...job }));
  // Before the transaction, which awaits nothing else.
  const code = await specialtyCode(staffing, job.specialty);
  return staffing.store.write(principal.authority, (tx) =>
    once(tx, (): { status: 200 | 201; job: JobView } => {
      const externalId = job.external_id ?? null;
      const sql = jobSql(tx);
      const known = externalId === null ? undefined : sql.byExternalId.get({ ...owner, externalId });
      if (known !== undefined) {
        if (known.bodyDigest !== bodyDigest) throw staffingError('EXTERNAL_ID_CONFLICT');
        return { status: 200, job: viewIn(tx, known) };
      }
      if (owner.mode === 'sandbox' && countJobsIn(tx, owner) >= SANDBOX_REQUISITIONS) {
        throw staffingError('REQUISITION_LIMIT_REACHED');
      }
      const at = timestamp(staffing.clock);
      const row = sql.insert.get({
        ...owner,
        requisitionId: newId('req_'),
        status: owner.mode === 'live' ? 'open' : 'submitted',
        title: job.title,
        specialty: job.specialty,
        specialtyCode: code,
        state,
        city: job.city ?? null,
        weeks: job.weeks ?? null,
        externalId,
        positions: job.positions ?? 1,
        startDate: job.start_date ?? null,
        shift: job.shift ?? null,
        employmentType: job.employment_type ?? null,
        notes: job.notes ?? null,
        bodyDigest,
        createdAt: at,
      });
      const moves: Status[] = owner.mode === 'live' ? ['submitted', 'open'] : ['submitted'];
      for (const [index, status] of moves.entries()) {
        sql.insertMove.run({ requisitionSeq: row.requisitionSeq, place: index + 1, status, at });
      }
      return { status: 201, job: viewIn(tx, row) };
    }),
  );
}

/** How many requisitions a partner has stored in a mode. */
export function countJobsIn(snapshot: Snapshot, owner: Owner): number {
  return jobSql(snapshot).countOf.get({ ...owner })?.requisitions ?? 0;
}

/** @throws ApiError NOT_FOUND, also for another partner's and the other mode's */
export async function readJob({ store }: Desk, principal: Principal, id: string): Promise<JobView> {
  return store.read((snapshot) => viewIn(snapshot, ownIn(snapshot, principal, id)));
}

/** A page of the caller's requisitions, newest first. @throws ApiError INVALID_CURSOR */
export async function listJobs(
  { store, cursors }: Desk,
  principal: Principal,
  query: { status?: Status; external_id?: string; limit?: string; cursor?: string },
) {
  const owner = ownerOf(principal);
  const pages = cursors.of(REQUISITIONS, [owner.partnerSeq, owner.mode, query.status, query.external_id]);
  const { rows, after } = pageRequest(query, pages);
  const place = after === undefined ? undefined : { createdAt: after[0], requisitionSeq: after[1] };
  return store.read((snapshot) => {
    const externalId = query.external_id;
    const found =
      externalId === undefined
        ? selectJobs(snapshot, owner, query.status, place, rows + 1)
        : jobSql(snapshot)
            .byExternalId.all({ ...owner, externalId })
            .filter(({ status }) => query.status === undefined || status === query.status);
    return listAnswer(
      found,
      rows,
      (row) => viewIn(snapshot, row),
      ({ createdAt, requisitionSeq }) => pages.write([createdAt, requisitionSeq]),
    );
  });
}

/** Changes fields of a requisition that has not ended. @throws ApiError NOT_FOUND, INVALID_STATE, VALIDATION_FAILED */
export async function changeJob(staffing: Staffing, principal: Principal, id: string, change: Change) {
  const state = change.state === undefined ? undefined : knownState(change.state);
  const { specialty } = change;
  const code = specialty === undefined ? undefined : await specialtyCode(staffing, specialty);
  return staffing.store.write(principal.authority, (tx) => {
    const row = ownIn(tx, principal, id);
    mustGoOn(row);
    return saveIn(tx, staffing, {
      ...row,
      title: change.title ?? row.title,
      specialty: specialty ?? row.specialty,
      specialtyCode: code === undefined ? row.specialtyCode : code,
      state: state ?? row.state,
      city: changed(change.city, row.city),
      weeks: changed(change.weeks, row.weeks),
      positions: changed(change.positions, row.positions) ?? 1,
      startDate: changed(change.start_date, row.startDate),
      shift: changed(change.shift, row.shift),
      employmentType: changed(change.employment_type, row.employmentType),
      notes: changed(change.notes, row.notes),
    });
  });
}

/** Takes a requisition back. @throws ApiError NOT_FOUND, INVALID_STATE */
export async function cancelJob(desk: Desk, principal: Principal, id: string) {
  return desk.store.write(principal.authority, (tx) =>
    moveIn(tx, desk, ownIn(tx, principal, id), 'cancelled'),
  );
}

/** Removes a sandbox requisition, which frees its place. @throws ApiError NOT_FOUND, INVALID_STATE for a live one */
export async function deleteJob({ store }: Desk, principal: Principal, id: string) {
  return store.write(principal.authority, (tx) => {
    const row = ownIn(tx, principal, id);
    if (row.mode === 'live') {
      throw staffingError('INVALID_STATE', { message: 'A live requisition is cancelled, never deleted.' });
    }
    const { requisitionSeq } = row;
    jobSql(tx).delete.run({ ...ownerOf(principal), requisitionSeq });
    return { id: row.requisitionId, deleted: true as const };
  });
}

/** Moves a requisition to another status, which its history and its partner's webhook tell. @throws ApiError INVALID_STATE */
export function moveIn(tx: Transaction, desk: Desk, row: RequisitionRow, status: Status): JobView {
  if (MOVES[row.status]?.includes(status) !== true) {
    throw staffingError('INVALID_STATE', {
      message: `A ${row.mode} requisition that is ${row.status} does not become ${status}.`,
    });
  }
  const { requisitionSeq } = row;
  const place = jobSql(tx).moves.all({ requisitionSeq }).length + 1;
  const at = timestamp(desk.clock);
  jobSql(tx).insertMove.run({ requisitionSeq, place, status, at });
  const job = saveIn(tx, desk, { ...row, status });
  notifyIn(tx, desk, row, job);
  return job;
}

function saveIn(tx: Transaction, { clock }: Desk, row: RequisitionRow): JobView {
  const saved = { ...row, updatedAt: timestamp(clock) };
  jobSql(tx).update.run({ ...saved });
  return viewIn(tx, saved);
}

function ownIn(snapshot: Snapshot, principal: Principal, requisitionId: string): RequisitionRow {
  const row = isJobId(requisitionId)
    ? jobSql(snapshot).own.get({ ...ownerOf(principal), requisitionId })
    : undefined;
  if (row === undefined) {
    throw staffingError('NOT_FOUND', { message: 'There is no requisition of yours with this id.' });
  }
  return row;
}

export function isJobId(text: string): boolean {
  return /^req_[0-9a-f]{32}$/.test(text);
}

function ownerOf({ partnerSeq, tier }: Principal): Owner {
  return { partnerSeq, mode: tier };
}

function mustGoOn({ status }: RequisitionRow): void {
  if (MOVES[status] !== undefined) return;
  throw staffingError('INVALID_STATE', { message: `The requisition is ${status}: it changes no more.` });
}

function knownState(text: string): string {
  const state = stateOf(text);
  if (state !== null) return state;
  const issues = { state: ['must be the two letters of a US state, district, territory or armed forces'] };
  throw staffingError('VALIDATION_FAILED', { issues });
}

/** null clears, undefined leaves. */
function changed<T>(asked: T | null | undefined, present: T | null): T | null {
  return asked === undefined ? present : asked;
}

import { Type } from '@sinclair/typebox';
import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Sender } from '../../platform/delivery/sender.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import { type Cursors, positionNumber, positionTime } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { canonicalJson } from '../../proof/encoding/canonical-json.ts';
import { specialtyCode } from '../clinicians/service.ts';
import { commonErrors } from '../http/errors.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import { stateOf } from '../registry/vocabulary/states.ts';
import { notifyIn } from '../webhooks/service.ts';
import { requisitionsErrors } from './errors.ts';
import type { RequisitionChange, RequisitionInput } from './schema.ts';
import {
  countRequisitions,
  deleteRequisitionRow,
  insertRequisition,
  insertStatusChange,
  type Owner,
  type RequisitionPosition,
  type RequisitionRow,
  requisitionByExternalId,
  requisitionOf,
  requisitionOfAnyPartner,
  type StatusChangeRow,
  selectAllRequisitions,
  selectRequisitions,
  statusChangesOf,
  updateRequisition,
} from './store.ts';

/** The context of the requisition functions. */
export interface Requisitions {
  store: Store;
  clock: Clock;
  ids: Ids;
  cursors: Cursors;
  registry: RegistryHandle;
  /** Delivers webhooks. */
  sender: Sender;
}

/** The maximum number of sandbox requisitions per partner; the database enforces it too. */
export const SANDBOX_REQUISITIONS = 25;

/** The allowed status changes. The statuses without an entry are final. */
const STATUS_CHANGES: Partial<Record<Status, readonly Status[]>> = {
  submitted: ['cancelled'],
  open: ['on_hold', 'filled', 'cancelled', 'closed'],
  on_hold: ['open', 'filled', 'cancelled', 'closed'],
};

/** The cursor of a requisition list: time and sequence number. */
const position = Type.Tuple([positionTime, positionNumber]);
const REQUISITIONS = { name: 'jobs', position };
/** The cursor of the list of all partners' requisitions. */
const ALL_REQUISITIONS = { name: 'admin jobs', position };

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

export type RequisitionView = ReturnType<typeof requisitionView>;

/** Returns a requisition for a response, after reading its history. */
async function viewIn(snapshot: Snapshot, row: RequisitionRow): Promise<RequisitionView> {
  return requisitionView(row, await statusChangesOf(snapshot, row.requisitionSeq));
}

/**
 * Stores a requisition. The same content with the same external_id returns the existing requisition.
 *
 * @returns the response's status, 201 or 200 for an existing one, and the requisition
 * @throws ApiError VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, REQUISITION_LIMIT_REACHED, REGISTRY_UNAVAILABLE
 */
export async function submitRequisition(
  { store, clock, ids, registry }: Pick<Requisitions, 'store' | 'clock' | 'ids' | 'registry'>,
  principal: Principal,
  job: RequisitionInput,
  once: Once,
) {
  const owner = ownerOf(principal);
  const state = knownState(job.state);
  const bodyDigest = sha256Hex(canonicalJson({ ...job }));
  // Must be resolved before the transaction, because a transaction must not await other work.
  const code = await specialtyCode({ registry }, job.specialty);
  return store.write(principal.authority, (tx) =>
    once(tx, async (): Promise<{ status: 200 | 201; job: RequisitionView }> => {
      const externalId = job.external_id ?? null;
      const known = externalId === null ? null : await requisitionByExternalId(tx, owner, externalId);
      if (known !== null) {
        if (known.bodyDigest !== bodyDigest) throw requisitionsErrors.EXTERNAL_ID_CONFLICT();
        return { status: 200, job: await viewIn(tx, known) };
      }
      if (owner.mode === 'sandbox' && (await countRequisitions(tx, owner)) >= SANDBOX_REQUISITIONS) {
        throw requisitionsErrors.REQUISITION_LIMIT_REACHED();
      }
      const at = timestamp(clock);
      const row = await insertRequisition(tx, {
        ...owner,
        requisitionId: ids.newId('req_'),
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
        await insertStatusChange(tx, { requisitionSeq: row.requisitionSeq, place: index + 1, status, at });
      }
      return { status: 201, job: await viewIn(tx, row) };
    }),
  );
}

/** Returns the number of a partner's stored requisitions in a mode. */
export function countRequisitionsIn(snapshot: Snapshot, owner: Owner): Promise<number> {
  return countRequisitions(snapshot, owner);
}

/** Returns a requisition of the caller. @throws ApiError NOT_FOUND, also for another partner's or mode's requisition */
export async function readRequisition(
  { store }: Pick<Requisitions, 'store'>,
  principal: Principal,
  id: string,
): Promise<RequisitionView> {
  return store.read(async (snapshot) => viewIn(snapshot, await ownIn(snapshot, principal, id)));
}

/** Returns a page of the caller's requisitions, newest first. @throws ApiError INVALID_CURSOR */
export async function listRequisitions(
  { store, cursors }: Pick<Requisitions, 'store' | 'cursors'>,
  principal: Principal,
  query: { status?: Status; external_id?: string; limit?: string; cursor?: string },
) {
  const owner = ownerOf(principal);
  const request = pageRequest(
    query,
    cursors.of(REQUISITIONS, [owner.partnerSeq, owner.mode, query.status, query.external_id]),
  );
  const { limit, after } = request;
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await found(snapshot),
      (row) => viewIn(snapshot, row),
      ({ createdAt, requisitionSeq }) => [createdAt, requisitionSeq],
    ),
  );

  async function found(snapshot: Snapshot): Promise<RequisitionRow[]> {
    const { external_id: externalId, status } = query;
    if (externalId === undefined)
      return selectRequisitions(snapshot, owner, status, positionOf(after), limit + 1);
    const job = await requisitionByExternalId(snapshot, owner, externalId);
    return job === null || (status !== undefined && job.status !== status) ? [] : [job];
  }
}

/** Returns a page of all partners' requisitions with their owners, newest first. @throws ApiError INVALID_CURSOR */
export async function listAllRequisitions<View>(
  { store, cursors }: Pick<Requisitions, 'store' | 'cursors'>,
  query: Paging & { status?: Status; mode?: Tier },
  view: (snapshot: Snapshot, owner: Owner, job: RequisitionView) => Promise<View>,
) {
  const request = pageRequest(query, cursors.of(ALL_REQUISITIONS, [query.status, query.mode]));
  const { limit, after } = request;
  const filter = { status: query.status, mode: query.mode };
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await selectAllRequisitions(snapshot, filter, positionOf(after), limit + 1),
      async (row) => view(snapshot, row, await viewIn(snapshot, row)),
      ({ createdAt, requisitionSeq }) => [createdAt, requisitionSeq],
    ),
  );
}

/** Changes fields of a requisition that has not ended. @throws ApiError NOT_FOUND, INVALID_STATE, VALIDATION_FAILED */
export async function changeRequisition(
  { store, clock, registry }: Pick<Requisitions, 'store' | 'clock' | 'registry'>,
  principal: Principal,
  id: string,
  change: RequisitionChange,
) {
  const state = change.state === undefined ? undefined : knownState(change.state);
  const { specialty } = change;
  const code = specialty === undefined ? undefined : await specialtyCode({ registry }, specialty);
  return store.write(principal.authority, async (tx) => {
    const row = await ownIn(tx, principal, id);
    requireNotFinal(row);
    return saveIn(tx, clock, {
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

/** Cancels a requisition. @throws ApiError NOT_FOUND, INVALID_STATE */
export async function cancelRequisition(
  requisitions: Pick<Requisitions, 'store' | 'clock' | 'sender'>,
  principal: Principal,
  id: string,
) {
  return requisitions.store.write(principal.authority, async (tx) =>
    setStatusIn(tx, requisitions, await ownIn(tx, principal, id), 'cancelled'),
  );
}

/** Deletes a sandbox requisition, which then no longer counts for the limit. @throws ApiError NOT_FOUND, INVALID_STATE for a live one */
export async function deleteRequisition(
  { store }: Pick<Requisitions, 'store'>,
  principal: Principal,
  id: string,
) {
  return store.write(principal.authority, async (tx) => {
    const { mode, requisitionId, requisitionSeq } = await ownIn(tx, principal, id);
    if (mode === 'live') {
      throw commonErrors.INVALID_STATE({
        message: 'A live requisition cannot be deleted. Cancel it instead.',
      });
    }
    await deleteRequisitionRow(tx, ownerOf(principal), requisitionSeq);
    return { id: requisitionId, deleted: true as const };
  });
}

/** Changes the status of any partner's live requisition. @returns it with its owner. @throws ApiError NOT_FOUND, INVALID_STATE */
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

/** Changes the status of a requisition, adds it to the history and notifies the partner's webhook. @throws ApiError INVALID_STATE */
async function setStatusIn(
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

async function saveIn(tx: Transaction, clock: Clock, row: RequisitionRow): Promise<RequisitionView> {
  const saved = { ...row, updatedAt: timestamp(clock) };
  await updateRequisition(tx, saved);
  return viewIn(tx, saved);
}

async function ownIn(
  snapshot: Snapshot,
  principal: Principal,
  requisitionId: string,
): Promise<RequisitionRow> {
  const row = isRequisitionId(requisitionId)
    ? await requisitionOf(snapshot, ownerOf(principal), requisitionId)
    : null;
  if (row === null) {
    throw commonErrors.NOT_FOUND({
      message: 'You have no requisition with this id. Check the id, and that the key has its tier.',
    });
  }
  return row;
}

function positionOf(position: readonly [string, number] | undefined): RequisitionPosition | undefined {
  return position === undefined ? undefined : { createdAt: position[0], requisitionSeq: position[1] };
}

function isRequisitionId(text: string): boolean {
  return /^req_[0-9a-f]{32}$/.test(text);
}

function ownerOf({ partnerSeq, tier }: Principal): Owner {
  return { partnerSeq, mode: tier };
}

function requireNotFinal({ status }: RequisitionRow): void {
  if (STATUS_CHANGES[status] !== undefined) return;
  throw commonErrors.INVALID_STATE({
    message: `The requisition is ${status}, which is final. Submit a new one instead.`,
  });
}

function knownState(text: string): string {
  const state = stateOf(text);
  if (state !== null) return state;
  const issues = { state: ['must be the two letters of a US state, district, territory or armed forces'] };
  throw commonErrors.VALIDATION_FAILED({ issues });
}

/** Returns the new value of a field: null clears it, undefined leaves it unchanged. */
function changed<T>(asked: T | null | undefined, present: T | null): T | null {
  return asked === undefined ? present : asked;
}

import { specialtyCode } from '../clinicians/specialty-code.ts';
import type { Principal } from '../http/principal.ts';
import { knownState, ownIn, saveIn } from './requisition.ts';
import type { RequisitionChange } from './schema.ts';
import type { Requisitions } from './services.ts';
import { requireNotFinal } from './status.ts';

/**
 * Changes fields of a requisition that has not ended. @throws ApiError NOT_FOUND, INVALID_STATE,
 * VALIDATION_FAILED
 */
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

/** Returns the new value of a field: null clears it, undefined leaves it unchanged. */
function changed<T>(asked: T | null | undefined, present: T | null): T | null {
  return asked === undefined ? present : asked;
}

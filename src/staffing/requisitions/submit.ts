import type { Status } from '../../../db/staffing/requisitions-enums.ts';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { canonicalJson } from '../../proof/encoding/canonical-json.ts';
import { specialtyCode } from '../clinicians/specialty-code.ts';
import type { Principal } from '../http/principal.ts';
import { SANDBOX_REQUISITIONS } from './count.ts';
import { requisitionsErrors } from './errors.ts';
import { knownState, ownerOf, type RequisitionView, viewIn } from './requisition.ts';
import type { RequisitionInput } from './schema.ts';
import type { Requisitions } from './services.ts';
import {
  countRequisitions,
  insertRequisition,
  insertStatusChange,
  requisitionByExternalId,
} from './store.ts';

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
      const known = externalId === null ? null : await requisitionByExternalId(tx, { ...owner, externalId });
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

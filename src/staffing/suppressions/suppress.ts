import { asFailure, Failure } from '../../platform/failure.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { cliniciansErrors } from '../clinicians/errors.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import { removeFromCurrent, removeFromFormer } from './remove-from-registry.ts';
import type { Suppressions } from './services.ts';
import { putSuppression } from './store.ts';

/**
 * Removes a clinician from the current registry, from the former one and from all future ones. The
 * suppression is stored first: if the process ends before the files are changed, the next start changes them,
 * and an import reads it before it makes a file current. The entry that is removed from the current file is
 * stored encrypted for `undoSuppression`.
 *
 * @throws ApiError INVALID_NPI
 */
export async function suppress(suppressions: Suppressions, npi: string, reason: string) {
  if (!isNpi(npi)) throw cliniciansErrors.INVALID_NPI();
  const { store, registryLock, clock } = suppressions;
  const row = { npi: Number(npi), reason, at: timestamp(clock) };
  await store.writeAsService((tx) => putSuppression(tx, row));
  const removed = await registryLock.run(async () => {
    try {
      return await removeFromCurrent(suppressions, [row.npi]);
    } catch (error) {
      suppressions.unappliedSuppressions.add(row.npi);
      throw notYetApplied(error);
    }
  });
  if (removed > 0) suppressions.registryChanged();
  await registryLock.run(() => removeFromFormer(suppressions, [row.npi]));
  return { npi, reason, was_in_registry: removed > 0 };
}

function notYetApplied(error: unknown): Failure {
  const { message } = asFailure(error);
  return new Failure(
    `the suppression was stored, but the clinician can still be found: ${message}`,
    'solve the problem; the service then changes the registry within a minute',
  );
}

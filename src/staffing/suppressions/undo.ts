import { join } from 'node:path';
import { timestamp } from '../../platform/time/clock.ts';
import { cliniciansErrors } from '../clinicians/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { isDeactivated } from '../imports/deactivations.ts';
import { amendRegistry } from '../registry/amend.ts';
import { currentRegistry, formerRegistry } from '../registry/current.ts';
import type { Entry } from '../registry/entry.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import { decryptRecord } from './record.ts';
import { removeFromFile } from './remove-from-registry.ts';
import type { Suppressions } from './services.ts';
import { deleteSuppression, suppressionOf } from './store.ts';

/**
 * Ends a suppression. The clinician is restored at once if the registry is still the file from which the
 * entry was removed and the NPI was not deactivated meanwhile; otherwise with the next registry that contains
 * the clinician. The former file gets the same entry, so that a rollback keeps the clinician. One clinician
 * is written to a small pair of segments: this takes milliseconds.
 *
 * @returns `restored`: whether the clinician was restored at once. @throws ApiError INVALID_NPI, NOT_FOUND
 * for a clinician who is not suppressed
 */
export async function undoSuppression(suppressions: Suppressions, npi: string) {
  if (!isNpi(npi)) throw cliniciansErrors.INVALID_NPI();
  return suppressions.registryLock.run(async () => {
    const { store, registryPath, masterKey, clock } = suppressions;
    const row = await store.read((snapshot) => suppressionOf(snapshot, Number(npi)));
    if (row === null) {
      throw commonErrors.NOT_FOUND({
        message: 'This NPI is not suppressed. See countersign suppress --list.',
      });
    }
    const name = currentRegistry(registryPath);
    const canRestore = row.registry === name && !(await isDeactivated(suppressions, row.npi));
    const entry = canRestore ? decryptRecord(masterKey, row) : null;
    // Changes the file first: if the process ends here, the next start removes the entry again, and the
    // suppression stays.
    if (name !== null && entry !== null) {
      const path = join(registryPath, name);
      const restoration = { at: timestamp(clock), kind: 'suppression' } as const;
      amendRegistry(path, { put: [], remove: [], putBack: [entry], ...restoration });
    }
    try {
      await store.writeAsService((tx) => deleteSuppression(tx, row.npi));
    } catch (error) {
      if (name !== null && entry !== null) removeFromFile(suppressions, name, [row.npi]);
      throw error;
    }
    suppressions.registryChanged();
    if (entry !== null) putBackIntoFormer(suppressions, entry);
    return { npi, restored: entry !== null };
  });
}

function putBackIntoFormer({ registryPath, clock }: Suppressions, entry: Entry): void {
  const name = formerRegistry(registryPath);
  if (name === null) return;
  const restoration = { at: timestamp(clock), kind: 'suppression' } as const;
  amendRegistry(join(registryPath, name), { put: [], remove: [], putBack: [entry], ...restoration });
}

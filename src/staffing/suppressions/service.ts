import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Store } from '../../platform/store/store.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { cliniciansErrors } from '../clinicians/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import { isDeactivated } from '../imports/deactivations.ts';
import { amendRegistry, readEntries } from '../registry/amend.ts';
import type { RegistryLock } from '../registry/changes-lock.ts';
import { currentRegistry, formerRegistry } from '../registry/current.ts';
import type { Entry } from '../registry/entry.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import { decryptRecord, encryptRecord } from './record.ts';
import {
  deleteSuppression,
  putSuppression,
  setRecord,
  suppressedNpis,
  suppressionOf,
  suppressionsAbove,
} from './store.ts';

/** The context of the suppression functions. */
export interface Suppressions {
  store: Store;
  clock: Clock;
  cursors: Cursors;
  /** Encrypts the registry entries of suppressed clinicians. */
  masterKey: MasterKey;
  /** The directory of the registry files. */
  registryPath: string;
  /** Lets one change of the registry files run at a time. */
  registryLock: RegistryLock;
  /** Call it after changing the served file. Without a server it does nothing. */
  registryChanged(): void | Promise<void>;
  /** The NPIs of stored suppressions for which the registry could not be changed, such as on a full disk. */
  unappliedSuppressions: Set<number>;
}

/** The cursor of the list of suppressions: an NPI. */
const SUPPRESSIONS = { name: 'suppressions', position: Type.Tuple([positionNumber]) };

/**
 * Removes a clinician from the current registry, from the former one and from all future ones. The suppression is stored first: if the
 * process ends before the files are changed, the next start changes them, and an import reads it before it makes a file current. The
 * entry that is removed from the current file is stored encrypted for `undoSuppression`.
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
  if (removed > 0) await suppressions.registryChanged();
  await registryLock.run(() => removeFromFormer(suppressions, [row.npi]));
  return { npi, reason, was_in_registry: removed > 0 };
}

/**
 * Ends a suppression. The clinician is restored at once if the registry is still the file from which the entry was removed and the NPI was
 * not deactivated meanwhile; otherwise with the next registry that contains the clinician. The former file gets the same entry, so that
 * a rollback keeps the clinician. One clinician is written to a small pair of segments: this takes milliseconds.
 *
 * @returns `restored`: whether the clinician was restored at once. @throws ApiError INVALID_NPI, NOT_FOUND for a clinician who is not suppressed
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
    // Changes the file first: if the process ends here, the next start removes the entry again, and the suppression stays.
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
    await suppressions.registryChanged();
    if (entry !== null) putBackIntoFormer(suppressions, entry);
    return { npi, restored: entry !== null };
  });
}

/** Returns a page of the suppressed clinicians, by NPI. @throws ApiError INVALID_CURSOR */
export async function listSuppressions(
  { store, cursors }: Pick<Suppressions, 'store' | 'cursors'>,
  query: Paging,
) {
  const request = pageRequest(query, cursors.of(SUPPRESSIONS, []));
  const { limit, after = [0] } = request;
  const [above] = after;
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await suppressionsAbove(snapshot, above, limit + 1),
      ({ npi, reason, at }) => ({ npi: String(npi), reason, at }),
      ({ npi }) => [npi],
    ),
  );
}

/** What changing a registry file by the suppressions needs. */
type Applying = Omit<Suppressions, 'cursors' | 'registryChanged' | 'unappliedSuppressions'>;

/** Removes those clinicians from the registry whose suppression failed after it was stored. @throws SQLite's error if it fails again */
export async function retrySuppressions(suppressions: Suppressions): Promise<void> {
  const { unappliedSuppressions: unapplied } = suppressions;
  if (unapplied.size === 0) return;
  const npis = [...unapplied];
  await applySuppressions(suppressions);
  for (const npi of npis) unapplied.delete(npi);
  await suppressions.registryChanged();
  await applySuppressionsToFormer(suppressions);
}

function notYetApplied(error: unknown): Failure {
  const { message } = asFailure(error);
  return new Failure(
    `the suppression was stored, but the clinician can still be found: ${message}`,
    'solve the problem; the service then changes the registry within a minute',
  );
}

/** Removes all suppressed clinicians from the current registry, at each start. */
export async function applySuppressions(suppressions: Applying): Promise<void> {
  await suppressions.registryLock.run(async () =>
    removeFromCurrent(suppressions, await allSuppressed(suppressions)),
  );
}

/**
 * Removes all suppressed clinicians from the former registry, at each start. A service whose former file is damaged can start, so the
 * caller only reports an error.
 */
export async function applySuppressionsToFormer(suppressions: Applying): Promise<void> {
  await suppressions.registryLock.run(async () =>
    removeFromFormer(suppressions, await allSuppressed(suppressions)),
  );
}

/** Returns the NPIs of all suppressed clinicians, whom an import leaves out. */
export function allSuppressed({ store }: Pick<Suppressions, 'store'>): Promise<number[]> {
  return store.read(suppressedNpis);
}

async function removeFromCurrent(suppressions: Applying, npis: readonly number[]): Promise<number> {
  const name = currentRegistry(suppressions.registryPath);
  return name === null ? 0 : removeAndStore(suppressions, name, npis);
}

/** Removes clinicians from the former file. It awaits nothing, because an import removes this file after it released the lock. */
function removeFromFormer(suppressions: Applying, npis: readonly number[]): void {
  const name = formerRegistry(suppressions.registryPath);
  if (name !== null && npis.length > 0) removeFromFile(suppressions, name, npis);
}

function putBackIntoFormer({ registryPath, clock }: Suppressions, entry: Entry): void {
  const name = formerRegistry(registryPath);
  if (name === null) return;
  const restoration = { at: timestamp(clock), kind: 'suppression' } as const;
  amendRegistry(join(registryPath, name), { put: [], remove: [], putBack: [entry], ...restoration });
}

/** Removes clinicians from a registry file and stores their entries, encrypted. @returns how many the file contained */
async function removeAndStore(
  suppressions: Applying,
  name: string,
  npis: readonly number[],
): Promise<number> {
  const { store, registryPath, masterKey } = suppressions;
  const entries = npis.length === 0 ? [] : readEntries(join(registryPath, name), npis);
  if (entries.length === 0) return 0;
  await store.writeAsService(async (tx) => {
    for (const entry of entries) {
      const [npi] = entry.columns;
      await setRecord(tx, { npi, registry: name, record: encryptRecord(masterKey, entry) });
    }
  });
  removeFromFile(
    suppressions,
    name,
    entries.map(({ columns: [npi] }) => npi),
  );
  return entries.length;
}

function removeFromFile(
  { registryPath, clock }: Pick<Suppressions, 'registryPath' | 'clock'>,
  name: string,
  remove: readonly number[],
): void {
  amendRegistry(join(registryPath, name), { put: [], remove, at: timestamp(clock), kind: 'suppression' });
}

import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { staffingError } from '../http/dialect.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import { amendRegistry, readEntries } from '../registry/amend.ts';
import { currentRegistry } from '../registry/current.ts';
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
  /** Call it after changing the served file. Without a server it does nothing. */
  registryChanged(): void;
}

/** The cursor of the list of suppressions: an NPI. */
const SUPPRESSIONS = { name: 'suppressions', position: Type.Tuple([positionNumber]) };

/**
 * Removes a clinician from the current registry and from all future ones. The suppression is stored first: if the process ends before
 * the file is changed, the next start changes it. The removed entry is stored encrypted for `undoSuppression`.
 *
 * @throws ApiError INVALID_NPI
 */
export async function suppress(suppressions: Suppressions, npi: string, reason: string) {
  if (!isNpi(npi)) throw staffingError('INVALID_NPI');
  const at = timestamp(suppressions.clock);
  const { name, entries } = entriesOf(suppressions, [Number(npi)]);
  await suppressions.store.writeAsService(async (tx) => {
    await putSuppression(tx, { npi: Number(npi), reason, at });
    await storeRecordsIn(tx, suppressions, name, entries);
  });
  removeFromRegistry(suppressions, [Number(npi)]);
  suppressions.registryChanged();
  return { npi, reason, was_in_registry: entries.length > 0 };
}

/**
 * Ends a suppression. The clinician is restored at once if the registry is still the file from which the entry was removed; otherwise
 * with the next registry that contains the clinician.
 *
 * @returns `restored`: whether the clinician was restored at once. @throws ApiError INVALID_NPI, NOT_FOUND for a clinician who is not suppressed
 */
export async function undoSuppression(suppressions: Suppressions, npi: string) {
  if (!isNpi(npi)) throw staffingError('INVALID_NPI');
  const row = await suppressions.store.read((snapshot) => suppressionOf(snapshot, Number(npi)));
  if (row === null) {
    throw staffingError('NOT_FOUND', {
      message: 'This NPI is not suppressed. See countersign suppress --list.',
    });
  }
  const name = currentRegistry(suppressions.registryPath);
  const entry = row.registry === name ? decryptRecord(suppressions.masterKey, row) : null;
  // Changes the file first: if the process ends here, the next start removes the entry again, and the suppression stays.
  if (name !== null && entry !== null) {
    amendRegistry(join(suppressions.registryPath, name), {
      put: [],
      remove: [],
      putBack: [entry],
      at: timestamp(suppressions.clock),
      kind: 'suppression',
    });
  }
  try {
    await suppressions.store.writeAsService((tx) => deleteSuppression(tx, row.npi));
  } catch (error) {
    removeFromRegistry(suppressions, [row.npi]);
    throw error;
  }
  suppressions.registryChanged();
  return { npi, restored: entry !== null };
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

/** Removes all suppressed clinicians from the current registry: at each start and after each import. */
export async function applySuppressions(
  suppressions: Omit<Suppressions, 'cursors' | 'registryChanged'>,
): Promise<void> {
  const { name, entries } = entriesOf(suppressions, await suppressions.store.read(suppressedNpis));
  if (entries.length === 0) return;
  await suppressions.store.writeAsService((tx) => storeRecordsIn(tx, suppressions, name, entries));
  removeFromRegistry(
    suppressions,
    entries.map(({ columns: [npi] }) => npi),
  );
}

/** Returns the NPIs of all suppressed clinicians, which an import leaves out. */
export function allSuppressed({ store }: Pick<Suppressions, 'store'>): Promise<number[]> {
  return store.read(suppressedNpis);
}

/** Returns the entries of the given clinicians in the served file. */
function entriesOf({ registryPath }: Pick<Suppressions, 'registryPath'>, npis: readonly number[]) {
  const name = currentRegistry(registryPath);
  if (name === null || npis.length === 0) return { name, entries: [] };
  return { name, entries: readEntries(join(registryPath, name), npis) };
}

async function storeRecordsIn(
  tx: Transaction,
  { masterKey }: Pick<Suppressions, 'masterKey'>,
  registry: string | null,
  entries: readonly Entry[],
): Promise<void> {
  for (const entry of entries) {
    const [npi] = entry.columns;
    await setRecord(tx, { npi, registry, record: encryptRecord(masterKey, entry) });
  }
}

function removeFromRegistry(
  { registryPath, clock }: Pick<Suppressions, 'registryPath' | 'clock'>,
  remove: readonly number[],
): void {
  const name = currentRegistry(registryPath);
  if (name === null) return;
  amendRegistry(join(registryPath, name), { put: [], remove, at: timestamp(clock), kind: 'suppression' });
}

import { join } from 'node:path';
import { timestamp } from '../../platform/time/clock.ts';
import { amendRegistry, readEntries } from '../registry/amend.ts';
import { currentRegistry, formerRegistry } from '../registry/current.ts';
import { encryptRecord } from './record.ts';
import type { Applying, Suppressions } from './services.ts';
import { setRecord } from './store.ts';

/**
 * Removes clinicians from the current registry and stores their entries, encrypted. @returns how many the
 * file contained
 */
export async function removeFromCurrent(suppressions: Applying, npis: readonly number[]): Promise<number> {
  const name = currentRegistry(suppressions.registryPath);
  return name === null ? 0 : removeAndStore(suppressions, name, npis);
}

/**
 * Removes clinicians from the former file. It awaits nothing, because an import removes this file after it
 * released the lock.
 */
export function removeFromFormer(suppressions: Applying, npis: readonly number[]): void {
  const name = formerRegistry(suppressions.registryPath);
  if (name !== null && npis.length > 0) removeFromFile(suppressions, name, npis);
}

/**
 * Removes clinicians from a registry file and stores their entries, encrypted. @returns how many the file
 * contained
 */
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

/** Removes clinicians from a registry file. */
export function removeFromFile(
  { registryPath, clock }: Pick<Suppressions, 'registryPath' | 'clock'>,
  name: string,
  remove: readonly number[],
): void {
  amendRegistry(join(registryPath, name), { put: [], remove, at: timestamp(clock), kind: 'suppression' });
}

import { join } from 'node:path';
import { timestamp } from '../../platform/clock.ts';
import type { Store } from '../../platform/store/store.ts';
import { isNpi } from '../clinicians/npi.ts';
import type { Desk } from '../context.ts';
import { staffingError } from '../dialect.ts';
import { amendRegistry } from '../registry/amend.ts';
import { currentRegistry } from '../registry/current.ts';
import { suppressionSql } from './store.ts';

/**
 * Takes a clinician out of the registry, and out of all that come. What is written down first holds: should the process end
 * before the file is changed, the next start changes it.
 *
 * @throws ApiError INVALID_NPI
 */
export async function suppress(desk: Desk, npi: string, reason: string) {
  if (!isNpi(npi)) throw staffingError('INVALID_NPI');
  const at = timestamp(desk.clock);
  await desk.store.writeAsService((tx) => void suppressionSql(tx).put.run({ npi: Number(npi), reason, at }));
  const removed = takeOut(desk.registryPath, [Number(npi)]);
  desk.registryChanged();
  return { npi, reason, was_in_registry: removed > 0 };
}

/** Takes all who are suppressed out of the registry that is there: for each start, and after each import. */
export async function applySuppressions(store: Store, registryPath: string): Promise<void> {
  const rows = await store.read((snapshot) => suppressionSql(snapshot).all.all());
  takeOut(
    registryPath,
    rows.map(({ npi }) => npi),
  );
}

/** @returns how many of them the registry had. */
function takeOut(registryPath: string, remove: readonly number[]): number {
  const name = currentRegistry(registryPath);
  if (name === null || remove.length === 0) return 0;
  return amendRegistry(join(registryPath, name), { put: [], remove }).removed;
}

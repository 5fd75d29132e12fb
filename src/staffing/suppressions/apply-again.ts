import { removeFromCurrent, removeFromFormer } from './remove-from-registry.ts';
import type { Applying, Suppressions } from './services.ts';
import { suppressedNpis } from './store.ts';

/**
 * Removes those clinicians from the registry whose suppression failed after it was stored. @throws SQLite's
 * error if it fails again
 */
export async function retrySuppressions(suppressions: Suppressions): Promise<void> {
  const { unappliedSuppressions: unapplied } = suppressions;
  if (unapplied.size === 0) return;
  const npis = [...unapplied];
  await applySuppressions(suppressions);
  for (const npi of npis) unapplied.delete(npi);
  suppressions.registryChanged();
  await applySuppressionsToFormer(suppressions);
}

/** Removes all suppressed clinicians from the current registry, at each start. */
export async function applySuppressions(suppressions: Applying): Promise<void> {
  await suppressions.registryLock.run(async () =>
    removeFromCurrent(suppressions, await allSuppressed(suppressions)),
  );
}

/**
 * Removes all suppressed clinicians from the former registry, at each start. A service whose former file is
 * damaged can start, so the caller only reports an error.
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

import { HOUR_MS } from '../../../platform/time/units.ts';
import type { SandboxParts } from './session.ts';
import { deleteSessions } from './store.ts';

/** A paid session stays this long after its last change, so that it can be renewed and refunded. */
const KEPT_MS = 90 * 24 * HOUR_MS;
const BATCH = 200;

/** Deletes unpaid sessions an hour after they expired, and others after 90 days without a change. */
export async function deleteOldSessions({
  store,
  clock,
}: Pick<SandboxParts, 'store' | 'clock'>): Promise<void> {
  const now = clock.now();
  const times = { expiredBefore: now - HOUR_MS, changedBefore: now - KEPT_MS };
  while ((await store.writeAsService((tx) => deleteSessions(tx, times, BATCH))) > 0);
}

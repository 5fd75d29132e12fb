import type { Store } from '../../platform/store/store.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { deleteSessionsUntil } from './session-store.ts';

/** Lifetime of a session: 12 hours. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** Deletes expired sessions. */
export async function deleteExpiredSessions(store: Store, clock: Clock): Promise<void> {
  await store.writeAsService((tx) => deleteSessionsUntil(tx, timestamp(clock)));
}

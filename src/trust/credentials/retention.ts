import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { deleteCredentialsUntil } from './store.ts';

/** Credentials stay this long after their end, so that their status can be explained. */
const RETENTION_MS = 30 * 24 * 3600_000;
/** Rows per transaction. It ends within milliseconds, so that other writers are not blocked. */
const BATCH = 500;

/** Deletes credentials 30 days after their end. Revoked ones stay. */
export async function deleteOldCredentials({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  const until = timestampOf(clock.now() - RETENTION_MS);
  const deleteBatch = (): Promise<number> =>
    store.writeAsService((tx) => deleteCredentialsUntil(tx, { until, limit: BATCH }));
  while ((await deleteBatch()) === BATCH);
}

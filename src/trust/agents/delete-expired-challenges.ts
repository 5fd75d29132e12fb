import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { deleteChallengesUntil, deleteNoncesUntil } from './store.ts';

/** Expired challenges stay this long, so that a late proof gets 410 challenge_expired. */
const CHALLENGE_RETENTION_MS = 600_000;
/** Nonces stay this long after their authorization expired, against replays after the clock was set back. */
const NONCE_RETENTION_MS = 3_600_000;
/** Rows per transaction. It ends within milliseconds, so that other writers are not blocked. */
const BATCH = 500;

/**
 * Deletes challenges 10 minutes after they expired, and nonces one hour after their authorizations expired.
 */
export async function deleteExpiredChallenges({
  store,
  clock,
}: {
  store: Store;
  clock: Clock;
}): Promise<void> {
  const before = (ms: number): string => timestampOf(clock.now() - ms);
  const challengesUntil = before(CHALLENGE_RETENTION_MS);
  const noncesUntil = before(NONCE_RETENTION_MS);
  const deleteBatch = (): Promise<number> =>
    store.writeAsService(async (tx) =>
      Math.max(
        await deleteChallengesUntil(tx, { until: challengesUntil, limit: BATCH }),
        await deleteNoncesUntil(tx, { until: noncesUntil, limit: BATCH }),
      ),
    );
  while ((await deleteBatch()) === BATCH);
}

import { timestamp } from '../../../platform/time/clock.ts';
import type { TrustContext } from '../../context.ts';
import { deleteChallengesUntil, deleteNoncesUntil } from '../store.ts';

/** A challenge stays so long after its time, so that its late or second proof is answered as one. */
const CHALLENGE_RETENTION_MS = 600_000;
/** A nonce stays so long after its authorization expired: one that is used again after the clock went back is still known. */
const NONCE_RETENTION_MS = 3_600_000;
/** Rows a transaction: it is over within milliseconds, and others write in between. */
const BATCH = 500;

/** Deletes challenges 10 minutes after their time, and nonces of authorizations an hour after theirs. */
export async function deleteExpiredChallenges({
  store,
  clock,
}: Pick<TrustContext, 'store' | 'clock'>): Promise<void> {
  const before = (ms: number): string => timestamp({ now: () => clock.now() - ms });
  const challengesUntil = before(CHALLENGE_RETENTION_MS);
  const noncesUntil = before(NONCE_RETENTION_MS);
  const deleteBatch = (): Promise<number> =>
    store.writeAsService(async (tx) =>
      Math.max(
        await deleteChallengesUntil(tx, challengesUntil, BATCH),
        await deleteNoncesUntil(tx, noncesUntil, BATCH),
      ),
    );
  while ((await deleteBatch()) === BATCH);
}

import { timestamp } from '../../platform/clock.ts';
import type { Trust } from '../context.ts';
import { agentSql } from './store.ts';

/** A challenge stays so long after its time, so that its late or second proof is answered as one. */
const CHALLENGE_KEPT_MS = 600_000;
/** A nonce stays so long after its authorization expired: one that is used again after the clock went back is still known. */
const NONCE_KEPT_MS = 3_600_000;
/** Rows a transaction: it is over within milliseconds, and others write in between. */
const BATCH = 500;

/** Deletes challenges 10 minutes after their time, and nonces of authorizations an hour after theirs. */
export async function forgetOldChallenges({ store, clock }: Pick<Trust, 'store' | 'clock'>): Promise<void> {
  const before = (ms: number): string => timestamp({ now: () => clock.now() - ms });
  const challenges = { until: before(CHALLENGE_KEPT_MS), rows: BATCH };
  const nonces = { until: before(NONCE_KEPT_MS), rows: BATCH };
  const forget = (): Promise<number> =>
    store.writeAsService((tx) =>
      Math.max(
        agentSql(tx).forgetChallenges.all(challenges).length,
        agentSql(tx).forgetNonces.all(nonces).length,
      ),
    );
  while ((await forget()) === BATCH);
}

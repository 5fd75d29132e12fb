import { timestamp } from '../../platform/clock.ts';
import type { Trust } from '../context.ts';
import { agentSql } from './store.ts';

/** For so long after its end whoever comes with a challenge is told that it expired. */
const KEPT_MS = 3_600_000;

/** Forgets challenges that ended an hour ago, and nonces of authorizations that would have expired anyway. */
export async function forgetOldChallenges({ store, clock }: Pick<Trust, 'store' | 'clock'>): Promise<void> {
  const until = timestamp({ now: () => clock.now() - KEPT_MS });
  await store.writeAsService((tx) => {
    agentSql(tx).forgetChallenges.run({ until });
    agentSql(tx).forgetNonces.run({ until });
  });
}

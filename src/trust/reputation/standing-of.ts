import type { Snapshot } from '../../platform/store/transaction.ts';
import { dayOf, figuresOf, windowBounds, windowsOf } from './rates.ts';
import { countsOf, sumsOf } from './store.ts';

/**
 * All that is known of an agent's work at the time `now` (milliseconds since 1970): totals since it enrolled, and rates over
 * the present UTC day and the 29 before.
 */
export async function standingOf(snapshot: Snapshot, { agentSeq }: { agentSeq: number }, now: number) {
  const standing = await countsOf(snapshot, agentSeq);
  const sums = await sumsOf(snapshot, agentSeq, windowBounds(dayOf(now)));
  const figures = figuresOf(windowsOf(sums));
  const { success_rate, failure_rate, sample_size, trajectory_7d, score } = figures;
  return {
    totals: {
      evidence_count: standing.evidenceCount,
      artifact_count: standing.artifactCount,
      failure_count: standing.failureCount,
      receipts_count: standing.receiptCount,
    },
    rolling_30d: { success_rate, failure_rate, sample_size },
    trajectory_7d,
    score,
    reputation: standing.reputation,
    /** RFC 3339; null while nothing was counted. */
    first_observed_at: standing.firstObservedAt,
    last_observed_at: standing.lastObservedAt,
  };
}

import type { Snapshot } from '../../platform/store/transaction.ts';
import { dayOf, ratesOf, windowBounds, windowsOf } from './rates.ts';
import { countsOf, sumsOf } from './store.ts';

/**
 * All that is known of an agent's work at the time `now` (milliseconds since 1970): totals since it enrolled, and rates over
 * the present UTC day and the 29 before.
 */
export async function performanceOf(snapshot: Snapshot, { agentSeq }: { agentSeq: number }, now: number) {
  const counters = await countsOf(snapshot, agentSeq);
  const sums = await sumsOf(snapshot, agentSeq, windowBounds(dayOf(now)));
  const rates = ratesOf(windowsOf(sums));
  const { success_rate, failure_rate, sample_size, trajectory_7d, score } = rates;
  return {
    totals: {
      evidence_count: counters.evidenceCount,
      artifact_count: counters.artifactCount,
      failure_count: counters.failureCount,
      receipts_count: counters.receiptCount,
    },
    rolling_30d: { success_rate, failure_rate, sample_size },
    trajectory_7d,
    score,
    reputation: counters.reputation,
    /** RFC 3339; null while nothing was counted. */
    first_observed_at: counters.firstObservedAt,
    last_observed_at: counters.lastObservedAt,
  };
}

import type { Snapshot } from '../../../platform/store/transaction.ts';
import { dayOf, ratesOf, windowBounds, windowsOf } from './score.ts';
import { countsOf, sumsOf } from './store.ts';

/**
 * Returns an agent's performance at the time `now` (milliseconds since 1970): totals since it enrolled, and
 * rates over the current UTC day and the 29 days before.
 */
export async function performanceOf(snapshot: Snapshot, { agentSeq }: { agentSeq: number }, now: number) {
  const { counts: counters, limited } = await countsOf(snapshot, agentSeq);
  const sums = await sumsOf(snapshot, agentSeq, windowBounds(dayOf(now)));
  const { deliveries } = counters;
  const rates = ratesOf(windowsOf(sums, { deliveries, limited }));
  const { success_rate, failure_rate, sample_size, trajectory_7d } = rates;
  const { score, score_corroborated, score_basis } = rates;
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
    score_corroborated,
    score_basis,
    reputation: counters.reputation,
    /** RFC 3339; null before the first event. */
    first_observed_at: counters.firstObservedAt,
    last_observed_at: counters.lastObservedAt,
  };
}

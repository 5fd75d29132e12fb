import type { Snapshot } from '../../platform/store/transaction.ts';
import { dayOf, figuresOf, type Windows, windowBounds, windowsOf } from './rates.ts';
import { reputationSql } from './store.ts';

/** An agent's outcomes as `today`, in days since 1970-01-01 UTC, sees them. */
export function windowsIn(snapshot: Snapshot, agentSeq: number, today: number): Windows {
  const sums = reputationSql(snapshot).windows.get({ agentSeq, ...windowBounds(today) });
  if (sums === undefined) throw new Error('a sum without a row');
  return windowsOf(sums);
}

/**
 * All that is known of an agent's work at the time `now` (milliseconds since 1970): totals since it enrolled, and rates over
 * the present UTC day and the 29 before.
 */
export function standingOf(snapshot: Snapshot, { agentSeq }: { agentSeq: number }, now: number) {
  const standing = reputationSql(snapshot).byAgent.get({ agentSeq });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  const figures = figuresOf(windowsIn(snapshot, agentSeq, dayOf(now)));
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

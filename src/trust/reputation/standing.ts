import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import {
  dayOf,
  failureRate,
  type Outcomes,
  sampleSize,
  score,
  successRate,
  TRAJECTORY_DAYS,
  trajectory,
  WINDOW_DAYS,
} from './rates.ts';
import { reputationSql } from './store.ts';

/** Begins to count for an agent that has just enrolled. */
export function beginStandingIn(tx: Transaction, agentSeq: number): void {
  reputationSql(tx).begin.run({ agentSeq });
}

/** Takes an agent that is revoked off the leaderboard for ever; nobody is told of its reputation any more. */
export function unlistIn(tx: Transaction, agentSeq: number): void {
  reputationSql(tx).unlist.run({ agentSeq });
}

/** How an agent's work ended in the 30 days up to `today`, and in the 30 days that ended 7 days before. */
export interface Windows {
  present: Outcomes;
  former: Outcomes;
}

/** The days (since 1970-01-01 UTC) that both windows of `today` begin and end with. */
export function windowBounds(today: number) {
  const formerTo = today - TRAJECTORY_DAYS;
  return {
    from: today - WINDOW_DAYS + 1,
    to: today,
    formerFrom: formerTo - WINDOW_DAYS + 1,
    formerTo,
  };
}

/** An agent's outcomes as `today`, in days since 1970-01-01 UTC, sees them. */
export function windowsIn(snapshot: Snapshot, agentSeq: number, today: number): Windows {
  const sums = reputationSql(snapshot).windows.get({ agentSeq, ...windowBounds(today) });
  if (sums === undefined) throw new Error('a sum without a row');
  return windowsOf(sums);
}

/** Both windows from the columns in which a query has their sums. */
export function windowsOf(sums: {
  successes: number;
  failures: number;
  formerSuccesses: number;
  formerFailures: number;
}): Windows {
  const { successes, failures, formerSuccesses, formerFailures } = sums;
  return {
    present: { successes, failures },
    former: { successes: formerSuccesses, failures: formerFailures },
  };
}

/** What both windows come to. Rates are 0 to 1 with four decimals, null without events; the score is 0 to 100. */
export function figuresOf({ present, former }: Windows) {
  return {
    success_rate: successRate(present),
    failure_rate: failureRate(present),
    trajectory_7d: trajectory(present, former),
    score: score(present),
    sample_size: sampleSize(present),
  };
}

/**
 * All that is known of an agent's work at the time `now` (milliseconds since 1970): totals since it enrolled, and rates over
 * the present UTC day and the 29 before.
 */
export function standingOf(snapshot: Snapshot, { agentSeq }: { agentSeq: number }, now: number) {
  const standing = reputationSql(snapshot).byAgent.get({ agentSeq });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  const { success_rate, failure_rate, ...figures } = figuresOf(windowsIn(snapshot, agentSeq, dayOf(now)));
  return {
    totals: {
      evidence_count: standing.evidenceCount,
      artifact_count: standing.artifactCount,
      failure_count: standing.failureCount,
      receipts_count: standing.receiptCount,
    },
    rolling_30d: { success_rate, failure_rate },
    ...figures,
    reputation: standing.reputation,
    /** RFC 3339; null while nothing was counted. */
    first_observed_at: standing.firstObservedAt,
    last_observed_at: standing.lastObservedAt,
  };
}

import { timestamp } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Trust } from '../context.ts';
import { reputationEvents } from './events.ts';
import {
  dayOf,
  failureRate,
  milestonesSince,
  type Outcomes,
  type Reputation,
  reputationAfter,
  sampleSize,
} from './rates.ts';
import { windowsIn } from './standing-of.ts';
import { reputationSql } from './store.ts';

/** Whose reputation it is, and who is told of it. */
export interface Subject {
  agentSeq: number;
  /** 64 hexadecimal characters. */
  subjectCommitment: string;
  /** operator_seq. */
  sponsorSeq: number | null;
}

type Telling = Pick<Trust, 'clock' | 'events'>;

/**
 * Looks at an agent's failures over the present window, and tells once when its reputation is degraded or restored. What
 * was told is stored in the same transaction, so it is told again neither after a restart nor by two at once.
 */
export function evaluateIn(
  tx: Transaction,
  { clock, events }: Telling,
  subject: Subject,
  before: Reputation,
): void {
  const { agentSeq } = subject;
  const { present } = windowsIn(tx, agentSeq, dayOf(clock.now()));
  const after = reputationAfter(before, present);
  if (after === before) return;
  reputationSql(tx).setReputation.run({ agentSeq, reputation: after });
  const at = timestamp(clock);
  events.emitIn(tx, reputationEvents, {
    event: after === 'degraded' ? 'reputation.degraded' : 'reputation.restored',
    data: {
      agent_commitment: subject.subjectCommitment,
      current_failure_rate: failureRate(present) ?? 0,
      reason: reasonFor(after, present, at.slice(0, 10)),
    },
    timestamp: at,
    operators: operatorsOf(subject),
  });
}

/** Tells once of each milestone that an agent's evidence has reached. */
export function passMilestonesIn(
  tx: Transaction,
  { clock, events }: Telling,
  subject: Subject,
  { milestone: last, evidenceCount }: { milestone: number; evidenceCount: number },
): void {
  for (const milestone of milestonesSince(last, evidenceCount)) {
    reputationSql(tx).setMilestone.run({ agentSeq: subject.agentSeq, milestone });
    events.emitIn(tx, reputationEvents, {
      event: 'reputation.milestone',
      data: {
        agent_commitment: subject.subjectCommitment,
        total_evidence: evidenceCount,
        milestone_tier: milestone,
      },
      timestamp: timestamp(clock),
      operators: operatorsOf(subject),
    });
  }
}

function operatorsOf({ sponsorSeq }: Subject): number[] {
  return sponsorSeq === null ? [] : [sponsorSeq];
}

/** Why, as a sentence with the figures. */
function reasonFor(after: Reputation, outcomes: Outcomes, date: string): string {
  const rate = failureRate(outcomes);
  if (rate === null) return `There was no event in the 30 days up to ${date}, so no failure either.`;
  const failed = `${outcomes.failures} of ${sampleSize(outcomes)} events in the 30 days up to ${date} failed`;
  const percent = `${Number((rate * 100).toFixed(2))}%`;
  return after === 'degraded'
    ? `${failed}: ${percent}, which is above 25% of at least 10 events.`
    : `${failed}: ${percent}, which is below 10%.`;
}

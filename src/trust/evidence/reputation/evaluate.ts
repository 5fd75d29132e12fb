import type { Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import type { Events } from '../../webhooks/events.ts';
import { reputationEvents } from './events.ts';
import {
  dayOf,
  failureRate,
  milestonesSince,
  type Outcomes,
  type Reputation,
  reputationAfter,
  sampleSize,
  windowBounds,
} from './score.ts';
import { type Subject, setMilestone, setReputation, sumsOf } from './store.ts';

export type { Subject } from './store.ts';

/** The cache of credentials, which a change of an agent's counters invalidates. */
export interface CountingContext {
  credentialCache: { changedIn(tx: Pick<Transaction, 'afterCommit'>, commitment: string): void };
}

export interface EvaluationContext extends CountingContext {
  clock: Clock;
  events: Pick<Events, 'emitIn'>;
}

/**
 * Evaluates an agent's failures over the current window, and emits an event when its reputation becomes
 * degraded or normal. Stores the reputation in the same transaction, so that each change is emitted once,
 * even after a restart or with concurrent requests.
 */
export async function evaluateIn(
  tx: Transaction,
  context: EvaluationContext,
  subject: Subject,
  before: Reputation,
): Promise<void> {
  const current = await sumsOf(tx, subject.agentSeq, windowBounds(dayOf(context.clock.now())));
  await updateReputationIn(tx, context, subject, before, current);
}

/** Does the same as `evaluateIn` with the outcomes of the current window, which the caller has read. */
export async function updateReputationIn(
  tx: Transaction,
  { clock, events }: EvaluationContext,
  subject: Subject,
  before: Reputation,
  current: Outcomes,
): Promise<void> {
  const after = reputationAfter(before, current);
  if (after === before) return;
  await setReputation(tx, { agentSeq: subject.agentSeq, reputation: after });
  const at = timestamp(clock);
  events.emitIn(tx, reputationEvents, {
    event: after === 'degraded' ? 'reputation.degraded' : 'reputation.restored',
    data: {
      agent_commitment: subject.subjectCommitment,
      current_failure_rate: failureRate(current) ?? 0,
      reason: reasonFor(after, current, at.slice(0, 10)),
    },
    timestamp: at,
    operators: operatorsOf(subject),
  });
}

/** Emits an event for each milestone that an agent's evidence has newly reached. */
export async function emitMilestonesIn(
  tx: Transaction,
  { clock, events }: EvaluationContext,
  subject: Subject,
  { milestone: last, evidenceCount }: { milestone: number; evidenceCount: number },
): Promise<void> {
  for (const milestone of milestonesSince(last, evidenceCount)) {
    await setMilestone(tx, { agentSeq: subject.agentSeq, milestone });
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

/** Returns the reason for a change as a sentence with the numbers. */
function reasonFor(after: Reputation, outcomes: Outcomes, date: string): string {
  const rate = failureRate(outcomes);
  if (rate === null) return `There was no outcome in the 30 days up to ${date}, so there was no failure.`;
  const failed = `${outcomes.failures} of ${sampleSize(outcomes)} outcomes in the 30 days up to ${date} were failures`;
  const percent = `${Number((rate * 100).toFixed(2))}%`;
  return after === 'degraded'
    ? `${failed}: ${percent}. The limit is 25%, from 10 outcomes on.`
    : `${failed}: ${percent}, which is below 10%.`;
}

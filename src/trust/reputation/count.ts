import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { agentIn } from '../agents/agents.ts';
import type { Trust } from '../context.ts';
import { evaluateIn, passMilestonesIn, type Subject } from './evaluate.ts';
import { dayOf, type Reputation } from './rates.ts';
import { reputationSql } from './store.ts';

export type Outcome = 'success' | 'failure';

/** What one item of evidence adds to what is known of its agent. */
export interface CountedEvidence {
  /** 64 hexadecimal characters. */
  eventHash: string;
  outcome: Outcome;
  /** Commits and deliverables in it. */
  artifacts: number;
  /** RFC 3339. */
  at: string;
}

/** A receipt that is finalized. */
export interface CountedReceipt {
  agentId: string;
  /** Who issued it. */
  operatorSeq: number;
  outcome: Outcome;
  /** RFC 3339. */
  at: string;
}

/** How many items an agent's chain has, and the hash of the last. */
export function chainHeadIn(
  snapshot: Snapshot,
  agentSeq: number,
): { length: number; eventHash: string | null } {
  const standing = reputationSql(snapshot).byAgent.get({ agentSeq });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  return { length: standing.evidenceCount, eventHash: standing.lastEventHash };
}

/** Counts an item of evidence that the transaction adds to the end of its agent's chain, and tells what follows of it. */
export function countEvidenceIn(
  tx: Transaction,
  trust: Pick<Trust, 'clock' | 'events'>,
  agent: Subject,
  counted: CountedEvidence,
): void {
  const { agentSeq } = agent;
  const { eventHash, artifacts, at } = counted;
  const failures = failuresOf(counted);
  const standing = reputationSql(tx).countEvidence.get({ agentSeq, eventHash, failures, artifacts, at });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  countDayIn(tx, agentSeq, counted);
  if (!standing.listed) return;
  passMilestonesIn(tx, trust, agent, standing);
  if (mayHaveChanged(standing)) evaluateIn(tx, trust, agent, standing.reputation);
}

/**
 * Counts a receipt that the transaction finalizes for the agent whose commitment is its agent_id, if there is one that
 * stands and its sponsor issued the receipt; and tells what follows of it.
 */
export function countReceiptIn(
  tx: Transaction,
  trust: Pick<Trust, 'clock' | 'events'>,
  counted: CountedReceipt,
): void {
  const agent = agentIn(tx, counted.agentId);
  if (agent === undefined || agent.state === 'REVOKED' || agent.sponsorSeq !== counted.operatorSeq) return;
  const { agentSeq } = agent;
  const failures = failuresOf(counted);
  const standing = reputationSql(tx).countReceipt.get({ agentSeq, failures, at: counted.at });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  countDayIn(tx, agentSeq, counted);
  if (mayHaveChanged(standing)) evaluateIn(tx, trust, agent, standing.reputation);
}

function countDayIn(tx: Transaction, agentSeq: number, counted: { outcome: Outcome; at: string }): void {
  const failures = failuresOf(counted);
  reputationSql(tx).countDay.run({
    agentSeq,
    day: dayOf(Date.parse(counted.at)),
    successes: 1 - failures,
    failures,
  });
}

/** Whoever never failed has no reputation to lose, nor one to be given back: nothing has to be summed up. */
function mayHaveChanged({
  failureCount,
  reputation,
}: {
  failureCount: number;
  reputation: Reputation;
}): boolean {
  return failureCount > 0 || reputation !== 'normal';
}

function failuresOf({ outcome }: { outcome: Outcome }): 0 | 1 {
  return outcome === 'failure' ? 1 : 0;
}

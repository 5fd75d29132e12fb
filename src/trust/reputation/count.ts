import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { ErrorTranche, ReceiptStatus } from '../../proof/receipt/receipt.ts';
import { agentIn } from '../agents/agents.ts';
import type { Trust } from '../context.ts';
import { evaluateIn, passMilestonesIn, type Subject } from './evaluate.ts';
import { dayOf, type Reputation } from './rates.ts';
import { reputationSql } from './store.ts';

export type Outcome = 'success' | 'failure';
/** How a receipt counts: a refusal, say, is one receipt more and changes no rate. */
export type ReceiptOutcome = Outcome | 'neither';

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
  receiptSeq: number;
  agentId: string;
  /** Who issued it. */
  operatorSeq: number;
  outcome: ReceiptOutcome;
  /** RFC 3339. */
  at: string;
}

/**
 * How a finalized receipt counts. A failure has an error tranche, or ended as `failure_tombstone` or `timeout`; a success is
 * `success`; every other status is neither.
 */
export function receiptOutcome(status: ReceiptStatus, tranche: ErrorTranche | null): ReceiptOutcome {
  const hasTranche = tranche !== null && tranche !== 'NONE';
  if (hasTranche || status === 'failure_tombstone' || status === 'timeout') return 'failure';
  return status === 'success' ? 'success' : 'neither';
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
  const { receiptSeq, outcome, at } = counted;
  const failures = failuresOf(counted);
  const standing = reputationSql(tx).countReceipt.get({ agentSeq, failures, at });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  reputationSql(tx).insertReceipt.run({ receiptSeq, agentSeq, day: dayOf(Date.parse(at)), outcome });
  if (outcome === 'neither') return;
  countDayIn(tx, agentSeq, { outcome, at });
  if (mayHaveChanged(standing)) evaluateIn(tx, trust, agent, standing.reputation);
}

/**
 * Takes a receipt that the transaction has revoked out of all that it counted for, on the day that it was finalized; and
 * tells what follows of it. Does nothing for a receipt that counted for no agent.
 */
export function discountReceiptIn(
  tx: Transaction,
  trust: Pick<Trust, 'clock' | 'events'>,
  receiptSeq: number,
): void {
  const sql = reputationSql(tx);
  const counted = sql.receipt.get({ receiptSeq });
  if (counted === undefined) return;
  const { day, outcome, ...subject } = counted;
  const { agentSeq } = subject;
  const failures = failuresOf(counted);
  const standing = sql.discountReceipt.get({ agentSeq, failures });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  if (outcome === 'neither') return;
  sql.discountDay.run({ agentSeq, day, successes: 1 - failures, failures });
  if (standing.listed && mayHaveChanged(standing)) evaluateIn(tx, trust, subject, standing.reputation);
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

function failuresOf({ outcome }: { outcome: ReceiptOutcome }): 0 | 1 {
  return outcome === 'failure' ? 1 : 0;
}

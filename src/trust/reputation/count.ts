import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { ErrorTranche, ReceiptStatus } from '../../proof/receipt/receipt.ts';
import { type EvaluationContext, emitMilestonesIn, evaluateIn, type Subject } from './evaluate.ts';
import { dayOf, milestonesSince, type Reputation } from './rates.ts';
import {
  addEvidence,
  addReceipt,
  type ChainHead,
  chainHeadOf,
  type ReceiptOutcome,
  subtractReceipt,
} from './store.ts';

export type { ReceiptOutcome } from './store.ts';

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
  receiptSeq: number;
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
export function chainHeadIn(snapshot: Snapshot, agentSeq: number): Promise<ChainHead> {
  return chainHeadOf(snapshot, agentSeq);
}

/** Counts an item of evidence that the transaction adds to the end of its agent's chain, and tells what follows of it. */
export async function countEvidenceIn(
  tx: Transaction,
  context: EvaluationContext,
  agent: Subject,
  { eventHash, outcome, artifacts, at }: CountedEvidence,
): Promise<void> {
  const { agentSeq } = agent;
  const failures = outcome === 'failure' ? 1 : 0;
  const day = dayOf(Date.parse(at));
  const counted = await addEvidence(tx, { agentSeq, eventHash, failures, artifacts, day, at });
  if (!counted.listed) return;
  if (milestonesSince(counted.milestone, counted.evidenceCount).length > 0)
    await emitMilestonesIn(tx, context, agent, counted);
  if (mayHaveChanged(counted)) await evaluateIn(tx, context, agent, counted.reputation);
}

/**
 * Counts a receipt that the transaction finalizes for the agent that its agent_id names, if it stands and its sponsor issued the
 * receipt; and tells what follows of it. `agent`: undefined where none of that name has enrolled.
 */
export async function countReceiptIn(
  tx: Transaction,
  context: EvaluationContext,
  agent: (Subject & { state: string }) | undefined,
  { receiptSeq, operatorSeq, outcome, at }: CountedReceipt,
): Promise<void> {
  if (agent === undefined || agent.state === 'REVOKED' || agent.sponsorSeq !== operatorSeq) return;
  const { agentSeq } = agent;
  const counted = await addReceipt(tx, { receiptSeq, agentSeq, outcome, day: dayOf(Date.parse(at)), at });
  if (outcome === 'neither') return;
  if (mayHaveChanged(counted)) await evaluateIn(tx, context, agent, counted.reputation);
}

/**
 * Takes a receipt that the transaction has revoked out of all that it counted for, on the day that it was finalized; and
 * tells what follows of it. Does nothing for a receipt that counted for no agent.
 */
export async function uncountReceiptIn(
  tx: Transaction,
  context: EvaluationContext,
  receiptSeq: number,
): Promise<void> {
  const uncounted = await subtractReceipt(tx, receiptSeq);
  if (uncounted === null) return;
  const { subject, outcome, counted } = uncounted;
  if (outcome === 'neither' || !counted.listed) return;
  if (mayHaveChanged(counted)) await evaluateIn(tx, context, subject, counted.reputation);
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

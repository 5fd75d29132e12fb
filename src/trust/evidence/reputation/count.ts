import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { ReceiptOutcome } from '../../../proof/receipt/outcome.ts';
import { type EvaluationContext, emitMilestonesIn, evaluateIn, type Subject } from './evaluate.ts';
import { addLostItem, addRestored } from './lost-store.ts';
import { dayOf, milestonesSince, type Reputation } from './score.ts';
import { addEvidence, addReceipt, type ChainHead, chainHeadOf, subtractReceipt } from './store.ts';

export type { ChainHead } from './store.ts';

export type Outcome = 'success' | 'failure';

/** The counts that one item of evidence adds to its agent's counters. */
export interface CountedEvidence {
  evidenceSeq: number;
  /** 64 hexadecimal characters. */
  eventHash: string;
  /** `neither`, of an assessment of another agent, adds to the number of items and changes no rate. */
  outcome: Outcome | 'neither';
  /** Commits and deliverables in it. */
  artifacts: number;
  /** RFC 3339. */
  at: string;
  /** Whether others than the agent attest it: it came with the service token. */
  attested: boolean;
  /** Whether its payload counts already, under another type. It is an item without an outcome then. */
  repeated: boolean;
}

/** A finalized receipt. */
export interface CountedReceipt {
  receiptSeq: number;
  /** The issuer. */
  operatorSeq: number;
  outcome: ReceiptOutcome;
  /** RFC 3339. */
  at: string;
}

/** Returns the length of an agent's chain and the event hash of its last item. */
export function chainHeadIn(snapshot: Snapshot, agentSeq: number): Promise<ChainHead> {
  return chainHeadOf(snapshot, agentSeq);
}

/** Adds to an agent's chain an item that only the log has: a restored backup lacks it. */
export async function addLostItemIn(tx: Transaction, agentSeq: number, eventHash: string): Promise<void> {
  await addLostItem(tx, { agentSeq, eventHash });
}

/**
 * Counts an item of evidence, and emits the reputation events that follow from it.
 * @param change `appended` by this transaction, or `restored`: the log kept its leaf, so the chain has it
 */
export async function countEvidenceIn(
  tx: Transaction,
  context: EvaluationContext,
  agent: Subject,
  { eventHash, at, ...counts }: CountedEvidence,
  change: 'appended' | 'restored' = 'appended',
): Promise<void> {
  const { agentSeq, subjectCommitment } = agent;
  const day = dayOf(Date.parse(at));
  const item = { ...counts, agentSeq, day, at };
  const counted = await (change === 'appended'
    ? addEvidence(tx, { ...item, eventHash })
    : addRestored(tx, item));
  context.credentialCache.changedIn(tx, subjectCommitment);
  if (!counted.listed) return;
  if (milestonesSince(counted.milestone, counted.evidenceCount).length > 0)
    await emitMilestonesIn(tx, context, agent, counted);
  if (mayHaveChanged(counted)) await evaluateIn(tx, context, agent, counted.reputation);
}

/**
 * Counts a receipt that the transaction finalizes, if its agent is not revoked and the agent's sponsor issued
 * it. Emits the reputation events that follow from it.
 * @param agent the enrolled agent that the receipt's agent_id names; null for none
 */
export async function countReceiptIn(
  tx: Transaction,
  context: EvaluationContext,
  agent: (Subject & { state: string }) | null,
  { receiptSeq, operatorSeq, outcome, at }: CountedReceipt,
): Promise<void> {
  if (agent === null || agent.state === 'REVOKED' || agent.sponsorSeq !== operatorSeq) return;
  const { agentSeq } = agent;
  const counted = await addReceipt(tx, { receiptSeq, agentSeq, outcome, day: dayOf(Date.parse(at)), at });
  context.credentialCache.changedIn(tx, agent.subjectCommitment);
  if (outcome === 'neither') return;
  if (mayHaveChanged(counted)) await evaluateIn(tx, context, agent, counted.reputation);
}

/**
 * Removes a receipt that the transaction revokes from the counts of its agent and of the day on which it was
 * finalized. Emits the reputation events that follow from it. Ignores a receipt that counts for no agent.
 */
export async function removeReceiptFromCountsIn(
  tx: Transaction,
  context: EvaluationContext,
  receiptSeq: number,
): Promise<void> {
  const removed = await subtractReceipt(tx, receiptSeq);
  if (removed === null) return;
  const { subject, outcome, counted } = removed;
  context.credentialCache.changedIn(tx, subject.subjectCommitment);
  if (outcome === 'neither' || !counted.listed) return;
  if (mayHaveChanged(counted)) await evaluateIn(tx, context, subject, counted.reputation);
}

/** Returns false for an agent without failures and with normal reputation: no evaluation is needed. */
function mayHaveChanged({
  failureCount,
  reputation,
}: {
  failureCount: number;
  reputation: Reputation;
}): boolean {
  return failureCount > 0 || reputation !== 'normal';
}

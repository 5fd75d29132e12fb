import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { AgentRow } from '../agents/agents.ts';
import type { Trust } from '../context.ts';
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

/** How many items an agent's chain has, and the hash of the last. */
export function chainHeadIn(
  snapshot: Snapshot,
  agentSeq: number,
): { length: number; eventHash: string | null } {
  const standing = reputationSql(snapshot).byAgent.get({ agentSeq });
  if (standing === undefined) throw new Error(`agent ${agentSeq} has no standing`);
  return { length: standing.evidenceCount, eventHash: standing.lastEventHash };
}

/** Counts an item of evidence that the transaction adds to the end of its agent's chain. */
export function countEvidenceIn(
  tx: Transaction,
  _trust: Trust,
  { agentSeq }: AgentRow,
  counted: CountedEvidence,
): void {
  const { eventHash, outcome, artifacts, at } = counted;
  const failures = outcome === 'failure' ? 1 : 0;
  reputationSql(tx).countEvidence.run({ agentSeq, eventHash, failures, artifacts, at });
}

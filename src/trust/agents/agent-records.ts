import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';

/** What other rooms record of each agent. Rooms above provide it, because they import agents. */
export interface AgentRecords {
  /** Creates the counters of a newly enrolled agent, in the transaction that enrolls it. */
  agentCreatedIn(tx: Transaction, agentSeq: number): Promise<void>;
  /** Removes a revoked agent from the leaderboard, in the transaction that revokes it. */
  agentRevokedIn(tx: Transaction, agentSeq: number): Promise<void>;
  /**
   * Returns the length of an agent's chain of evidence, and its newest item's hash; null for an empty chain.
   */
  evidenceChainIn(
    snapshot: Snapshot,
    agentSeq: number,
  ): Promise<{ length: number; eventHash: string | null }>;
}

/** The cache of credentials, which changes of agents, their receipts and evidence make stale. */
export interface CredentialChanges {
  /** Drops the credential of an agent when the transaction is committed. */
  changedIn(tx: Transaction, commitment: string): void;
  /** Drops what depends on the state of a revoked agent when the transaction is committed. */
  agentRevokedIn(tx: Transaction, commitment: string): void;
}

/** A cache of what agents show of themselves. */
export interface PresentationCache {
  /** Drops what is cached for an agent when the transaction is committed. */
  changedIn(tx: Transaction, commitment: string): void;
}

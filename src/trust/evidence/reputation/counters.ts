import type { Transaction } from '../../../platform/store/transaction.ts';
import { insertCounts, setUnlisted } from './store.ts';

/** Creates the counters of a newly enrolled agent. */
export function createCountersIn(tx: Transaction, agentSeq: number): Promise<void> {
  return insertCounts(tx, agentSeq);
}

/** Removes a revoked agent from the leaderboard permanently, and stops its reputation events. */
export function removeFromLeaderboardIn(tx: Transaction, agentSeq: number): Promise<void> {
  return setUnlisted(tx, agentSeq);
}

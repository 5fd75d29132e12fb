import type { Transaction } from '../../platform/store/transaction.ts';
import { insertCounts, setUnlisted } from './store.ts';

/** Begins to count for an agent that has just enrolled. */
export function createCountersIn(tx: Transaction, agentSeq: number): Promise<void> {
  return insertCounts(tx, agentSeq);
}

/** Takes an agent that is revoked off the leaderboard for ever; nobody is told of its reputation any more. */
export function unlistIn(tx: Transaction, agentSeq: number): Promise<void> {
  return setUnlisted(tx, agentSeq);
}

import { GroupCache } from '../../platform/store/cache/group-cache.ts';
import { StoreCache } from '../../platform/store/cache/store-cache.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { findAgentIn, requireEnrolled, requireEnrolledAgentIn } from './agents.ts';
import type { AgentRow } from './store.ts';

/** An agent takes 1 KB of memory. */
const MAX_CACHED = 4096;

/**
 * Caches agents that often send evidence. Outside a transaction an agent comes from memory; inside one it is read from the database,
 * once for all units of work that share the transaction.
 */
export class AgentCache {
  private readonly cache: StoreCache<AgentRow | undefined>;
  private readonly shared = new GroupCache<AgentRow>();

  constructor(store: Pick<Store, 'read'>) {
    this.cache = new StoreCache(store, findAgentIn, MAX_CACHED);
  }

  /** Returns an agent as of the last commit that changed it. @throws ApiError agent_not_enrolled, also for a revoked agent; Overloaded */
  async enrolled(commitment: string): Promise<AgentRow> {
    return requireEnrolled(await this.cache.get(commitment), commitment);
  }

  /**
   * Returns an agent as the transaction sees it; synchronously if an earlier unit of work of this transaction has read it.
   * @throws ApiError agent_not_enrolled, also for a revoked agent; the promise may reject with it instead
   */
  enrolledIn(tx: Transaction, commitment: string): AgentRow | Promise<AgentRow> {
    // Refusals are not cached: most requested agents exist.
    return this.shared.get(tx, commitment, () => requireEnrolledAgentIn(tx, commitment));
  }

  /** Invalidates a changed agent. Every command that changes an agent calls this. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>, { subjectCommitment }: AgentRow): void {
    // Later units of work in the same transaction must see the change.
    this.shared.clear();
    this.cache.changedIn(tx, subjectCommitment);
  }
}

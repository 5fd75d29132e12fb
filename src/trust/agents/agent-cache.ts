import { GroupCache } from '../../platform/store/cache/group-cache.ts';
import { StoreCache } from '../../platform/store/cache/store-cache.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { findAgentIn, requireEnrolled, requireEnrolledAgentIn } from './agents.ts';
import type { AgentRow } from './store.ts';

/** Agents of 1 KB each. */
const MAX_CACHED = 4096;

/**
 * Agents whose evidence comes again and again. Before a transaction one is known from memory; within it, where it counts, one is
 * read once for all units that share the transaction.
 */
export class AgentCache {
  private readonly cache: StoreCache<AgentRow | undefined>;
  private readonly shared = new GroupCache<AgentRow>();

  constructor(store: Pick<Store, 'read'>) {
    this.cache = new StoreCache(store, findAgentIn, MAX_CACHED);
  }

  /** An agent as of the last commit that changed it. @throws ApiError agent_not_enrolled, for one that was revoked too; Overloaded */
  async enrolled(commitment: string): Promise<AgentRow> {
    return requireEnrolled(await this.cache.get(commitment));
  }

  /**
   * An agent as it stands in the transaction: at once where a unit before it has read it.
   * @throws ApiError agent_not_enrolled, for one that was revoked too; or rejects with it
   */
  enrolledIn(tx: Transaction, commitment: string): AgentRow | Promise<AgentRow> {
    // What is refused is not kept: most agents that are asked for are there.
    return this.shared.get(tx, commitment, () => requireEnrolledAgentIn(tx, commitment));
  }

  /** To be called by whatever changes an agent: from then on it is read anew. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>, { subjectCommitment }: AgentRow): void {
    // Units that follow in the same transaction see the change already.
    this.shared.clear();
    this.cache.changedIn(tx, subjectCommitment);
  }
}

import { GroupCache } from '../../platform/store/cache/group-cache.ts';
import { StoreCache } from '../../platform/store/cache/store-cache.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { readAuthorityMark } from '../operators/auth/authority-mark.ts';
import { findAgentIn, requireEnrolled, requireEnrolledAgentIn } from './agents.ts';
import type { AgentRow } from './store.ts';

/** An agent takes 1 KB of memory. */
const MAX_CACHED = 4096;

/**
 * Caches agents that often act. Outside a transaction an agent comes from memory. Inside one it does too,
 * while the authority mark is the one under which the agent was read: triggers change it with every agent.
 */
export class AgentCache {
  /** An unknown agent is undefined, which is not cached: it may enroll at any time. */
  private readonly cache: StoreCache<AgentRow | undefined>;
  private readonly marks = new GroupCache<number>();
  /** What transactions that are not committed yet have read. */
  private readonly shared = new GroupCache<AgentRow>();
  /** `agents` is valid while the database has this authority mark. */
  private mark: number | null = null;
  private readonly agents = new Map<string, AgentRow>();

  constructor(store: Pick<Store, 'read'>) {
    const read = async (snapshot: Snapshot, commitment: string) =>
      (await findAgentIn(snapshot, commitment)) ?? undefined;
    this.cache = new StoreCache(store, read, MAX_CACHED);
  }

  /**
   * Returns an agent as of the last commit that changed it.
   * @throws ApiError agent_not_enrolled, including for a revoked agent; Overloaded
   */
  async enrolled(commitment: string): Promise<AgentRow> {
    return requireEnrolled((await this.cache.get(commitment)) ?? null, commitment);
  }

  /**
   * Returns an agent as the transaction sees it; synchronously if it is cached.
   * @throws ApiError agent_not_enrolled, including for a revoked agent; the promise may reject with it
   */
  enrolledIn(tx: Transaction, commitment: string): AgentRow | Promise<AgentRow> {
    const get = () =>
      this.agents.get(commitment) ?? this.shared.get(tx, commitment, () => this.readIn(tx, commitment));
    const mark = this.marks.get(tx, '', () => readAuthorityMark(tx));
    if (typeof mark !== 'number') return mark.then((read) => this.resetTo(read)).then(get);
    this.resetTo(mark);
    return get();
  }

  /** Invalidates a changed agent. Every command that changes an agent calls this. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>, { subjectCommitment }: AgentRow): void {
    // Later units of work in the same transaction must see the change.
    this.marks.clear();
    this.shared.clear();
    this.cache.changedIn(tx, subjectCommitment);
  }

  private resetTo(mark: number): void {
    if (mark === this.mark) return;
    this.mark = mark;
    this.agents.clear();
    this.shared.clear();
  }

  private async readIn(tx: Transaction, commitment: string): Promise<AgentRow> {
    const { mark } = this;
    // Refusals are not cached: most requested agents exist.
    const agent = await requireEnrolledAgentIn(tx, commitment);
    // Not before the commit: an agent whose enrollment is rolled back leaves its number to the next one, and
    // the mark as it was. And an agent that was read under one mark must not be cached under another.
    tx.afterCommit(() => {
      if (mark !== this.mark) return;
      if (this.agents.size >= MAX_CACHED) this.agents.clear();
      this.agents.set(commitment, agent);
    });
    return agent;
  }
}

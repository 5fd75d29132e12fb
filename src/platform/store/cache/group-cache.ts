import type { Transaction } from '../transaction.ts';

/**
 * What is read within transactions, kept for the units that share one: for facts that many of them ask for and few change. Whoever
 * changes one calls `clear` in the same unit; what a unit read that failed is read anew.
 */
export class GroupCache<Value> {
  private reads: object | null = null;
  /** How often something was cleared: what was asked for before is not kept after. */
  private clears = 0;
  private readonly entries = new Map<string, Value>();

  /** Returns what `read` gave for a key in this transaction: at once what is known, so that nobody waits for it. */
  get(tx: Transaction, key: string, read: () => Promise<Value>): Value | Promise<Value> {
    this.follow(tx);
    return this.entries.get(key) ?? this.load(key, read);
  }

  /** Lets units that follow read anew. */
  clear(): void {
    this.entries.clear();
    this.clears += 1;
  }

  private follow(tx: Transaction): void {
    if (this.reads === tx.reads) return;
    this.reads = tx.reads;
    this.entries.clear();
  }

  private async load(key: string, read: () => Promise<Value>): Promise<Value> {
    const { reads, clears } = this;
    const value = await read();
    if (reads === this.reads && clears === this.clears) this.entries.set(key, value);
    return value;
  }
}

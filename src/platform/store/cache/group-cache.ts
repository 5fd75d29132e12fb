import type { Transaction } from '../transaction.ts';

/**
 * Caches values that are read in transactions, for the units that share a transaction. For values that many
 * units read and few change. A unit that changes a value calls `clear`. After a failed unit, values are read
 * again.
 */
export class GroupCache<Value> {
  private reads: object | null = null;
  /** The number of calls of `clear`. A value that was requested before a call is not cached after it. */
  private clears = 0;
  private readonly entries = new Map<string, Value>();

  /** Returns the value of `read` for a key in this transaction; a cached value without a promise. */
  get(tx: Transaction, key: string, read: () => Promise<Value>): Value | Promise<Value> {
    this.follow(tx);
    return this.entries.get(key) ?? this.load(key, read);
  }

  /** Makes later units read again. */
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

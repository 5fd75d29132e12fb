import type { Transaction } from './transaction.ts';

/**
 * What is read within transactions, kept for the units that share one: for facts that many of them ask for and few change. Whoever
 * changes one calls `clear` in the same unit; what a unit read that failed is read anew.
 */
export class SharedReads<Value> {
  private reads: object | null = null;
  private readonly known = new Map<string, Value>();

  /** Returns what `read` gave for a key in this transaction. */
  get(tx: Transaction, key: string, read: () => Value): Value {
    if (this.reads !== tx.reads) {
      this.reads = tx.reads;
      this.known.clear();
    }
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const value = read();
    this.known.set(key, value);
    return value;
  }

  /** Lets units that follow read anew. */
  clear(): void {
    this.known.clear();
  }
}

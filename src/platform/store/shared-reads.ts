import type { Transaction } from './transaction.ts';

/**
 * What is read within transactions, kept for the units that share one: for facts that many of them ask for and few change. Whoever
 * changes one calls `clear` in the same unit; what a unit read that failed is read anew.
 */
export class SharedReads<Value> {
  private reads: object | null = null;
  private readonly known = new Map<string, Value>();

  /** Returns what `read` gave for a key in this transaction: at once what is known, so that nobody waits for it. */
  get(tx: Transaction, key: string, read: () => Promise<Value>): Value | Promise<Value> {
    this.follow(tx);
    return this.known.get(key) ?? this.ask(key, read);
  }

  /** The same for those that read without a promise. */
  getSync(tx: Transaction, key: string, read: () => Value): Value {
    this.follow(tx);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const value = read();
    this.known.set(key, value);
    return value;
  }

  /** Lets units that follow read anew. */
  clear(): void {
    this.known.clear();
    // What is being read now is not kept.
    this.reads = null;
  }

  private follow(tx: Transaction): void {
    if (this.reads === tx.reads) return;
    this.reads = tx.reads;
    this.known.clear();
  }

  private async ask(key: string, read: () => Promise<Value>): Promise<Value> {
    const { reads } = this;
    const value = await read();
    if (reads === this.reads) this.known.set(key, value);
    return value;
  }
}

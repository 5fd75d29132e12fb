import type { Store } from '../store.ts';
import type { Snapshot, Transaction } from '../transaction.ts';

/**
 * What was read from the store lately, by key, until it is told that it changed: whoever changes it says so in the transaction,
 * and from the commit on everybody reads anew. Bounded, since callers name the keys; the least recently used is forgotten first.
 */
export class StoreCache<Value> {
  private readonly entries = new Map<string, Value>();
  private changes = 0;

  /** @param read what is stored for a key @param maxEntries how many are remembered */
  constructor(
    private readonly store: Pick<Store, 'read'>,
    private readonly read: (snapshot: Snapshot, key: string) => Value | Promise<Value>,
    private readonly maxEntries: number,
  ) {}

  /** What is stored for a key, at once when it is remembered, which undefined never is. @throws Overloaded */
  get(key: string): Value | Promise<Value> {
    const value = this.entries.get(key);
    if (value === undefined) return this.load(key);
    this.add(key, value);
    return value;
  }

  /** Forgets a key that the transaction changes, once it is durable. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>, key: string): void {
    tx.afterCommit(() => {
      this.changes++;
      this.entries.delete(key);
    });
  }

  private async load(key: string): Promise<Value> {
    const changes = this.changes;
    const value = await this.store.read((snapshot) => this.read(snapshot, key));
    // What was read before a change must not be remembered after it.
    if (changes === this.changes && value !== undefined) this.add(key, value);
    return value;
  }

  private add(key: string, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.maxEntries) return;
    const [oldest = key] = this.entries.keys();
    this.entries.delete(oldest);
  }
}

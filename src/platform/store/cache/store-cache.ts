import type { Store } from '../store.ts';
import type { Snapshot, Transaction } from '../transaction.ts';

/**
 * Caches values of the store by key. A transaction that changes a value calls `changedIn`, and after the
 * commit everyone reads again. Its size is limited because clients choose the keys; the least recently used
 * entry is dropped first.
 */
export class StoreCache<Value> {
  private readonly entries = new Map<string, Value>();
  private changes = 0;

  /** @param read returns the stored value of a key @param maxEntries the maximum number of entries */
  constructor(
    private readonly store: Pick<Store, 'read'>,
    private readonly read: (snapshot: Snapshot, key: string) => Value | Promise<Value>,
    private readonly maxEntries: number,
  ) {}

  /**
   * Returns the value of a key; a cached value without a promise. Never caches undefined. @throws Overloaded
   */
  get(key: string): Value | Promise<Value> {
    const value = this.entries.get(key);
    if (value === undefined) return this.load(key);
    this.add(key, value);
    return value;
  }

  /** Removes a key that the transaction changes, after its commit. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>, key: string): void {
    tx.afterCommit(() => {
      this.changes++;
      this.entries.delete(key);
    });
  }

  private async load(key: string): Promise<Value> {
    const changes = this.changes;
    const value = await this.store.read((snapshot) => this.read(snapshot, key));
    // A value that was read before a change must not be cached after it.
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

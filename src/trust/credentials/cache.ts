import type { Transaction } from '../../platform/store/transaction.ts';

/** A signed document as it is sent. */
export interface SignedText {
  json: string;
  /** A strong entity tag (RFC 9110). */
  etag: string;
  /** The document may be sent from `from` until before `until`, in milliseconds since 1970. */
  from: number;
  until: number;
  /** The key that signed it. */
  keySeq: number;
}

/** A credential about a cluster. */
export interface ClusterText extends SignedText {
  /** The number of the newest receipt that it counts. */
  newestReceipt: number;
}

/**
 * The bits of a status list, and the authority mark at which they were read: an account that is suspended
 * changes the mark.
 */
export interface StatusBits {
  bits: Uint8Array;
  mark: number;
}

/** A credential takes 3 KB of memory. */
const MAX_CREDENTIALS = 4096;
/** A status list takes 16 KB for its bits, and at most 22 KB for its text. */
const MAX_LISTS = 64;

/**
 * Caches signed documents, and lets requests that arrive together share one loading. Its size is limited
 * because clients choose the keys; the least recently used entry is dropped first.
 */
export class DocumentCache<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  private readonly loading = new Map<Key, Promise<Value>>();

  constructor(private readonly maxEntries: number) {}

  /** Returns the cached value of a key; null if there is none. */
  get(key: Key): Value | null {
    const value = this.entries.get(key);
    if (value === undefined) return null;
    // Makes it the most recently used one.
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** Returns what `load` returns, or what an earlier call for this key that still runs will return. */
  load(key: Key, load: () => Promise<Value>): Promise<Value> {
    const running = this.loading.get(key);
    if (running !== undefined) return running;
    const started = load();
    this.loading.set(key, started);
    const end = (): boolean => this.loading.get(key) === started && this.loading.delete(key);
    started.then(
      (value) => end() && this.add(key, value),
      () => end(),
    );
    return started;
  }

  /** Drops a key. What a running call loads for it is not cached: it may be older than the change. */
  drop(key: Key): void {
    this.entries.delete(key);
    this.loading.delete(key);
  }

  /** Drops all keys. */
  clear(): void {
    this.entries.clear();
    this.loading.clear();
  }

  private add(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.maxEntries) return;
    const [oldest = key] = this.entries.keys();
    this.entries.delete(oldest);
  }
}

/**
 * Caches the documents that the service has signed. Every command that changes the metrics, the state or a
 * credential of an agent calls one of its functions in the transaction. After the commit, the next request
 * computes the document again.
 */
export class CredentialCache {
  /** Credentials by the commitment of their agent. */
  readonly credentials = new DocumentCache<string, SignedText>(MAX_CREDENTIALS);
  /** Status lists by number. */
  readonly lists = new DocumentCache<number, SignedText>(MAX_LISTS);
  /** Credentials about clusters, by the id of the cluster. */
  readonly clusters = new DocumentCache<string, ClusterText>(MAX_CREDENTIALS);
  /** The bits of status lists by number, which stay the same when a list is signed again. */
  readonly bits = new DocumentCache<number, StatusBits>(MAX_LISTS);

  /** Records that a transaction changes the metrics of an agent. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>, commitment: string): void {
    tx.afterCommit(() => this.credentials.drop(commitment));
  }

  /**
   * Records that a transaction revokes an agent, and with it all its credentials, which can be in any list.
   */
  agentRevokedIn(tx: Pick<Transaction, 'afterCommit'>, commitment: string): void {
    tx.afterCommit(() => {
      this.credentials.drop(commitment);
      this.lists.clear();
      this.bits.clear();
    });
  }

  /** Records that a transaction revokes one credential. */
  credentialRevokedIn(
    tx: Pick<Transaction, 'afterCommit'>,
    {
      commitment,
      clusterId,
      listSeq,
    }: { commitment: string | null; clusterId: string | null; listSeq: number },
  ): void {
    tx.afterCommit(() => {
      if (commitment !== null) this.credentials.drop(commitment);
      if (clusterId !== null) this.clusters.drop(clusterId);
      this.lists.drop(listSeq);
      this.bits.drop(listSeq);
    });
  }
}

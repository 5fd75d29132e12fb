import { Database, SQLiteError, type Statement } from 'bun:sqlite';
import { closeSync, openSync, rmSync } from 'node:fs';
import { bytesToHex, hexToBytes } from '../../../proof/encoding/hex.ts';
import type { AccountEntry, ReceiptEntry } from '../../../proof/log/log-entry.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { AccountActs, type ActProblem, actTableIn } from './acts.ts';
import { AWAITED_TABLES, Awaited, awaitedTablesIn, type Settled } from './awaited.ts';
import { FinalizedReceipts, finalizedTableIn, type SecondFinalization } from './finalized.ts';
import { HashStarts } from './hash-starts.ts';
import { Revoked, type RevokedAndFinalized, revokedTablesIn } from './revoked.ts';

/**
 * The format of the file. A file of another format is replaced. Format 1 had no finalized receipts, format 2
 * no hashes, format 3 no acts of accounts.
 */
const FORMAT = 4;

/** The memory for pages of the file, in KiB: the file itself can be larger than the memory. */
const CACHE_KIB = 32_768;

const tablesIn = (schema: string): string => `
  CREATE TABLE ${schema}.chain (agent BLOB PRIMARY KEY, count INTEGER NOT NULL, head BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE ${schema}.log (name TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE ${schema}.hash_key (key BLOB NOT NULL) STRICT;
  ${finalizedTableIn(schema)}
  ${revokedTablesIn(schema)}
  ${actTableIn(schema)}
  ${awaitedTablesIn(schema)}
`;

/** The number of changed heads in memory before they are written. */
const HEADS_MAX = 131_072;
const HASH_BYTES = 32;
const NONE: readonly SecondFinalization[] = [];
const NO_ACT_PROBLEMS: readonly ActProblem[] = [];
const TABLES = ['chain', 'revoked', 'finalized', 'suspect', 'compared', 'log', 'act', ...AWAITED_TABLES];

/** The end of an agent's chain of evidence. */
export interface ChainHead {
  /** The number of items, which is the index of the next one. */
  count: number;
  /** The event_commitment_hash of the last item: 32 bytes. */
  head: Uint8Array;
}

/** What the history keeps of an entry that finalizes a receipt. */
export type Finalization = Pick<ReceiptEntry, 'receipt_id' | 'content_hash'>;

/** The limits of what is in memory before it is written. */
export interface StoreLimits {
  /** The number of changed heads. */
  headsMax?: number;
  /** The number of finalizations, and of acts of accounts. */
  batchMax?: number;
}

/** The part of a log that the history contains: its first `size` entries, whose tree has this root. */
export interface KnownTree {
  size: number;
  root: Uint8Array;
}

/** Returns the key of the hashes in a file; a new one in an empty file. */
function keyIn(sqlite: Database): Uint8Array {
  const stored = sqlite.query<{ key: Uint8Array }, []>('SELECT key FROM hash_key').get();
  if (stored !== null) return stored.key;
  const key = HashStarts.newKey();
  sqlite.query('INSERT INTO hash_key (key) VALUES (?)').run(key);
  return key;
}

/**
 * Returns whether an error says that the file is damaged. SQLite finds that when it reads the damaged page,
 * not when it opens the file.
 */
export function isDamagedFile(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? '');
}

/**
 * The heads of all chains, and the ids of what was finalized, revoked or has leaves of accounts, in an
 * SQLite file. Memory stays flat for any number of them. Changed heads are written together, because most
 * agents have many items in successive entries. Changes belong to a transaction from the first of them to
 * `commit` or `rollback`; a killed process leaves the state of the last commit.
 */
export class HistoryStore {
  readonly #sqlite: Database;
  private readonly headsMax: number;
  /**
   * The changed heads that are not written yet: their slots by agent. Arrays, because a million objects would
   * fill the heap.
   */
  readonly #slots = new Map<string, number>();
  readonly #counts: Float64Array;
  readonly #heads: Uint8Array;
  readonly #head: Statement<{ count: number; head: Uint8Array }, [Uint8Array]>;
  readonly #setHead: Statement<unknown, [Uint8Array, number, Uint8Array]>;
  readonly #finalized: FinalizedReceipts;
  readonly #revoked: Revoked;
  readonly #acts: AccountActs;
  readonly #hashes: HashStarts;

  /** What one log has and another one does not have yet. */
  readonly awaited: Awaited;

  private constructor(sqlite: Database, { headsMax = HEADS_MAX, batchMax }: StoreLimits = {}) {
    this.headsMax = headsMax;
    this.#finalized = new FinalizedReceipts(sqlite, batchMax);
    this.#revoked = new Revoked(sqlite);
    this.awaited = new Awaited(sqlite);
    this.#acts = new AccountActs(sqlite, this.awaited, batchMax);
    this.#hashes = new HashStarts(keyIn(sqlite));
    this.#sqlite = sqlite;
    this.#counts = new Float64Array(headsMax);
    this.#heads = new Uint8Array(headsMax * HASH_BYTES);
    this.#head = sqlite.query('SELECT count, head FROM chain WHERE agent = ?');
    this.#setHead = sqlite.query('INSERT OR REPLACE INTO chain (agent, count, head) VALUES (?, ?, ?)');
  }

  /**
   * Opens a file, or creates an empty one. A file that is damaged or of another format is replaced by an
   * empty one, because its content can be read from the logs again.
   */
  static open(path: string): HistoryStore {
    try {
      return HistoryStore.#opened(path);
    } catch {
      return HistoryStore.anew(path);
    }
  }

  /** Replaces a file by an empty one. */
  static anew(path: string): HistoryStore {
    for (const file of [path, `${path}-journal`]) rmSync(file, { force: true });
    return HistoryStore.#opened(path);
  }

  /**
   * Returns an empty store for one audit. SQLite writes what its memory cannot hold to a file without a name.
   */
  static temporary(limits: StoreLimits = {}): HistoryStore {
    const sqlite = new Database(':memory:', { strict: true, safeIntegers: false });
    sqlite.exec(`ATTACH '' AS disk; PRAGMA disk.cache_size = -${CACHE_KIB}; ${tablesIn('disk')}`);
    return new HistoryStore(sqlite, limits);
  }

  static #opened(path: string): HistoryStore {
    // SQLite would create a file that others can read.
    closeSync(openSync(path, 'a', 0o600));
    const sqlite = new Database(path, { readwrite: true, strict: true, safeIntegers: false });
    try {
      // A rollback journal has each page once, however large the transaction is.
      sqlite.exec(
        `PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB};`,
      );
      const format = sqlite.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version;
      if (format === 0) sqlite.exec(`BEGIN; ${tablesIn('main')} PRAGMA user_version = ${FORMAT}; COMMIT;`);
      else if (format !== FORMAT) throw new Error(`${path} has another format`);
      return new HistoryStore(sqlite);
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }

  /**
   * Returns the head of an agent's chain until the next change; null for none.
   * @param agent the commitment, or another name, in lower-case hexadecimal
   */
  headOf(agent: string): ChainHead | null {
    const slot = this.#slots.get(agent);
    if (slot !== undefined) return this.#headIn(slot);
    return this.#head.get(hexToBytes(agent));
  }

  setHead(agent: string, { count, head }: ChainHead): void {
    let slot = this.#slots.get(agent);
    if (slot === undefined) {
      if (this.#slots.size === this.headsMax) this.#writeHeads();
      slot = this.#slots.size;
      // A copy, because a part of an entry's text would keep the whole text in memory.
      this.#slots.set(bytesToHex(hexToBytes(agent)), slot);
    }
    this.#counts[slot] = count;
    this.#heads.set(head, slot * HASH_BYTES);
  }

  #headIn(slot: number): ChainHead {
    const head = this.#heads.subarray(slot * HASH_BYTES, (slot + 1) * HASH_BYTES);
    return { count: this.#counts[slot] ?? 0, head };
  }

  #writeHeads(): void {
    this.#begin();
    for (const [agent, slot] of this.#slots) {
      const { count, head } = this.#headIn(slot);
      this.#setHead.run(hexToBytes(agent), count, head);
    }
    this.#slots.clear();
  }

  /**
   * Returns the index of the entry that revoked a receipt or an agent; null for none.
   * @param id 16 bytes of a receipt, 32 of an agent
   */
  revokedAt(id: Uint8Array): number | null {
    return this.#revoked.leafOf(id);
  }

  /** @param contentHash of the revoked version; null for an agent */
  setRevoked(id: Uint8Array, leaf: number, contentHash: string | null): void {
    this.#begin();
    this.#revoked.add(id, leaf, contentHash === null ? null : this.#hashes.of(contentHash));
    if (contentHash !== null) this.#acts.takeEntry('revocations', id, leaf);
  }

  /** Returns `Revoked.uncompared`. */
  uncompared(): Iterable<RevokedAndFinalized> {
    return this.#revoked.uncompared();
  }

  /** Makes durable that everything in the history was compared. @param settled what is awaited no longer */
  commitCompared(settled: Settled): void {
    this.#sqlite.transaction(() => {
      this.#revoked.commitCompared(this.treeOf('revocations')?.size ?? 0);
      this.awaited.remove(settled);
    })();
  }

  /** Returns whether there is something that was not compared. */
  get hasUncompared(): boolean {
    if (this.awaited.hasEntries || this.awaited.hasLeaves) return true;
    return this.#revoked.hasUncompared(this.treeOf('revocations')?.size ?? 0);
  }

  /**
   * Adds the finalization of a receipt by an entry. It is compared when many wait, or by `writeFinalized`.
   * @returns the finalizations so far of receipts that an earlier entry finalized
   */
  addFinalized({ receipt_id, content_hash }: Finalization, leaf: number): readonly SecondFinalization[] {
    this.#finalized.add(receipt_id, leaf, this.#hashes.of(content_hash));
    return this.#finalized.isFull ? this.writeFinalized() : NONE;
  }

  /** Writes the finalizations that wait, like `addFinalized`. */
  writeFinalized(): readonly SecondFinalization[] {
    if (this.#finalized.pending === 0) return NONE;
    this.#begin();
    const revoked = this.#revoked.isEmpty ? null : this.#revoked;
    const acts = this.#acts.isEmpty ? null : this.#acts;
    if (revoked === null && acts === null) return this.#finalized.write();
    return this.#finalized.write((id, leaf, hash) => {
      revoked?.compareFinalized(id, leaf, hash);
      acts?.takeEntry('receipts', id, leaf);
    });
  }

  /**
   * Adds the leaf of a receipt of a linked account. It is compared when many wait, or by `writeActs`.
   * @returns the problems of leaves so far
   */
  addAct(entry: AccountEntry, leaf: number): readonly ActProblem[] {
    if (entry.receipt_id === null) return NO_ACT_PROBLEMS;
    const { event, receipt_id, content_hash } = entry;
    // No other log has the version that was issued.
    this.#acts.add(event, receipt_id, leaf, event === 'issued' ? 0 : this.#hashes.of(content_hash));
    return this.#acts.isFull ? this.writeActs() : NO_ACT_PROBLEMS;
  }

  /** Writes the leaves that wait, like `addAct`. */
  writeActs(): readonly ActProblem[] {
    if (this.#acts.pending === 0) return NO_ACT_PROBLEMS;
    this.#begin();
    return this.#acts.write();
  }

  /** Returns the part of a log that was committed; null for none. */
  treeOf(name: LogName): KnownTree | null {
    return this.#sqlite.query<KnownTree, [string]>('SELECT size, root FROM log WHERE name = ?').get(name);
  }

  /**
   * Commits the changes of the transaction, together with the part of the log that they come from.
   * `writeFinalized` and `writeActs` must precede.
   */
  commit(name: LogName, { size, root }: KnownTree): void {
    if (this.#finalized.pending > 0) throw new Error('finalizations were not compared with earlier ones');
    if (this.#acts.pending > 0) throw new Error('leaves of accounts were not compared with earlier ones');
    this.#writeHeads();
    this.#sqlite
      .query('INSERT OR REPLACE INTO log (name, size, root) VALUES (?, ?, ?)')
      .run(name, size, root);
    this.#sqlite.exec('COMMIT');
  }

  /** Forgets the changes since the last commit. */
  rollback(): void {
    this.#slots.clear();
    this.#finalized.forget();
    this.#acts.forget();
    if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK');
  }

  /** Removes everything, in the transaction. */
  clear(): void {
    this.#slots.clear();
    this.#finalized.forget();
    this.#acts.forget();
    this.#begin();
    this.#sqlite.exec(TABLES.map((table) => `DELETE FROM ${table};`).join(' '));
  }

  close(): void {
    this.#sqlite.close();
  }

  #begin(): void {
    if (!this.#sqlite.inTransaction) this.#sqlite.exec('BEGIN IMMEDIATE');
  }
}

import type { Database, Statement } from 'bun:sqlite';

/** The logs whose entries of receipts have leaves in the log of accounts, by their numbers in the tables. */
export const ENTRY_LOGS = ['receipts', 'revocations'] as const;

export type EntryLog = (typeof ENTRY_LOGS)[number];

/** What an entry of a log does to its receipt. */
export const ACT_OF = { receipts: 'finalized', revocations: 'revoked' } as const;

/** The bits of what the leaves of a receipt record. */
export const ACT_BITS = { issued: 1, finalized: 2, revoked: 4 } as const;

/** The rows that are read together. */
const PAGE = 256;

/**
 * The tables of what one log has and another one does not have yet: leaves of accounts without their entries,
 * and entries of receipts whose issue has a leaf, without the leaf of their act.
 */
export const awaitedTablesIn = (schema: string): string => `
  CREATE TABLE ${schema}.awaited_entry (leaf INTEGER PRIMARY KEY, log INTEGER NOT NULL, id BLOB NOT NULL, hash INTEGER NOT NULL) STRICT;
  CREATE TABLE ${schema}.awaited_leaf (log INTEGER, entry INTEGER, id BLOB NOT NULL, PRIMARY KEY (log, entry)) STRICT, WITHOUT ROWID;`;

export const AWAITED_TABLES = ['awaited_entry', 'awaited_leaf'] as const;

/** A leaf of accounts whose entry has another content_hash, or is not there. */
export interface UnmatchedLeaf {
  log: EntryLog;
  /** The index of the leaf. */
  leaf: number;
  /** The index of the entry of its receipt; null for none. */
  entry: number | null;
}

/** An entry without the leaf of its act. */
export interface UnmatchedEntry {
  log: EntryLog;
  /** The index of the entry. */
  entry: number;
  /** The index of the first leaf of its receipt. */
  leaf: number;
}

type Row<Unmatched> = Omit<Unmatched, 'log'> & { log: number };

/** What was awaited, for good or in vain, and is awaited no longer. */
export interface Settled {
  leaves: number[];
  entries: { log: EntryLog; entry: number }[];
}

/** What waits for another log, because logs are published and read one after the other. */
export class Awaited {
  readonly #addEntry: Statement<unknown, [number, number, Uint8Array, number]>;
  readonly #addLeaf: Statement<unknown, [number, number, Uint8Array]>;
  readonly #removeEntry: Statement<unknown, [number]>;
  readonly #removeLeaf: Statement<unknown, [number, number]>;

  constructor(private readonly sqlite: Database) {
    this.#addEntry = sqlite.query(
      'INSERT OR REPLACE INTO awaited_entry (leaf, log, id, hash) VALUES (?, ?, ?, ?)',
    );
    this.#addLeaf = sqlite.query('INSERT OR REPLACE INTO awaited_leaf (log, entry, id) VALUES (?, ?, ?)');
    this.#removeEntry = sqlite.query('DELETE FROM awaited_entry WHERE leaf = ?');
    this.#removeLeaf = sqlite.query('DELETE FROM awaited_leaf WHERE log = ? AND entry = ?');
  }

  /** Awaits the entry of a leaf. @param hash `HashStarts` of the content_hash of the leaf */
  addEntry(log: EntryLog, leaf: number, id: Uint8Array, hash: number): void {
    this.#addEntry.run(leaf, ENTRY_LOGS.indexOf(log), id, hash);
  }

  /** Awaits the leaf of an entry. */
  addLeaf(log: EntryLog, entry: number, id: Uint8Array): void {
    this.#addLeaf.run(ENTRY_LOGS.indexOf(log), entry, id);
  }

  /** Awaits the leaf of an entry no longer. */
  removeLeaf(log: EntryLog, entry: number): void {
    this.#removeLeaf.run(ENTRY_LOGS.indexOf(log), entry);
  }

  get hasEntries(): boolean {
    return this.sqlite.query('SELECT 1 FROM awaited_entry LIMIT 1').get() !== null;
  }

  get hasLeaves(): boolean {
    return this.sqlite.query('SELECT 1 FROM awaited_leaf LIMIT 1').get() !== null;
  }

  /** Forgets what has come and is right. */
  removeMatched(): void {
    this.sqlite.run(
      `DELETE FROM awaited_entry WHERE hash = CASE log
        WHEN 0 THEN (SELECT finalized.hash FROM finalized WHERE finalized.id = awaited_entry.id)
        ELSE (SELECT revoked.hash FROM revoked WHERE revoked.id = awaited_entry.id) END`,
    );
    this.sqlite.run(
      `DELETE FROM awaited_leaf WHERE EXISTS (SELECT 1 FROM act WHERE act.id = awaited_leaf.id
        AND act.state & CASE log WHEN 0 THEN ${ACT_BITS.finalized} ELSE ${ACT_BITS.revoked} END <> 0)`,
    );
  }

  /** Returns the leaves that await an entry, or have a wrong one, in their order. */
  *leaves(): Iterable<UnmatchedLeaf> {
    const next = this.sqlite.query<Row<UnmatchedLeaf>, [number]>(
      `SELECT w.leaf, w.log, CASE log WHEN 0 THEN f.leaf ELSE r.leaf END AS entry FROM awaited_entry w
        LEFT JOIN finalized f ON f.id = w.id LEFT JOIN revoked r ON r.id = w.id
        WHERE w.leaf > ? ORDER BY w.leaf LIMIT ${PAGE}`,
    );
    // In pages: a caller removes rows meanwhile, and a hostile log could have any number.
    for (let page = next.all(-1); page.length > 0; page = next.all(page.at(-1)?.leaf ?? 0))
      yield* page.map((row) => ({ ...row, log: logOf(row.log) }));
  }

  /** Returns the entries that await a leaf, in their order. */
  *entries(): Iterable<UnmatchedEntry> {
    const next = this.sqlite.query<Row<UnmatchedEntry>, [number, number]>(
      `SELECT w.log, w.entry, a.leaf FROM awaited_leaf w JOIN act a ON a.id = w.id
        WHERE (w.log, w.entry) > (?, ?) ORDER BY w.log, w.entry LIMIT ${PAGE}`,
    );
    for (let page = next.all(0, -1); page.length > 0; ) {
      yield* page.map((row) => ({ ...row, log: logOf(row.log) }));
      const { log, entry } = page.at(-1) ?? { log: 0, entry: 0 };
      page = next.all(log, entry);
    }
  }

  /** Forgets what is settled, in the present transaction. */
  remove({ leaves, entries }: Settled): void {
    for (const leaf of leaves) this.#removeEntry.run(leaf);
    for (const { log, entry } of entries) this.removeLeaf(log, entry);
  }
}

function logOf(number: number): EntryLog {
  return number === 0 ? 'receipts' : 'revocations';
}

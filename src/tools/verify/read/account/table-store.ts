import { Database, type Statement } from 'bun:sqlite';
import type { LoggedReceipt, ReceiptTable } from '../../../../proof/account/receipt-table.ts';

/** The memory for pages, in KiB. SQLite writes what does not fit to a file without a name. */
const CACHE_KIB = 16_384;
/** The number of changed receipts, and of agents, in memory. */
const CHANGED_MAX = 16_384;
/** The number of receipts that are read together: lists are nearly always in the order of the log. */
const AHEAD = 1024;

const TABLES = `
  CREATE TABLE file.receipt (
    ordinal INTEGER PRIMARY KEY,
    receiptId TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    agent TEXT NOT NULL,
    issuedAt INTEGER,
    issued TEXT,
    finalized TEXT,
    revoked TEXT
  ) STRICT;
  CREATE UNIQUE INDEX file.receipt_id ON receipt (receiptId);
  CREATE TABLE file.agent (agent TEXT PRIMARY KEY, leaves INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

type Row = [number, string, number, string, number | null, string | null, string | null, string | null];

/** The receipts and agents of an account in SQLite, so that memory stays flat for any number of them. */
export class ReceiptTableStore implements ReceiptTable, Disposable {
  readonly #sqlite: Database;
  readonly #put: Statement<unknown, Row>;
  readonly #find: Statement<LoggedReceipt, [string]>;
  readonly #from: Statement<LoggedReceipt, [number, number]>;
  readonly #leaves: Statement<{ leaves: number }, [string]>;
  readonly #setLeaves: Statement<unknown, [string, number]>;
  /** Changed receipts that are not written yet, by id. Most are finalized soon, and so are written once. */
  readonly #changed = new Map<string, LoggedReceipt>();
  readonly #agents = new Map<string, number>();
  /** The receipts that follow the one that was read last, by id. */
  readonly #ahead = new Map<string, LoggedReceipt>();
  /** The ordinal of the receipt that was read last. */
  #last = -1;
  #size = 0;

  constructor(private readonly changedMax = CHANGED_MAX) {
    // A database that is attached with an empty name is in a temporary file that only this connection sees.
    // Bun would keep a database that is opened with an empty name in memory.
    this.#sqlite = new Database(':memory:');
    this.#sqlite.exec(
      `ATTACH '' AS file; PRAGMA file.journal_mode = OFF; PRAGMA file.synchronous = OFF; PRAGMA file.cache_size = -${CACHE_KIB};`,
    );
    this.#sqlite.exec(TABLES);
    this.#put = this.#sqlite.query('INSERT OR REPLACE INTO receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#find = this.#sqlite.query('SELECT * FROM receipt WHERE receiptId = ?');
    this.#from = this.#sqlite.query('SELECT * FROM receipt WHERE ordinal >= ? ORDER BY ordinal LIMIT ?');
    this.#leaves = this.#sqlite.query('SELECT leaves FROM agent WHERE agent = ?');
    this.#setLeaves = this.#sqlite.query('INSERT OR REPLACE INTO agent VALUES (?, ?)');
  }

  get size(): number {
    return this.#size;
  }

  find(receiptId: string): LoggedReceipt | null {
    const near = this.#changed.get(receiptId) ?? this.#ahead.get(receiptId);
    if (near !== undefined) return near;
    return this.#find.get(receiptId);
  }

  findInOrder(receiptId: string): LoggedReceipt | null {
    const near = this.#ahead.get(receiptId);
    const receipt = near ?? this.find(receiptId);
    if (receipt === null) return null;
    // A list in another order would otherwise read a thousand rows for each receipt.
    if (near === undefined && receipt.ordinal === this.#last + 1) this.#readAhead(receipt.ordinal);
    this.#last = receipt.ordinal;
    return receipt;
  }

  at(ordinal: number): LoggedReceipt {
    if (this.#changed.size > 0) this.#flush();
    const [receipt] = this.#from.all(ordinal, 1);
    if (receipt?.ordinal !== ordinal) throw new RangeError(`there is no receipt ${ordinal}`);
    return receipt;
  }

  put(receipt: LoggedReceipt): void {
    if (receipt.ordinal === this.#size) this.#size++;
    this.#ahead.clear();
    this.#changed.set(receipt.receiptId, receipt);
    if (this.#changed.size >= this.changedMax) this.#flush();
  }

  leavesOf(agent: string): number {
    return this.#agents.get(agent) ?? this.#leaves.get(agent)?.leaves ?? 0;
  }

  setLeavesOf(agent: string, leaves: number): void {
    this.#agents.set(agent, leaves);
    if (this.#agents.size >= this.changedMax) this.#flush();
  }

  [Symbol.dispose](): void {
    this.#sqlite.close();
  }

  #readAhead(from: number): void {
    if (this.#changed.size > 0) this.#flush();
    this.#ahead.clear();
    const rows = this.#from.all(from, AHEAD);
    for (const row of rows) this.#ahead.set(row.receiptId, row);
  }

  #flush(): void {
    this.#sqlite.transaction(() => {
      for (const {
        ordinal,
        receiptId,
        sequence,
        agent,
        issuedAt,
        issued,
        finalized,
        revoked,
      } of this.#changed.values())
        this.#put.run(ordinal, receiptId, sequence, agent, issuedAt, issued, finalized, revoked);
      for (const [agent, leaves] of this.#agents) this.#setLeaves.run(agent, leaves);
    })();
    this.#changed.clear();
    this.#agents.clear();
  }
}

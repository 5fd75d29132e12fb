/**
 * What a simulation of the ledger did, in a file beside the data directory. With it a killed simulation goes
 * on: it says what was sent, and which transactions ran in which order. Which of these were committed, a
 * table in the database says, which each of them writes.
 */
import { Database } from 'bun:sqlite';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Transaction } from '../../src/platform/store/transaction.ts';
import type { Operation } from './ledger-operations.ts';
import type { BookedMovement } from './ledger-order.ts';
import type { StoredWorld } from './ledger-world.ts';

/** What an operation or the scheduler changed. `code`: that of a refusal that still stored something. */
export type Effect =
  | { operation: Operation; code: string | null }
  | { swept: BookedMovement }
  | { held: true };

/** The numbers of transactions of the scheduler, and of those that hold and release credits. */
export const [SWEEP, HOLD] = [-1, -2];

export type Line =
  | { kind: 'world'; world: StoredWorld }
  /** A batch, before it is sent. @property receipts of breaches, by the id of the operation */
  | { kind: 'batch'; time: number; hours: number; operations: Operation[]; receipts: [string, string][] }
  /** A transaction that ran, before its commit. `send` is `SWEEP` or `HOLD` for one of no request. */
  | { kind: 'ran'; number: number; send: number; movements: readonly BookedMovement[] }
  | { kind: 'answered'; send: number; code: string | null }
  /** All of a batch that had an effect, after the comparison. */
  | { kind: 'applied'; effects: readonly Effect[]; sent: number };

const MARKS = 'simulation_ran';

export class History {
  private numbers = 0;

  constructor(
    private readonly file: string,
    private readonly database: string,
  ) {}

  get exists(): boolean {
    return existsSync(this.file);
  }

  /** Appends a line. A kill loses none: the operating system has it. */
  append(line: Line): void {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  read(): Line[] {
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line): Line => JSON.parse(line));
  }

  /** Notes a transaction that ran, in the file, and if it is kept in the transaction itself. */
  ran(tx: Transaction, send: number, movements: readonly BookedMovement[], isKept: boolean): void {
    this.numbers += 1;
    const number = this.numbers;
    this.append({ kind: 'ran', number, send, movements });
    if (isKept) tx.connection.sqlite.run(`INSERT INTO ${MARKS} (number) VALUES (${number})`);
  }

  /**
   * Removes the table from the database of a stopped service.
   * @returns the numbers of the transactions that were committed
   */
  takeMarks(): Set<number> {
    const database = new Database(this.database);
    try {
      const isThere = database.query(`SELECT 1 FROM sqlite_schema WHERE name = '${MARKS}'`).get() !== null;
      if (!isThere) return new Set();
      const rows = database.query<{ number: number }, []>(`SELECT number FROM ${MARKS}`).all();
      database.run(`DROP TABLE ${MARKS}`);
      return new Set(rows.map(({ number }) => number));
    } finally {
      database.close();
    }
  }

  /** Makes the table. @param last the newest number so far */
  async begin(run: (sql: string) => Promise<void>, last: number): Promise<void> {
    this.numbers = last;
    await run(`CREATE TABLE ${MARKS} (number INTEGER PRIMARY KEY)`);
  }
}

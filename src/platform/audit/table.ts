import type { Problem } from '../../proof/log/problem.ts';
import type { Connection } from '../store/connection.ts';
import type { Snapshot } from '../store/transaction.ts';
import type { Clock } from '../time/clock.ts';

/**
 * The order of the audit. Within a stage, tables follow the order of their modules. A table is audited before
 * the tables that are compared with it, so the first problem explains the later ones. `anchors` are keys and
 * the high-water marks of published checkpoints. `logs` are the rows that leaves and checkpoints belong to.
 * `counts` are computed from rows, and `scores` from rows and counts of several capabilities.
 */
export const STAGES = ['anchors', 'logs', 'rows', 'leaves', 'counts', 'scores'] as const;

/** A table or a file of the data directory that a capability has audited. */
export interface AuditedTable {
  /** The name in problems. */
  readonly name: string;
  readonly stage: (typeof STAGES)[number];
  /** The examination of its rows in ranges. */
  readonly rows?: AuditedRows;
  /** What of it follows from other tables, so that `fsck --repair` can make it again. */
  readonly derived?: readonly Derived[];
  /** Records what exists now. The next audit examines what is written later. */
  begin(start: AuditStart): Promise<TableAudit>;
}

/** Returns problems of a table; it may return only some. */
export type Check = (snapshot: Snapshot) => Promise<readonly Problem[]>;

/** What follows from other tables: all rows of a table, or some of its columns. See `derived`. */
export interface Derived {
  readonly table: string;
  /** Compares it with what it follows from. */
  readonly check: Check;
  /** Returns whether the problem of an audit goes away when it is made again. */
  explains(problem: Problem): boolean;
  /** Returns the names of the tables that it follows from. */
  sources(connection: Connection): string[];
  /** Makes it again, in the open transaction of a connection. */
  rebuild(connection: Connection): Promise<void>;
}

/** Rows that are numbered from 1 and so many that ranges of them are examined on all cores. */
export interface AuditedRows {
  /** The column with the row numbers. */
  readonly column: string;
  /** The member of the report that counts these rows, such as `receipts`. Several tables may share one. */
  readonly counted: string;
  /** The name of the rows in a sentence if it differs, such as `items of evidence`. */
  readonly inWords?: string;
  /**
   * The name of one row in a sentence if it is not that of several without its last letter, such as `leaf`.
   */
  readonly oneInWords?: string;
  /**
   * The cost of a row for the progress: about 10 for a signature, 1 for a hash, 0 for a table that is too
   * small to matter.
   */
  readonly cost: number;
  /** The name of the log whose leaves the rows are. */
  readonly log?: string;
  /**
   * The row numbers in a range, `RANGE_ROWS` by default. More where a range needs state from the rows before
   * it.
   */
  readonly rangeRows?: number;
  /**
   * Examines a range in one snapshot. Runs in a Worker, so it has nothing that `begin` recorded.
   * @param directory the data directory, for rows that are encrypted with a key in it
   */
  examine(snapshot: Snapshot, range: RowRange, directory: string): Promise<RangeReport>;
}

/** The input of `begin`. */
export interface AuditStart {
  /** The data directory. */
  directory: string;
  clock: Clock;
  /** The snapshot that all tables share. Data that is read before it resolves is older than the snapshot. */
  snapshot: Promise<Snapshot>;
}

/** The audit of one table. */
export interface TableAudit {
  /** The highest row number. */
  readonly reach?: number;
  /**
   * For a table whose rows are deleted: the highest numbers of the ranges, ascending. Else each range has the
   * same size.
   */
  readonly rangeEnds?: readonly number[];
  /** The origin of the log whose leaves the rows are. */
  readonly origin?: string;
  /**
   * Receives the hashes of leaves in log order, 32 bytes each, from all tables with `rows.log`.
   * @param log the name of the log
   */
  readonly takeLeaves?: (snapshot: Snapshot, log: string, hashes: Uint8Array) => Promise<Problem[]>;
  /** Receives the sums of each range, in the order of the ranges and before `whole`. */
  readonly takeSums?: (sums: Float64Array) => void;
  /**
   * Checks the table as a whole. Runs after the ranges of its rows or, with `takeLeaves`, after all tables of
   * its stage.
   */
  readonly whole?: (snapshot: Snapshot) => Promise<WholeReport>;
}

/** The row numbers in a range that a Worker examines at once, for a table without its own `rangeRows`. */
export const RANGE_ROWS = 1024;

/**
 * Returns the highest numbers of ranges of `RANGE_ROWS` rows. @param numbers of all rows, in ascending order
 */
export function rangeEnds(numbers: readonly number[]): number[] {
  return numbers.filter((_, at) => (at + 1) % RANGE_ROWS === 0 || at === numbers.length - 1);
}

/** The rows with numbers greater than `after` and at most `reach`. */
export interface RowRange {
  after: number;
  reach: number;
  /** The origin of the log whose leaves they are. */
  origin?: string;
}

/** The report of a table as a whole. */
export interface WholeReport {
  problems: readonly Problem[];
  /** Signatures that were verified, good or bad. */
  signatures?: number;
}

/** The report of a range. */
export interface RangeReport {
  problems: Problem[];
  /** The number of rows that were examined. */
  rows: number;
  /** Signatures that were verified, good or bad. */
  signatures: number;
  /** For leaves: the hashes of their entries, 32 bytes each, in log order. */
  hashes: Uint8Array<ArrayBuffer>;
  /** Sums over the rows of the range for `TableAudit.takeSums`, in a form that the table defines. */
  sums?: Float64Array<ArrayBuffer>;
}

/** An empty report. */
export const NOTHING: RangeReport = { problems: [], rows: 0, signatures: 0, hashes: new Uint8Array() };

/**
 * Returns a problem for each gap in the row numbers. Rows are numbered from 1 and never deleted, so a missing
 * number is a missing row.
 * @param numbers of the rows that exist, in ascending order
 */
export function gaps(
  table: string,
  column: string,
  numbers: readonly number[],
  { after, reach }: RowRange,
): Problem[] {
  let last = after;
  const problems: Problem[] = [];
  for (const number of numbers) {
    if (number > last + 1) {
      const what = `the rows before it are missing: ${last + 1} to ${number - 1}`;
      problems.push({ table, row: { [column]: number }, what });
    }
    last = number;
  }
  if (last < reach)
    problems.push({ table, row: { [column]: `${last + 1} to ${reach}` }, what: 'these rows are missing' });
  return problems;
}

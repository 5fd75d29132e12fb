import type { Problem } from '../../proof/log/problem.ts';
import type { Snapshot } from '../store/transaction.ts';
import type { Clock } from '../time/clock.ts';

/**
 * The order in which tables are audited; in each stage they come in the order of their modules. What other rows are held against comes
 * before those, so that the first problem that is found explains the others: `anchors` are keys and the marks of what was published,
 * `logs` is what leaves and checkpoints belong to, `counts` follow from rows, and `scores` from rows and counts of several capabilities.
 */
export const STAGES = ['anchors', 'logs', 'rows', 'leaves', 'counts', 'scores'] as const;

/** A table, or a file of the data directory, as its capability has it audited. */
export interface AuditedTable {
  /** As problems name it. */
  readonly name: string;
  readonly stage: (typeof STAGES)[number];
  /** How its rows are read in ranges, and what must hold for each. */
  readonly rows?: AuditedRows;
  /** Takes down what there is to audit: what is written later is left to the next audit. */
  begin(start: AuditStart): Promise<TableAudit>;
}

/** Rows that are counted from 1, so many that they are read range by range, on all cores. */
export interface AuditedRows {
  /** The column that numbers them. */
  readonly column: string;
  /** What the report counts them as, such as `receipts`; several tables may have the same. */
  readonly counted: string;
  /** The same in a sentence, where it is another, such as `items of evidence`. */
  readonly inWords?: string;
  /** What a row takes, for the progress: about ten for a signature, one for a hash; 0 where they are so few that nobody waits. */
  readonly cost: number;
  /** The log whose leaves they are. */
  readonly log?: string;
  /** Examines a range as it stands at one moment. Runs in a Worker, so it knows nothing of `begin`. */
  examine(snapshot: Snapshot, range: RowRange): Promise<RangeReport>;
}

/** What an audit begins with. */
export interface AuditStart {
  /** The data directory. */
  directory: string;
  clock: Clock;
  /** The moment of the database that all tables share. Whatever is read before it resolves is older than that moment. */
  snapshot: Promise<Snapshot>;
}

/** A table while it is audited. */
export interface TableAudit {
  /** The highest number of its rows. */
  readonly reach?: number;
  /** The log that its rows are leaves of, by its origin. */
  readonly origin?: string;
  /**
   * Takes the hashes of leaves as they come, in their order, 32 bytes each, of all tables with `rows.log`.
   * @param log the name of the log
   */
  readonly takeLeaves?: (snapshot: Snapshot, log: string, hashes: Uint8Array) => Promise<Problem[]>;
  /** What must hold for the whole. Its turn comes after its own rows; with `takeLeaves`, after all of its stage. */
  readonly whole?: (snapshot: Snapshot) => Promise<WholeReport>;
}

/** The rows behind number `after` up to number `reach`. */
export interface RowRange {
  after: number;
  reach: number;
  /** The log that they are leaves of, by its origin. */
  origin?: string;
}

/** What is wrong with a table as a whole. */
export interface WholeReport {
  problems: readonly Problem[];
  /** Signatures that were verified, good or bad. */
  signatures?: number;
}

/** What was found in a range. */
export interface RangeReport {
  problems: Problem[];
  /** Rows that were examined. */
  rows: number;
  /** Signatures that were verified, good or bad. */
  signatures: number;
  /** Of leaves: what their entries hash to, 32 bytes each, in their order. */
  hashes: Uint8Array<ArrayBuffer>;
}

/** A report of nothing. */
export const NOTHING: RangeReport = { problems: [], rows: 0, signatures: 0, hashes: new Uint8Array() };

/**
 * Returns a problem for each gap in the numbers of rows: they count from 1 and are never deleted, so one is missing where a number is.
 * @param numbers of the rows that are there, in their order
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
      const what = `the numbers before it are not there, from ${last + 1} to ${number - 1}`;
      problems.push({ table, row: { [column]: number }, what });
    }
    last = number;
  }
  if (last < reach)
    problems.push({ table, row: { [column]: `${last + 1} to ${reach}` }, what: 'they are not there' });
  return problems;
}

import type { RefusedRecords } from '../registry/record.ts';
import type { BadRow, Kind, LostFields, RowCounts } from './report.ts';
import type { Deactivation, Reactivation } from './store.ts';
import type { Task } from './task.ts';

/** Where the service's data is. */
export interface Places {
  /** The directory of the registry files. */
  directory: string;
  /** The service's database file. */
  database: string;
}

/** The step in which rows are read. */
export const READING = 'reading';

/** How far an import is. */
export interface Progress {
  /** What it does now, such as `reading`. */
  step: string;
  /** The rows that it read so far. */
  rows: number;
  /** How much of all its work is done, 0 to 1. */
  share: number;
}

/** What an import reports while it runs. Lists come in parts, so that no message takes long to read. */
export type WorkEvent =
  | { event: 'progress'; progress: Progress }
  /** What the import is, as its file says. */
  | { event: 'kind'; kind: Kind }
  /** The name of the file that is being built. */
  | { event: 'building'; registry: string }
  | { event: 'deactivations'; asOf: string; rows: readonly Deactivation[] }
  | { event: 'reactivations'; rows: readonly Reactivation[] };

/** What an import read and built before it changed anything that is served. */
export interface Prepared {
  kind: Kind;
  /** The registry file that will be current: a new one, or the current one, which will be changed. */
  registry: string;
  /** True if `registry` takes the place of the current file. */
  isNewFile: boolean;
  /** The clinicians of a new file; null otherwise. */
  records: number | null;
  sample: boolean | null;
  /** YYYY-MM-DD. */
  asOf: string;
  /** The date of the report of deactivations; null when none was given. */
  reportAsOf: string | null;
  groupings: readonly string[] | null;
  rows: RowCounts | null;
  bad: { by_reason: Record<string, number>; examples: BadRow[] };
  lost: LostFields;
  leftOut: { duplicates: number; refused: number; deactivated: number; suppressed: number };
  warnings: string[];
}

/** The change of the registry. `records`: its clinicians afterwards. */
export interface Applied {
  records: number;
  /** Null when the whole registry was new. */
  added: number | null;
  updated: number | null;
  removed: number | null;
  unchanged: number | null;
  /** The records that were refused, and how many of the rows belong to suppressed clinicians. */
  refused: RefusedRecords;
  suppressed: number;
}

/** For an import whose last step reads no records. */
export const NONE_REFUSED: RefusedRecords = { count: 0, examples: [] };

/** An import in its Worker, or in this thread in tests. The steps run one after the other. */
export interface Work {
  /**
   * Reads the files and builds a new registry file. It changes nothing that is served. @throws Failure,
   * Cancelled
   */
  prepare(suppressed: readonly number[]): Promise<Prepared>;
  /**
   * Changes the current registry, or what is left to change in the new file, while nobody else changes it.
   * @param suppressed all NPIs that are suppressed now @throws Failure, Cancelled
   */
  apply(suppressed: readonly number[]): Promise<Applied>;
  /** Lets the running step end with `Cancelled` soon, if it can. */
  cancel(): void;
  /** Ends the thread. */
  end(): void;
}

/** Begins an import. @param onEvent is called in the order of the events */
export type StartWork = (task: Task, places: Places, onEvent: (event: WorkEvent) => void) => Work;

/** The import was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

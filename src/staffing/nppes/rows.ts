import type { ClinicianRecord } from '../registry/record.ts';

/**
 * Why a row holds no clinician for the registry. `grouping`: none of its taxonomy codes is in a kept
 * grouping.
 */
export type LeftOut = 'organization' | 'grouping';

/**
 * A row of a dissemination file.
 *
 * - `clinician`: an active individual. One that was deactivated and reactivated is active; `reactivatedOn` is
 *   the day, YYYY-MM-DD.
 * - `removed`: a deactivated NPI. Such a row holds only the NPI and the date, so that nothing says whether it
 *   was an individual.
 * - `left_out`: a valid row that is not for the registry. A weekly file may say so of a clinician that the
 *   registry has.
 * - `bad`: a row that cannot be read. `line` is its line in the file, from 1, the header included.
 */
export type NppesRow =
  | { kind: 'clinician'; record: ClinicianRecord; reactivatedOn?: string }
  | { kind: 'removed'; npi: number; deactivatedOn: string }
  | { kind: 'left_out'; npi: number; reason: LeftOut }
  | BadRow;

export interface BadRow {
  kind: 'bad';
  line: number;
  /** Null if the NPI cannot be read either. */
  npi: number | null;
  /** The name of the column; null for a problem of the whole row. */
  field: string | null;
  /** The problem as a part of a sentence, such as `is not a date (MM/DD/YYYY)`. It never quotes the value. */
  reason: string;
}

/**
 * A field of a valid row that is null because its value cannot be read, such as a name that is not UTF-8.
 */
export interface LostField {
  /** The line of the row in the file, from 1, the header included. */
  line: number;
  npi: number;
  /** The name of the column. */
  field: string;
  /** As in `BadRow`. */
  reason: string;
}

/** What is known of a dissemination file before its first row. */
export interface DisseminationFacts {
  /** The name of the CSV file, inside the zip if it is one. */
  name: string;
  /** The last day of the data, YYYY-MM-DD, from the name; null if the name has no dates. */
  asOf: string | null;
  /** Whether the file has all NPIs or the changes of a week, from the name; null if the name has no dates. */
  period: 'full' | 'weekly' | null;
  header: 'V1' | 'V2' | 'other';
  /** The size of the CSV in bytes, uncompressed. */
  bytes: number;
}

export interface DisseminationOptions {
  /** The names of the groupings whose clinicians are kept, from `groupingsOf`; null for all. */
  groupings: readonly string[] | null;
  /** The taxonomy with the groupings of codes; not read without `groupings`. */
  taxonomy: readonly TaxonomyOfGroupings[];
}

/** The part of a taxonomy entry that the groupings need. */
export interface TaxonomyOfGroupings {
  code: string;
  grouping: string;
}

/** Some rows in the order of the file. */
export interface RowBatch {
  rows: NppesRow[];
  /** The fields of these rows whose values cannot be read. */
  lost: LostField[];
  /** The bytes of the CSV that were read so far, of `facts.bytes`. */
  bytesRead: number;
}

/**
 * An open dissemination file. Its rows can be read once; whoever does not read them to the end calls `close`.
 */
export interface Dissemination extends AsyncIterable<RowBatch> {
  readonly facts: DisseminationFacts;
  /** Ends the reading; may be called twice. */
  close(): void;
}

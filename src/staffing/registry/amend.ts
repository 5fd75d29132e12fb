import type { Entry } from './entry.ts';
import type { ClinicianRecord, RefusedRecords } from './record.ts';

export interface Amendment {
  /** New and updated clinicians. */
  put: Iterable<ClinicianRecord>;
  /** The NPIs to remove, after `put`. */
  remove: Iterable<number>;
  /** Entries to restore after a removal. A clinician that exists again is not changed. */
  putBack?: Iterable<Entry>;
  /** The new date of the data, YYYY-MM-DD; unchanged when omitted. */
  asOf?: string;
}

export interface Amended {
  added: number;
  changed: number;
  removed: number;
  /** Records of `put` with an invalid field. Existing clinicians with their NPIs are not changed. */
  refused: RefusedRecords;
}

/**
 * Changes a registry file in place in one transaction, while others may read it: for weekly updates, deactivations and
 * suppressions. It updates the counts. Readers see the change at once, but new codes only after reopening the file.
 *
 * @throws Failure for a file that is not a registry; SQLite's error when the file cannot be written
 */
export function amendRegistry(_path: string, _amendment: Amendment): Amended {
  throw new Error('changes of this format follow');
}

/** Returns the entries of the given clinicians that a registry file contains, with their search keys. @throws Failure */
export function readEntries(_path: string, _npis: readonly number[]): Entry[] {
  return [];
}

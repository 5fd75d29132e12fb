import { CHANGE, type Revision } from '../../../db/staffing/registry/schema.ts';
import { AmendmentSteps, type Put } from './amend/amendment-steps.ts';
import { asOfIn, changeRegistry } from './amend/change-registry.ts';
import { appendRevision, type ClinicianChange, deleteOldHistory } from './amend/history.ts';
import { putOf, putsOf } from './amend/puts.ts';
import { StoredClinicians } from './amend/stored.ts';
import { StoredNumbers } from './amend/stored-numbers.ts';
import { codesText } from './build/render.ts';
import { type Entry, labelsOf } from './entry.ts';
import { closeRegistry, openRegistry } from './open.ts';
import type { ClinicianRecord, RefusedRecords } from './record.ts';
import { countChange } from './store.ts';

export interface Amendment {
  /** New and updated clinicians. The last record with an NPI counts. */
  put: Iterable<ClinicianRecord>;
  /** The NPIs to remove, after `put`. */
  remove: Iterable<number>;
  /** Entries to restore after a removal. A clinician that exists again is not changed. */
  putBack?: Iterable<Entry>;
  /** The new date of the data, YYYY-MM-DD; unchanged when omitted. */
  asOf?: string;
  /** When the registry is changed, RFC 3339. */
  at: string;
  kind: Revision;
  /** Is called before the change takes effect, and throws to prevent it. */
  allow?(counts: AmendedCounts): void;
}

/** How many clinicians were changed. */
export interface AmendedCounts {
  added: number;
  changed: number;
  removed: number;
}

export interface Amended extends AmendedCounts {
  /** Clinicians of `put` who are in the registry with the same record and names. */
  unchanged: number;
  /** Records of `put` with an invalid field. Existing clinicians with their NPIs are not changed. */
  refused: RefusedRecords;
}

/**
 * Changes a registry file in place in one transaction, while others may read it: for weekly updates,
 * deactivations and suppressions. A few removals take some milliseconds, and so do a few records; a weekly
 * file takes seconds: call it in a Worker.
 *
 * @throws Failure for a file that is not a registry; SQLite's error when the file cannot be written
 */
export function amendRegistry(
  path: string,
  { put, remove, putBack = [], asOf, at, kind, allow }: Amendment,
): Amended {
  const registry = openRegistry(path);
  try {
    const refused: RefusedRecords = { count: 0, examples: [] };
    const codesTextOf = (joined: string): string => codesText(joined, registry.specialties);
    const puts = putsOf(put, codesTextOf, refused);
    const restored = new Map<number, Put>();
    for (const entry of putBack) restored.set(entry.columns[0], putOf(entry, codesTextOf));
    const removed = new Set(remove);
    return changeRegistry(path, (connection) => {
      const numbers = new StoredNumbers(connection, codesTextOf);
      const steps = new AmendmentSteps(connection, numbers, () => labelsOf(registry.specialties));
      const unchanged = steps.run(puts, restored, removed);
      const counts = countsOf(steps.changes);
      allow?.(counts);
      const done = { ...counts, unchanged, refused };
      if (steps.changes.length === 0 && asOf === undefined) return done;
      countChange.on(connection, { added: done.added - done.removed, asOf: asOf ?? null });
      appendRevision(connection, { at, asOf: asOfIn(connection), kind }, steps.changes);
      deleteOldHistory(connection, at);
      return done;
    });
  } finally {
    closeRegistry(registry);
  }
}

function countsOf(changes: readonly ClinicianChange[]): AmendedCounts {
  const count = (wanted: number): number => changes.filter(({ kind }) => kind === wanted).length;
  return {
    added: count(CHANGE.added),
    changed: count(CHANGE.updated),
    removed: count(CHANGE.removed),
  };
}

/**
 * Returns the entries of the given clinicians that a registry file contains, with their search keys. @throws
 * Failure
 */
export function readEntries(path: string, npis: readonly number[]): Entry[] {
  const registry = openRegistry(path);
  try {
    return registry.atOnce(() => {
      const stored = new StoredClinicians(registry.connection);
      const pairs = stored.pairs();
      return npis.flatMap((npi) => {
        const version = stored.newestIn(pairs, npi);
        return version === null ? [] : stored.read(version).entry;
      });
    });
  } finally {
    closeRegistry(registry);
  }
}

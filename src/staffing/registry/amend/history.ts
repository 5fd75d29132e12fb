import type { CHANGE, Revision } from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import {
  changesFrom,
  deleteChangesBefore,
  deleteRevisionsBefore,
  firstSince,
  insertChange,
  insertRevision,
  lastBefore,
  revisionsFrom,
} from './history-store.ts';

/** How long changes are kept, in days. */
const HISTORY_DAYS = 400;
/** The changes that are read at once. */
const CHUNK = 8192;

/** A change of a clinician in the feed. */
export interface ClinicianChange {
  npi: number;
  kind: (typeof CHANGE)[keyof typeof CHANGE];
}

/** A change of the registry as a whole. */
export interface RevisionFacts {
  /** RFC 3339. */
  at: string;
  /** The date of the data, YYYY-MM-DD. */
  asOf: string;
  kind: Revision;
}

/**
 * Returns the greatest sequence number of a registry file; 0 without history. A revision takes `first` for
 * itself, and its changes take the numbers after it. So who knows the state at a sequence number reads on
 * after it, if that is not before the smallest `first`.
 *
 * @param before only numbers below this one count
 */
export function lastSequence(connection: Connection, before = Number.MAX_SAFE_INTEGER): number {
  return lastBefore.on(connection, before) ?? 0;
}

/**
 * Appends a revision with its changes. @param first its sequence number, greater than all others @returns the
 * number of changes
 */
export function appendRevision(
  connection: Connection,
  { at, asOf, kind }: RevisionFacts,
  changes: Iterable<ClinicianChange>,
  first = lastSequence(connection) + 1,
): number {
  insertRevision.on(connection, { first, at, asOf, kind });
  return appendChanges(connection, changes, first);
}

/** Appends changes after a sequence number. @returns their number */
export function appendChanges(
  connection: Connection,
  changes: Iterable<ClinicianChange>,
  after: number,
): number {
  let sequence = after;
  const memory = new RowMemory();
  for (const { npi, kind } of changes) {
    insertChange.on(connection, { sequence: ++sequence, npi, kind });
    memory.used();
  }
  return sequence - after;
}

/**
 * Deletes revisions that are older than the history is kept. The newest one stays. @param at now, RFC 3339
 */
export function deleteOldHistory(connection: Connection, at: string): void {
  const first = oldestKept(connection, at);
  deleteChangesBefore.on(connection, first);
  deleteRevisionsBefore.on(connection, first);
}

/** Returns the sequence number of the oldest revision to keep; 0 without history. */
function oldestKept(connection: Connection, at: string): number {
  const since = timestampOf(Date.parse(at) - HISTORY_DAYS * DAY_MS);
  return firstSince.on(connection, since) ?? 0;
}

/** Copies the history of another file after a sequence number. @returns the changed NPIs */
export function copyHistory(connection: Connection, other: Connection, at: string, after = 0): number[] {
  const from = Math.max(oldestKept(other, at), after + 1);
  for (const row of revisionsFrom.on(other, from)) insertRevision.on(connection, row);
  const npis: number[] = [];
  const memory = new RowMemory();
  for (let sequence = from; ; ) {
    const rows = changesFrom.on(other, { sequence, limit: CHUNK });
    for (const row of rows) {
      insertChange.on(connection, row);
      memory.used();
      npis.push(row.npi);
      sequence = row.sequence + 1;
    }
    if (rows.length < CHUNK) return npis;
  }
}

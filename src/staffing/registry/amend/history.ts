import type { Database } from 'bun:sqlite';
import type { CHANGE, Revision } from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';

/** How long changes are kept, in days. */
const HISTORY_DAYS = 400;
const DAY_MS = 86_400_000;

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
export function lastSequence(database: Database, before = Number.MAX_SAFE_INTEGER): number {
  const row = database
    .query<{ last: number }, [number, number]>(
      `SELECT max(
        coalesce((SELECT max(first) FROM revision WHERE first < ?), 0),
        coalesce((SELECT max(sequence) FROM change WHERE sequence < ?), 0)
      ) AS last`,
    )
    .get(before, before);
  return row?.last ?? 0;
}

/**
 * Appends a revision with its changes. @param first its sequence number, greater than all others @returns the
 * number of changes
 */
export function appendRevision(
  database: Database,
  { at, asOf, kind }: RevisionFacts,
  changes: Iterable<ClinicianChange>,
  first = lastSequence(database) + 1,
): number {
  database.query('INSERT INTO revision VALUES (?, ?, ?, ?)').run(first, at, asOf, kind);
  return appendChanges(database, changes, first);
}

/** Appends changes after a sequence number. @returns their number */
export function appendChanges(database: Database, changes: Iterable<ClinicianChange>, after: number): number {
  const insert = database.query('INSERT INTO change VALUES (?, ?, ?)');
  let sequence = after;
  const memory = new RowMemory();
  for (const { npi, kind } of changes) {
    insert.run(++sequence, npi, kind);
    memory.used();
  }
  return sequence - after;
}

/**
 * Deletes revisions that are older than the history is kept. The newest one stays. @param at now, RFC 3339
 */
export function deleteOldHistory(database: Database, at: string): void {
  const first = oldestKept(database, at);
  database.query('DELETE FROM change WHERE sequence < ?').run(first);
  database.query('DELETE FROM revision WHERE first < ?').run(first);
}

/** Returns the sequence number of the oldest revision to keep; 0 without history. */
function oldestKept(database: Database, at: string): number {
  const since = new Date(Date.parse(at) - HISTORY_DAYS * DAY_MS).toISOString();
  const row = database
    .query<{ first: number | null }, [string]>(
      'SELECT coalesce((SELECT min(first) FROM revision WHERE at >= ?), (SELECT max(first) FROM revision)) AS first',
    )
    .get(since);
  return row?.first ?? 0;
}

/** Copies the history of another file after a sequence number. @returns the changed NPIs */
export function copyHistory(database: Database, other: Database, at: string, after = 0): number[] {
  const from = Math.max(oldestKept(other, at), after + 1);
  const revision = database.query('INSERT INTO revision VALUES (?, ?, ?, ?)');
  const revisions = other.query<{ first: number; at: string; as_of: string; kind: string }, [number]>(
    'SELECT first, at, as_of, kind FROM revision WHERE first >= ? ORDER BY first',
  );
  for (const row of revisions.iterate(from)) revision.run(row.first, row.at, row.as_of, row.kind);
  const npis: number[] = [];
  const change = database.query('INSERT INTO change VALUES (?, ?, ?)');
  const changes = other.query<{ sequence: number; npi: number; kind: number }, [number]>(
    'SELECT sequence, npi, kind FROM change WHERE sequence >= ? ORDER BY sequence',
  );
  const memory = new RowMemory();
  for (const { sequence, npi, kind } of changes.iterate(from)) {
    change.run(sequence, npi, kind);
    memory.used();
    npis.push(npi);
  }
  return npis;
}

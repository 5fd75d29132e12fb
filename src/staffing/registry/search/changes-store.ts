import type { Database, Statement } from 'bun:sqlite';

/** A change of a registry: who was added (0), updated (1) or removed (2), and by which revision. */
export interface ChangeRow {
  sequence: number;
  npi: number;
  kind: number;
  /** RFC 3339, UTC. */
  at: string;
  /** The date of the data, YYYY-MM-DD. */
  asOf: string;
}

/** What is known of the changes of a registry. */
export interface History {
  /** When it begins, RFC 3339: no earlier change is known. */
  since: string;
  /** The first sequence number: who knows the registry of this number can read on. */
  first: number;
  last: number;
}

/** Reads the history of a registry file. */
export class ChangeStore {
  private readonly bounds: Statement<{ since: string | null; first: number | null; last: number | null }, []>;
  private readonly firstSince: Statement<{ first: number | null }, [string]>;
  private readonly after: Statement<ChangeRow, [number, number]>;

  constructor(sqlite: Database) {
    this.bounds = sqlite.prepare(`
      SELECT (SELECT min(at) FROM revision) AS since, (SELECT min(first) FROM revision) AS first,
        max(ifnull((SELECT max(first) FROM revision), 0), ifnull((SELECT max(sequence) FROM change), 0)) AS last
    `);
    this.firstSince = sqlite.prepare('SELECT min(first) AS first FROM revision WHERE at >= ?');
    this.after = sqlite.prepare(`
      SELECT sequence, npi, change.kind, at, as_of AS asOf
      FROM change JOIN revision ON revision.first = (SELECT max(first) FROM revision WHERE first <= change.sequence)
      WHERE sequence > ? ORDER BY sequence LIMIT ?
    `);
  }

  /** Returns what the file knows of its changes; null for a file without a history. */
  history(): History | null {
    const { since, first, last } = this.bounds.get() ?? { since: null, first: null, last: null };
    return since === null || first === null || last === null ? null : { since, first, last };
  }

  /**
   * Returns the sequence number of the first revision at or after a time, which its changes follow; null when
   * there is none. `at`: RFC 3339, UTC, milliseconds.
   */
  firstAt(at: string): number | null {
    return this.firstSince.get(at)?.first ?? null;
  }

  /** Returns up to `limit` changes after a sequence number, in order. */
  changesAfter(sequence: number, limit: number): ChangeRow[] {
    return this.after.all(sequence, limit);
  }
}

import { change, revision } from '../../../../db/staffing/registry/tables.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ change, revision });

const bounds = sql.joined({
  since: orNull(sql.text`(SELECT min(at) FROM revision)`),
  first: orNull(sql.number`(SELECT min(first) FROM revision)`),
  last: sql.number`max(
    ifnull((SELECT max(first) FROM revision), 0), ifnull((SELECT max(sequence) FROM change), 0))`,
}).row``;
const firstSince = sql.value(orNull(sql.number`min(first)`))`FROM revision WHERE at >= ${'at'}`;
const changesAfter = sql.joined({
  sequence: change.sequence,
  npi: change.npi,
  kind: change.kind,
  at: revision.at,
  asOf: revision.asOf,
}).rows`
  FROM change JOIN revision ON revision.first = (SELECT max(first) FROM revision WHERE first <= change.sequence)
  WHERE sequence > ${'sequence'} ORDER BY sequence LIMIT ${'limit'}`;

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
  constructor(private readonly connection: Connection) {}

  /** Returns what the file knows of its changes; null for a file without a history. */
  history(): History | null {
    const { since = null, first = null, last = 0 } = bounds.on(this.connection) ?? {};
    return since === null || first === null ? null : { since, first, last };
  }

  /**
   * Returns the sequence number of the first revision at or after a time, which its changes follow; null when
   * there is none. `at`: RFC 3339, UTC, milliseconds.
   */
  firstAt(at: string): number | null {
    return firstSince.on(this.connection, at);
  }

  /** Returns up to `limit` changes after a sequence number, in order. */
  changesAfter(sequence: number, limit: number): ChangeRow[] {
    return changesAfter.on(this.connection, { sequence, limit });
  }
}

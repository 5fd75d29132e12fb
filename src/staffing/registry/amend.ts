import type { Database } from 'bun:sqlite';
import { ANYWHERE, KIND } from '../../../db/staffing/registry/schema.ts';
import { openWriter } from '../../platform/store/connection.ts';
import { type Columns, type Entry, entryOf, type Labels, labelsOf } from './entry.ts';
import { closeRegistry, type List, openRegistry } from './open.ts';
import { type ClinicianRecord, isAccepted, type RefusedRecords } from './record.ts';
import { fold, type NameKey } from './vocabulary/names.ts';

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
export function amendRegistry(path: string, { put, remove, putBack = [], asOf }: Amendment): Amended {
  const registry = openRegistry(path);
  const labels = labelsOf(registry.specialties);
  closeRegistry(registry);
  const { sqlite } = openWriter(path, 'disk');
  try {
    const change = new Change(sqlite, new Map(registry.lists), labels);
    const amended = sqlite
      .transaction(() => {
        const done: Amended = { added: 0, changed: 0, removed: 0, refused: { count: 0, examples: [] } };
        for (const record of put) {
          if (!isAccepted(record, done.refused)) continue;
          if (change.take(record.npi)) done.changed++;
          else done.added++;
          change.give(entryOf(record));
        }
        for (const entry of putBack) {
          if (storedEntry(sqlite, entry.columns[0]) !== null) continue;
          change.give(entry);
          done.added++;
        }
        for (const npi of remove) if (change.take(npi)) done.removed++;
        sqlite
          .query('UPDATE registry SET records = records + ?, as_of = coalesce(?, as_of)')
          .run(done.added - done.removed, asOf ?? null);
        return done;
      })
      .immediate();
    sqlite.run('PRAGMA wal_checkpoint(PASSIVE)');
    return amended;
  } finally {
    sqlite.close();
  }
}

/** Returns the entries of the given clinicians that a registry file contains, with their search keys. @throws Failure */
export function readEntries(path: string, npis: readonly number[]): Entry[] {
  const { sqlite } = openRegistry(path).connection;
  try {
    return npis.flatMap((npi) => storedEntry(sqlite, npi) ?? []);
  } finally {
    sqlite.close();
  }
}

/** A row of `clinician`. */
interface Stored {
  npi: number;
  last_name: string;
  first_name: string | null;
  middle_name: string | null;
  suffix: string | null;
  credential: string | null;
  codes: string;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  enumerated_on: string | null;
  last_updated_on: string | null;
}

function storedEntry(sqlite: Database, npi: number): Entry | null {
  const row = sqlite
    .query<Stored, [number]>(
      `SELECT npi, last_name, first_name, middle_name, suffix, credential, codes, city, state, postal_code,
        enumerated_on, last_updated_on FROM clinician WHERE npi = ?`,
    )
    .get(npi);
  if (row === null) return null;
  const several = sqlite
    .query<NameKey, [number]>('SELECT name_key AS key, kind FROM several_names WHERE npi = ?')
    .all(npi);
  const { codes, state } = row;
  const columns: Columns = [
    row.npi,
    row.last_name,
    row.first_name,
    row.middle_name,
    row.suffix,
    row.credential,
    codes,
    row.city,
    state,
    row.postal_code,
    row.enumerated_on,
    row.last_updated_on,
  ];
  const names = several.length > 0 ? several : [{ key: fold(row.last_name), kind: KIND.whole }];
  return { columns, codes, state, names, firstKey: fold(row.first_name ?? '') };
}

/** The steps of one amendment. */
class Change {
  constructor(
    private readonly sqlite: Database,
    private readonly lists: Map<string, List>,
    private readonly labels: Labels,
  ) {}

  /** Removes a clinician from all tables. @returns false when the clinician does not exist */
  take(npi: number): boolean {
    const { sqlite } = this;
    const stored = storedEntry(sqlite, npi);
    if (stored === null) return false;
    const { codes, state, names, firstKey } = stored;
    sqlite.query('DELETE FROM clinician WHERE npi = ?').run(npi);
    sqlite.query('DELETE FROM several_names WHERE npi = ?').run(npi);
    const byName = sqlite.query(
      'DELETE FROM by_name WHERE list = ? AND kind = ? AND name_key = ? AND first_key = ? AND npi = ?',
    );
    const byState = sqlite.query(
      'DELETE FROM by_state WHERE list = ? AND kind = ? AND name_key = ? AND first_key = ? AND npi = ? AND state = ?',
    );
    this.eachList(codes, state, -1, (list) => {
      for (const { key, kind } of names) {
        byName.run(list, kind, key, firstKey, npi);
        if (state !== null) byState.run(list, kind, key, firstKey, npi, state);
      }
    });
    return true;
  }

  /** Inserts a clinician that does not exist. */
  give({ columns, codes, state, names, firstKey }: Entry): void {
    const { sqlite } = this;
    const [npi] = columns;
    sqlite.query('INSERT INTO clinician VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...columns);
    const another = sqlite.query('INSERT INTO several_names VALUES (?, ?, ?)');
    if (names.length > 1) for (const { key, kind } of names) another.run(npi, key, kind);
    const byName = sqlite.query('INSERT INTO by_name VALUES (?, ?, ?, ?, ?)');
    const byState = sqlite.query('INSERT INTO by_state VALUES (?, ?, ?, ?, ?, ?)');
    this.eachList(codes, state, 1, (list) => {
      for (const { key, kind } of names) {
        byName.run(list, kind, key, firstKey, npi);
        if (state !== null) byState.run(list, state, kind, key, firstKey, npi);
      }
    });
  }

  /** Adds `more` to the counts of all lists of these codes, and calls `visit` for each list that has rows. */
  private eachList(codes: string, state: string | null, more: 1 | -1, visit: (list: number) => void): void {
    const count = this.sqlite.query(`
      INSERT INTO list_count VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET clinicians = clinicians + excluded.clinicians
    `);
    for (const label of this.labels.of(codes)) {
      const { list, listed } = this.lists.get(label) ?? this.newList(label);
      count.run(list, ANYWHERE, more);
      if (state !== null) count.run(list, state, more);
      if (listed) visit(list);
    }
  }

  /** Creates the list of a code that no clinician had before. */
  private newList(label: string): List {
    const fresh = { list: Math.max(...[...this.lists.values()].map(({ list }) => list)) + 1, listed: true };
    this.sqlite.query('INSERT INTO list VALUES (?, ?, 1)').run(fresh.list, label);
    this.lists.set(label, fresh);
    return fresh;
  }
}

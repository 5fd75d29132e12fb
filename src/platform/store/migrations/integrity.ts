import type { Database } from 'bun:sqlite';

/**
 * What SQLite finds wrong with a database file, at most 100 sentences; none when it is whole. `quick` reads every page;
 * `full` also holds indexes against their tables, and references against what they refer to.
 */
export function problemsIn(database: Database, depth: 'quick' | 'full'): string[] {
  try {
    const pragma = depth === 'quick' ? 'quick_check' : 'integrity_check';
    const found = database
      .query<Record<string, string>, []>(`PRAGMA ${pragma}`)
      .all()
      .flatMap((row) => Object.values(row))
      .filter((sentence) => sentence !== 'ok');
    if (depth === 'quick') return found;
    return [...found, ...danglingReferences(database)].slice(0, 100);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Returns a sentence for each reference that leads nowhere; at most 100. @throws SQLiteError for a foreign key that fits no unique index */
export function danglingReferences(database: Database): string[] {
  return database.query<Dangling, []>('PRAGMA foreign_key_check').all().slice(0, 100).map(inWords);
}

/** A row whose reference leads nowhere; a table without rowids has none to tell. */
interface Dangling {
  table: string;
  rowid: number | null;
  parent: string;
}

function inWords({ table, rowid, parent }: Dangling): string {
  return `${rowid === null ? 'a row' : `row ${rowid}`} of ${table} refers to no row of ${parent}`;
}

import type { Database } from 'bun:sqlite';

/**
 * Returns the problems that SQLite finds in a database file, at most 100 sentences; empty for an intact one.
 * `quick` reads every page; `full` also compares indexes with their tables, and checks references.
 */
export function problemsIn(database: Database, depth: 'quick' | 'full'): string[] {
  try {
    const pragma = depth === 'quick' ? 'quick_check' : 'integrity_check';
    const problems = database
      .query<Record<string, string>, []>(`PRAGMA ${pragma}`)
      .all()
      .flatMap((row) => Object.values(row))
      .filter((sentence) => sentence !== 'ok');
    if (depth === 'quick') return problems;
    return [...problems, ...danglingReferences(database)].slice(0, 100);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Returns a sentence for each dangling reference, at most 100. @throws SQLiteError for a foreign key without
 * a unique index
 */
export function danglingReferences(database: Database): string[] {
  return database.query<Dangling, []>('PRAGMA foreign_key_check').all().slice(0, 100).map(inWords);
}

/** A row with a dangling reference. `rowid` is null for a table without rowids. */
interface Dangling {
  table: string;
  rowid: number | null;
  parent: string;
}

function inWords({ table, rowid, parent }: Dangling): string {
  return `${rowid === null ? 'a row' : `row ${rowid}`} of ${table} refers to no row of ${parent}`;
}

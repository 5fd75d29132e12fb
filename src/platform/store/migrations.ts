import { Database } from 'bun:sqlite';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../crypto.ts';

/** One step of a schema: `NNNN_name.sql`, embedded as text. */
export interface Migration {
  name: string;
  sql: string;
}

export interface Schema {
  /** Marks the file as this service's (SQLite's application_id). */
  applicationId: number;
  service: string;
  /** In ascending order of name. */
  migrations: readonly Migration[];
}

/** The database cannot be brought to this program's schema; the hint says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/**
 * Brings a database file to the schema: each missing migration in a transaction of its own, its SHA-256 recorded, after
 * a copy of the file was written beside it. What was applied before must be what this program knows.
 *
 * @returns the names of the migrations that were applied.
 * @throws MigrationError
 */
export function migrate(file: string, schema: Schema): string[] {
  let database: Database | undefined;
  try {
    database = new Database(file, { create: true, readwrite: true, strict: true });
    database.run('PRAGMA journal_mode = WAL');
    database.run('PRAGMA synchronous = FULL');
    database.run('PRAGMA foreign_keys = ON');
    checkOwner(database, schema);
    const applied = checkHistory(database, schema);
    const missing = schema.migrations.slice(applied);
    for (const migration of missing) {
      if (applied > 0) backUp(database, file, migration);
      apply(database, migration);
    }
    return missing.map(({ name }) => name);
  } catch (error) {
    throw asMigrationError(error, file);
  } finally {
    database?.close();
  }
}

/** SQLite's complaints name no file. */
function asMigrationError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    return new MigrationError(`${file} is damaged, or no database (${code})`, 'restore a backup');
  }
  if (/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(code)) {
    return new MigrationError(
      `${file} cannot be written (${code})`,
      'see that this user owns it and that the disk has room',
    );
  }
  return error;
}

function checkOwner(database: Database, schema: Schema): void {
  const owner = database.query<{ application_id: number }, []>('PRAGMA application_id').get()?.application_id;
  if (owner === schema.applicationId) return;
  const tables = database.query<{ n: number }, []>('SELECT count(*) AS n FROM sqlite_schema').get()?.n;
  if (owner !== 0 || tables !== 0) {
    throw new MigrationError(
      `this database is not one of the ${schema.service} service`,
      'name another data directory with --data',
    );
  }
  database.transaction(() => {
    database.run(`PRAGMA application_id = ${schema.applicationId}`);
    database.run(`CREATE TABLE schema_migration (
      name TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL
    ) STRICT`);
  })();
}

/** The number of migrations that stand in the file, each being the one that this program has in its place. */
function checkHistory(database: Database, schema: Schema): number {
  const rows = database
    .query<{ name: string; sha256: string }, []>('SELECT name, sha256 FROM schema_migration ORDER BY name')
    .all();
  for (const [index, row] of rows.entries()) {
    const known = schema.migrations[index];
    if (known === undefined) {
      throw new MigrationError(
        `the database is newer than this program (it has ${row.name})`,
        'run the countersign that wrote it, or a later one',
      );
    }
    if (known.name !== row.name || sha256Hex(known.sql) !== row.sha256) {
      throw new MigrationError(
        `the database's migration ${row.name} is not the one of this program`,
        'run the countersign that wrote it, or restore a backup',
      );
    }
  }
  return rows.length;
}

function backUp(database: Database, file: string, migration: Migration): void {
  const copy = join(dirname(file), 'backups', `before-${migration.name.slice(0, 4)}.db`);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  // A migration that failed before has left its copy; the new one takes its place only when it is whole.
  rmSync(`${copy}.new`, { force: true });
  database.query('VACUUM INTO ?').run(`${copy}.new`);
  renameSync(`${copy}.new`, copy);
}

function apply(database: Database, migration: Migration): void {
  database.transaction(() => {
    database.exec(migration.sql);
    database
      .query('INSERT INTO schema_migration (name, sha256, applied_at) VALUES (?, ?, ?)')
      .run(migration.name, sha256Hex(migration.sql), new Date().toISOString());
  })();
}

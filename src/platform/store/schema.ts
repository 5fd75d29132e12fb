import { Database } from 'bun:sqlite';
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

/** A new database of a schema, in memory: what every file of it has to look like. */
export function freshDatabase(schema: Schema): Database {
  const database = new Database(':memory:', { strict: true });
  own(database, schema);
  for (const migration of schema.migrations) apply(database, migration);
  return database;
}

/** Makes an empty database one of this schema, without its migrations. */
export function own(database: Database, schema: Schema): void {
  database.transaction(() => {
    database.run(`PRAGMA application_id = ${schema.applicationId}`);
    database.run(`CREATE TABLE schema_migration (
      name TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL
    ) STRICT`);
  })();
}

/** Applies a migration and writes down that it was. */
export function apply(database: Database, migration: Migration): void {
  database.transaction(() => {
    database.exec(migration.sql);
    database
      .query('INSERT INTO schema_migration (name, sha256, applied_at) VALUES (?, ?, ?)')
      .run(migration.name, sha256Hex(migration.sql), new Date().toISOString());
  })();
}

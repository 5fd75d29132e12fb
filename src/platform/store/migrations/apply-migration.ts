import { Database } from 'bun:sqlite';
import { sha256Hex } from '../../crypto/crypto.ts';
import { danglingReferences } from './integrity.ts';
import { type Migration, MigrationError, type Schema } from './schema.ts';

/** Returns a new database of a schema in memory: the reference for every file of that schema. */
export function freshDatabase(schema: Schema): Database {
  const database = new Database(':memory:', { strict: true });
  initializeSchema(database, schema);
  for (const migration of schema.migrations) apply(database, migration);
  return database;
}

/** Initializes an empty database for this schema, without its migrations. */
export function initializeSchema(database: Database, schema: Schema): void {
  database.transaction(() => {
    database.run(`PRAGMA application_id = ${schema.applicationId}`);
    database.run(`CREATE TABLE schema_migration (
      name TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL
    ) STRICT`);
  })();
}

/**
 * Makes an empty database what all migrations of a schema would make it, and records them, in one
 * transaction. The migrations of the trust service take fifteen times as long.
 * @param sql what `newDatabaseSql` returns for this schema
 */
export function create(database: Database, { applicationId, migrations }: Schema, sql: string): void {
  database.transaction(() => {
    database.run(`PRAGMA application_id = ${applicationId}`);
    // A table is filled before the tables to which it refers.
    database.run('PRAGMA defer_foreign_keys = ON');
    database.exec(sql);
    record(database, migrations);
  })();
}

/**
 * Applies a migration and records it, in one transaction.
 *
 * A migration with `rebuild` may drop a table, create it again under its name and fill it, even if other
 * tables refer to it. It follows
 * https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes:
 * `CREATE TABLE new_x`, `INSERT INTO new_x SELECT … FROM x`, `DROP TABLE x`, `ALTER TABLE new_x RENAME TO x`,
 * then the indexes and triggers of `x`. This function does those of the twelve steps that concern the
 * connection and other tables.
 *
 * @throws MigrationError when a rebuild leaves a dangling reference, SQLiteError for SQL that fails
 */
export function apply(database: Database, migration: Migration): void {
  if (migration.rebuild === true) rebuild(database, migration);
  else database.transaction(() => runAndRecord(database, migration))();
}

/** Applies a rebuild. SQLite ignores a change of `foreign_keys` inside a transaction, so it is outside. */
function rebuild(database: Database, migration: Migration): void {
  if (database.inTransaction)
    throw new Error(`the rebuild ${migration.name} was started inside a transaction`);
  const { foreign_keys: before } =
    database.query<{ foreign_keys: number }, []>('PRAGMA foreign_keys').get() ?? {};
  // With foreign keys on, DROP TABLE deletes the rows first, and cascades delete rows of other tables.
  database.run('PRAGMA foreign_keys = OFF');
  try {
    database.transaction(() => {
      // Otherwise RENAME fails when a trigger of another table refers to the dropped table.
      database.run('PRAGMA legacy_alter_table = ON');
      runAndRecord(database, migration);
      database.run('PRAGMA legacy_alter_table = OFF');
      compileSchema(database);
      refuseDangling(database, migration);
    })();
  } finally {
    database.run('PRAGMA legacy_alter_table = OFF');
    database.run(`PRAGMA foreign_keys = ${before === 1 ? 'ON' : 'OFF'}`);
  }
}

function runAndRecord(database: Database, migration: Migration): void {
  database.exec(migration.sql);
  record(database, [migration]);
}

function record(database: Database, migrations: readonly Migration[]): void {
  const insert = database.query('INSERT INTO schema_migration (name, sha256, applied_at) VALUES (?, ?, ?)');
  const appliedAt = new Date().toISOString();
  for (const { name, sql } of migrations) insert.run(name, sha256Hex(sql), appliedAt);
}

/**
 * Makes SQLite compile every trigger and view, as each RENAME does. @throws SQLiteError for one that refers
 * to a missing object
 */
function compileSchema(database: Database): void {
  database.exec(`
    CREATE TABLE rebuild_probe (n INTEGER) STRICT;
    ALTER TABLE rebuild_probe RENAME TO rebuild_probed;
    DROP TABLE rebuild_probed;
  `);
}

function refuseDangling(database: Database, { name }: Migration): void {
  const [dangling] = danglingReferences(database);
  if (dangling === undefined) return;
  throw new MigrationError(
    `the migration ${name} was undone: after it, ${dangling}`,
    'run countersign fsck of the version that wrote the database; if it finds no problem, report a bug in the migration',
  );
}

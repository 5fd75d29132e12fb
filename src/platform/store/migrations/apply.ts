import { Database } from 'bun:sqlite';
import { sha256Hex } from '../../crypto/crypto.ts';
import { danglingReferences } from './integrity.ts';
import { type Migration, MigrationError, type Schema } from './schema.ts';

/** Returns a new database of a schema, in memory: what every file of it has to look like. */
export function freshDatabase(schema: Schema): Database {
  const database = new Database(':memory:', { strict: true });
  initializeSchema(database, schema);
  for (const migration of schema.migrations) apply(database, migration);
  return database;
}

/** Makes an empty database one of this schema, without its migrations. */
export function initializeSchema(database: Database, schema: Schema): void {
  database.transaction(() => {
    database.run(`PRAGMA application_id = ${schema.applicationId}`);
    database.run(`CREATE TABLE schema_migration (
      name TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL
    ) STRICT`);
  })();
}

/**
 * Applies a migration and records that, in one transaction: all of it or nothing.
 *
 * A migration with `rebuild` may drop a table, make it again under its name and fill it, also one that others refer to. It
 * follows https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes: `CREATE TABLE new_x`, `INSERT
 * INTO new_x SELECT … FROM x`, `DROP TABLE x`, `ALTER TABLE new_x RENAME TO x`, then the indexes and triggers of `x` again.
 * What of those twelve steps is about the connection and about other tables is done here.
 *
 * @throws MigrationError where a rebuild leaves a row that refers to nothing, SQLiteError for SQL that fails
 */
export function apply(database: Database, migration: Migration): void {
  if (migration.rebuild === true) rebuild(database, migration);
  else database.transaction(() => runAndRecord(database, migration))();
}

/** SQLite ignores a change of `foreign_keys` inside a transaction, so it is made around it. */
function rebuild(database: Database, migration: Migration): void {
  if (database.inTransaction)
    throw new Error(`the rebuild ${migration.name} was started inside a transaction`);
  const { foreign_keys: before } =
    database.query<{ foreign_keys: number }, []>('PRAGMA foreign_keys').get() ?? {};
  // DROP TABLE deletes the rows first where foreign keys are on, which deletes the rows of other tables that cascade.
  database.run('PRAGMA foreign_keys = OFF');
  try {
    database.transaction(() => {
      // Or RENAME fails where a trigger of another table names the table that was just dropped.
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

function runAndRecord(database: Database, { name, sql }: Migration): void {
  database.exec(sql);
  database
    .query('INSERT INTO schema_migration (name, sha256, applied_at) VALUES (?, ?, ?)')
    .run(name, sha256Hex(sql), new Date().toISOString());
}

/** Has SQLite compile every trigger and view, as each RENAME does. @throws SQLiteError for one that names what is gone */
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

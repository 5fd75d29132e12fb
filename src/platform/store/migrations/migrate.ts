import type { Database } from 'bun:sqlite';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Durability } from '../../data-directory.ts';
import { matchOwner } from '../../files/write.ts';
import { type Connection, openReader, openWriter } from '../connection.ts';
import { withReadable } from '../readable.ts';
import { type Snapshot, snapshotOf } from '../transaction.ts';
import { apply, create, initializeSchema } from './apply-migration.ts';
import { builtNewDatabase } from './built-new-database.ts';
import { MigrationError, type Schema } from './schema.ts';
import { refuseUnknownObjects } from './schema-check.ts';

export { MigrationError, type Schema };

/**
 * Migrates a database file to the schema. Copies the file once (unless `keepCopies` is false), then applies
 * each missing migration in its own transaction and records its SHA-256. The applied migrations must be those
 * of this program.
 *
 * @returns the names of the migrations that it applied
 * @throws MigrationError also for a database with a table, index, view or trigger that another program
 * created or changed
 */
export function migrate(file: string, schema: Schema, { keepCopies = true } = {}): string[] {
  const { connection, applied } = openMigrating(file, 'disk', schema, keepCopies);
  connection.sqlite.close();
  return applied;
}

/**
 * Opens the writer's connection to a database file and migrates the file like `migrate`. Logs the names of
 * the applied migrations.
 *
 * @throws MigrationError as `migrate`
 */
export function openMigratedWriter(
  file: string,
  durability: Durability,
  schema: Schema,
  log: Pick<Logger, 'info'>,
): Connection {
  const { connection, applied } = openMigrating(file, durability, schema, true);
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  return connection;
}

function openMigrating(
  file: string,
  durability: Durability,
  schema: Schema,
  keepCopies: boolean,
): { connection: Connection; applied: string[] } {
  mustBeWritable(file);
  let connection: Connection | undefined;
  try {
    connection = openWriter(file, durability);
    const { sqlite } = connection;
    if (!isOwned(sqlite, schema)) {
      const newDatabase = builtNewDatabase(schema);
      if (newDatabase !== null) {
        create(sqlite, schema, newDatabase);
        refuseUnknownObjects(sqlite, schema);
        return { connection, applied: schema.migrations.map(({ name }) => name) };
      }
      initializeSchema(sqlite, schema);
    }
    const known = checkHistory(sqlite, file, schema);
    // This precedes the migrations, because a foreign trigger could react to their writes.
    refuseUnknownObjects(sqlite, schemaUpTo(schema, known));
    const missing = schema.migrations.slice(known);
    const [first] = missing;
    // One copy: with one for each migration, an update needs many times the size of the database.
    if (first !== undefined && known > 0 && keepCopies)
      copyDatabase(sqlite, file, `before-${first.name.slice(0, 4)}.db`);
    for (const migration of missing) apply(sqlite, migration);
    return { connection, applied: missing.map(({ name }) => name) };
  } catch (error) {
    connection?.sqlite.close();
    throw asMigrationError(error, file, 'written');
  }
}

/**
 * Opens a read-only connection to a database file with exactly the schema of this program, even while a
 * service uses it. Changes nothing.
 *
 * @param name what is opened, if it is not the file itself (`readableDatabase`)
 * @throws MigrationError for the file of another program, a newer, older or damaged file
 */
export function openMigrated(file: string, schema: Schema, name = file): Connection {
  return inspecting(file, name, (connection) => {
    const [pending] = pendingIn(connection.sqlite, file, schema);
    if (pending === undefined) return connection;
    throw new MigrationError(
      `the database is older than this program (migrations that are missing: ${pending})`,
      'run countersign migrate, or start the service, to migrate it',
    );
  });
}

/**
 * Reads from a database file with the schema of this program, outside of a transaction: each statement sees
 * the latest commit.
 * @throws MigrationError as `openMigrated` does
 */
export async function readMigrated<T>(
  file: string,
  schema: Schema,
  body: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return withReadable(file, async (name) => {
    const connection = openMigrated(file, schema, name);
    try {
      return await body(snapshotOf(connection));
    } finally {
      connection.sqlite.close();
    }
  });
}

/**
 * Returns the names of the migrations that a database file does not have. Changes nothing.
 * @param name as of `openMigrated`
 * @throws MigrationError as `migrate`
 */
export function pendingMigrations(file: string, schema: Schema, name = file): string[] {
  return inspecting(file, name, (connection) => {
    const pending = pendingIn(connection.sqlite, file, schema);
    refuseUnknownObjects(connection.sqlite, schemaUpTo(schema, schema.migrations.length - pending.length));
    connection.sqlite.close();
    return pending;
  });
}

function inspecting<T>(file: string, name: string, inspect: (connection: Connection) => T): T {
  let connection: Connection | undefined;
  try {
    connection = openReader(name);
    return inspect(connection);
  } catch (error) {
    connection?.sqlite.close();
    throw asMigrationError(error, file, 'read');
  }
}

function pendingIn(sqlite: Database, file: string, schema: Schema): string[] {
  if (!isOwned(sqlite, schema)) throw notOwned(schema);
  return schema.migrations.slice(checkHistory(sqlite, file, schema)).map(({ name }) => name);
}

/**
 * Checks that a file is writable. SQLite opens a read-only file without an error and fails at the first
 * write, long after the start.
 * @throws MigrationError
 */
function mustBeWritable(file: string): void {
  if (!existsSync(file)) return;
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw cannotBe('written', file, code);
  }
}

function cannotBe(purpose: 'read' | 'written', file: string, code: string): MigrationError {
  return new MigrationError(
    `${file} cannot be ${purpose} (${code})`,
    code === 'EROFS'
      ? 'its file system is read-only: mount it writable'
      : 'check that this user owns it and that the disk has free space',
  );
}

/** Adds the file name to SQLite's errors, which lack it. */
function asMigrationError(error: unknown, file: string, purpose: 'read' | 'written'): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    return new MigrationError(
      `${file} is damaged, or no database (${code})`,
      'restore a backup with countersign restore',
    );
  }
  if (/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(code)) {
    return cannotBe(purpose, file, code);
  }
  return error;
}

/**
 * Returns whether the file belongs to this service; false for an empty one. @throws MigrationError for any
 * other file
 */
function isOwned(database: Database, schema: Schema): boolean {
  const owner = database.query<{ application_id: number }, []>('PRAGMA application_id').get()?.application_id;
  if (owner === schema.applicationId) return true;
  const tables = database.query<{ n: number }, []>('SELECT count(*) AS n FROM sqlite_schema').get()?.n;
  if (owner !== 0 || tables !== 0) throw notOwned(schema);
  return false;
}

function notOwned(schema: Schema): MigrationError {
  return new MigrationError(
    `this database is not one of the ${schema.service} service`,
    'specify another data directory with --data',
  );
}

/**
 * Checks that the migrations in the file are the first ones of this program. @returns their number @throws
 * MigrationError
 */
function checkHistory(database: Database, file: string, schema: Schema): number {
  const rows = database
    .query<{ name: string; sha256: string }, []>('SELECT name, sha256 FROM schema_migration ORDER BY name')
    .all();
  for (const [index, row] of rows.entries()) {
    const known = schema.migrations[index];
    if (known === undefined) {
      throw new MigrationError(
        `the database is newer than this program (it has ${row.name})`,
        'run the version of countersign that wrote it, or a later one',
      );
    }
    if (known.name !== row.name || sha256Hex(known.sql) !== row.sha256) {
      throw unreleased(file, schema, row.name);
    }
  }
  return rows.length;
}

/**
 * Returns the error for a migration with another text. Released migrations never change, so an unreleased
 * version wrote it.
 */
function unreleased(file: string, { salvage }: Schema, migration: string): MigrationError {
  const saved = salvage === undefined ? '' : `, and ${salvage}`;
  return new MigrationError(
    `${file} was written by an unreleased version of countersign: its migration ${migration} is not the one of this program`,
    `no version can migrate this database: start with an empty data directory; the program that wrote it, or a later unreleased one, can still serve it${saved}`,
  );
}

/** Copies a database into `backups/` beside its file. @returns the path of the copy */
export function copyDatabase(database: Database, file: string, name: string): string {
  const copy = join(dirname(file), 'backups', name);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  // A failed migration leaves its copy. The new copy replaces it only when it is complete.
  rmSync(`${copy}.new`, { force: true });
  database.query('VACUUM INTO ?').run(`${copy}.new`);
  renameSync(`${copy}.new`, copy);
  matchOwner(dirname(file), [dirname(copy), copy]);
  return copy;
}

/** Returns the schema with only its first `applied` migrations. */
function schemaUpTo(schema: Schema, applied: number): Schema {
  return applied === schema.migrations.length
    ? schema
    : { ...schema, migrations: schema.migrations.slice(0, applied) };
}

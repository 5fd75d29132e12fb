import { Database } from 'bun:sqlite';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { isKeyBackup } from './crypto/key-backup.ts';
import type { DataDirectory } from './data-directory.ts';
import { Failure } from './failure.ts';
import { matchOwner, syncPath } from './files/write.ts';
import type { ServiceDatabase } from './service-definition.ts';
import { problemsIn } from './store/migrations/integrity.ts';
import { migrate, pendingMigrations, type Schema } from './store/migrations/migrate.ts';
import type { Clock } from './time/clock.ts';
import { timestampOf } from './time/timestamp.ts';

export interface Restored {
  /** The migrations that were applied to the backup. */
  migrations: string[];
  /** What modules changed in it, as sentences. */
  changes: string[];
  /** The new path of the replaced database; null if there was none. */
  replaced: string | null;
}

/**
 * Replaces a data directory's database by a backup. Copies the backup, checks it, migrates it to this
 * program's schema, and then renames it over the old database, which stays in `backups/`. At every moment
 * either the old or the new database is in place.
 *
 * @throws Failure, MigrationError for a file that is not a backup of this service, newer than this program,
 * damaged or truncated, and when a database exists and `force` is false; nothing has changed then
 */
export function restore(
  backup: string,
  { path }: DataDirectory,
  { name, schema }: ServiceDatabase,
  { force, clock }: { force: boolean; clock: Clock },
): Restored {
  const database = join(path, name);
  const exists = existsSync(database);
  if (exists && !force) {
    throw new Failure(
      `${database} already exists`,
      'use --force to move it to backups/ and replace it with the backup',
    );
  }
  if (statSync(backup, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Failure(`${backup} is not a regular file`, 'specify the file that countersign backup wrote');
  }
  refuseLive(backup);
  const fresh = `${database}.restore`;
  try {
    copyFrom(backup, fresh);
    const prepared = prepare(backup, fresh, schema);
    const replaced = exists ? keepOld(database, path, clock) : null;
    matchOwner(path, [fresh, join(path, 'backups'), ...(replaced === null ? [] : [replaced])]);
    renameSync(fresh, database);
    syncPath(path);
    return { ...prepared, replaced };
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${fresh}${suffix}`, { force: true });
  }
}

/**
 * Refuses a database in use: its last writes are in the write-ahead log, and without them it may be in a
 * state that never existed. @throws Failure
 */
function refuseLive(backup: string): void {
  const log = `${backup}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new Failure(
    `${backup} is a database in use, not a backup: ${log} exists next to it`,
    'make a backup with countersign backup',
  );
}

function copyFrom(backup: string, fresh: string): void {
  try {
    for (const suffix of ['-wal', '-shm']) rmSync(`${fresh}${suffix}`, { force: true });
    copyFileSync(backup, fresh, constants.COPYFILE_FICLONE);
    chmodSync(fresh, 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `${backup} cannot be copied: ${reason}`,
      'check that it exists and that the disk has free space',
    );
  }
}

function prepare(backup: string, fresh: string, schema: Schema): Pick<Restored, 'migrations' | 'changes'> {
  try {
    pendingMigrations(fresh, schema);
    if (isCutShort(fresh)) throw new Failure('it is damaged: its end is missing', 'use another backup');
    const copied = new Database(fresh, { readwrite: true });
    const [problem] = problemsIn(copied, 'full');
    copied.close();
    if (problem !== undefined) throw new Failure(`it is damaged: ${problem}`, 'use another backup');
    const migrations = migrate(fresh, schema, { keepCopies: false });
    const changes = correct(fresh, schema);
    syncPath(fresh);
    return { migrations, changes };
  } catch (error) {
    const hint = error instanceof Error && 'hint' in error && error.hint !== null ? String(error.hint) : null;
    const reason = error instanceof Error ? error.message.replaceAll(fresh, basename(backup)) : String(error);
    const meant = /not one of/.test(reason) ? 'check that it is a backup of this service' : hint;
    if (/SQLITE_NOTADB/.test(reason))
      throw new Failure(
        `${backup} cannot be restored: it is ${isKeyBackup(backup) ? 'a backup of keys' : 'no database, or damaged'}`,
        isKeyBackup(backup)
          ? 'specify the file that countersign backup wrote; pass this one with --keys, or to countersign keys restore'
          : 'specify the file that countersign backup wrote',
      );
    throw new Failure(`${backup} cannot be restored: ${reason}`, meant ?? 'nothing was changed');
  }
}

/**
 * Runs what modules do with a restored backup, in one transaction. @returns what was changed, as sentences
 */
function correct(fresh: string, { afterRestore = [] }: Schema): string[] {
  const database = new Database(fresh, { readwrite: true });
  try {
    return database.transaction(() =>
      afterRestore.flatMap(({ sql, report }) => {
        const { changes } = database.run(sql);
        return changes === 0 || report === undefined ? [] : [report(changes)];
      }),
    )();
  } finally {
    database.close();
  }
}

/**
 * Returns whether a database file differs in length from its header
 * (https://sqlite.org/fileformat2.html#the_database_header).
 */
function isCutShort(path: string): boolean {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  readSync(file, header);
  closeSync(file);
  const pageSize = header.readUInt16BE(16);
  return statSync(path).size !== header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize);
}

/** Moves the old database to `backups/`. @returns its new path */
function keepOld(database: string, directory: string, clock: Clock): string {
  // Move its write-ahead log into it first: SQLite must not apply that log to the new database.
  const old = openOld(database);
  old?.run('PRAGMA wal_checkpoint(TRUNCATE)');
  old?.close();
  const stamp = timestampOf(clock.now()).replace(/[-:.]/g, '');
  const replaced = join(directory, 'backups', `replaced-${stamp}.db`);
  mkdirSync(join(directory, 'backups'), { recursive: true, mode: 0o700 });
  linkSync(database, replaced);
  syncPath(join(directory, 'backups'));
  for (const suffix of ['-wal', '-shm']) {
    const rest = `${database}${suffix}`;
    // A log that could not be read still exists. It stays with its database.
    if (existsSync(rest)) renameSync(rest, `${replaced}${suffix}`);
  }
  return replaced;
}

/** Opens the old database. @returns null when it is too damaged to open, which a restore must tolerate */
function openOld(database: string): Database | null {
  let old: Database | undefined;
  try {
    old = new Database(database, { readwrite: true });
    old.run('PRAGMA schema_version');
    return old;
  } catch {
    old?.close();
    return null;
  }
}

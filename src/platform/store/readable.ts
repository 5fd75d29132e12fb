import type { Database } from 'bun:sqlite';
import { accessSync, constants, copyFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  DataDirectoryError,
  isReadOnlyDirectory,
  isWritable,
  LOCK,
  shareLock,
  takePrivate,
} from '../data-directory.ts';
import { openReader } from './connection.ts';

/** How a database file is opened for reading. */
export interface ReadableDatabase {
  /** What `openReader` opens. */
  name: string;
  /** True if SQLite keeps the files beside the database up to date. */
  isWritable: boolean;
  /** Gives up what keeps the database readable. All connections must be closed before. */
  release(): void;
}

/** SQLite's errors when it cannot create the files beside a database. */
const NOT_WRITABLE = /^SQLITE_(?:CANTOPEN|READONLY_DIRECTORY)/;

/** The attempts to copy a database that others may write. */
const ATTEMPTS = 3;

/**
 * Returns how an existing database file can be read. In WAL mode, SQLite must write files beside it, unless a
 * running server has made them. Where this process cannot write them:
 *
 * - On a read-only file system, a file without a log is opened as immutable. The shared lock on the data
 *   directory keeps away a server that has the same file system writable elsewhere.
 * - Else the database and its log are copied: an immutable connection would not see the log, nor later
 *   changes.
 *
 * @throws DataDirectoryError if no copy can be made
 */
export function readableDatabase(file: string): ReadableDatabase {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (opensItself(file))
      return { name: file, isWritable: isWritable(dirname(file)), release: () => undefined };
    const readable = immutable(file) ?? copied(file);
    if (readable !== null) return readable;
  }
  throw new DataDirectoryError(
    `${file} changed while it was copied`,
    'stop the server that writes it, or run this command as the owner of the file',
  );
}

/** Runs `body` with what `openReader` opens of a database file. @throws as `readableDatabase` */
export async function withReadable<T>(file: string, body: (name: string) => Promise<T>): Promise<T> {
  const { name, release } = readableDatabase(file);
  try {
    return await body(name);
  } finally {
    release();
  }
}

/** Returns whether SQLite can read the file, or fails for a reason that a copy would not change. */
function opensItself(file: string): boolean {
  let connection: ReturnType<typeof openReader> | undefined;
  try {
    connection = openReader(file);
    connection.sqlite.query('PRAGMA user_version').get();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return !NOT_WRITABLE.test(code) || !canRead(file);
  } finally {
    connection?.sqlite.close();
  }
}

function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function immutable(file: string): ReadableDatabase | null {
  const directory = dirname(file);
  if (!isReadOnlyDirectory(directory) || statOf(join(directory, LOCK)) === null) return null;
  let lock: Database;
  try {
    lock = shareLock(directory);
  } catch {
    // A server has the file system writable elsewhere, or its owner does not let this user read the lock.
    return null;
  }
  if ((statOf(`${file}-wal`)?.size ?? 0n) > 0n) {
    lock.close();
    return null;
  }
  return { name: `${pathToFileURL(file).href}?immutable=1`, isWritable: false, release: () => lock.close() };
}

/** Copies the database and its log. @returns null if somebody wrote them meanwhile */
function copied(file: string): ReadableDatabase | null {
  const directory = takePrivate(tmpdir());
  const name = join(directory.path, basename(file));
  try {
    const before = stateOf(file);
    for (const suffix of ['', '-wal'])
      if (statOf(`${file}${suffix}`) !== null)
        copyFileSync(`${file}${suffix}`, `${name}${suffix}`, constants.COPYFILE_FICLONE);
    if (stateOf(file) === before) return { name, isWritable: false, release: directory.release };
  } catch (error) {
    directory.release();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(
      `${file} cannot be copied: ${reason}`,
      'free some space in the temporary directory, or specify another place with TMPDIR',
    );
  }
  directory.release();
  return null;
}

/** Returns what differs after somebody opened the database to write it. */
function stateOf(file: string): string {
  return ['', '-wal', '-shm']
    .map((suffix) => {
      const stats = statOf(`${file}${suffix}`);
      return stats === null ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    })
    .join('\n');
}

const statOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;

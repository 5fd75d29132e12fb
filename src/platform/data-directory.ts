import { Database } from 'bun:sqlite';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskHint } from './files/disk-failure.ts';
import { fileIdentity } from './files/watched-files.ts';
import { shellWord } from './terminal/shell-word.ts';

/** The durability of a commit: `disk` survives a power cut, `memory` is for private temporary data. */
export type Durability = 'disk' | 'memory';

/** The file of a data directory that its process locks. */
export const LOCK = 'lock';

const SHARED_MEMORY = '/dev/shm';

/** The bit of a mode that lets every user create and replace files, even where the sticky bit is set. */
const EVERYBODY_WRITES = 0o002;

/** The data directory cannot be used; the hint says what to do. */
export class DataDirectoryError extends Error {
  override readonly name: string = 'DataDirectoryError';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** Another process has locked the directory. */
export class DirectoryInUse extends DataDirectoryError {}

/** Whether a data directory may be one in which every user of the machine may write. */
export interface Sharing {
  allowShared?: boolean;
}

export interface DataDirectory {
  path: string;
  durability: Durability;
  /** True on a read-only file system. The lock is shared with other processes that only read. */
  isReadOnly: boolean;
  /**
   * Returns whether `lock` still is the file that this process has locked. A replaced file does not exclude
   * other processes, because the kernel locks files, not names.
   */
  isHeld(): boolean;
  /** Releases the lock and removes a private directory. */
  release(): void;
}

/**
 * Locks a data directory for this process. `:memory:` creates a private directory that is removed at the end.
 * On a read-only file system, the lock only keeps away processes that write.
 *
 * A directory in which every user of the machine may write is refused: any of them could replace the
 * database, the keys and the control socket. One below such a directory, as below /tmp, is not.
 *
 * The lock is an SQLite file in an exclusive transaction (BEGIN EXCLUSIVE). The kernel releases it, however
 * the process ends.
 * @throws DataDirectoryError
 */
export function takeDataDirectory(path: string, sharing: Sharing = {}): DataDirectory {
  if (path === ':memory:') return takePrivate(isWritable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir());
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataDirectoryError(
      `${path} cannot be made: ${messageOf(error)}`,
      (codeOf(error) === 'ENOSPC' ? diskHint('ENOSPC') : null) ?? 'specify another with --data',
    );
  }
  if (isReadOnlyDirectory(path)) return takeForReading(path);
  if (sharing.allowShared !== true) refuseShared(path);
  return held(path, takeLock(path));
}

/**
 * Checks that not every user may write in a directory, or in the one that a link names. One that does not
 * exist is made for its owner only.
 * @throws DataDirectoryError
 */
export function refuseShared(path: string): void {
  // Without users, as on Windows, the system's own rights count.
  if (process.getuid === undefined) return;
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o7777;
  if ((mode & EVERYBODY_WRITES) === 0) return;
  throw new DataDirectoryError(
    `every user of this machine may write in ${path} (mode ${mode.toString(8).padStart(4, '0')}), and could replace its files`,
    `run chmod 700 ${shellWord(path)}; or name a new directory inside it with --data; or pass --allow-shared-data`,
  );
}

/** Locks a data directory like `takeDataDirectory`, to write in it. @throws DataDirectoryError */
export function takeWritableDirectory(path: string, sharing: Sharing = {}): DataDirectory {
  const directory = takeDataDirectory(path, sharing);
  if (!directory.isReadOnly) return directory;
  directory.release();
  throw readOnlyFileSystem(path);
}

/** Returns the error for a directory that somebody must write in. */
export function readOnlyFileSystem(path: string): DataDirectoryError {
  return new DataDirectoryError(
    `${path} is on a read-only file system`,
    'mount it writable; without writing, fsck audits a data directory and serve --read-only serves one of the trust service',
  );
}

/** Creates and locks a private directory, which is removed at the end. @throws DataDirectoryError */
export function takePrivate(parent: string): DataDirectory {
  const path = privateDirectory(parent);
  const directory = held(path, takeLock(path));
  return {
    ...directory,
    durability: 'memory',
    release() {
      removePrivate(path);
      directory.release();
    },
  };
}

function held(path: string, lock: Database): DataDirectory {
  const identity = fileIdentity(join(path, LOCK));
  return {
    path,
    durability: 'disk',
    isReadOnly: false,
    isHeld: () => identity !== null && fileIdentity(join(path, LOCK)) === identity,
    release: () => lock.close(),
  };
}

function takeForReading(path: string): DataDirectory {
  // A copy of a data directory may have no lock, which nobody can create here.
  if (!existsSync(join(path, LOCK)))
    return { path, durability: 'disk', isReadOnly: true, isHeld: () => true, release: () => undefined };
  return { ...held(path, shareLock(path)), isReadOnly: true };
}

/** Returns whether a directory is on a read-only file system, or one that is mounted read-only here. */
export function isReadOnlyDirectory(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return codeOf(error) === 'EROFS';
  }
}

/**
 * Takes a shared lock on a directory, which excludes processes that write. @throws DirectoryInUse,
 * DataDirectoryError
 */
export function shareLock(directory: string): Database {
  return lockWith(directory, { readonly: true }, (lock) => {
    lock.run('BEGIN');
    lock.query('SELECT 1 FROM sqlite_schema').get();
  });
}

/** Checks that a directory has none of the databases of other services. @throws DataDirectoryError */
export function refuseOthers(directory: string, databases: readonly string[]): void {
  const other = databases.find((name) => existsSync(join(directory, name)));
  if (other === undefined) return;
  throw new DataDirectoryError(
    `${directory} belongs to another service: it has ${other}`,
    'give each service a data directory of its own, with --data',
  );
}

const PRIVATE = 'countersign-memory-';

/** The private directories of this process. A normal exit removes them. */
const privateDirectories = new Set<string>();
process.on('exit', () => {
  for (const directory of privateDirectories) removePrivate(directory);
});

/** Creates a private directory. @throws DataDirectoryError */
function privateDirectory(parent: string): string {
  try {
    removeAbandoned(parent);
    const directory = mkdtempSync(join(parent, PRIVATE));
    privateDirectories.add(directory);
    return directory;
  } catch (error) {
    throw new DataDirectoryError(
      `no temporary directory can be made in ${parent}: ${messageOf(error)}`,
      diskHint(codeOf(error)) ?? 'specify a data directory with --data, or another place with TMPDIR',
    );
  }
}

function removePrivate(directory: string): void {
  privateDirectories.delete(directory);
  rmSync(directory, { recursive: true, force: true });
}

/**
 * The time that a private directory may exist without a lock, in milliseconds. Its process locks it at once.
 */
const UNLOCKED_MS = 60_000;

/**
 * Removes private directories of this user whose process was killed. They would fill the memory until the
 * next boot.
 */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(PRIVATE))) {
    const directory = join(parent, name);
    // Do not follow links: any user may create one that leads to a directory of this user.
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory() || stats.uid !== process.getuid?.()) continue;
    if (Date.now() - stats.mtimeMs < UNLOCKED_MS) continue;
    try {
      const lock = takeLock(directory);
      rmSync(directory, { recursive: true, force: true });
      lock.close();
    } catch {
      // Its process is running, or another process removes it now.
    }
  }
}

/** Returns whether this user may create files in a directory. */
export function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function takeLock(directory: string): Database {
  return lockWith(directory, { create: true, readwrite: true }, (lock) => lock.run('BEGIN EXCLUSIVE'));
}

function lockWith(
  directory: string,
  options: { readonly: true } | { create: true; readwrite: true },
  begin: (lock: Database) => void,
): Database {
  let lock: Database | undefined;
  try {
    lock = new Database(join(directory, LOCK), options);
    lock.run('PRAGMA busy_timeout = 0');
    begin(lock);
    return lock;
  } catch (error) {
    lock?.close();
    const code = codeOf(error);
    if (code.startsWith('SQLITE_BUSY')) {
      throw new DirectoryInUse(
        `${directory} is in use by another countersign`,
        'stop it, or specify another directory with --data',
      );
    }
    if (code === 'SQLITE_NOTADB') {
      throw new DataDirectoryError(
        `${join(directory, LOCK)} is damaged`,
        'check that no countersign runs on this directory, then remove that file and start again',
      );
    }
    throw new DataDirectoryError(
      `${join(directory, LOCK)} cannot be written (${code === '' ? messageOf(error) : code})`,
      diskHint(code) ?? 'check that this user owns it and that the disk has free space',
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

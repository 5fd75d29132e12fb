import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskHint } from './files/disk-failure.ts';
import { fileIdentity } from './files/watched-files.ts';
import type { Durability } from './store/connection.ts';

const LOCK = 'lock';

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

/** Another process holds the directory. */
export class DirectoryInUse extends DataDirectoryError {}

export interface DataDirectory {
  path: string;
  durability: Durability;
  /**
   * Whether `lock` still is the file that this process holds. Another one in its place keeps nobody out: the kernel locks files and
   * not names.
   */
  isHeld(): boolean;
  /** Lets go of the lock, and removes a private directory. */
  release(): void;
}

/**
 * Takes a data directory for this process alone. `:memory:` takes a private one that is removed at the end.
 *
 * The lock is an SQLite file held by BEGIN EXCLUSIVE: the kernel frees it however the process ends.
 * @throws DataDirectoryError
 */
export function takeDataDirectory(path: string): DataDirectory {
  const passing = path === ':memory:';
  const directory = passing ? privateDirectory() : path;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataDirectoryError(
      `${directory} cannot be made: ${messageOf(error)}`,
      (codeOf(error) === 'ENOSPC' ? diskHint('ENOSPC') : null) ?? 'name another with --data',
    );
  }
  const lock = takeLock(directory);
  const held = fileIdentity(join(directory, LOCK));
  return {
    path: directory,
    durability: passing ? 'memory' : 'disk',
    isHeld: () => held !== null && fileIdentity(join(directory, LOCK)) === held,
    release() {
      lock.close();
      if (passing) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** @throws DataDirectoryError when the directory has one of these databases, which are other services' */
export function refuseOthers(directory: string, databases: readonly string[]): void {
  const other = databases.find((name) => existsSync(join(directory, name)));
  if (other === undefined) return;
  throw new DataDirectoryError(
    `${directory} belongs to another service: it has ${other}`,
    'give each service a data directory of its own, with --data',
  );
}

function privateDirectory(): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'countersign-'));
}

function takeLock(directory: string): Database {
  let lock: Database | undefined;
  try {
    lock = new Database(join(directory, LOCK), { create: true, readwrite: true });
    lock.run('PRAGMA busy_timeout = 0');
    lock.run('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const code = codeOf(error);
    if (code.startsWith('SQLITE_BUSY')) {
      throw new DirectoryInUse(
        `${directory} is in use by another countersign`,
        'stop it, or name another directory with --data',
      );
    }
    if (code === 'SQLITE_NOTADB') {
      throw new DataDirectoryError(`${join(directory, LOCK)} is damaged`, 'remove it and start again');
    }
    throw new DataDirectoryError(
      `${join(directory, LOCK)} cannot be written (${code === '' ? messageOf(error) : code})`,
      diskHint(code) ?? 'see that this user owns it and that the disk has room',
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { fileIdentity } from '../../../platform/files/watched-files.ts';

/** How often a lock file that another process removes meanwhile is opened again. */
const ATTEMPTS = 20;

/**
 * A lock of the kernel on a file beside a session's file. It is SQLite's lock, as on a data directory: it
 * works without native code, and ends with its process, however that ends. Taking it the first time lasts
 * about two milliseconds, and 25 microseconds each further time.
 */
export class FileLock {
  private constructor(
    readonly path: string,
    private readonly database: Database,
  ) {}

  /**
   * Takes the lock.
   * @param waitMs how long to wait for another process
   * @returns null if another process has it for longer
   * @throws Error if the file cannot be written
   */
  static take(path: string, waitMs: number): FileLock | null {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const before = fileIdentity(path);
      const lock = new FileLock(path, new Database(path, { create: true, readwrite: true }));
      try {
        lock.database.run(`PRAGMA busy_timeout = ${waitMs}`);
        if (!lock.hold()) {
          lock.database.close();
          return null;
        }
      } catch (error) {
        lock.database.close();
        throw error;
      }
      // The kernel locks files, not names: who has the lock of a removed file excludes nobody from the next
      // one. This file may have been created here, so its first look is the next one.
      if (before !== null && fileIdentity(path) === before) return lock;
      lock.database.close();
    }
    return null;
  }

  /** Takes the lock again after `pause`. @returns false if another process has it, or removed the file */
  resume(): boolean {
    const before = fileIdentity(this.path);
    if (before === null || !this.hold()) return false;
    if (fileIdentity(this.path) === before) return true;
    this.pause();
    return false;
  }

  /** Lets other processes take the lock. */
  pause(): void {
    this.database.run('ROLLBACK');
  }

  /** Ends the lock. @param isLast true if no process will need the file */
  release(isLast: boolean): void {
    if (isLast) rmSync(this.path, { force: true });
    this.database.close();
  }

  private hold(): boolean {
    try {
      // The lock of an empty file begins with a journal, for which a full disk has no space.
      this.database.run('PRAGMA journal_mode = MEMORY');
      this.database.run('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))
        return false;
      throw error;
    }
  }
}

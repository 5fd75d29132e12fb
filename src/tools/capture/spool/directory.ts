import { appendFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOwnDirectory } from '../../../platform/files/own-directory.ts';
import { stateDirectory } from '../../../platform/files/state-directory.ts';
import { SpoolFile } from './file.ts';
import type { Header } from './lines.ts';
import { FileLock } from './lock.ts';

const SESSION = '.ndjson';
const DAMAGED = '.damaged';
/** Its size counts the calls of which there is neither a receipt nor an entry, plus one. */
const UNRECORDED = 'unrecorded';

/** Calls without a record: their number, and when the last one was. */
export interface Unrecorded {
  calls: number;
  last: Date;
}

/**
 * The directory with the files of all sessions of a user: `<session>.ndjson`, and `<session>.lock` beside it.
 */
export class SpoolDirectory {
  /** @param path is created with the first session */
  constructor(readonly path: string = join(stateDirectory(), 'capture')) {}

  /** Creates the file of a new session, which this process locks. Its `problem` says why it cannot. */
  create(header: Header): SpoolFile {
    const name = Bun.randomUUIDv7();
    return SpoolFile.create(this.fileOf(name), header, () => {
      this.makeDirectory();
      const lock = this.lockOf(name, 0);
      if (lock === null) throw inUse();
      return lock;
    });
  }

  /**
   * Opens the file of a session whose process is gone, and locks it.
   * @returns null if its process still runs, another one sends it, or it is gone
   * @throws UnreadableFile; Error if it cannot be read
   */
  takeOver(name: string): SpoolFile | null {
    const path = this.fileOf(name);
    if (!existsSync(path)) return null;
    const lock = this.lockOf(name, 0);
    if (lock === null) return null;
    return releasedOnError(lock, () => {
      if (existsSync(path)) return SpoolFile.open(path, lock);
      lock.release(true);
      return null;
    });
  }

  /**
   * Opens or creates the file of a session whose calls begin and end in different processes.
   * @param name the same in all of them
   * @param header the one of a new file; null to open only one that exists
   * @param waitMs how long to wait for another process
   * @returns a file whose `problem` says why, where a new one cannot be written
   * @throws UnreadableFile, Error if one that exists cannot be opened
   */
  share(name: string, header: (() => Header) | null, waitMs: number): SpoolFile | null {
    if (header === null) return existsSync(this.fileOf(name)) ? this.shareNow(name, header, waitMs) : null;
    try {
      return this.shareNow(name, header, waitMs);
    } catch (error) {
      // A call has its receipt even where there is no file.
      return SpoolFile.create(this.fileOf(name), header(), () => {
        throw error;
      });
    }
  }

  private shareNow(name: string, header: (() => Header) | null, waitMs: number): SpoolFile | null {
    const path = this.fileOf(name);
    this.makeDirectory();
    const lock = this.lockOf(name, waitMs);
    if (lock === null) throw inUse();
    return releasedOnError(lock, () => {
      const isThere = existsSync(path);
      if (!isThere && header === null) {
        lock.release(true);
        return null;
      }
      const file =
        isThere || header === null
          ? SpoolFile.open(path, lock, true)
          : SpoolFile.create(path, header(), () => lock, true);
      lock.pause();
      return file;
    });
  }

  /** Returns the names of all sessions, oldest first. */
  names(): string[] {
    return this.entries(SESSION)
      .map((name) => [this.changedAt(name), name] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, name]) => name);
  }

  /** Returns the files with damaged lines of which all else is sent. */
  damaged(): string[] {
    return this.entries(`${SESSION}${DAMAGED}`).map((name) => `${this.fileOf(name)}${DAMAGED}`);
  }

  /** Returns the path of a session's file. */
  fileOf(name: string): string {
    return join(this.path, `${name}${SESSION}`);
  }

  /** Returns when a session's file was last changed, in milliseconds; 0 for none. */
  changedAt(name: string): number {
    return statSync(this.fileOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  /**
   * Counts a call of which there is neither a receipt nor an entry. One byte more needs no space on a full
   * disk where the file is smaller than a block.
   * @returns false if that is not possible either
   */
  countUnrecorded(): boolean {
    try {
      this.makeDirectory();
      appendFileSync(join(this.path, UNRECORDED), '.', { mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the number of calls without a record; null for none. */
  unrecorded(): Unrecorded | null {
    const stats = statSync(join(this.path, UNRECORDED), { throwIfNoEntry: false });
    return stats === undefined || stats.size < 2 ? null : { calls: stats.size - 1, last: stats.mtime };
  }

  /** Begins to count again. */
  forgetUnrecorded(): void {
    writeFileSync(join(this.path, UNRECORDED), '.', { mode: 0o600 });
  }

  /** Returns whether a process has locked a session. */
  isLocked(name: string): boolean {
    if (!existsSync(this.fileOf(name))) return false;
    const lock = this.lockOf(name, 0);
    lock?.release(false);
    return lock === null;
  }

  /** Removes a session with everything in it. @returns false if a process has locked it */
  remove(name: string): boolean {
    const lock = this.lockOf(name, 0);
    if (lock === null) return false;
    rmSync(this.fileOf(name), { force: true });
    lock.release(true);
    return true;
  }

  /** @throws Failure for a directory in which others can write */
  private entries(ending: string): string[] {
    if (!existsSync(this.path)) return [];
    makeOwnDirectory(this.path);
    return readdirSync(this.path)
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length));
  }

  /** @throws Failure for a directory in which others can write */
  private makeDirectory(): void {
    const isThere = existsSync(this.path);
    makeOwnDirectory(this.path);
    if (isThere) return;
    // Takes its block while there is space.
    appendFileSync(join(this.path, UNRECORDED), '.', { mode: 0o600 });
  }

  private lockOf(name: string, waitMs: number): FileLock | null {
    return FileLock.take(join(this.path, `${name}.lock`), waitMs);
  }
}

const inUse = (): Error => new Error('another process has locked the session');

function releasedOnError<Result>(lock: FileLock, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    lock.release(false);
    throw error;
  }
}

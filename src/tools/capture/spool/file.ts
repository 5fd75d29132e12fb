import {
  closeSync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileIdentity } from '../../../platform/files/watched-files.ts';
import { syncPath } from '../../../platform/files/write.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import { type Header, headerIn, type Line, lineIn, linesText } from './lines.ts';
import type { FileLock } from './lock.ts';
import { SessionState } from './state.ts';

/** A file is written again in short when it is larger than this, and than twice its last short form. */
const COMPACT_BYTES = 1024 * 1024;

/** The longest first line, in bytes. It has a URL, or a path, and names of at most 256 characters. */
const LONGEST_HEADER = 64 * 1024;

/** A file of a session cannot be read as one. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** What `write` is called with, and returns the lines to add. */
type Decide = (state: SessionState) => readonly Line[];

/**
 * The file of a session, for the process that has its lock. Lines are written at once, so that a killed
 * process loses none; only `sync` makes them survive a power cut. The state in memory is the state, whatever
 * happens to the disk: `problem` says that the file is behind.
 */
export class SpoolFile {
  /** Why the last lines are not in the file; null if they are. */
  problem: string | null = null;
  private bytes = 0;
  /** True if the last line has no end: a power cut can have cut it. */
  private isCut = false;
  private lock: FileLock | null = null;
  private isClosed = false;
  private compactAbove = COMPACT_BYTES;
  private hasSyncedName = false;
  private syncing: Promise<boolean> | null = null;

  private constructor(
    readonly path: string,
    /** null while no file can be created. */
    private file: number | null,
    public state: SessionState,
    private readonly takeLock: () => FileLock,
    /** True if other processes write in turn: the lock is taken for each write, and not in between. */
    private readonly isShared: boolean,
  ) {}

  /**
   * Creates the file of a session. Where that is not possible, `problem` says why, and each write tries
   * again.
   * @param takeLock is called before the file is created. @throws Error
   */
  static create(path: string, header: Header, takeLock: () => FileLock, isShared = false): SpoolFile {
    const spool = new SpoolFile(path, null, new SessionState(header), takeLock, isShared);
    spool.compact();
    return spool;
  }

  /** Opens the file of a session. @throws UnreadableFile; Error if it cannot be read */
  static open(path: string, lock: FileLock, isShared = false): SpoolFile {
    const file = openSync(path, 'a+');
    try {
      const { state, bytes, isCut } = stateIn(textFrom(file), path);
      const spool = new SpoolFile(path, file, state, () => lock, isShared);
      spool.lock = lock;
      spool.bytes = bytes;
      spool.isCut = isCut;
      return spool;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /**
   * Adds the lines that `decide` returns for the current state. In a shared file, no other process writes
   * between both.
   * @returns false if the file could not be locked or written; then `problem` says why
   */
  write(decide: Decide): boolean {
    // Its descriptor may be the one of another file by now.
    if (this.isClosed) return false;
    if (!this.isShared || this.file === null) return this.add(decide(this.state));
    if (this.lock?.resume() !== true) {
      this.problem = 'another process has locked the session';
      this.addToState(decide(this.state));
      return false;
    }
    try {
      this.catchUp();
      return this.add(decide(this.state));
    } finally {
      this.lock.pause();
    }
  }

  /** Makes all lines so far survive a power cut. @returns false if that is not possible */
  async sync(): Promise<boolean> {
    if (this.problem !== null || this.isClosed) return false;
    const { syncing } = this;
    // Lines that were written after the sync began need another one, which they share.
    if (syncing !== null) {
      await syncing;
      if (this.syncing !== null && this.syncing !== syncing) return this.syncing;
    }
    const next = this.syncNow();
    this.syncing = next;
    return next.finally(() => {
      if (this.syncing === next) this.syncing = null;
    });
  }

  /** Ends the use of the file, and removes it if nothing is left in it. A damaged one stays, renamed. */
  close(): void {
    const { state, isShared, lock, file } = this;
    if (this.isClosed) return;
    this.isClosed = true;
    if (file === null || lock === null) {
      lock?.release(true);
      return;
    }
    const isHeld = !isShared || lock.resume();
    const isLast = isHeld && state.isComplete;
    if (isLast && state.damage > 0) renameSync(this.path, `${this.path}.damaged`);
    else if (isLast) rmSync(this.path, { force: true });
    closeSync(file);
    lock.release(isLast);
  }

  /** Gives a shared session another name, and ends its use: a call that begins now opens another session. */
  closeAs(path: string): void {
    const { lock, file } = this;
    if (this.isClosed || lock === null || file === null) return;
    this.isClosed = true;
    if (!lock.resume()) throw new Error('another process has locked the session');
    renameSync(this.path, path);
    closeSync(file);
    lock.release(true);
  }

  private add(lines: readonly Line[]): boolean {
    this.addToState(lines);
    if (lines.length === 0) return this.problem === null;
    // A file that lacks lines is written again as a whole, once that is possible.
    // A damaged file is kept, since nobody knows what it says.
    const isBehind = this.problem !== null || this.bytes > this.compactAbove;
    if (isBehind && this.state.damage === 0) this.compact();
    else this.put(linesText(lines));
    return this.problem === null;
  }

  private addToState(lines: readonly Line[]): void {
    for (const line of lines) this.state.add(line);
  }

  private put(text: string): void {
    const bytes = Buffer.from(this.isCut ? `\n${text}` : text);
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(this.descriptor, bytes, written);
      this.bytes += bytes.length;
      this.isCut = false;
    } catch (error) {
      this.problem = messageOf(error);
      try {
        ftruncateSync(this.descriptor, this.bytes);
      } catch {
        // A cut line is read as a damaged one.
      }
    }
  }

  /** Writes the file again, with the lines that the state needs. */
  private compact(): void {
    const { path, state } = this;
    const fresh = `${path}.new`;
    try {
      this.lock ??= this.takeLock();
      rmSync(fresh, { force: true });
      const file = openSync(fresh, 'ax+', 0o600);
      const bytes = Buffer.from(linesText([state.header, ...state.compacted()]));
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
        renameSync(fresh, path);
      } catch (error) {
        closeSync(file);
        rmSync(fresh, { force: true });
        throw error;
      }
      if (this.file !== null) closeSync(this.file);
      this.file = file;
      this.bytes = bytes.length;
      this.compactAbove = Math.max(COMPACT_BYTES, 2 * bytes.length);
      this.hasSyncedName = false;
      this.problem = null;
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  /** Reads what other processes wrote meanwhile. */
  private catchUp(): void {
    const { dev, ino, size } = fstatSync(this.descriptor, { bigint: true });
    if (fileIdentity(this.path) !== `${dev} ${ino}`) {
      closeSync(this.descriptor);
      this.file = openSync(this.path, 'a+');
    } else if (size === BigInt(this.bytes)) return;
    const { state, bytes, isCut } = stateIn(textFrom(this.descriptor), this.path);
    this.state = state;
    this.bytes = bytes;
    this.isCut = isCut;
  }

  private async syncNow(): Promise<boolean> {
    let file: number;
    do {
      // A file that is written again meanwhile has another descriptor, and a name that is not synced.
      file = this.descriptor;
      const isSynced = await synced(file);
      if (!isSynced || this.isClosed) return false;
    } while (file !== this.file);
    try {
      if (!this.hasSyncedName) syncPath(dirname(this.path));
    } catch {
      return false;
    }
    this.hasSyncedName = true;
    return this.problem === null;
  }

  private get descriptor(): number {
    if (this.file === null) throw new Error(this.problem ?? 'the file was not created');
    return this.file;
  }
}

function synced(file: number): Promise<boolean> {
  return new Promise((resolve) => fsync(file, (error) => resolve(error === null)));
}

/**
 * Reads the state in a session's file, without its lock. @throws UnreadableFile; Error if it cannot be read
 */
export function readState(path: string): SessionState {
  const file = openSync(path, 'r');
  try {
    return stateIn(textFrom(file), path).state;
  } finally {
    closeSync(file);
  }
}

/** Returns the first line of a session's file, without its lock; null for what cannot be read as one. */
export function readHeader(path: string): Header | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const [first = ''] = textFrom(file, LONGEST_HEADER).toString().split('\n', 1);
    return headerIn(first);
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function textFrom(file: number, max = Number.POSITIVE_INFINITY): Buffer {
  const bytes = Buffer.alloc(Math.min(max, fstatSync(file).size));
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function stateIn(bytes: Buffer, path: string): { state: SessionState; bytes: number; isCut: boolean } {
  const [first = '', ...lines] = bytes.toString().split('\n');
  const header = headerIn(first);
  if (header === null)
    throw new UnreadableFile(`${path} is damaged, or was written by another version of countersign`);
  const state = new SessionState(header);
  for (const text of lines) {
    if (text === '') continue;
    const line = lineIn(text);
    if (line === null) state.damage += 1;
    else state.add(line);
  }
  return { state, bytes: bytes.length, isCut: bytes.at(-1) !== 0x0a };
}

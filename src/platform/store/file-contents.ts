import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { StorageUnavailable } from './errors.ts';

/**
 * Lengths and offsets in bytes, from https://sqlite.org/fileformat2.html and
 * https://sqlite.org/walformat.html.
 */
const DATABASE_HEADER = 32;
/**
 * The length of magic string, page size and file format versions. None of them changes while a database is
 * open in WAL mode.
 */
const FIXED_HEADER = 24;
const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const INDEX_HEADER = 48;

/**
 * The number of comparisons. A concurrent commit or checkpoint changes the files during one, so it is
 * repeated.
 */
const ATTEMPTS = 5;

/** The last commit according to the WAL index (`-shm`). */
interface Commit {
  /** The number of frames in the log. */
  frames: number;
  /** The number of frames that a checkpoint has written to the database file. */
  checkpointed: number;
  /** The number of pages of the database; 0 until the first commit after the index was created. */
  pages: number;
  /** The checksum of the last frame, in the byte order of the log. */
  checksum: Buffer;
  /** The salts of the log, in its byte order. They change whenever the log restarts. */
  salts: Buffer;
}

/**
 * Checks that a database and its write-ahead log still contain what SQLite wrote. SQLite does not check that:
 * it appends to a truncated log, and commits to a database that was overwritten with another. The database
 * file must not shrink below its pages, and its header must not become older (each transaction that changes
 * page 1 increases the change counter or the size). The log must contain the last frame of this commit and of
 * the previous one. Their checksums in the WAL index cover all frames before them.
 *
 * The files stay open until `close`: closing them earlier would release SQLite's locks (POSIX advisory
 * locks).
 */
export class FileContents {
  private readonly database: number;
  private readonly log: number;
  private readonly index: number;
  private readonly header = Buffer.alloc(DATABASE_HEADER);
  private readonly logHeader = Buffer.alloc(WAL_HEADER);
  private readonly frame = Buffer.alloc(FRAME_HEADER);
  private readonly indexHeader = Buffer.alloc(2 * INDEX_HEADER + 4);
  private readonly logPlace: string | null;
  private readonly fixed: Buffer;
  private readonly pageSize: number;
  private counter: number;
  private headerPages: number;
  private leastSize: number;
  private previous: Commit | null = null;
  /**
   * The WAL index at the start. Its number of pages may be wrong: another connection may have kept the index
   * while the database was replaced, as in a manual restore.
   */
  private readonly first: Commit | null;

  /** @param file a database that a connection of this process has opened in WAL mode and read */
  constructor(private readonly file: string) {
    this.database = openQuietly(file);
    this.log = openQuietly(`${file}-wal`);
    this.logPlace = placeOf(this.log);
    this.index = openQuietly(`${file}-shm`);
    readSync(this.database, this.header, 0, DATABASE_HEADER, 0);
    this.fixed = Buffer.from(this.header.subarray(0, FIXED_HEADER));
    const pageSize = this.header.readUInt16BE(16);
    this.pageSize = pageSize === 1 ? 65_536 : pageSize;
    this.counter = this.header.readUInt32BE(24);
    this.headerPages = this.header.readUInt32BE(28);
    this.leastSize = fstatSync(this.database).size;
    this.first = this.lastCommit();
  }

  /**
   * Returns whether the log is still at the path where it was opened; false where the system cannot tell.
   * Takes about 2 µs. It does not read the file's times: since Linux 6.13, the write after that would store a
   * new time, and the commit's sync would wait for it. It checks the open file, so it does not notice a file
   * that is mounted over the path.
   */
  isLogInPlace(): boolean {
    return this.logPlace !== null && placeOf(this.log) === this.logPlace;
  }

  /**
   * Returns the path of the file that does not contain what SQLite wrote; null if both do. Takes about 3 µs.
   *
   * @throws StorageUnavailable when a file cannot be read
   */
  damaged(): string | null {
    return this.confirmed((commit) => this.damagedIn(commit));
  }

  /**
   * Checks only the log like `damaged`, at the end of a commit, which does not change the database file.
   * Takes about 2 µs.
   */
  damagedLog(): string | null {
    return this.confirmed((commit) => this.damagedLogIn(commit));
  }

  close(): void {
    for (const file of [this.database, this.log, this.index]) closeSync(file);
  }

  /**
   * Confirms a problem: it counts only if the WAL index is the same before and after, so nothing was written
   * meanwhile.
   */
  private confirmed(damagedIn: (commit: Commit) => string | null): string | null {
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const commit = this.lastCommit();
        if (commit === null) continue;
        if (damagedIn(commit) === null) {
          this.previous = commit;
          return null;
        }
        const after = this.lastCommit();
        if (after === null || !isSame(commit, after)) continue;
        const damagedFile = damagedIn(commit);
        if (damagedFile !== null) return damagedFile;
      }
      return null;
    } catch (error) {
      throw new StorageUnavailable('a file of the database cannot be read', { cause: error });
    }
  }

  private damagedIn(commit: Commit): string | null {
    return this.isDatabaseDamaged(commit) ? this.file : this.damagedLogIn(commit);
  }

  private isDatabaseDamaged(commit: Commit): boolean {
    const { frames, checkpointed, pages } = commit;
    const isOfStart = this.first !== null && isSame(this.first, commit);
    const committed = pages === 0 ? Number.POSITIVE_INFINITY : pages * this.pageSize;
    const { size } = fstatSync(this.database);
    // A VACUUM of another program shrinks a database: first its number of pages and then its file.
    if (size < Math.min(this.leastSize, committed)) return true;
    if (!isOfStart && checkpointed === frames && size < pages * this.pageSize) return true;
    const { header } = this;
    if (readSync(this.database, header, 0, DATABASE_HEADER, 0) < DATABASE_HEADER) return true;
    if (header.compare(this.fixed, 0, FIXED_HEADER, 0, FIXED_HEADER) !== 0) return true;
    const counter = header.readUInt32BE(24);
    const headerPages = header.readUInt32BE(28);
    if (counter < this.counter || (counter === this.counter && headerPages < this.headerPages)) return true;
    this.leastSize = Math.min(size, committed);
    this.counter = counter;
    this.headerPages = headerPages;
    return false;
  }

  private damagedLogIn(commit: Commit): string | null {
    if (commit.frames === 0) return null;
    const { previous, logHeader } = this;
    const isWhole =
      readSync(this.log, logHeader, 0, WAL_HEADER, 0) === WAL_HEADER &&
      logHeader.compare(commit.salts, 0, 8, 16, 24) === 0 &&
      this.hasLastFrame(commit) &&
      // A log that was truncated during a commit has a hole where the previous commit ended.
      (previous === null ||
        previous.frames === commit.frames ||
        !isSameLog(previous, commit) ||
        this.hasLastFrame(previous));
    return isWhole ? null : `${this.file}-wal`;
  }

  private hasLastFrame({ frames, checksum, salts }: Commit): boolean {
    const { frame } = this;
    const at = WAL_HEADER + (frames - 1) * (FRAME_HEADER + this.pageSize);
    return (
      readSync(this.log, frame, 0, FRAME_HEADER, at) === FRAME_HEADER &&
      frame.compare(salts, 0, 8, 8, 16) === 0 &&
      frame.compare(checksum, 0, 8, 16, 24) === 0
    );
  }

  /**
   * Returns the last commit; null while the index is being written. SQLite writes it twice, so that readers
   * notice.
   */
  private lastCommit(): Commit | null {
    const header = this.indexHeader;
    const length = readSync(this.index, header, 0, header.length, 0);
    if (
      length < header.length ||
      header.compare(header, 0, INDEX_HEADER, INDEX_HEADER, 2 * INDEX_HEADER) !== 0
    )
      return null;
    const checksum = Buffer.alloc(8);
    // The index has the byte order of the machine; the log is big-endian.
    checksum.writeUInt32BE(inOrderOfMachine(header, 24), 0);
    checksum.writeUInt32BE(inOrderOfMachine(header, 28), 4);
    const salts = Buffer.from(header.subarray(32, 40));
    return {
      frames: inOrderOfMachine(header, 16),
      checkpointed: inOrderOfMachine(header, 2 * INDEX_HEADER),
      pages: inOrderOfMachine(header, 20),
      checksum,
      salts,
    };
  }
}

/**
 * Opens a file for reading without updating its access time, which would delay the next sync. Only the owner
 * of the file may do so, and only on Linux.
 */
function openQuietly(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOATIME ?? 0));
  } catch {
    return openSync(path, 'r');
  }
}

/**
 * Returns the current path of an open file, with a note if it was deleted; null where the system cannot tell.
 */
function placeOf(open: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${open}`);
  } catch {
    return null;
  }
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

function inOrderOfMachine(bytes: Buffer, at: number): number {
  return isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

function isSameLog(a: Commit, b: Commit): boolean {
  return a.salts.equals(b.salts) && a.frames > 0 && a.frames <= b.frames;
}

function isSame(a: Commit, b: Commit): boolean {
  return (
    a.frames === b.frames && a.pages === b.pages && a.salts.equals(b.salts) && a.checksum.equals(b.checksum)
  );
}

import { constants } from 'bun:sqlite';
import { dirname } from 'node:path';
import { WatchedFiles } from '../files/watched-files.ts';
import { type Authority, SERVICE } from './authority.ts';
import { type Connection, type Durability, openReader, openWriter } from './connection.ts';
import { damageCode, FileLost, ReadOnly } from './errors.ts';
import { FileContents } from './file-contents.ts';
import { Readers } from './readers.ts';
import { refuseNested, type Snapshot, type Transaction } from './transaction.ts';
import { Checkpoints } from './wal/checkpoints.ts';
import { WriteFence } from './write-fence.ts';
import { Writer } from './writer.ts';

const READERS = 4;
/**
 * How long SQLite waits for another process's lock in each attempt of the writer, in milliseconds. Requests
 * are served between the attempts.
 */
const WRITER_BUSY_MS = 5;
const CLOSING_BUSY_MS = 5000;

/** The interface to stored data. Another database engine would implement the same functions. */
export interface Store {
  /**
   * Runs `body` on one snapshot of the database. @throws NestedTransaction inside another body, Overloaded
   */
  read<T>(body: (snapshot: Snapshot) => T | Promise<T>): Promise<T>;
  /**
   * Runs `body` in one serializable transaction and checks the authority inside it. Resolves when the writes
   * are durable; rejects with nothing written. The body may await only its transaction, and may run twice. A
   * unit that waits for more than 10 s is withdrawn.
   *
   * @throws NestedTransaction, Overloaded, StorageUnavailable, UnsettledBody, and errors of authority and
   * body
   */
  write<T>(authority: Authority, body: (tx: Transaction) => T | Promise<T>): Promise<T>;
  /**
   * Writes on the authority of the service: its tasks, its first start, the commands of this machine. Never
   * for a request.
   */
  writeAsService<T>(body: (tx: Transaction) => T | Promise<T>): Promise<T>;
  /**
   * Writes like `writeAsService`, but in a transaction that no other unit shares. Its effects run before the
   * next unit begins. For changes of how others write.
   */
  writeAlone<T>(body: (tx: Transaction) => T | Promise<T>): Promise<T>;
  /** Returns whether the database can be read and the disk accepted the last write. */
  healthy(): Promise<boolean>;
  /**
   * The files that the process must not lose, including those of the database. When one is lost, every write
   * rejects with FileLost until the next start.
   */
  readonly files: WatchedFiles;
  /** Waits for running writes and closes the files. */
  close(): Promise<void>;
}

export interface StoreHooks {
  /**
   * Called with errors that fail no write: an effect that threw after its commit, a checkpointer that cannot
   * run.
   */
  failed(error: unknown): void;
  /** Called after every group with its number of units and its duration in seconds. */
  group(units: number, seconds: number): void;
  /** Returns the number of running requests. Without it, no write waits for others to share a commit. */
  openRequests?: () => number;
}

/** Returns a store that only reads: every write rejects with ReadOnly. */
export function readOnlyStore(store: Store): Store {
  const refuse = () => Promise.reject(new ReadOnly());
  return { ...store, write: refuse, writeAsService: refuse, writeAlone: refuse };
}

/**
 * Opens the store on a migrated database file, with the given writer's connection if one is already open
 * (`openMigratedWriter`). Afterwards, no process that opened the file before can write it, unless this one is
 * `forReading` and changes nothing.
 */
export function openStore(
  file: string,
  durability: Durability,
  { failed, group, openRequests = () => 0 }: StoreHooks,
  { forReading = false, connection = openWriter(file, durability) } = {},
): Store {
  const tenure = forReading ? null : WriteFence.begin(connection.sqlite);
  const connections = Array.from({ length: READERS }, () => openReader(file));
  const checkpoints =
    durability === 'disk' ? new Checkpoints(file, () => logPages(connection), failed) : null;
  if (checkpoints === null) connection.sqlite.run('PRAGMA wal_autocheckpoint = 1000');
  let storageTakes = true;
  const files = new WatchedFiles(dirname(file), (problem) => failed(new FileLost(problem)));
  // SQLite opens its files with the first read. All must be open before another file could replace one. This
  // read needs no schema, which takes 0.5 ms per connection to parse.
  for (const { sqlite } of [connection, ...connections]) sqlite.query('PRAGMA user_version').get();
  const besideLog = [file, `${file}-shm`];
  const ownFiles = [...besideLog, `${file}-wal`];
  for (const path of ownFiles) files.watch(path);
  const contents = new FileContents(file);
  let isDamaged = false;
  const damaged = (path: string, what: string): void => {
    if (!isDamaged) checkpoints?.halt();
    isDamaged = true;
    files.report(path, what);
  };
  const mustBeWhole = (path: string | null): void => {
    if (path !== null) damaged(path, 'shortened or overwritten');
    mustBeThere(files.problem);
  };
  files.watchContents(() => {
    const path = contents.damaged();
    if (path !== null) damaged(path, 'shortened or overwritten');
  });
  const unitFailed = (error: unknown): void => {
    const code = damageCode(error);
    if (code !== null) damaged(file, `found damaged (${code})`);
  };
  let commits = 0;
  const readers = new Readers(connections, unitFailed, () => commits);
  connection.sqlite.run(`PRAGMA busy_timeout = ${WRITER_BUSY_MS}`);
  const mustBeThere = (problem: string | null): void => {
    if (problem !== null) throw new FileLost(problem);
  };
  const writer = new Writer(connection, {
    begun() {
      if (tenure === null) throw new ReadOnly();
      mustBeThere(files.problem);
      mustBeWhole(contents.damaged());
      tenure.check();
    },
    // The check follows the COMMIT: a file that is in place now was in place when the disk stored the commit.
    committed() {
      commits += 1;
      mustBeThere(files.checkOnly(contents.isLogInPlace() ? besideLog : ownFiles));
      mustBeWhole(contents.damagedLog());
    },
    betweenGroups: () => checkpoints?.pause(),
    storageHealth: (healthy) => {
      storageTakes = healthy;
    },
    unitFailed,
    effectFailed: failed,
    group,
    openRequests,
  });
  return {
    read(body) {
      refuseNested();
      return readers.read(body);
    },
    write(authority, body) {
      refuseNested();
      return writer.write(authority, body);
    },
    writeAsService(body) {
      refuseNested();
      return writer.write(SERVICE, body);
    },
    writeAlone(body) {
      refuseNested();
      return writer.write(SERVICE, body, true);
    },
    async healthy() {
      if (!storageTakes || files.problem !== null) return false;
      try {
        return await readers.read(
          ({ connection: { sqlite } }) => sqlite.query('SELECT 1 FROM sqlite_schema').get() !== null,
        );
      } catch {
        return false;
      }
    },
    files,
    async close() {
      await writer.close();
      await checkpoints?.stop();
      const isInPlace = files.check() === null;
      // A damaged log must not be moved into the database. Closing the last connection would do so; the end
      // of the process closes them without that.
      if (isDamaged) return;
      readers.close();
      connection.sqlite.run(`PRAGMA busy_timeout = ${CLOSING_BUSY_MS}`);
      connection.sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
      // The last close deletes the write-ahead log by name, and another file may have that name by now.
      if (!isInPlace || files.check() !== null)
        connection.sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
      connection.sqlite.close();
      contents.close();
    },
  };
}

/**
 * Returns the number of pages in the write-ahead log. NOOP changes nothing (SQLite 3.51) and takes less than
 * a microsecond.
 */
function logPages({ sqlite }: Connection): number {
  return sqlite.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0;
}

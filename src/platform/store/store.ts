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
/** The writer waits for a lock of others between its attempts, where requests are answered meanwhile. In milliseconds. */
const WRITER_BUSY_MS = 5;
const CLOSING_BUSY_MS = 5000;

/** The one way to stored data. A second engine would stand behind these same functions. */
export interface Store {
  /**
   * Runs `body` on one snapshot of the database. @throws NestedTransaction inside another body, Overloaded
   */
  read<T>(body: (snapshot: Snapshot) => T | Promise<T>): Promise<T>;
  /**
   * Runs `body` in one serializable transaction, on somebody's authority, which is asked again inside it; resolves only when what
   * it wrote is durable, and rejects with nothing written. The body awaits its transaction alone, and may be run twice. A unit that
   * waits for over 10 s is withdrawn.
   *
   * @throws NestedTransaction, Overloaded, StorageUnavailable, UnsettledBody, and whatever authority and body throw
   */
  write<T>(authority: Authority, body: (tx: Transaction) => T | Promise<T>): Promise<T>;
  /** `write` by the service itself: its own tasks, its first start, the commands of this machine. Never on behalf of a request. */
  writeAsService<T>(body: (tx: Transaction) => T | Promise<T>): Promise<T>;
  /**
   * `writeAsService` in a transaction that no other unit shares: its effects have run before the next unit begins. For what changes
   * how others write.
   */
  writeAlone<T>(body: (tx: Transaction) => T | Promise<T>): Promise<T>;
  /** Whether the database answers and the disk took the last write. */
  healthy(): Promise<boolean>;
  /**
   * The files that the process must not lose, those of the database among them. Once one of them is gone, every write rejects with
   * FileLost until the next start.
   */
  readonly files: WatchedFiles;
  /** Waits for the writes under way and lets go of the file. */
  close(): Promise<void>;
}

export interface StoreHooks {
  /** Hears of what costs no write its answer: an effect that threw after its commit, a checkpointer that does not run. */
  failed(error: unknown): void;
  /** Hears of every group, how many units it had and how many seconds it took. */
  group(units: number, seconds: number): void;
  /** How many requests are being answered now; without it nobody waits for others to share a commit. */
  openRequests?: () => number;
}

/** The store for reads: every write rejects with ReadOnly. */
export function readOnlyStore(store: Store): Store {
  const refuse = () => Promise.reject(new ReadOnly());
  return { ...store, write: refuse, writeAsService: refuse, writeAlone: refuse };
}

/**
 * Opens the store on a database file that the migrations have brought up to date, on the writer's connection where one is open already
 * (`openMigratedWriter`). From here on no process that opened it before
 * can write it, unless this one is `forReading` and leaves the file as it is.
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
  // SQLite opens its files with the first read: none may be opened later, when another could lie in its place. This read needs no schema,
  // which takes 0.5 ms a connection to parse.
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
  const readers = new Readers(connections, unitFailed);
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
    // After the COMMIT and not before: whatever was in its place then was in its place when the disk took it.
    committed() {
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
      // A damaged log is not for the database. The last connection to close would move it there, so the process's end closes them.
      if (isDamaged) return;
      readers.close();
      connection.sqlite.run(`PRAGMA busy_timeout = ${CLOSING_BUSY_MS}`);
      connection.sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
      // The last to close removes the write-ahead log by its name, under which another's may lie by now.
      if (!isInPlace || files.check() !== null)
        connection.sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
      connection.sqlite.close();
      contents.close();
    },
  };
}

/** The pages that the write-ahead log holds. NOOP asks and does nothing (SQLite 3.51), in less than a microsecond. */
function logPages({ sqlite }: Connection): number {
  return sqlite.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0;
}

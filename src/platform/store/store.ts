import { constants } from 'bun:sqlite';
import { dirname } from 'node:path';
import type { Durability } from '../data-directory.ts';
import { WatchedFiles } from '../files/watched-files.ts';
import { type Authority, SERVICE } from './authority.ts';
import { type Connection, openReader, openWriter } from './connection.ts';
import { FileLost, ReadOnly } from './errors.ts';
import { FileGuard } from './file-guard.ts';
import type { ReadableDatabase } from './readable.ts';
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

/**
 * Opens the store on a migrated database file, with the given writer's connection if one is already open
 * (`openMigratedWriter`). Afterwards, no process that opened the file before can write it.
 */
export function openStore(
  file: string,
  durability: Durability,
  { failed, group, openRequests = () => 0 }: StoreHooks,
  { connection = openWriter(file, durability) } = {},
): Store {
  const tenure = WriteFence.begin(connection.sqlite);
  const connections = Array.from({ length: READERS }, () => openReader(file));
  const checkpoints =
    durability === 'disk' ? new Checkpoints(file, () => logPages(connection), failed) : null;
  if (checkpoints === null) connection.sqlite.run('PRAGMA wal_autocheckpoint = 1000');
  let storageTakes = true;
  openFiles([connection, ...connections]);
  const guard = new FileGuard(file, failed, () => checkpoints?.halt());
  const { files } = guard;
  const unitFailed = (error: unknown): void => guard.unitFailed(error);
  let commits = 0;
  const readers = new Readers(connections, unitFailed, () => commits);
  connection.sqlite.run(`PRAGMA busy_timeout = ${WRITER_BUSY_MS}`);
  const writer = new Writer(connection, {
    begun() {
      guard.beforeWrites();
      tenure.check();
    },
    committed() {
      commits += 1;
      guard.afterCommit();
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
    healthy: async () => storageTakes && files.problem === null && (await isReadable(readers)),
    files,
    async close() {
      await writer.close();
      await checkpoints?.stop();
      const isInPlace = files.check() === null;
      // A damaged log must not be moved into the database. Closing the last connection would do so; the end
      // of the process closes them without that.
      if (guard.isDamaged) return;
      readers.close();
      connection.sqlite.run(`PRAGMA busy_timeout = ${CLOSING_BUSY_MS}`);
      connection.sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
      // The last close deletes the write-ahead log by name, and another file may have that name by now.
      if (!isInPlace || files.check() !== null)
        connection.sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
      connection.sqlite.close();
      guard.close();
    },
  };
}

/**
 * Opens a store that only reads a migrated database file: every write rejects with ReadOnly.
 * @param file the database, in the data directory
 */
export function openReadStore(
  file: string,
  { name, isWritable }: Pick<ReadableDatabase, 'name' | 'isWritable'>,
  failed: StoreHooks['failed'],
): Store {
  const connections = Array.from({ length: READERS }, () => openReader(name));
  openFiles(connections);
  const guard = isWritable ? new FileGuard(file, failed, () => undefined) : null;
  const files = guard?.files ?? new WatchedFiles(dirname(file), (problem) => failed(new FileLost(problem)));
  const readers = new Readers(
    connections,
    (error) => guard?.unitFailed(error),
    () => 0,
  );
  const refuse = () => Promise.reject(new ReadOnly());
  return {
    read(body) {
      refuseNested();
      return readers.read(body);
    },
    write: refuse,
    writeAsService: refuse,
    writeAlone: refuse,
    healthy: async () => files.problem === null && (await isReadable(readers)),
    files,
    async close() {
      // See `openStore`: the last connection must not move a damaged log into the database.
      files.check();
      if (guard?.isDamaged === true) return;
      readers.close();
      guard?.close();
    },
  };
}

/**
 * SQLite opens its files with the first read. All must be open before another file could replace one. This
 * read needs no schema, which takes 0.5 ms per connection to parse.
 */
function openFiles(connections: readonly Connection[]): void {
  for (const { sqlite } of connections) sqlite.query('PRAGMA user_version').get();
}

async function isReadable(readers: Readers): Promise<boolean> {
  try {
    return await readers.read(
      ({ connection: { sqlite } }) => sqlite.query('SELECT 1 FROM sqlite_schema').get() !== null,
    );
  } catch {
    return false;
  }
}

/**
 * Returns the number of pages in the write-ahead log. NOOP changes nothing (SQLite 3.51) and takes less than
 * a microsecond.
 */
function logPages({ sqlite }: Connection): number {
  return sqlite.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0;
}

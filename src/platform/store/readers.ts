import type { Statement } from 'bun:sqlite';
import type { Connection } from './connection.ts';
import { Overloaded, UNSETTLED, UnsettledBody } from './errors.ts';
import { TrackedPromises } from './tracked-promises.ts';
import { runInside, type Snapshot } from './transaction.ts';

const MAX_WAITING = 4096;

/** A connection with its prepared statements that begin and end a snapshot. */
interface Reader {
  connection: Connection;
  begin: Statement;
  end: Statement;
  /** The number of commits when its snapshot was opened; null while it has none. */
  openedAt: number | null;
}

/**
 * A pool of read-only connections. Each is used by one read at a time. Opening and closing a snapshot takes as long as a small query, so a
 * snapshot stays open until the end of the turn of the event loop, and serves the reads of this turn until something is committed.
 */
export class Readers {
  private readonly all: readonly Reader[];
  private readonly free: Reader[];
  private readonly waiting: ((reader: Reader) => void)[] = [];

  /** Whether the end of this turn closes snapshots. */
  private closes = false;

  /** @param failed is called with every error of a read @param commits returns how often this process has committed */
  constructor(
    connections: readonly Connection[],
    private readonly failed: (error: unknown) => void,
    private readonly commits: () => number,
  ) {
    this.all = connections.map((connection) => ({
      connection,
      begin: connection.sqlite.prepare('BEGIN'),
      end: connection.sqlite.prepare('COMMIT'),
      openedAt: null,
    }));
    this.free = [...this.all];
  }

  /** See `Store.read`. */
  async read<T>(body: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
    const reader = this.free.pop() ?? (await this.next());
    const { connection } = reader;
    try {
      this.open(reader);
      const promises = new TrackedPromises();
      const value = await runInside(() => body({ connection, promises }));
      if (promises.unawaited > 0) throw new UnsettledBody(UNSETTLED);
      return value;
    } catch (error) {
      this.failed(error);
      closeSnapshot(reader);
      throw error;
    } finally {
      const heir = this.waiting.shift();
      if (heir === undefined) this.free.push(reader);
      else heir(reader);
    }
  }

  close(): void {
    for (const reader of this.all) {
      closeSnapshot(reader);
      const { connection, begin, end } = reader;
      // An open statement would keep the connection open.
      begin.finalize();
      end.finalize();
      connection.sqlite.close();
    }
  }

  /** Opens a snapshot with everything that is committed, unless the reader has one. */
  private open(reader: Reader): void {
    const commits = this.commits();
    if (reader.openedAt === commits) return;
    closeSnapshot(reader);
    reader.begin.run();
    reader.openedAt = commits;
    if (this.closes) return;
    this.closes = true;
    setImmediate(() => this.closeIdle());
  }

  /** Closes the snapshots that no read uses, and looks again after a turn while reads use others. */
  private closeIdle(): void {
    for (const reader of this.free) closeSnapshot(reader);
    this.closes = this.all.some(({ openedAt }) => openedAt !== null);
    if (this.closes) setImmediate(() => this.closeIdle());
  }

  private next(): Promise<Reader> {
    if (this.waiting.length >= MAX_WAITING) throw new Overloaded('too many reads are waiting');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

function closeSnapshot(reader: Reader): void {
  if (reader.openedAt === null) return;
  reader.openedAt = null;
  // SQLite itself ends the transaction after some errors.
  if (reader.connection.sqlite.inTransaction) reader.end.run();
}

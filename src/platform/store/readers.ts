import type { Statement } from 'bun:sqlite';
import type { Connection } from './connection.ts';
import { Overloaded, UNSETTLED, UnsettledBody } from './errors.ts';
import { TrackedPromises } from './tracked-promises.ts';
import { runInside, type Snapshot } from './transaction.ts';

const MAX_WAITING = 4096;
/**
 * The pages that each connection keeps: those of the agents, keys and accounts that clients ask for all day.
 * SQLite's own 2 MiB hold a third of an index of 100,000 agents. Nearly all reads use one connection, so the
 * others take little.
 */
const CACHE_KIB = 16 * 1024;

/** A connection with its prepared statements that begin and end a snapshot. */
interface Reader {
  connection: Connection;
  begin: Statement;
  end: Statement;
  /** The reads that use its snapshot now. */
  users: number;
  /** True from its first read on. */
  isUsed: boolean;
}

/**
 * A pool of read-only connections. A read gets a snapshot with everything that is committed. Opening and
 * closing one takes as long as a small query, and every connection has a cache of its own. So all reads share
 * the snapshot of one connection until something is committed, or the turn of the event loop ends; then reads
 * that still run finish on it, and new ones get another. After a turn with several reads, those of the next
 * begin together at its end: a response often leaves before the next request is looked at, so the number of
 * open requests does not tell.
 */
export class Readers {
  private readonly all: readonly Reader[];
  /** The connections without a snapshot. */
  private readonly free: Reader[];
  /** The connection whose snapshot has everything that was committed when the count was `openedAt`. */
  private newest: Reader | null = null;
  private openedAt = 0;
  private readonly waiting: ((reader: Reader) => void)[] = [];
  /** The turn of the event loop in which the last read arrived. */
  private turn: { reads: number; end: Promise<void> } | null = null;
  /** True while more than one read arrives in a turn. */
  private isBusy = false;

  /**
   * @param failed is called with every error of a read @param commits returns how often this process has
   * committed
   */
  constructor(
    connections: readonly Connection[],
    private readonly failed: (error: unknown) => void,
    private readonly commits: () => number,
  ) {
    this.all = connections.map((connection) => ({
      connection,
      begin: connection.sqlite.prepare('BEGIN'),
      end: connection.sqlite.prepare('COMMIT'),
      users: 0,
      isUsed: false,
    }));
    this.free = [...this.all];
  }

  /** See `Store.read`. */
  async read<T>(body: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
    try {
      // One query after the other finds its code and data in the processor's caches, and their responses wake
      // a client once.
      const end = this.arrive();
      if (this.isBusy) await end;
      const reader = this.take() ?? (await this.next());
      const { connection } = reader;
      try {
        const promises = new TrackedPromises();
        const value = await runInside(() => body({ connection, promises }));
        if (promises.unawaited > 0) throw new UnsettledBody(UNSETTLED);
        return value;
      } catch (error) {
        // SQLite may have ended the snapshot with the error.
        if (this.newest === reader) this.newest = null;
        throw error;
      } finally {
        this.leave(reader);
      }
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  close(): void {
    this.newest = null;
    for (const reader of this.all) {
      closeSnapshot(reader);
      const { connection, begin, end } = reader;
      // An open statement would keep the connection open.
      begin.finalize();
      end.finalize();
      connection.sqlite.close();
    }
  }

  /** Counts a read. Returns a promise of the end of its turn. */
  private arrive(): Promise<void> {
    this.turn ??= { reads: 0, end: this.endOfTurn() };
    this.turn.reads += 1;
    return this.turn.end;
  }

  private endOfTurn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.isBusy = (this.turn?.reads ?? 0) > 1;
        this.turn = null;
        resolve();
      });
    });
  }

  /**
   * Returns a connection with a snapshot of everything that is committed; null if all have older ones that
   * are in use.
   */
  private take(): Reader | null {
    const commits = this.commits();
    const { newest } = this;
    if (newest !== null && this.openedAt === commits) {
      newest.users += 1;
      return newest;
    }
    this.retire();
    const reader = this.free.pop();
    if (reader === undefined) return null;
    try {
      if (!reader.isUsed) prepare(reader);
      reader.begin.run();
    } catch (error) {
      this.free.push(reader);
      throw error;
    }
    reader.users = 1;
    this.newest = reader;
    this.openedAt = commits;
    setImmediate(() => {
      if (this.newest === reader) this.retire();
    });
    return reader;
  }

  /** Gives the newest snapshot to no further read. */
  private retire(): void {
    const { newest } = this;
    this.newest = null;
    if (newest?.users === 0) this.release(newest);
  }

  /** Ends the use of a snapshot. Its last user closes it, unless others may still share it. */
  private leave(reader: Reader): void {
    reader.users -= 1;
    if (reader.users === 0 && reader !== this.newest) this.release(reader);
  }

  private release(reader: Reader): void {
    try {
      closeSnapshot(reader);
    } finally {
      this.free.push(reader);
      this.serveWaiting();
    }
  }

  private serveWaiting(): void {
    for (let resolve = this.waiting.shift(); resolve !== undefined; resolve = this.waiting.shift()) {
      const reader = this.take();
      if (reader === null) {
        this.waiting.unshift(resolve);
        return;
      }
      resolve(reader);
    }
  }

  private next(): Promise<Reader> {
    if (this.waiting.length >= MAX_WAITING) throw new Overloaded('too many reads are waiting');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/**
 * Prepares a connection for its first read. SQLite reads the whole schema before it changes the size of a
 * cache: 1.5 ms and 0.7 MB, which a start need not spend on connections that no request may ever use.
 */
function prepare(reader: Reader): void {
  reader.connection.sqlite.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  reader.isUsed = true;
}

function closeSnapshot({ connection, end }: Reader): void {
  // SQLite itself ends the transaction after some errors.
  if (connection.sqlite.inTransaction) end.run();
}

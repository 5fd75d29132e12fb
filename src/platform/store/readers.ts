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
}

/** A pool of read-only connections. Each reads one snapshot at a time. */
export class Readers {
  private readonly all: readonly Reader[];
  private readonly free: Reader[];
  private readonly waiting: ((reader: Reader) => void)[] = [];

  /** @param failed is called with every error of a read */
  constructor(
    connections: readonly Connection[],
    private readonly failed: (error: unknown) => void,
  ) {
    this.all = connections.map((connection) => ({
      connection,
      begin: connection.sqlite.prepare('BEGIN'),
      end: connection.sqlite.prepare('COMMIT'),
    }));
    this.free = [...this.all];
  }

  /** See `Store.read`. */
  async read<T>(body: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
    const reader = this.free.pop() ?? (await this.next());
    const { connection } = reader;
    try {
      reader.begin.run();
      try {
        const promises = new TrackedPromises();
        const value = await runInside(() => body({ connection, promises }));
        if (promises.unawaited > 0) throw new UnsettledBody(UNSETTLED);
        return value;
      } finally {
        reader.end.run();
      }
    } catch (error) {
      this.failed(error);
      throw error;
    } finally {
      const heir = this.waiting.shift();
      if (heir === undefined) this.free.push(reader);
      else heir(reader);
    }
  }

  close(): void {
    for (const { connection, begin, end } of this.all) {
      // An open statement would keep the connection open.
      begin.finalize();
      end.finalize();
      connection.sqlite.close();
    }
  }

  private next(): Promise<Reader> {
    if (this.waiting.length >= MAX_WAITING) throw new Overloaded('too many reads are waiting');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

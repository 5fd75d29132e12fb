import type { Connection } from './connection.ts';
import { Overloaded } from './errors.ts';
import { runInside, type Snapshot } from './transaction.ts';

const MAX_WAITING = 4096;

/** A pool of connections that cannot write. Each reads one snapshot at a time. */
export class Readers {
  private readonly free: Connection[];
  private readonly waiting: ((connection: Connection) => void)[] = [];

  /** @param failed is called with every error of a read */
  constructor(
    private readonly connections: readonly Connection[],
    private readonly failed: (error: unknown) => void,
  ) {
    this.free = [...connections];
  }

  /** See `Store.read`. */
  async read<T>(body: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
    const connection = this.free.pop() ?? (await this.next());
    try {
      connection.sqlite.run('BEGIN');
      try {
        return await runInside(() => body({ connection }));
      } finally {
        connection.sqlite.run('COMMIT');
      }
    } catch (error) {
      this.failed(error);
      throw error;
    } finally {
      const heir = this.waiting.shift();
      if (heir === undefined) this.free.push(connection);
      else heir(connection);
    }
  }

  close(): void {
    for (const { sqlite } of this.connections) sqlite.close();
  }

  private next(): Promise<Connection> {
    if (this.waiting.length >= MAX_WAITING) throw new Overloaded('too many reads are waiting');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

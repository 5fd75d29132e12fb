import type { Database } from 'bun:sqlite';
import { FencedOff } from './errors.ts';

/** SQLite's user_version is a signed 32-bit number. */
const TENURES = 2 ** 31;

/**
 * That whoever opened a database last is the only one who writes it. The lock of the data directory keeps others out, but it is a
 * file that somebody can remove; this is a number in the database itself (`user_version`), which every opening raises and every
 * write transaction reads: from the moment at which another process has opened the database to write, this one commits nothing.
 */
export class WriteFence {
  private constructor(
    private readonly sqlite: Database,
    private readonly own: number,
  ) {}

  /** Takes over, durably. */
  static begin(sqlite: Database): WriteFence {
    try {
      sqlite.run('BEGIN IMMEDIATE');
      const own = (current(sqlite) + 1) % TENURES;
      sqlite.run(`PRAGMA user_version = ${own}`);
      sqlite.run('COMMIT');
      return new WriteFence(sqlite, own);
    } catch (error) {
      if (sqlite.inTransaction) sqlite.run('ROLLBACK');
      throw error;
    }
  }

  /** To be asked within a write transaction. @throws Displaced when another process has taken over */
  check(): void {
    if (current(this.sqlite) !== this.own) throw new FencedOff();
  }
}

function current(sqlite: Database): number {
  return sqlite.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0;
}

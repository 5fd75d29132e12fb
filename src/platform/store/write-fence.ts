import type { Database } from 'bun:sqlite';
import { FencedOff } from './errors.ts';

/** SQLite's user_version is a signed 32-bit number. */
const TENURES = 2 ** 31;

/**
 * Ensures that only the process that opened a database last writes it. The lock of the data directory also
 * does so, but it is a file that can be removed. This is a number in the database (`user_version`), which
 * every opening increases and every write transaction reads. After another process has opened the database
 * for writing, this one commits nothing.
 */
export class WriteFence {
  private constructor(
    private readonly sqlite: Database,
    private readonly own: number,
  ) {}

  /** Takes over the database, durably. */
  static begin(sqlite: Database): WriteFence {
    try {
      sqlite.run('BEGIN IMMEDIATE');
      const tenure = (current(sqlite) + 1) % TENURES;
      sqlite.run(`PRAGMA user_version = ${tenure}`);
      sqlite.run('COMMIT');
      return new WriteFence(sqlite, tenure);
    } catch (error) {
      if (sqlite.inTransaction) sqlite.run('ROLLBACK');
      throw error;
    }
  }

  /**
   * Checks that no other process has taken over. Must be called within a write transaction. @throws FencedOff
   */
  check(): void {
    if (current(this.sqlite) !== this.own) throw new FencedOff();
  }
}

function current(sqlite: Database): number {
  return sqlite.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0;
}

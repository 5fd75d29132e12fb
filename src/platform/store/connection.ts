import { Database } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';

/** How sure a commit must be before it counts: `disk` survives a power cut, `memory` is for private, passing data. */
export type Durability = 'disk' | 'memory';

/** One connection to the database file: SQLite's own handle, and drizzle's view of it for typed statements. */
export interface Connection {
  readonly sqlite: Database;
  readonly orm: BunSQLiteDatabase;
}

/**
 * Opens the writer's connection. `synchronous=FULL` syncs the WAL at every commit; checkpoints are left to the
 * checkpointer (`wal_autocheckpoint=0`), so that no commit pays for one. What a savepoint would have to put back stays in memory
 * (`temp_store=MEMORY`): a unit changes more than the 64 KiB from which SQLite writes it to a file, page by page.
 */
export function openWriter(file: string, durability: Durability): Connection {
  const sqlite = new Database(file, { create: true, readwrite: true, strict: true, safeIntegers: false });
  sqlite.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${durability === 'disk' ? 'FULL' : 'OFF'};
    PRAGMA fullfsync = ON;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
    PRAGMA temp_store = MEMORY;
  `);
  return { sqlite, orm: drizzle({ client: sqlite }) };
}

/** Opens a connection that cannot write. */
export function openReader(file: string): Connection {
  const sqlite = new Database(file, { readwrite: true, strict: true, safeIntegers: false });
  sqlite.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 5000; PRAGMA trusted_schema = OFF;');
  return { sqlite, orm: drizzle({ client: sqlite }) };
}

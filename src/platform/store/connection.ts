import { constants, Database } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Durability } from '../data-directory.ts';

/** A connection to the database file: SQLite's handle, and drizzle's view for typed statements. */
export interface Connection {
  readonly sqlite: Database;
  readonly orm: BunSQLiteDatabase;
}

/** Returns the connection of a handle that was opened with other settings, such as those of a new file. */
export function connectionOn(sqlite: Database): Connection {
  return { sqlite, orm: drizzle({ client: sqlite }) };
}

/**
 * Opens the writer's connection. `synchronous=FULL` syncs the WAL at every commit. The checkpointer runs all
 * checkpoints (`wal_autocheckpoint=0`), so that no commit waits for one. Savepoint data stays in memory
 * (`temp_store=MEMORY`): a unit changes more than 64 KiB, beyond which SQLite would write it to a file, page
 * by page. The timeout comes first, because the change to WAL reads the file, which the last connection of
 * another process locks for a moment when it closes.
 */
export function openWriter(file: string, durability: Durability): Connection {
  const sqlite = new Database(file, { create: true, readwrite: true, strict: true, safeIntegers: false });
  sqlite.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${durability === 'disk' ? 'FULL' : 'OFF'};
    PRAGMA fullfsync = ON;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA temp_store = MEMORY;
  `);
  return connectionOn(sqlite);
}

/** What a URI of SQLite begins with. No path that `join` or `resolve` returns has two slashes. */
const URI = /^file:\/\//;

/**
 * Opens a connection that cannot write. @param name a path, or the URI of a file that nobody writes
 * @param cacheKiB the pages that it keeps; SQLite's own 2 MiB by default
 */
export function openReader(name: string, cacheKiB: number | null = null): Connection {
  const sqlite = new Database(
    name,
    URI.test(name)
      ? constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
      : { readwrite: true, strict: true, safeIntegers: false },
  );
  sqlite.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 5000; PRAGMA trusted_schema = OFF;');
  if (cacheKiB !== null) sqlite.exec(`PRAGMA cache_size = -${cacheKiB}`);
  return connectionOn(sqlite);
}

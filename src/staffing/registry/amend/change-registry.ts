import { statSync } from 'node:fs';
import { type Connection, openWriter } from '../../../platform/store/connection.ts';
import { factsOf } from '../store.ts';

/**
 * The pages that a change keeps in memory, in KiB: a page that does not fit is written to the log more than
 * once.
 */
const CACHE_KIB = 131_072;
/** The longest log that the main thread copies into the file, in bytes; a longer one is left to a Worker. */
const SMALL_LOG = 8 * 1024 * 1024;
/** How long a change waits for readers that need the log, in milliseconds. */
const WAIT_MS = { main: 5, worker: 2000 };

/**
 * Changes a registry file in one transaction, while others may read it. What it deletes is overwritten.
 * @throws SQLite's error when the file cannot be written; then it is as it was
 */
export function changeRegistry<T>(path: string, change: (connection: Connection) => T): T {
  const connection = openWriter(path, 'disk');
  const { sqlite } = connection;
  try {
    sqlite.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    sqlite.run('PRAGMA secure_delete = ON');
    const changed = sqlite.transaction(() => change(connection)).immediate();
    emptyLog(connection, path);
    return changed;
  } finally {
    sqlite.close();
  }
}

/** Empties the log of a file if readers prevented that when the file was changed, such as a backup. */
export function emptyLogOf(path: string): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return;
  const connection = openWriter(path, 'disk');
  try {
    emptyLog(connection, path);
  } finally {
    connection.sqlite.close();
  }
}

/**
 * Copies the log into the file and empties it, so that nothing that was deleted stays in it. `emptyLogOf`
 * does later what readers prevent.
 */
function emptyLog({ sqlite }: Connection, path: string): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (Bun.isMainThread && (log?.size ?? 0) > SMALL_LOG) return;
  sqlite.run(`PRAGMA busy_timeout = ${Bun.isMainThread ? WAIT_MS.main : WAIT_MS.worker}`);
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Returns the date of a file's data. */
export function asOfIn(connection: Connection): string {
  return factsOf.on(connection)?.asOf ?? '';
}

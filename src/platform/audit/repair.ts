import { requireService } from '../control/perform.ts';
import { type Sharing, takeWritableDirectory } from '../data-directory.ts';
import { Failure } from '../failure.ts';
import { type Connection, openWriter } from '../store/connection.ts';
import { copyDatabase } from '../store/migrations/migrate.ts';
import { snapshotOf } from '../store/transaction.ts';
import { jsonLine, writeOut } from '../terminal/output.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { timestampOf } from '../time/timestamp.ts';
import { type AuditedService, type AuditOptions, databaseFile, fsckDirectory } from './directory.ts';
import type { Derived } from './table.ts';

const HINT = 'restore a backup: see "A file was overwritten" in docs/operations.md';

/**
 * Audits the data directory of a stopped service, makes the derived tables that are wrong again after a
 * backup, and audits it once more. Changes nothing if anything else is wrong.
 * @throws Failure if anything else is wrong; DataDirectoryError while a server uses the directory
 */
export async function repairDirectory(
  service: AuditedService,
  directory: string,
  { sharing = {}, ...options }: Omit<AuditOptions, 'only' | 'all'> & { sharing?: Sharing },
  clock: Clock = systemClock,
): Promise<void> {
  requireService(directory, service.database.name);
  const lock = takeWritableDirectory(directory, sharing);
  try {
    const derived = service.tables.flatMap((table) => table.derived ?? []);
    const damaged = new Set<string>();
    const { ok } = await fsckDirectory(service, directory, { ...options, all: true }, (problem) => {
      if (!derived.some((each) => each.explains(problem))) damaged.add(problem.table);
    });
    if (ok) return;
    if (damaged.size > 0) {
      // Counts that differ can be the only trace of rows that somebody deleted.
      const tables = [...damaged].join(', ');
      throw new Failure(`nothing was repaired: what is wrong in ${tables} cannot be made again`, HINT);
    }
    const file = databaseFile(service, directory);
    const connection = openWriter(file, 'disk');
    try {
      const stamp = timestampOf(clock.now()).replace(/[-:.]/g, '');
      const backup = copyDatabase(connection.sqlite, file, `before-repair-${stamp}.db`);
      const repaired = await rebuildAll(connection, derived);
      await writeOut(jsonLine({ repaired, backup }));
    } finally {
      connection.sqlite.close();
    }
    process.exitCode = 0;
    await fsckDirectory(service, directory, { ...options, all: true });
  } finally {
    lock.release();
  }
}

/** Returns the derived tables that are wrong. */
async function wrongOf(connection: Connection, all: readonly Derived[]): Promise<Derived[]> {
  const wrong: Derived[] = [];
  for (const derived of all) {
    if ((await derived.check(snapshotOf(connection))).length > 0) wrong.push(derived);
  }
  return wrong;
}

/**
 * Makes the wrong tables again in one transaction, each after those that it follows from.
 * @returns their names
 */
async function rebuildAll(connection: Connection, all: readonly Derived[]): Promise<string[]> {
  const { sqlite } = connection;
  const repaired: string[] = [];
  // A table may have more rows than memory.
  sqlite.run('PRAGMA temp_store = FILE');
  sqlite.run('BEGIN IMMEDIATE');
  try {
    for (
      let wrong = await wrongOf(connection, all);
      wrong.length > 0;
      wrong = await wrongOf(connection, all)
    ) {
      const names = new Set(wrong.map(({ table }) => table));
      const next = wrong.find(
        ({ table, sources }) => !sources(connection).some((source) => source !== table && names.has(source)),
      );
      if (next === undefined || repaired.includes(next.table)) {
        throw new Failure(`${[...names].join(', ')} could not be made again; nothing was changed`, HINT);
      }
      await next.rebuild(connection);
      repaired.push(next.table);
    }
    sqlite.run('COMMIT');
  } catch (error) {
    if (sqlite.inTransaction) sqlite.run('ROLLBACK');
    throw error;
  }
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
  return repaired;
}

import { requireService } from '../control/perform.ts';
import { takeDataDirectory } from '../data-directory.ts';
import { Failure } from '../failure.ts';
import { type Connection, openReader, openWriter } from '../store/connection.ts';
import { copyDatabase } from '../store/migrations/migrate.ts';
import { snapshotOf } from '../store/transaction.ts';
import { jsonLine, writeOut } from '../terminal/output.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { type AuditedService, type AuditOptions, databaseFile, fsckDirectory } from './directory.ts';
import type { Derived } from './table.ts';

const HINT =
  'what is not derived cannot be made again: restore a backup, as “Damage” in docs/operations.md describes';

/**
 * Audits the data directory of a stopped service, makes the derived tables that are wrong again after a
 * backup, and audits it once more. Changes nothing if what they follow from is wrong itself.
 * @throws Failure if something else is wrong; DataDirectoryError while a server uses the directory
 */
export async function repairDirectory(
  service: AuditedService,
  directory: string,
  options: Omit<AuditOptions, 'only' | 'all'>,
  clock: Clock = systemClock,
): Promise<void> {
  requireService(directory, service.database.name);
  const lock = takeDataDirectory(directory);
  try {
    const derived = service.tables.flatMap((table) => table.derived ?? []);
    const failing = new Set<string>();
    const { ok } = await fsckDirectory(service, directory, { ...options, all: true }, ({ table, what }) => {
      if (!derived.some((each) => each.table === table && each.faults.includes(what))) failing.add(table);
    });
    if (ok) return;
    const file = databaseFile(service, directory);
    await refuseDamage(file, derived, failing);
    const connection = openWriter(file, 'disk');
    try {
      const stamp = new Date(clock.now()).toISOString().replace(/[-:.]/g, '');
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
 * Refuses a database whose derived tables are all right, or whose wrong ones follow from damage.
 * @param failing the tables with other problems
 * @throws Failure
 */
async function refuseDamage(
  file: string,
  all: readonly Derived[],
  failing: ReadonlySet<string>,
): Promise<void> {
  // The file and the schema are below all tables.
  for (const below of ['database', 'sqlite_schema']) {
    if (failing.has(below)) throw new Failure(`nothing was repaired: ${below} has problems`, HINT);
  }
  const connection = openReader(file);
  try {
    const wrong = await wrongOf(connection, all);
    if (wrong.length === 0) throw new Failure('nothing was repaired: no derived table is wrong', HINT);
    for (const derived of wrong) {
      const source = derived.sources(connection).find((table) => failing.has(table));
      if (source === undefined) continue;
      throw new Failure(
        `nothing was repaired: ${derived.table} follows from ${source}, which has problems itself`,
        HINT,
      );
    }
  } finally {
    connection.sqlite.close();
  }
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
      next.rebuild(connection);
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

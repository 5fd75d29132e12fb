import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { requireService } from '../../platform/control/perform.ts';
import { type DataDirectory, readOnlyFileSystem } from '../../platform/data-directory.ts';
import { Failure } from '../../platform/failure.ts';
import {
  openMigratedWriter,
  pendingMigrations,
  type Schema,
} from '../../platform/store/migrations/migrate.ts';
import { readableDatabase } from '../../platform/store/readable.ts';
import { openReadStore, openStore, type Store, type StoreHooks } from '../../platform/store/store.ts';
import { trustDatabase } from './database.ts';

/** A store, and what closes it with all that it needs. */
interface OpenedStore {
  store: Store;
  close(): Promise<void>;
}

/** Opens the store after a migration. @throws DataDirectoryError on a read-only file system */
export function openForWriting(
  { path, durability, isReadOnly }: DataDirectory,
  file: string,
  schema: Schema,
  log: Logger,
  hooks: StoreHooks,
): OpenedStore {
  if (isReadOnly) throw readOnlyFileSystem(path);
  const connection = openMigratedWriter(file, durability, schema, log);
  const store = openStore(file, durability, hooks, { connection });
  return { store, close: () => store.close() };
}

/**
 * Opens a store that writes nothing, even on a read-only file system.
 * @throws Failure when the database does not exist, or migrations are pending
 */
export function openForReading(
  directory: string,
  file: string,
  schema: Schema,
  failed: StoreHooks['failed'],
): OpenedStore {
  requireService(directory, trustDatabase.name);
  const readable = readableDatabase(file);
  try {
    const [pendingMigration] = pendingMigrations(file, schema, readable.name);
    if (pendingMigration !== undefined)
      throw new Failure(
        `the migration ${pendingMigration} was not applied to the database`,
        'apply it with countersign migrate',
      );
    const store = openReadStore(file, readable, failed);
    return {
      store,
      async close() {
        await store.close();
        readable.release();
      },
    };
  } catch (error) {
    readable.release();
    throw error;
  }
}

/** @throws Failure for a directory with signing keys but no database, whose data is lost */
export function requireDatabaseForKeys(directory: string, file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const keys = join(directory, 'keys');
  if (size > 0 || !existsSync(keys) || !readdirSync(keys).some((name) => name.endsWith('.pem'))) return;
  throw new Failure(
    `${directory} has signing keys, but ${trustDatabase.name} is ${existsSync(file) ? 'empty' : 'missing'}`,
    'restore a backup with countersign restore; to start with an empty database, move the keys directory away',
  );
}

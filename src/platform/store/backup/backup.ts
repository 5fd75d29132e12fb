import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../failure.ts';
import { requireWritable, syncPath } from '../../files/write.ts';
import { requireAbsent, withCleanup } from '../../terminal/output.ts';
import { startWorker } from '../../workers/workers.ts';
import { pendingMigrations, type Schema } from '../migrations/migrate.ts';
import type { CopyResult } from './copier.ts';

/**
 * The interval at which the copy is synced, in milliseconds. Commits of the service share the disk and would
 * wait for one large sync.
 */
const SYNC_MS = 20;

/**
 * Writes a snapshot of a database to a new file, even while a service uses it: a copy of the used pages,
 * checked, synced, with mode 0600. Completely or not at all, even when a signal ends the process.
 *
 * @param progress is called with the bytes written so far, and their maximum
 * @returns the size of the copy in bytes
 * @throws Failure, MigrationError
 */
export async function backUp(
  database: string,
  schema: Schema,
  out: string,
  progress: (written: number, most: number) => void,
): Promise<number> {
  pendingMigrations(database, schema);
  requireWritable(out);
  requireAbsent(out);
  const fresh = `${out}.${randomBytes(6).toString('hex')}.new`;
  return withCleanup(
    () => remove(fresh),
    async () => {
      // SQLite treats an empty file as a new one and does not change its mode.
      closeSync(openSync(fresh, 'wx', 0o600));
      await copy(database, fresh, progress);
      syncData(fresh);
      renameSync(fresh, out);
      syncPath(dirname(out));
      return statSync(out).size;
    },
  );
}

async function copy(
  database: string,
  fresh: string,
  progress: (written: number, most: number) => void,
): Promise<void> {
  const most = statSync(database).size;
  const worker = startWorker('copier');
  const syncing = setInterval(() => {
    syncData(fresh);
    progress(statSync(fresh).size, most);
  }, SYNC_MS);
  try {
    const result = await new Promise<CopyResult>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => resolve({ problem: message });
      worker.postMessage({ database, fresh });
    });
    if (result.problem !== null) {
      throw new Failure(
        `${database} cannot be copied: ${result.problem}`,
        'check that the disk has free space',
      );
    }
  } finally {
    clearInterval(syncing);
    worker.terminate();
  }
}

function syncData(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

function remove(fresh: string): void {
  for (const suffix of ['', '-journal']) rmSync(`${fresh}${suffix}`, { force: true });
}

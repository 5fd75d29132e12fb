import { Database } from 'bun:sqlite';
import { eventually } from './virtual-time.ts';

/** Waits until the database file contains all pages of its write-ahead log. */
export async function checkpointed(file: string): Promise<void> {
  const log = new Database(file);
  const moved = log.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)');
  await eventually(() => {
    const { log: pages, checkpointed } = moved.get() ?? { log: 0, checkpointed: 0 };
    return pages > 0 && pages === checkpointed;
  });
  log.close();
}

import type { TrustContext } from '../context.ts';
import { deleteTasksBefore } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The tasks that one transaction deletes: each has messages and artifacts. */
const BATCH = 200;

/** Deletes tasks that have not changed for some days and have no open escrow, with their messages and artifacts. */
export async function deleteOldTasks(
  { store, clock }: Pick<TrustContext, 'store' | 'clock'>,
  keepDays: number,
): Promise<void> {
  const before = clock.now() - keepDays * DAY_MS;
  for (;;) {
    const deleted = await store.writeAsService((tx) => deleteTasksBefore(tx, before, BATCH));
    if (deleted < BATCH) return;
  }
}

import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { deleteTasksBefore } from './store.ts';

/** The rows of a transaction: few, since a message can have 64 KiB and other writers wait. */
const BATCH = 500;

/** Deletes tasks, with all contents, that have not changed for some days and have no open escrow. */
export async function deleteOldTasks(
  { store, clock }: { store: Store; clock: Clock },
  keepDays: number,
): Promise<void> {
  const before = clock.now() - keepDays * DAY_MS;
  const deleteBatch = (): Promise<number> =>
    store.writeAsService((tx) => deleteTasksBefore(tx, before, BATCH));
  while ((await deleteBatch()) > 0);
}

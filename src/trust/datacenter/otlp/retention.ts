import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { MAX_WINDOW_MS } from '../limits.ts';
import { deleteReadingsBefore } from './store.ts';

/** The number of readings that are deleted in one transaction. */
const DELETED_AT_ONCE = 500;

/** Deletes the readings that are older than any window can be, in batches. */
export async function deleteOldReadings(store: Pick<Store, 'writeAsService'>, clock: Clock): Promise<void> {
  const before = clock.now() - MAX_WINDOW_MS - DAY_MS;
  let deleted: number;
  do {
    deleted = await store.writeAsService((tx) => deleteReadingsBefore(tx, before, DELETED_AT_ONCE));
  } while (deleted === DELETED_AT_ONCE);
}

import type { Snapshot } from '../../../platform/store/transaction.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { newestDateBetween } from '../clock/newest-entries.ts';
import { type LogContent, logContentOf } from '../contents.ts';
import type { Logs } from '../logs.ts';
import { sizeOf } from '../tree/tree.ts';

/**
 * Returns whether a tree lacks an entry that was dated before a witness cosigned the tree, by more than two
 * clocks may differ. Such a cosignature would say that the entry is younger than it is: verifiers would take
 * its date for a lie. It happens while the clock is wrong, because no checkpoint of the entry is signed then.
 *
 * @param time of the cosignature, in milliseconds since 1970
 */
export async function lacksOlderEntry(
  snapshot: Snapshot,
  { open, contents }: { open: Logs; contents: readonly LogContent[] },
  { name, size, time }: { name: LogName; size: number; time: number },
): Promise<boolean> {
  if ((await sizeOf(snapshot, open[name])) <= size) return false;
  const date = await newestDateBetween(snapshot, logContentOf(contents, name), size, size + 1);
  // 0 is the date of an entry that is lost.
  return date > 0 && date < time - AHEAD_MS;
}

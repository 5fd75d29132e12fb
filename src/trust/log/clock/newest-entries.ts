import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { LOG_NAMES } from '../../../proof/log/log-names.ts';
import { type LogContent, logContentOf } from '../contents.ts';
import { LogDamage } from '../damage.ts';
import type { Logs } from '../logs.ts';
import { sizeOf } from '../tree/tree.ts';

/** The only member of an entry that is a date, in every log. */
const DATE = /at":"([^"]+)"/;

/** The number of entries that are read together. */
const PAGE = 4096;

/**
 * Returns the newest date of the entries of all logs from an index on, in milliseconds since 1970; 0 if none
 * has a date. Entries that are lost are skipped.
 * @param from returns the index of the first entry of a log to look at
 */
export async function newestEntryDate(
  snapshot: Snapshot,
  contents: readonly LogContent[],
  logs: Logs,
  from: (name: LogName, size: number) => number,
): Promise<number> {
  let newest = 0;
  for (const name of LOG_NAMES) {
    const size = await sizeOf(snapshot, logs[name]);
    const content = logContentOf(contents, name);
    for (let index = from(name, size); index < size; index += PAGE)
      newest = Math.max(
        newest,
        await newestDateBetween(snapshot, content, index, Math.min(index + PAGE, size)),
      );
  }
  return newest;
}

/** Returns the newest date of the entries `from` to `to`, exclusive, as `newestEntryDate`. */
export async function newestDateBetween(
  snapshot: Snapshot,
  content: LogContent,
  from: number,
  to: number,
): Promise<number> {
  try {
    const leaves = await content.leavesOf(snapshot, from, to);
    const dates = leaves.map(({ entry }) => Date.parse(DATE.exec(entry)?.[1] ?? ''));
    return Math.max(0, ...dates.filter((date) => !Number.isNaN(date)));
  } catch (error) {
    if (error instanceof LogDamage) return 0;
    throw error;
  }
}

import { Failure } from '../../platform/failure.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { HIGH_WATER_FILE, readHighWater } from './high-water.ts';
import { allLogs, originOf } from './logs.ts';
import type { LogRow } from './store.ts';

/** Leaves that logs of receipts had published when they were closed, by origin, where that is known. */
export type FormerSizes = ReadonlyMap<string, number>;

/** The name of the mark that a restart puts aside, beside the mark itself. @param ordinal of the log that it closes; the first is 1 */
export function formerMark(ordinal: number): string {
  return `${HIGH_WATER_FILE}.${ordinal}`;
}

/**
 * How much of each closed log of receipts was published: what the database knows of it may be less, since that is mostly why a log
 * is closed. The marks that restarts put aside tell; where one is gone or cannot be read, nobody knows.
 */
export function formerSizes(snapshot: Snapshot, directory: string): FormerSizes {
  const sizes = new Map<string, number>();
  const logs = allLogs(snapshot).filter(({ name }) => name === 'receipts');
  for (const [index, { origin, closedSize }] of logs.entries()) {
    const mark = closedSize === null ? null : readable(directory, formerMark(index + 1));
    if (mark !== null && originOf(mark.origin, 'receipts') === origin) {
      sizes.set(origin, mark.logs.receipts.tree_size);
    }
  }
  return sizes;
}

function readable(directory: string, name: string) {
  try {
    return readHighWater(directory, name);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * The logs of receipts of which it is known that a key's time ended at this size in them: for a leaf of any other that size says
 * nothing. The open log has the leaves that the size was counted in. A closed one had them as far as its last checkpoint, if the
 * key ended while it was open; one that was closed before has no later leaf at all, so that the size is right where it had
 * published no more.
 *
 * @param logs every log that there ever was
 * @param at when the key's time ended; one that is too late only leaves out more
 * @returns their origins, oldest first
 */
export function originsEndedAt(
  logs: readonly LogRow[],
  former: FormerSizes,
  { size, at }: { size: number; at: string },
): string[] {
  return logs
    .filter(({ name, origin, closedSize, closedAt }) => {
      if (name !== 'receipts') return false;
      if (closedSize === null || closedAt === null) return true;
      const endedBefore = Date.parse(at) <= Date.parse(closedAt) && size <= closedSize;
      return endedBefore || (former.get(origin) ?? Number.POSITIVE_INFINITY) <= size;
    })
    .map(({ origin }) => origin);
}

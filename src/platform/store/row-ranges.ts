import { setImmediate } from 'node:timers/promises';
import type { Store } from './store.ts';
import type { Snapshot } from './transaction.ts';

/** Row numbers above `after`, up to and including `through`. */
export interface RowRange {
  after: number;
  through: number;
}

/**
 * Reads ranges of row numbers from 1 to `last`, each with a snapshot of its own. Other requests are served
 * between two ranges, so that reading a large table holds none of them up.
 * @param size the row numbers of a range
 * @returns what `read` returns for all ranges, in their order
 */
export async function readInRanges<T>(
  store: Pick<Store, 'read'>,
  last: number,
  size: number,
  read: (snapshot: Snapshot, range: RowRange) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = [];
  for (let after = 0; after < last; after += size) {
    if (after > 0) await setImmediate();
    const range = { after, through: Math.min(after + size, last) };
    all.push(...(await store.read((snapshot) => read(snapshot, range))));
  }
  return all;
}

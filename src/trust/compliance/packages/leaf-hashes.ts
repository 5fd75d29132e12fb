import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { LogRow } from '../../log/logs.ts';
import { hashesOfLeaves } from '../../log/tree/tree.ts';

/** So many hashes are kept, 150 bytes each: all of an agent with as many records. */
const MOST_KEPT = 16_384;

/** The kept hashes of a log by the index of the leaf, with the highest of these indexes. */
interface Kept {
  hashes: Map<number, Uint8Array>;
  highest: number;
}

/**
 * Reads the hashes of leaves for one package. The sets of a package have many leaves in common, and those of
 * the samples are needed again, so the first hashes are kept.
 */
export class LeafHashes {
  private readonly kept = new Map<LogName, Kept>();
  private count = 0;

  constructor(private readonly most = MOST_KEPT) {}

  /**
   * Returns the hashes of leaves with ascending indexes, in their order.
   * @throws LogDamage if some are missing
   */
  async of(snapshot: Snapshot, log: LogRow, indexes: readonly number[]): Promise<Uint8Array[]> {
    const kept = this.kept.get(log.name) ?? { hashes: new Map(), highest: -1 };
    this.kept.set(log.name, kept);
    const known = kept.hashes;
    // Most leaves come behind all that are kept.
    const [first = 0] = indexes;
    const unknown = first > kept.highest ? indexes : indexes.filter((index) => !known.has(index));
    const read = unknown.length === 0 ? [] : await hashesOfLeaves(snapshot, log, unknown);
    const hashes = unknown.length === indexes.length ? read : merged(indexes, known, read);
    this.keep(kept, unknown, read);
    return hashes;
  }

  private keep(kept: Kept, indexes: readonly number[], hashes: readonly Uint8Array[]): void {
    for (let at = 0; at < indexes.length && this.count < this.most; at++) {
      const [index, hash] = [indexes[at], hashes[at]];
      if (index === undefined || hash === undefined) return;
      kept.hashes.set(index, hash);
      kept.highest = Math.max(kept.highest, index);
      this.count++;
    }
  }
}

/** Returns the hashes of leaves, of which some are known and the others were read in this order. */
function merged(
  indexes: readonly number[],
  known: ReadonlyMap<number, Uint8Array>,
  read: readonly Uint8Array[],
): Uint8Array[] {
  let next = 0;
  return indexes.map((index) => {
    const hash = known.get(index) ?? read[next++];
    if (hash === undefined) throw new Error(`leaf ${index} was not read`);
    return hash;
  });
}

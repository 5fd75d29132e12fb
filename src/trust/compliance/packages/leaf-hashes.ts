import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { LogRow } from '../../log/logs.ts';
import { hashesOfLeaves } from '../../log/tree/tree.ts';

/** So many hashes are kept, 150 bytes each: all of an agent with as many records. */
const MOST_KEPT = 16_384;

/**
 * Reads the hashes of leaves for one package. The sets of a package have many leaves in common, and those of
 * the samples are needed again, so the first hashes are kept.
 */
export class LeafHashes {
  /** By log, and by the index of the leaf. */
  private readonly kept = new Map<LogName, Map<number, Uint8Array>>();
  private count = 0;

  constructor(private readonly most = MOST_KEPT) {}

  /**
   * Returns the hashes of leaves with different indexes, in their order.
   * @throws LogDamage if some are missing
   */
  async of(snapshot: Snapshot, log: LogRow, indexes: readonly number[]): Promise<Uint8Array[]> {
    const known = this.kept.get(log.name) ?? new Map<number, Uint8Array>();
    this.kept.set(log.name, known);
    const unknown = indexes.filter((index) => !known.has(index));
    const read = unknown.length === 0 ? [] : await hashesOfLeaves(snapshot, log, unknown);
    let next = 0;
    return indexes.map((index) => {
      const hash = known.get(index) ?? read[next++];
      if (hash === undefined) throw new Error(`leaf ${index} of ${log.name} was not read`);
      if (this.count < this.most && !known.has(index)) {
        known.set(index, hash);
        this.count++;
      }
      return hash;
    });
  }
}

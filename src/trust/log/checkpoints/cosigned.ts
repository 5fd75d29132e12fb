import type { Snapshot } from '../../../platform/store/transaction.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import type { Logs } from '../logs.ts';
import { cosignedCheckpoints } from '../store.ts';
import { checkpointsOf, type PublishedCheckpoint } from './checkpoints.ts';
import type { Cosignature } from './cosignatures.ts';

/**
 * Returns whether the cosignatures of a checkpoint meet the quorum of the service's witness policy. A service
 * without a policy, or whose policy demands no quorum, has none of these functions: none of its checkpoints
 * counts as cosigned.
 */
export type MeetsQuorum = (cosignatures: readonly Pick<Cosignature, 'witness' | 'keyId'>[]) => boolean;

/**
 * A start examines at most this many cosignatures of a log, to find one checkpoint that meets the quorum.
 * They are those of an hour under load whose quorum was never met, and of some days before it.
 */
const EXAMINED_ROWS = 20_000;

/**
 * The newest checkpoint of each log that meets the quorum. Loaded at the start, so that another policy file
 * applies at once.
 */
export class CosignedCheckpoints {
  private readonly newest = new Map<LogName, PublishedCheckpoint>();

  constructor(private readonly quorum: MeetsQuorum | null) {}

  /** True if the witness policy demands a quorum. */
  get hasQuorum(): boolean {
    return this.quorum !== null;
  }

  /** Returns whether a checkpoint meets the quorum. */
  isCosigned({ cosignatures }: { cosignatures: Parameters<MeetsQuorum>[0] }): boolean {
    return this.quorum?.(cosignatures) ?? false;
  }

  /** Returns the newest checkpoint of a log that meets the quorum; null if there is none. */
  of(name: LogName): PublishedCheckpoint | null {
    return this.newest.get(name) ?? null;
  }

  /** Records a checkpoint whose cosignatures have changed. */
  update(name: LogName, checkpoint: PublishedCheckpoint): void {
    const isOlder = checkpoint.checkpointSeq < (this.of(name)?.checkpointSeq ?? 0);
    if (!isOlder && this.isCosigned(checkpoint)) this.newest.set(name, checkpoint);
  }

  /** Finds the newest checkpoints among the stored ones. */
  async load(snapshot: Snapshot, logs: Logs): Promise<void> {
    if (this.quorum === null) return;
    for (const name of LOG_NAMES) {
      const log = logs[name];
      const rows = await cosignedCheckpoints(snapshot, { logSeq: log.logSeq, limit: EXAMINED_ROWS });
      const byCheckpoint = Map.groupBy(rows, ({ checkpointSeq }) => checkpointSeq);
      const newestRow = [...byCheckpoint.values()].find((cosignatures) => this.quorum?.(cosignatures))?.[0];
      if (newestRow === undefined) continue;
      const { treeSize: beforeSize, checkpointSeq } = newestRow;
      const [checkpoint] = await checkpointsOf(snapshot, log, 1, {
        beforeSize,
        beforeSeq: checkpointSeq + 1,
      });
      if (checkpoint !== undefined) this.update(name, checkpoint);
    }
  }
}

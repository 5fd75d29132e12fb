import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { type LogRow, oldestCheckpoint, sizesBy } from './store.ts';

/** The size of a log's tree at a time, in milliseconds since 1970. */
export interface SizeAt {
  at: number;
  size: number;
}

/**
 * Returns the sizes of a log at times, by its checkpoints, as the list of checkpoints has them. Before its
 * oldest checkpoint, a log that continues another had the size of that checkpoint, and any other was empty.
 * A time costs one look-up in an index, whatever the size of the log.
 * @param times milliseconds since 1970
 * @param continues whether the log continues another one
 */
export async function sizesAt(
  snapshot: Snapshot,
  { logSeq }: LogRow,
  times: readonly number[],
  continues: boolean,
): Promise<SizeAt[]> {
  const oldest = continues ? await oldestCheckpoint(snapshot, logSeq) : null;
  const before = oldest?.treeSize ?? 0;
  const sizes = await sizesBy(snapshot, logSeq, times.map(timestampOf));
  return times.map((at, index) => ({ at, size: sizes[index] ?? before }));
}

/** Returns when the oldest checkpoint that is kept of a log was issued, in milliseconds since 1970. */
export async function oldestTime(snapshot: Snapshot, { logSeq }: LogRow): Promise<number | null> {
  const oldest = await oldestCheckpoint(snapshot, logSeq);
  return oldest === null ? null : Date.parse(oldest.issuedAt);
}

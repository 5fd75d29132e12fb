import type { Snapshot } from '../../../platform/store/transaction.ts';
import { allLogs } from '../logs.ts';
import { newestTimeOf } from './thinning-store.ts';

/**
 * Returns the date of the newest checkpoint of the open logs in milliseconds since 1970; null if there is
 * none. A log may have been closed because its date was wrong.
 */
export async function newestCheckpointDate(snapshot: Snapshot): Promise<number | null> {
  let newest: number | null = null;
  for (const { logSeq, closedSize } of await allLogs(snapshot)) {
    if (closedSize !== null) continue;
    const issuedAt = await newestTimeOf(snapshot, logSeq);
    if (issuedAt !== null) newest = Math.max(newest ?? 0, Date.parse(issuedAt));
  }
  return newest;
}

import type { Snapshot } from '../../../platform/store/transaction.ts';
import { allLogs } from '../logs.ts';
import { newestTimeOf } from './thinning-store.ts';

/**
 * Returns the date of the newest checkpoint of all logs in milliseconds since 1970; null if there is none.
 */
export async function newestCheckpointDate(snapshot: Snapshot): Promise<number | null> {
  let newest: number | null = null;
  for (const { logSeq } of await allLogs(snapshot)) {
    const issuedAt = await newestTimeOf(snapshot, logSeq);
    if (issuedAt !== null) newest = Math.max(newest ?? 0, Date.parse(issuedAt));
  }
  return newest;
}

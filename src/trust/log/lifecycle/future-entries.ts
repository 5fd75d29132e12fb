import { Failure } from '../../../platform/failure.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { newestCheckpointDate } from '../checkpoints/newest-date.ts';
import { newestEntryDate } from '../clock/newest-entries.ts';
import { openLogs } from '../logs.ts';
import type { LogContext } from './create.ts';

/**
 * Refuses to repeat entries that are dated in the future in a new log: its checkpoints have earlier dates, so
 * the proofs of these entries would be misdated, and its monitors would report them.
 * @throws Failure
 */
export async function refuseFutureEntries({
  store,
  clock,
  contents,
}: Pick<LogContext, 'store' | 'clock' | 'contents'>): Promise<void> {
  const newest = await store.read(async (snapshot) => {
    const logs = await openLogs(snapshot);
    const signed = await newestCheckpointDate(snapshot);
    // The date of a checkpoint is not before those of its entries.
    if (logs === null || signed === null || signed <= clock.now() + AHEAD_MS) return 0;
    return newestEntryDate(snapshot, contents, logs, () => 0);
  });
  if (newest <= clock.now() + AHEAD_MS) return;
  const date = timestampOf(newest);
  throw new Failure(
    `the newest entry of the log has the date ${date}, which is in the future: in a new log its proofs would be misdated until then, and monitors would report it`,
    'keep this log if you can wait until then; use --force to start a new log anyway. If the clock of this machine is behind, correct it first',
  );
}

import { Failure } from '../../../platform/failure.ts';
import { originOf } from '../../../proof/log/log-names.ts';
import { allLogs, commonOrigin, givenOrigin, type LogRow, openLogsOf } from '../logs.ts';
import { forkFailure, forkReason, forkReasonByMark } from '../recovery/fork.ts';
import { isUnpublished, readHighWater } from '../recovery/high-water.ts';
import { sizeOf } from '../tree/tree.ts';
import { archivedMarkOf, archivedMarks } from './closed-logs.ts';
import type { LogContext } from './create.ts';
import { reopenLogs } from './restart.ts';

/**
 * Gives the logs another name while no receipt is in them, so that nobody has a proof yet that refers to the former one: the logs are
 * closed and others are opened, with all keys. Does nothing for the name that they have, and nothing for logs that have receipts.
 *
 * @throws Failure for a name that a closed log of this directory has, and for a database that must not be signed on: another name
 * would hide that keys, say, are as they were before
 */
export async function renameLogs(parts: LogContext, directory: string, origin: string): Promise<void> {
  const isDue = await parts.store.read(async (snapshot) => {
    const all = await allLogs(snapshot);
    const logs = openLogsOf(all);
    if (logs === null || givenOrigin(all) === origin || commonOrigin(logs) === origin) return false;
    if ((await sizeOf(snapshot, logs.receipts)) > 0) return false;
    const mark = readHighWater(directory);
    // Nothing was published, or nobody knows how much: the start tells.
    if (mark === null) return false;
    const isCutShort = mark.origin === origin && isUnpublished(mark);
    const reason = await (isCutShort
      ? forkReasonByMark(archivedMarkOf(directory, commonOrigin(logs)), snapshot, logs)
      : forkReason(snapshot, logs, directory));
    if (reason !== null) throw forkFailure(reason);
    if (isTaken(all, directory, origin)) {
      throw new Failure(
        `log.origin is ${origin}, the name of a log that this data directory has closed`,
        'choose a name that no log of it had before',
        2,
      );
    }
    return true;
  });
  if (isDue) await reopenLogs(parts, directory, origin);
}

/** Returns whether a log had the name. A restored database may not know it; the mark that was put aside does. */
function isTaken(logs: readonly LogRow[], directory: string, origin: string): boolean {
  const isInDatabase = logs.some((log) => log.origin === originOf(origin, log.name));
  return isInDatabase || archivedMarks(directory).some(({ mark }) => mark?.origin === origin);
}

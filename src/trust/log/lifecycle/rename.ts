import { Failure } from '../../../platform/failure.ts';
import { originOf } from '../../../proof/log/log-names.ts';
import { isUnpublished, readHighWater } from '../high-water.ts';
import { allLogs, commonOrigin, givenOrigin, type LogRow, openLogsOf } from '../logs.ts';
import { sizeOf } from '../tree/tree.ts';
import { archivedMarkOf, archivedMarks } from './closed-logs.ts';
import type { LogContext } from './create.ts';
import { forkFailure, forkReason, forkReasonByMark } from './fork.ts';
import { reopenLogs } from './restart.ts';

/**
 * Renames the logs while they have no receipt, so no proof refers to the old name: closes the logs and opens
 * others, with all keys. Does nothing if the logs have this name, or have receipts.
 *
 * @throws Failure for the name of a closed log, and for a database whose log must not be signed: another name
 * could hide a rollback of keys
 */
export async function renameLogs(parts: LogContext, directory: string, origin: string): Promise<void> {
  const isDue = await parts.store.read(async (snapshot) => {
    const all = await allLogs(snapshot);
    const logs = openLogsOf(all);
    if (logs === null || givenOrigin(all) === origin || commonOrigin(logs) === origin) return false;
    if ((await sizeOf(snapshot, logs.receipts)) > 0) return false;
    const mark = readHighWater(directory);
    // Nothing was published, or the published size is unknown: the start reports that.
    if (mark === null) return false;
    const isCutShort = mark.origin === origin && isUnpublished(mark);
    const reason = await (isCutShort
      ? forkReasonByMark(archivedMarkOf(directory, commonOrigin(logs)), snapshot, logs)
      : forkReason(snapshot, logs, directory));
    if (reason !== null) throw forkFailure(reason);
    if (isTaken(all, directory, origin)) {
      throw new Failure(
        `log.origin is ${origin}, the name of a closed log of this data directory`,
        'choose a name that none of its logs had',
        2,
      );
    }
    return true;
  });
  if (isDue) await reopenLogs(parts, directory, origin);
}

/** Returns whether a log had this name. A restored database may not know it, but the archived mark does. */
function isTaken(logs: readonly LogRow[], directory: string, origin: string): boolean {
  const isInDatabase = logs.some((log) => log.origin === originOf(origin, log.name));
  return isInDatabase || archivedMarks(directory).some(({ mark }) => mark?.origin === origin);
}

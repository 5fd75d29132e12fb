import { Failure } from '../../../platform/failure.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { commonOf, LOG_NAMES, type LogName, mapLogs, mapLogsInOrder } from '../../../proof/log/log-names.ts';
import { newestCheckpoint } from '../checkpoints/checkpoints.ts';
import { acceptEarlierTime } from '../clock/accept.ts';
import { backfillLogsIn } from '../contents.ts';
import { isUnpublished, NOTHING_PUBLISHED, readHighWater, writeHighWater } from '../high-water.ts';
import { allLogs, givenOrigin, type Logs, openLogs, restartedName, restartOrdinal } from '../logs.ts';
import { closeLog, type LogRow } from '../store.ts';
import { sizeOf } from '../tree/tree.ts';
import { archivedMarkOf, archivedMarks, archiveMark } from './closed-logs.ts';
import { createLogsIn, type LogContext, openLaterLogsIn } from './create.ts';

/** A log that was closed, and the one that replaces it. */
export interface RestartedLog {
  /** With the number of published entries. Null if the database is a backup from before the first log. */
  closed: { origin: string; tree_size: number } | null;
  opened: { origin: string; tree_size: number };
}

/**
 * Closes the logs at their last checkpoints and opens others, with a numbered name: the remedy when a
 * published log cannot be continued. The new logs have all leaves of the database, so they also prove what
 * was finalized, added or revoked before.
 *
 * The time of the clock counts as right from now on: later dates are often why a log is restarted.
 *
 * @throws Failure before the first start
 */
export async function restartLogs(parts: LogContext, directory: string): Promise<RestartedLog[]> {
  const logs = await parts.store.read(allLogs);
  await acceptEarlierTime(parts);
  return reopenLogs(parts, directory, nextName(namesOf(logs), givenOrigin(logs), directory));
}

/**
 * Returns a name under which no log of this directory was published. A restored database does not know all
 * names, so the archived marks count too. A restart that was interrupted gets the same name again.
 *
 * @throws Failure before the first start
 */
function nextName(names: readonly string[], lastGiven: string | null, directory: string): string {
  const mark = readHighWater(directory);
  const archived = archivedMarks(directory);
  const givenName = lastGiven ?? mark?.origin;
  if (givenName === undefined)
    throw new Failure('there is no log to restart', 'run countersign serve, which creates one');
  const closed = [...names, ...archived.flatMap((one) => one.mark?.origin ?? [])];
  if (mark !== null && isUnpublished(mark) && !closed.includes(mark.origin)) {
    if (lastGiven === null || restartOrdinal(givenName, mark.origin) !== null) return mark.origin;
  }
  const known = mark === null ? closed : [...closed, mark.origin];
  // A log whose mark is lost came after those with archived marks.
  const lost = mark === null ? 1 : 0;
  const last = Math.max(
    names.length,
    ...known.map((name) => restartOrdinal(givenName, name) ?? 1),
    ...archived.map(({ number }) => number + lost),
  );
  return restartedName(givenName, last + 1);
}

/** Returns the names of all logs in the database, oldest first. */
function namesOf(logs: readonly LogRow[]): string[] {
  return logs.filter(({ name }) => name === 'receipts').map(commonOf);
}

/**
 * Closes the logs, if there are any, and opens others with this name. Can be repeated after an interruption.
 */
export async function reopenLogs(
  { store, clock, contents }: LogContext,
  directory: string,
  origin: string,
): Promise<RestartedLog[]> {
  const mark = readHighWater(directory);
  // An interrupted restart has archived it already, and left an empty mark.
  if (mark?.origin !== origin || !isUnpublished(mark)) {
    const { length } = namesOf(await store.read(allLogs));
    await archiveMark(directory, Math.max(length, 1));
  }
  // Before the transaction: a start in between refuses, and the restart can be repeated.
  await writeHighWater(directory, {
    origin,
    logs: mapLogs(() => NOTHING_PUBLISHED),
  });
  return store.writeAsService(async (tx) => {
    const logs = (await openLogs(tx)) ?? (await openLaterLogsIn(tx, clock, null));
    const closed = logs === null ? null : await closeIn(tx, clock, logs);
    // Without logs, the backup is from before the first one: it has keys, and no receipts.
    const begun = await createLogsIn(tx, clock, origin);
    // The key log says which logs were closed.
    await backfillLogsIn(tx, contents, begun, directory);
    const restarted: RestartedLog[] = [];
    for (const name of LOG_NAMES) {
      const ended = closed?.[name] ?? null;
      restarted.push({
        closed: ended && { ...ended, tree_size: publishedOf(directory, name, ended) },
        opened: await stateOf(tx, begun[name]),
      });
    }
    return restarted;
  });
}

/** Closes the logs at their last checkpoints. */
function closeIn(
  tx: Transaction,
  clock: Clock,
  logs: Logs,
): Promise<Record<LogName, RestartedLog['opened']>> {
  return mapLogsInOrder(async (name) => {
    const { logSeq, origin } = logs[name];
    const closedSize = (await newestCheckpoint(tx, logs[name]))?.response.tree_size ?? 0;
    await closeLog(tx, { logSeq, closedSize, closedAt: timestamp(clock) });
    return { origin, tree_size: closedSize };
  });
}

/**
 * Returns how many entries of a closed log were published, as `closed_logs` says it: the database of an older
 * backup knows of fewer than its mark.
 */
function publishedOf(
  directory: string,
  name: LogName,
  { origin, tree_size }: RestartedLog['opened'],
): number {
  const mark = archivedMarkOf(directory, commonOf({ origin, name }));
  return Math.max(tree_size, mark?.logs[name].tree_size ?? 0);
}

async function stateOf(tx: Transaction, log: LogRow): Promise<RestartedLog['opened']> {
  return { origin: log.origin, tree_size: await sizeOf(tx, log) };
}

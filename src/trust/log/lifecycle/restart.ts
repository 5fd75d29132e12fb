import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { commonOf, LOG_NAMES, originOf } from '../../../proof/log/log-names.ts';
import { emptyRoot } from '../../../proof/log/merkle.ts';
import { newestCheckpoint } from '../checkpoints/checkpoints.ts';
import { backfillLogsIn } from '../contents.ts';
import { allLogs, givenOrigin, type Logs, openLogs, restartedName, restartOrdinal } from '../logs.ts';
import { isUnpublished, readHighWater, writeHighWater } from '../recovery/high-water.ts';
import { closeLog, insertLog, type LogRow } from '../store.ts';
import { sizeOf } from '../tree/tree.ts';
import { archivedMarks, archiveMark } from './closed-logs.ts';
import { createLogsIn, type LogContext } from './create.ts';

/** A log that was ended, and the one that goes on. */
export interface RestartedLog {
  /** Null where the database is a backup from before the log began. */
  closed: { origin: string; tree_size: number } | null;
  opened: { origin: string; tree_size: number };
}

/**
 * Ends the logs at their last checkpoints and begins others, whose origin says which they are: the way out when what was
 * published cannot be gone on with. The new logs have all leaves that the database has, so that whatever was finalized, entered
 * or revoked is proven by them as well.
 *
 * @throws Failure before the first start
 */
export async function restartLogs(parts: LogContext, directory: string): Promise<RestartedLog[]> {
  const logs = await parts.store.read(allLogs);
  return reopenLogs(parts, directory, nextName(namesOf(logs), givenOrigin(logs), directory));
}

/**
 * Returns a name that no log of this directory was published under: a restored database does not know all of them, so the marks count
 * as well. That of a restart that was cut short is taken again.
 *
 * @throws Failure before the first start
 */
function nextName(names: readonly string[], lastGiven: string | null, directory: string): string {
  const mark = readHighWater(directory);
  const archived = archivedMarks(directory);
  const givenName = lastGiven ?? mark?.origin;
  if (givenName === undefined)
    throw new Failure('there is no log to restart', 'countersign serve begins one');
  const closed = [...names, ...archived.flatMap((one) => one.mark?.origin ?? [])];
  if (mark !== null && isUnpublished(mark) && !closed.includes(mark.origin)) {
    if (lastGiven === null || restartOrdinal(givenName, mark.origin) !== null) return mark.origin;
  }
  const known = mark === null ? closed : [...closed, mark.origin];
  // Whose mark is lost followed those whose marks were put aside.
  const lost = mark === null ? 1 : 0;
  const last = Math.max(
    names.length,
    ...known.map((name) => restartOrdinal(givenName, name) ?? 1),
    ...archived.map(({ number }) => number + lost),
  );
  return restartedName(givenName, last + 1);
}

/** The names of all logs that the database knows, oldest first. */
function namesOf(logs: readonly LogRow[]): string[] {
  return logs.filter(({ name }) => name === 'receipts').map(commonOf);
}

/** Ends the logs, if there are any, and opens others of this name. It can be repeated after it was cut short. */
export async function reopenLogs(
  { store, clock, contents }: LogContext,
  directory: string,
  origin: string,
): Promise<RestartedLog[]> {
  const mark = readHighWater(directory);
  // One that was cut short has put it aside already, and left one that knows of nothing.
  if (mark?.origin !== origin || !isUnpublished(mark)) {
    const { length } = namesOf(await store.read(allLogs));
    await archiveMark(directory, Math.max(length, 1));
  }
  // First: a start between this and the commit refuses, and this can be done again.
  const nothing = { tree_size: 0, root_hash: bytesToHex(emptyRoot(nativePrimitives)) };
  await writeHighWater(directory, {
    origin,
    logs: { receipts: nothing, keys: nothing, revocations: nothing },
  });
  return store.writeAsService(async (tx) => {
    const logs = await openLogs(tx);
    if (logs !== null) return restartIn(tx, { clock, logs, origin });
    // The backup is from before the log began: it has keys, and no receipts.
    const begun = await createLogsIn(tx, clock, origin);
    await backfillLogsIn(tx, contents, begun);
    const restarted: RestartedLog[] = [];
    for (const name of LOG_NAMES) restarted.push({ closed: null, opened: await stateOf(tx, begun[name]) });
    return restarted;
  });
}

async function restartIn(
  tx: Transaction,
  { clock, logs, origin }: { clock: Clock; logs: Logs; origin: string },
): Promise<RestartedLog[]> {
  const restarted: RestartedLog[] = [];
  for (const name of LOG_NAMES) {
    const { logSeq, origin: archived } = logs[name];
    const closedSize = (await newestCheckpoint(tx, logs[name]))?.response.tree_size ?? 0;
    await closeLog(tx, logSeq, { closedSize, closedAt: timestamp(clock) });
    const opened = await insertLog(tx, {
      name,
      origin: originOf(origin, name),
      openedAt: timestamp(clock),
    });
    restarted.push({
      closed: { origin: archived, tree_size: closedSize },
      opened: await stateOf(tx, opened),
    });
  }
  return restarted;
}

async function stateOf(tx: Transaction, log: LogRow): Promise<RestartedLog['opened']> {
  return { origin: log.origin, tree_size: await sizeOf(tx, log) };
}

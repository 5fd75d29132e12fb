import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { bytesToHex } from '../../proof/hex.ts';
import { emptyRoot } from '../../proof/merkle.ts';
import type { KeyedDesk } from '../context.ts';
import { newestCheckpoint } from './checkpoints.ts';
import { formerMark } from './former.ts';
import { HIGH_WATER_FILE, readHighWater, writeHighWater } from './high-water.ts';
import { allLogs, givenOrigin, LOG_NAMES, type Logs, openLogs, originOf, restartedName } from './logs.ts';
import { beginIn, logNewKeysIn } from './start.ts';
import { type LogRow, logSql } from './store.ts';
import { sizeOf } from './tree.ts';

/** A log that was ended, and the one that goes on. */
export interface Restarted {
  /** Null where the database is of a time before the log. */
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
export async function restartLogs(desk: KeyedDesk, directory: string): Promise<Restarted[]> {
  const { store } = desk;
  const former = (await store.read(allLogs)).filter(({ name }) => name === 'receipts').length;
  const name = (await store.read(givenOrigin)) ?? readHighWater(directory)?.origin;
  if (name === undefined) throw new Failure('there is no log to restart', 'countersign serve begins one');
  return reopenLogs(desk, directory, restartedName(name, Math.max(former, 1) + 1));
}

/** Ends the logs, if there are any, and opens others of this name. It can be repeated after it was cut short. */
export async function reopenLogs(
  { store, clock, signer }: Pick<KeyedDesk, 'store' | 'clock' | 'signer'>,
  directory: string,
  origin: string,
): Promise<Restarted[]> {
  const former = (await store.read(allLogs)).filter(({ name }) => name === 'receipts').length;
  // One that was cut short has put it aside already, and left one that knows of nothing.
  if (readHighWater(directory)?.origin !== origin) keepMark(directory, former);
  // First: a start between this and the commit refuses, and this can be done again.
  const nothing = { tree_size: 0, root_hash: bytesToHex(emptyRoot(nativePrimitives)) };
  await writeHighWater(directory, {
    origin,
    logs: { receipts: nothing, keys: nothing, revocations: nothing },
  });
  return store.writeAsService((tx) => {
    const logs = openLogs(tx);
    if (logs !== null) return restartIn(tx, { clock, logs, origin });
    // The backup is of a time before the log: everything that it has is entered into the new one.
    const begun = beginIn(tx, clock, origin);
    logNewKeysIn(tx, { logs: begun, clock, signer });
    return LOG_NAMES.map((log) => ({ closed: null, opened: stateOf(tx, begun[log]) }));
  });
}

/** What was published of the former log stays known. */
function keepMark(directory: string, former: number): void {
  const mark = join(directory, HIGH_WATER_FILE);
  if (existsSync(mark)) copyFileSync(mark, join(directory, formerMark(former)));
}

function restartIn(
  tx: Transaction,
  { clock, logs, origin }: { clock: Clock; logs: Logs; origin: string },
): Restarted[] {
  return LOG_NAMES.map((name) => {
    const { logSeq, origin: former } = logs[name];
    const closedSize = newestCheckpoint(tx, logs[name])?.answer.tree_size ?? 0;
    logSql(tx).closeLog.run({ logSeq, closedSize, closedAt: timestamp(clock) });
    const opened = logSql(tx).insertLog.get({
      name,
      origin: originOf(origin, name),
      openedAt: timestamp(clock),
    });
    return { closed: { origin: former, tree_size: closedSize }, opened: stateOf(tx, opened) };
  });
}

function stateOf(tx: Transaction, log: LogRow) {
  return { origin: log.origin, tree_size: sizeOf(tx, log) };
}

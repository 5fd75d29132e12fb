import type { Snapshot, Transaction } from '../../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../../platform/time/clock.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import { closedLogsIn, type IndexedChange } from '../../../../proof/log/log-chain.ts';
import { type LogChange, logChangeText, readLogChange } from '../../../../proof/log/log-change.ts';
import { commonOf, LOG_NAMES, type LogName, originOf } from '../../../../proof/log/log-names.ts';
import { newestCheckpoint } from '../../checkpoints/checkpoints.ts';
import { NOTHING_PUBLISHED } from '../../high-water.ts';
import { archivedMarkOf, archivedMarks } from '../../lifecycle/closed-logs.ts';
import { refuseOlderDatabase } from '../../lifecycle/fork.ts';
import { allLogs, commonOrigin, FIRST_LEAF, type LogRow, type Logs, openLogsOf } from '../../logs.ts';
import { appendIn } from '../../tree/append.ts';
import { insertKeyLeaf, logChangeLeaves } from '../store.ts';

/** Returns the entries of the key log about closed logs and those that continue them. */
export async function logChangesOf(snapshot: Snapshot): Promise<IndexedChange[]> {
  return (await logChangeLeaves(snapshot)).map(({ leafSeq, entry }) => ({
    change: readLogChange(entry),
    index: leafSeq - FIRST_LEAF,
  }));
}

/** Logs the closing or the continuation of a log, in its transaction. @returns the leaf's index */
export function appendLogChangeIn(tx: Transaction, log: LogRow, change: LogChange): Promise<number> {
  const text = logChangeText(change);
  return appendIn(tx, log, text, (leafHash) =>
    insertKeyLeaf(tx, { keySeq: null, event: change.event, leafHash, entry: text }),
  );
}

/** Returns whether the key log lacks a closed log of this directory. */
export async function isAnyClosingUnlogged(snapshot: Snapshot, directory: string): Promise<boolean> {
  return (await unloggedNames(snapshot, directory)).missing.length > 0;
}

/**
 * Appends an entry for each closed log that the key log lacks, and one for each log that continues it, oldest
 * first. Versions before 0.1.0 made no such entries, and a restored database may have lost them.
 *
 * @param directory the data directory: its archived high-water marks know logs that a restored database does
 * not, and how much of each was published
 * @throws Failure for a database that is behind what was published, whose logs are not the newest ones
 */
export async function appendLogChangesIn(
  tx: Transaction,
  logs: Logs,
  clock: Clock,
  directory: string,
): Promise<void> {
  const { missing, all } = await unloggedNames(tx, directory);
  if (missing.length === 0) return;
  await refuseOlderDatabase(tx, directory);
  const at = timestamp(clock);
  const names = [...missing, commonOrigin(logs)];
  for (const [position, common] of missing.entries()) {
    for (const log of LOG_NAMES) {
      const origin = originOf(common, log);
      const state = await closedStateOf(tx, directory, {
        common,
        log,
        row: all.find((row) => row.origin === origin),
      });
      await appendLogChangeIn(tx, logs.keys, { event: 'log_closed', log, origin, ...state, at });
    }
    const next = names[position + 1] ?? common;
    for (const log of LOG_NAMES)
      await appendLogChangeIn(tx, logs.keys, {
        event: 'log_continued',
        log,
        origin: originOf(next, log),
        predecessor: originOf(common, log),
        at,
      });
  }
}

/** Returns the common origins of closed logs that the key log lacks, oldest first, and all logs. */
async function unloggedNames(
  snapshot: Snapshot,
  directory: string,
): Promise<{ missing: string[]; all: LogRow[] }> {
  const all = await allLogs(snapshot);
  const open = openLogsOf(all);
  const names = all.filter(({ name }) => name === 'receipts').map(commonOf);
  const marks = archivedMarks(directory).sort((one, other) => one.number - other.number);
  // A restored database does not know the logs that were opened since: those with later marks.
  for (const { number, mark } of marks)
    if (mark !== null && !names.includes(mark.origin)) names.splice(number - 1, 0, mark.origin);
  const logged = new Set(closedLogsIn(await logChangesOf(snapshot)).map(({ origin }) => origin));
  const current = open === null ? null : commonOrigin(open);
  const missing = names.filter((name) => name !== current && !logged.has(originOf(name, 'receipts')));
  return { missing, all };
}

/**
 * Returns the published size of a closed log and the root of this size: by its archived high-water mark, or
 * as an uncertain one by its newest checkpoint.
 */
async function closedStateOf(
  snapshot: Snapshot,
  directory: string,
  { common, log, row }: { common: string; log: LogName; row: LogRow | undefined },
): Promise<{ tree_size: number; root_hash: string; certain: boolean }> {
  const mark = archivedMarkOf(directory, common)?.logs[log] ?? null;
  const newest = row === undefined ? null : await newestCheckpoint(snapshot, row);
  const signed =
    newest === null
      ? NOTHING_PUBLISHED
      : { tree_size: newest.response.tree_size, root_hash: bytesToHex(newest.rootHash) };
  if (mark === null || signed.tree_size > mark.tree_size) return { ...signed, certain: false };
  return { ...mark, certain: true };
}

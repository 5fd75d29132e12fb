import type { ModuleEntry } from '../../platform/module.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import type { LogRow, Logs } from './logs.ts';

/** A stored leaf. */
export interface Leaf {
  /** The exact text of its entry. */
  entry: string;
  leafHash: Uint8Array;
}

/**
 * Provides the entries of a log. The capability whose actions a log records writes the entries and stores the
 * leaves in its own table; its module registers this object. The log itself does not interpret entries.
 */
export interface LogContent {
  log: LogName;
  /**
   * Reads the leaves with index `from` to `to`, exclusive, that exist.
   * @throws LogDamage for a leaf whose entry is lost
   */
  leavesOf(snapshot: Snapshot, from: number, to: number): Promise<readonly Leaf[]>;
  /**
   * Appends entries that the log should have and does not, such as keys of a new version. Runs when a start
   * or a restart opens the log. `directory` is the data directory.
   */
  backfill?: {
    isNeededIn(snapshot: Snapshot, directory: string): Promise<boolean>;
    appendIn(tx: Transaction, logs: Logs, directory: string): Promise<void>;
  };
  /**
   * Appends a leaf that a copy of the log has and a restored database lacks, and repeats in the capability's
   * rows what the entry records.
   * @returns what is lost, since the entry does not have it, in words that follow "could not be recovered: ";
   * null if nothing is
   * @throws LogEntryError for a text that is not an entry of this log
   */
  recoverIn(tx: Transaction, log: LogRow, entry: string): Promise<string | null>;
  /**
   * Appends what follows from recovered entries of other logs and is missing, because those were published a
   * moment earlier. Runs after all logs are recovered. @returns the number of appended leaves
   */
  completeIn?(
    tx: Transaction,
    logs: Logs,
    recovered: Readonly<Record<LogName, readonly string[]>>,
  ): Promise<number>;
}

/** Returns the content of a log. @throws Error if no module provides it */
export function logContentOf(contents: readonly LogContent[], name: LogName): LogContent {
  const content = contents.find(({ log }) => log === name);
  if (content === undefined) throw new Error(`no module fills the log of ${name}`);
  return content;
}

/** Returns whether no log needs a backfill. */
export async function areLogsBackfilledIn(
  snapshot: Snapshot,
  contents: readonly LogContent[],
  directory: string,
): Promise<boolean> {
  for (const { backfill } of contents) if (await backfill?.isNeededIn(snapshot, directory)) return false;
  return true;
}

/** Appends the entries that the logs lack. */
export async function backfillLogsIn(
  tx: Transaction,
  contents: readonly LogContent[],
  logs: Logs,
  directory: string,
): Promise<void> {
  for (const { backfill } of contents) await backfill?.appendIn(tx, logs, directory);
}

/** A module that provides contents of logs. */
export interface LoggingModule extends ModuleEntry {
  logContents(): Promise<object>;
}

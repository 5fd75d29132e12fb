import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import type { LogRow, Logs } from './logs.ts';

/** A leaf as it is stored. */
export interface Leaf {
  /** The exact text of its entry. */
  entry: string;
  leafHash: Uint8Array;
}

/**
 * What fills a log. The capability whose acts a log tells makes the entries, stores the leaves in a table of its own, and brings this by
 * its module; the log itself knows the meaning of no entry.
 */
export interface LogContent {
  log: LogName;
  /** The leaves with index `from` to `to`, exclusive, as far as they are there. @throws LogDamage for a leaf whose entry is lost */
  leavesOf(snapshot: Snapshot, from: number, to: number): Promise<readonly Leaf[]>;
  /** What the log does not have yet, which is looked for whenever it is opened to grow. */
  backfill?: {
    isNeededIn(snapshot: Snapshot): Promise<boolean>;
    appendIn(tx: Transaction, logs: Logs): Promise<void>;
  };
  /**
   * Appends a leaf that a copy of the log has and a restored database does not, and does to the capability's rows what the entry says
   * was done. @throws LogEntryError for a text that is no entry of this log
   */
  recoverIn(tx: Transaction, log: LogRow, entry: string): Promise<void>;
}

/** The content of a log. @throws Error for a log that no module fills */
export function logContentOf(contents: readonly LogContent[], name: LogName): LogContent {
  const content = contents.find(({ log }) => log === name);
  if (content === undefined) throw new Error(`no module fills the log of ${name}`);
  return content;
}

/** Whether the logs have all that they are to have when they are opened. */
export async function areLogsBackfilledIn(
  snapshot: Snapshot,
  contents: readonly LogContent[],
): Promise<boolean> {
  for (const { backfill } of contents) if (await backfill?.isNeededIn(snapshot)) return false;
  return true;
}

/** Appends what the logs do not have yet. */
export async function backfillLogsIn(
  tx: Transaction,
  contents: readonly LogContent[],
  logs: Logs,
): Promise<void> {
  for (const { backfill } of contents) await backfill?.appendIn(tx, logs);
}

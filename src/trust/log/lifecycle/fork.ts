import { Failure } from '../../../platform/failure.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { newestCheckpoint } from '../checkpoints/checkpoints.ts';
import { openOwnCheckpoint } from '../checkpoints/sign.ts';
import type { LogSigner } from '../checkpoints/signer.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater } from '../high-water.ts';
import {
  allLogs,
  commonOrigin,
  type EarlierLogs,
  earlierLogsOf,
  type LogRow,
  type Logs,
  openLogsOf,
} from '../logs.ts';
import { rootOf, sizeOf } from '../tree/tree.ts';

/** The remedies for a log that must not be signed. */
export const FORK_HINT =
  `after a move, copy ${HIGH_WATER_FILE} from the old machine; after a restored backup, countersign recover ` +
  '--from-tiles restores the missing entries from a copy of the log, such as a monitor keeps (add --trust-copy if ' +
  `${HIGH_WATER_FILE} is lost); without a copy, end this log and start another with countersign log restart. Meanwhile countersign serve ` +
  '--read-only serves reads';

/**
 * Refuses a database that is behind, or differs from, what was published: signing from an older or another
 * tree would fork the log.
 * @throws Failure
 */
export async function refuseFork(
  snapshot: Snapshot,
  logs: Logs,
  signer: LogSigner,
  directory: string,
): Promise<void> {
  const reason = await forkReason(snapshot, logs, directory);
  if (reason !== null) throw forkFailure(reason);
  for (const name of LOG_NAMES) await requireValidCheckpoint(snapshot, logs[name], signer);
}

/**
 * Refuses a database that is behind, or differs from, what was published, before its logs are opened.
 * @throws Failure
 */
export async function refuseOlderDatabase(snapshot: Snapshot, directory: string): Promise<void> {
  const all = await allLogs(snapshot);
  const logs = openLogsOf(all) ?? earlierLogsOf(all);
  const reason = logs === null ? null : await forkReason(snapshot, logs, directory);
  if (reason !== null) throw forkFailure(reason);
}

/** Returns the failure of a start that must not sign. @param reason of `forkReason` */
export function forkFailure(reason: string): Failure {
  return new Failure(`the log must not be continued: ${reason}`, FORK_HINT);
}

/**
 * Returns why the logs of a database must not be signed; null if they may.
 * @throws Failure for an unreadable high-water mark
 */
export function forkReason(snapshot: Snapshot, logs: EarlierLogs, directory: string): Promise<string | null> {
  return forkReasonByMark(readHighWater(directory), snapshot, logs);
}

/** Does the same with a mark that was read before. @param mark null if there is none */
export async function forkReasonByMark(
  mark: HighWater | null,
  snapshot: Snapshot,
  logs: EarlierLogs,
): Promise<string | null> {
  for (const name of LOG_NAMES) {
    const log = logs[name];
    // The next start opens a log that this version introduced.
    const reason =
      log === undefined
        ? missingLogReason(mark, name)
        : await forkIn(snapshot, log, mark, commonOrigin(logs));
    if (reason !== null) return reason;
  }
  return null;
}

/** Returns why a log that the database lacks must not be opened; null if it may. */
function missingLogReason(mark: HighWater | null, name: LogName): string | null {
  const published = mark?.logs[name].tree_size ?? 0;
  if (published === 0) return null;
  return `the database has no log of ${name}, but ${published} of its leaves were published: an older backup was restored`;
}

/** Returns why a log's tree does not match what was published; null if it does. */
async function forkIn(
  snapshot: Snapshot,
  log: LogRow,
  mark: HighWater | null,
  origin: string,
): Promise<string | null> {
  const published = await newestCheckpoint(snapshot, log);
  if (mark === null) {
    return published === null
      ? null
      : `${HIGH_WATER_FILE} is missing, so it is unknown how much of ${log.origin} was published`;
  }
  if (mark.origin !== origin)
    return `${HIGH_WATER_FILE} belongs to ${mark.origin}, the database to ${origin}`;
  const { tree_size, root_hash } = mark.logs[log.name];
  const size = await sizeOf(snapshot, log);
  if (size < tree_size) {
    return `${log.origin} has ${size} leaves, but ${tree_size} were published: an older backup was restored`;
  }
  const root = await rootOf(snapshot, log, tree_size);
  if (bytesToHex(root) !== root_hash) {
    return `the first ${tree_size} leaves of ${log.origin} differ from those that were published`;
  }
  if (published !== null && published.response.tree_size > tree_size) {
    return `${HIGH_WATER_FILE} is older than the database: it has ${tree_size} leaves of ${log.origin}, and the database published ${published.response.tree_size}`;
  }
  return null;
}

/** Verifies that the newest checkpoint is signed by the log's keys and matches the tree. @throws Failure */
async function requireValidCheckpoint(snapshot: Snapshot, log: LogRow, signer: LogSigner): Promise<void> {
  const published = await newestCheckpoint(snapshot, log);
  if (published === null) return;
  const damaged = (reason: string): Failure =>
    new Failure(
      `the newest checkpoint of ${log.origin} is damaged: ${reason}`,
      'countersign fsck shows details',
    );
  let opened: ReturnType<typeof openOwnCheckpoint>;
  try {
    opened = openOwnCheckpoint(signer, log, published.response.note);
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
  const { size, root, origin } = opened.checkpoint;
  const actual = size <= (await sizeOf(snapshot, log)) ? await rootOf(snapshot, log, size) : null;
  const isIts = origin === log.origin && size === published.response.tree_size;
  if (!isIts || actual === null || bytesToHex(actual) !== bytesToHex(root)) {
    throw damaged('it does not match the tree');
  }
}

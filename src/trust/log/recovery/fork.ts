import { Failure } from '../../../platform/failure.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { LOG_NAMES } from '../../../proof/log/log-names.ts';
import { newestCheckpoint } from '../checkpoints/checkpoints.ts';
import { openOwnCheckpoint } from '../checkpoints/sign.ts';
import type { LogSigner } from '../checkpoints/signer.ts';
import { commonOrigin, type LogRow, type Logs } from '../logs.ts';
import { rootOf, sizeOf } from '../tree/tree.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater } from './high-water.ts';

/** What can be done about a log that must not be signed on. */
export const FORK_HINT =
  `after a move, bring ${HIGH_WATER_FILE} along from the former machine; after a restored backup, countersign recover ` +
  '--from-tiles brings back from a copy of the log, such as a monitor keeps, what is missing (with --trust-copy where ' +
  `${HIGH_WATER_FILE} is lost); without a copy, countersign log restart ends this log and begins another; countersign serve ` +
  '--read-only answers reads meanwhile';

/**
 * That the database is not behind or beside what was published: whoever signs on from an older or another tree tells two
 * stories. @throws Failure
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

/** Returns what a start says that must not sign on. @param reason of `forkReason` */
export function forkFailure(reason: string): Failure {
  return new Failure(`the log must not be signed on: ${reason}`, FORK_HINT);
}

/** Why a database must not be signed on; null when it may. @throws Failure for a mark that cannot be read */
export function forkReason(snapshot: Snapshot, logs: Logs, directory: string): Promise<string | null> {
  return forkReasonByMark(readHighWater(directory), snapshot, logs);
}

/** The same by a mark that was read. @param mark null where there is none */
export async function forkReasonByMark(
  mark: HighWater | null,
  snapshot: Snapshot,
  logs: Logs,
): Promise<string | null> {
  for (const name of LOG_NAMES) {
    const reason = await forkIn(snapshot, logs[name], mark, commonOrigin(logs));
    if (reason !== null) return reason;
  }
  return null;
}

/** Why a log's tree cannot be what was published last; null when it can. */
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
      : `${HIGH_WATER_FILE} is missing, and without it nobody knows how much of ${log.origin} was published`;
  }
  if (mark.origin !== origin) return `${HIGH_WATER_FILE} is of ${mark.origin}, the database of ${origin}`;
  const { tree_size, root_hash } = mark.logs[log.name];
  const size = await sizeOf(snapshot, log);
  if (size < tree_size) {
    return `${log.origin} has ${size} leaves, and ${tree_size} were published: an older backup was restored`;
  }
  const root = await rootOf(snapshot, log, tree_size);
  if (bytesToHex(root) !== root_hash) {
    return `the first ${tree_size} leaves of ${log.origin} are not those that were published`;
  }
  if (published !== null && published.response.tree_size > tree_size) {
    return `${HIGH_WATER_FILE} is older than the database: it knows of ${tree_size} leaves of ${log.origin}, the database published ${published.response.tree_size}`;
  }
  return null;
}

/** @throws Failure unless the newest checkpoint is signed by the log's keys and is of this tree. */
async function requireValidCheckpoint(snapshot: Snapshot, log: LogRow, signer: LogSigner): Promise<void> {
  const published = await newestCheckpoint(snapshot, log);
  if (published === null) return;
  const damaged = (reason: string): Failure =>
    new Failure(
      `the newest checkpoint of ${log.origin} is damaged: ${reason}`,
      'countersign fsck tells more',
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
    throw damaged('it is not one of this tree');
  }
}

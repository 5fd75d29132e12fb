import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { DuplicateRow } from '../../../platform/store/errors.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { entriesFrom, type LogSource } from '../../../platform/tlog/source.ts';
import { verifierKeyOf } from '../../../platform/tlog/verifier-key.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import { keyLogOf, keyLogProblems } from '../../../proof/log/key-log.ts';
import { logPurposeOf } from '../../../proof/log/key-purposes.ts';
import { logChainProblems } from '../../../proof/log/log-chain.ts';
import { readKeyLogEntry } from '../../../proof/log/log-change.ts';
import type { KeyEntry } from '../../../proof/log/log-entry.ts';
import {
  commonOf,
  KEYS_FIRST,
  LATER_LOGS,
  type LogName,
  mapLogs,
  mapLogsInOrder,
} from '../../../proof/log/log-names.ts';
import { emptyRoot, Frontier, leafHash } from '../../../proof/log/merkle.ts';
import { parseNote } from '../../../proof/log/note.ts';
import { openCheckpoint } from '../../../proof/log/note-signature.ts';
import { newestCheckpoint } from '../checkpoints/checkpoints.ts';
import type { LogSigner } from '../checkpoints/signer.ts';
import { type LogContent, logContentOf } from '../contents.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater, writeHighWater } from '../high-water.ts';
import { type LogContext, openLaterLogsIn } from '../lifecycle/create.ts';
import { forkReasonByMark } from '../lifecycle/fork.ts';
import { commonOrigin, type Logs, openLogs } from '../logs.ts';
import type { LogRow } from '../store.ts';
import { rootOf, sizeOf } from '../tree/tree.ts';

/** The leaves that a copy of a log has and the database lacks. */
interface MissingLeaves {
  name: LogName;
  /** The exact texts of the entries. */
  entries: string[];
  size: number;
  root: Uint8Array;
}

/** A recovered log. */
export interface RecoveredLog {
  tree_size: number;
  /** The number of its recovered leaves, with those that followed from leaves of other logs. */
  recovered: number;
  /** What these leaves record and the copy does not have, one phrase each. */
  not_recovered: string[];
}

export type RecoveredLogs = Record<LogName, RecoveredLog>;

type OwnKeys = ReturnType<LogSigner['logKeysOnDisk']>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const REFUSED_ENTRY_HINT =
  'examine the copy with countersign fsck; if this log published the entry, end this log and start another with countersign log restart';

export interface RecoverOptions {
  /**
   * If the high-water mark is lost, take the tree of the copy for all that was published. Checkpoints beyond
   * the copy may exist, which the log then contradicts.
   */
  trustCopy: boolean;
}

/**
 * Restores from a copy what a restored backup lacks: the leaves, and what their entries record. It restores
 * all or nothing. The leaves must hash to a checkpoint that the log's own key signed, and extend the newest
 * checkpoint of the database and the high-water mark.
 *
 * @param progress gets the number of entries read, and their share, 0 to 1
 * @throws Failure for a copy of another log, and one that lacks published leaves or contradicts the database
 */
export async function recoverLogs(
  parts: LogContext,
  directory: string,
  source: LogSource,
  progress: (count: number, share: number) => void,
  { trustCopy }: RecoverOptions = { trustCopy: false },
): Promise<RecoveredLogs> {
  const { store } = parts;
  const logs =
    (await store.read(openLogs)) ??
    (await store.writeAsService((tx) => openLaterLogsIn(tx, parts.clock, null)));
  if (logs === null)
    throw new Failure('the database has no transparency log to add leaves to', 'restore a later backup');
  const mark = readHighWater(directory);
  if (mark === null && !trustCopy) {
    throw new Failure(
      `${HIGH_WATER_FILE} is missing, so it is unknown whether the copy has everything that was published`,
      'copy it from the old machine; if it is lost, use --trust-copy to accept the copy as complete, or countersign log restart to end this log and begin another',
    );
  }
  const missing: MissingLeaves[] = [];
  for (const name of KEYS_FIRST) {
    const before = missing.reduce((sum, { entries }) => sum + entries.length, 0);
    const keyLog = missing.find((log) => log.name === 'keys')?.entries ?? [];
    missing.push(
      await readMissing(parts, directory, { source, keyLog }, logs[name], (count) =>
        progress(before + count, before > 0 ? 1 : 0.5),
      ),
    );
  }
  const recovered = await store
    .writeAsService(async (tx) => {
      const recoveredLogs = await recoverIn(tx, parts, logs, missing);
      if (mark !== null) await requireNoFork(tx, logs, mark);
      return recoveredLogs;
    })
    .catch(async (error: unknown) => {
      throw error instanceof OtherRoot ? await otherRootFailure(source, error.log, error.copy) : error;
    });
  // Last: without the mark nothing is signed, and the recovery can be repeated.
  if (mark === null) await writeHighWater(directory, markOf(logs, missing));
  return recovered;
}

/** Returns the mark for the trees of the copy. */
function markOf(logs: Logs, missing: readonly MissingLeaves[]): HighWater {
  const published = (name: LogName) => {
    const copy = missing.find((log) => log.name === name);
    if (copy === undefined) throw new Error(`the copy has no log ${name}`);
    return { tree_size: copy.size, root_hash: bytesToHex(copy.root) };
  };
  return {
    origin: commonOrigin(logs),
    logs: mapLogs(published),
  };
}

async function readMissing(
  { store, signer }: LogContext,
  directory: string,
  { source, keyLog }: { source: LogSource; keyLog: readonly string[] },
  log: LogRow,
  progress: (count: number) => void,
): Promise<MissingLeaves> {
  const { name, origin } = log;
  if (await isUnknownToCopy(store, directory, log))
    return { name, entries: [], size: 0, root: emptyRoot(nativePrimitives) };
  const bytes = await source.read(`${name}/checkpoint`);
  const opened = (entries: readonly string[]) =>
    checkpointOf(bytes, keysOf(name, signer, entries), origin, source.location);
  const checkpoint = opened(keyLog);
  const marked = readHighWater(directory)?.logs[name].tree_size ?? 0;
  const stored = await store.read((snapshot) => newestCheckpoint(snapshot, log));
  const published = Math.max(marked, stored?.response.tree_size ?? 0);
  if (checkpoint.size < published) {
    throw new Failure(
      `${source.location} has ${checkpoint.size} leaves of ${origin}, but ${published} were published`,
      'use a newer copy',
    );
  }
  const known = await store.read((snapshot) => sizeOf(snapshot, log));
  const entries: string[] = [];
  for await (const bundle of entriesFrom(source, name, known, checkpoint.size)) {
    entries.push(...bundle.map((entry) => utf8.decode(entry)));
    progress(entries.length);
  }
  // Only its entries say what the keys are for that the database lacks, so the checkpoint is opened again.
  if (name === 'keys') opened(entries);
  return { name, entries, size: checkpoint.size, root: checkpoint.root };
}

/** Returns whether a copy may lack a log: it was introduced after the last checkpoints, or is unpublished. */
async function isUnknownToCopy(store: Store, directory: string, log: LogRow): Promise<boolean> {
  if (!LATER_LOGS.includes(log.name) || readHighWater(directory)?.logs[log.name].tree_size !== 0)
    return false;
  return (await store.read((snapshot) => sizeOf(snapshot, log))) === 0;
}

/**
 * Returns the public keys that may have signed a log: those in the keys directory. Keys that the missing
 * entries of the key log name as compromised, or for another purpose, are left out.
 */
function keysOf(name: LogName, signer: LogSigner, keyLog: readonly string[]): OwnKeys {
  const excludedKeys = new Set(
    keyLog
      .flatMap((text) => keyEntryIn(text) ?? [])
      .filter(({ purpose, event }) => purpose !== logPurposeOf(name) || event === 'compromised')
      .map(({ public_key }) => public_key),
  );
  return signer.logKeysOnDisk(name).filter(({ publicKey }) => !excludedKeys.has(publicKey));
}

/** Parses an entry of a key log about a key; null for another text: the recovery refuses what is no entry. */
function keyEntryIn(text: string): KeyEntry | null {
  try {
    const entry = readKeyLogEntry(text);
    return 'key' in entry ? entry.key : null;
  } catch (error) {
    if (error instanceof LogEntryError) return null;
    throw error;
  }
}

function checkpointOf(bytes: Uint8Array, ownKeys: OwnKeys, origin: string, sourceName: string) {
  const keys = ownKeys.map((key) => verifierKeyOf(key, origin));
  try {
    // First: another log has other signers, and a missing signature is then not the problem.
    const namedOrigin = parseCheckpoint(parseNote(bytes).text).origin;
    if (namedOrigin !== origin) throw new Error(`it is of ${namedOrigin}`);
    return openCheckpoint(nativePrimitives, bytes, keys).checkpoint;
  } catch (error) {
    throw new Failure(
      `the checkpoint in ${sourceName} is not a valid one of ${origin}: ${error instanceof Error ? error.message : String(error)}`,
      'use a copy of this log',
    );
  }
}

async function recoverIn(
  tx: Transaction,
  { contents }: LogContext,
  logs: Logs,
  missing: readonly MissingLeaves[],
): Promise<RecoveredLogs> {
  const lost = mapLogs((): string[] => []);
  for (const name of KEYS_FIRST) {
    const log = logs[name];
    for (const { entries, size, root } of missing.filter((copy) => copy.name === name)) {
      const content = logContentOf(contents, name);
      const known = await sizeOf(tx, log);
      for (const entry of entries) {
        const part = await recoverEntryIn(tx, content, log, entry);
        if (part !== null) lost[name].push(part);
      }
      if (!equalBytes(await rootOf(tx, log, size), root)) throw new OtherRoot(log, { size, root });
      if (name === 'keys') await requireVouchedKeys(tx, content, log, { from: known, to: size });
      await requireNewestCheckpoint(tx, log);
    }
  }
  const recovered = mapLogs((name) => missing.find((copy) => copy.name === name)?.entries ?? []);
  const appended = mapLogs(() => 0);
  for (const content of contents)
    appended[content.log] = (await content.completeIn?.(tx, logs, recovered)) ?? 0;
  const report = async (name: LogName) => ({
    tree_size: await sizeOf(tx, logs[name]),
    recovered: recovered[name].length + appended[name],
    // Of a receipt with several leaves, each would name it again.
    not_recovered: [...new Set(lost[name])],
  });
  return mapLogsInOrder(report);
}

/**
 * Recovers an entry.
 * @throws Failure for one that contradicts itself or the entries before: the log's key signed it nevertheless
 */
async function recoverEntryIn(
  tx: Transaction,
  content: LogContent,
  log: LogRow,
  entry: string,
): Promise<string | null> {
  const index = await sizeOf(tx, log);
  try {
    return await content.recoverIn(tx, log, entry);
  } catch (error) {
    if (!(error instanceof LogEntryError || error instanceof DuplicateRow)) throw error;
    throw new Failure(
      `entry ${index} of ${log.origin} in the copy cannot be recovered: ${error.message}`,
      REFUSED_ENTRY_HINT,
    );
  }
}

/**
 * Verifies the recovered entries of the key log: a key that signs for a log only because it says so itself is
 * not the log's.
 * @throws Failure
 */
async function requireVouchedKeys(
  snapshot: Snapshot,
  content: LogContent,
  log: LogRow,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const leaves = await content.leavesOf(snapshot, 0, to);
  const { keys, changes } = keyLogOf(
    leaves.map(({ entry }, index) => ({ entry: readKeyLogEntry(entry), index })),
  );
  const wrong = [...keyLogProblems(nativePrimitives, keys), ...logChainProblems(changes, commonOf(log))].find(
    ({ index }) => index >= from,
  );
  if (wrong === undefined) return;
  throw new Failure(
    `entry ${wrong.index} of ${log.origin} in the copy cannot be recovered: ${wrong.what}`,
    REFUSED_ENTRY_HINT,
  );
}

/**
 * Verifies that a start may sign the recovered logs.
 * @throws Failure for a copy of what somebody else published with the log's key
 */
async function requireNoFork(snapshot: Snapshot, logs: Logs, mark: HighWater): Promise<void> {
  const reason = await forkReasonByMark(mark, snapshot, logs);
  if (reason === null) return;
  throw new Failure(
    `the copy does not have what this directory published: ${reason}`,
    'use a copy of what this directory published; without one, end this log and start another with countersign log restart',
  );
}

/** The leaves of the database with the entries of the copy do not have the root of the copy's checkpoint. */
class OtherRoot extends Error {
  override readonly name = 'OtherRoot';
  constructor(
    readonly log: LogRow,
    readonly copy: Pick<MissingLeaves, 'size' | 'root'>,
  ) {
    super(`the copy of ${log.origin} has another root`);
  }
}

/**
 * Returns the reason for another root: the copy is damaged, or the database has other leaves than the copy.
 */
async function otherRootFailure(
  source: LogSource,
  { name, origin }: LogRow,
  { size, root }: Pick<MissingLeaves, 'size' | 'root'>,
): Promise<Failure> {
  const frontier = new Frontier(nativePrimitives);
  for await (const bundle of entriesFrom(source, name, 0, size)) {
    for (const entry of bundle) frontier.append(leafHash(nativePrimitives, entry));
  }
  if (!equalBytes(frontier.root(), root)) {
    return new Failure(
      `the entries of ${origin} in the copy do not hash to the root in its checkpoint: the copy is damaged`,
      'use another copy',
    );
  }
  return new Failure(
    `the leaves of ${origin} in the database differ from the first leaves of the copy`,
    'run countersign fsck to see whether the database is damaged, and restore another backup; without one, end this log and start another with countersign log restart',
  );
}

/** Verifies that the leaves contain the tree of the newest checkpoint of the database. @throws Failure */
async function requireNewestCheckpoint(snapshot: Snapshot, log: LogRow): Promise<void> {
  const newest = await newestCheckpoint(snapshot, log);
  if (newest === null) return;
  const { tree_size: size } = newest.response;
  if (equalBytes(await rootOf(snapshot, log, size), newest.rootHash)) return;
  throw new Failure(
    `the copy of ${log.origin} does not contain the checkpoint of ${size} leaves that the database has published`,
    'run countersign fsck to see what is wrong with the database',
  );
}

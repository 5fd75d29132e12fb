import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { entriesFrom, type LogSource } from '../../../platform/tlog/source.ts';
import { verifierKeyOf } from '../../../platform/tlog/verifier-key.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { parseNote } from '../../../proof/log/note.ts';
import { openCheckpoint } from '../../../proof/log/note-signature.ts';
import { newestCheckpoint } from '../checkpoints/checkpoints.ts';
import type { LogSigner } from '../checkpoints/signer.ts';
import { logContentOf } from '../contents.ts';
import type { LogContext } from '../lifecycle/create.ts';
import { commonOrigin, type Logs, openLogs } from '../logs.ts';
import type { LogRow } from '../store.ts';
import { rootOf, sizeOf } from '../tree/tree.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater, writeHighWater } from './high-water.ts';

/** What a copy of a log has beyond the database. */
interface MissingLeaves {
  name: LogName;
  /** The exact texts of the entries. */
  entries: string[];
  size: number;
  root: Uint8Array;
}

/** How many leaves came back, by log. */
export type RecoveredLogs = Record<LogName, { tree_size: number; recovered: number }>;

/** So the key log comes first: what follows was signed by the keys that it brings back. */
const IN_ORDER = ['keys', 'receipts', 'revocations'] as const satisfies readonly LogName[];

const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface RecoverOptions {
  /**
   * Where the mark of what was published is lost, take the copy for all that was published. Beyond what the copy has, anybody may hold
   * checkpoints that the log then contradicts.
   */
  trustCopy: boolean;
}

/**
 * Brings back from a copy what a restored backup does not have: leaves, and what their entries say was done. All of it or nothing, and only
 * what hashes to the checkpoint that the log's own key has signed and begins with the newest checkpoint of the database.
 *
 * @param progress hears of the entries that were read, and of their share, 0 to 1
 * @throws Failure for a copy that is not of this log, does not reach what was published, or contradicts the database
 */
export async function recoverLogs(
  parts: LogContext,
  directory: string,
  source: LogSource,
  progress: (count: number, share: number) => void,
  { trustCopy }: RecoverOptions = { trustCopy: false },
): Promise<RecoveredLogs> {
  const { store } = parts;
  const logs = await store.read(openLogs);
  if (logs === null)
    throw new Failure('the database has no log that anything could be added to', 'restore a later backup');
  const mark = readHighWater(directory);
  if (mark === null && !trustCopy) {
    throw new Failure(
      `${HIGH_WATER_FILE} is missing, and without it nobody knows whether a copy has all that was published`,
      'bring it along from the former machine; if it is lost, --trust-copy takes the copy for all that was published, and countersign log restart ends this log and begins another',
    );
  }
  const missing: MissingLeaves[] = [];
  for (const name of LOG_NAMES) {
    const before = missing.reduce((sum, { entries }) => sum + entries.length, 0);
    missing.push(
      await readMissing(parts, directory, source, logs[name], (count) =>
        progress(before + count, before > 0 ? 1 : 0.5),
      ),
    );
  }
  const recovered = await store.writeAsService((tx) => recoverIn(tx, parts, logs, missing));
  // Last: until it is there nothing is signed, and this can be done again.
  if (mark === null) await writeHighWater(directory, markOf(logs, missing));
  return recovered;
}

/** That what the copy has is what was published. */
function markOf(logs: Logs, missing: readonly MissingLeaves[]): HighWater {
  const published = (name: LogName) => {
    const copy = missing.find((log) => log.name === name);
    if (copy === undefined) throw new Error(`the copy has no log ${name}`);
    return { tree_size: copy.size, root_hash: bytesToHex(copy.root) };
  };
  return {
    origin: commonOrigin(logs),
    logs: {
      receipts: published('receipts'),
      keys: published('keys'),
      revocations: published('revocations'),
    },
  };
}

async function readMissing(
  { store, signer }: LogContext,
  directory: string,
  source: LogSource,
  log: LogRow,
  progress: (count: number) => void,
): Promise<MissingLeaves> {
  const { name, origin } = log;
  const checkpoint = checkpointOf(
    await source.read(`${name}/checkpoint`),
    signer.logKeysOnDisk(),
    origin,
    source.location,
  );
  const marked = readHighWater(directory)?.logs[name].tree_size ?? 0;
  const stored = await store.read((snapshot) => newestCheckpoint(snapshot, log));
  const published = Math.max(marked, stored?.response.tree_size ?? 0);
  if (checkpoint.size < published) {
    throw new Failure(
      `${source.location} has ${checkpoint.size} leaves of ${origin}, and ${published} were published`,
      'find a later copy',
    );
  }
  const known = await store.read((snapshot) => sizeOf(snapshot, log));
  const entries: string[] = [];
  for await (const bundle of entriesFrom(source, name, known, checkpoint.size)) {
    entries.push(...bundle.map((entry) => utf8.decode(entry)));
    progress(entries.length);
  }
  return { name, entries, size: checkpoint.size, root: checkpoint.root };
}

function checkpointOf(
  bytes: Uint8Array,
  ownKeys: ReturnType<LogSigner['logKeysOnDisk']>,
  origin: string,
  sourceName: string,
) {
  const keys = ownKeys.map((key) => verifierKeyOf(key, origin));
  try {
    // First: whoever signed another log's has not signed this one, and that is not what is wrong.
    const namedOrigin = parseCheckpoint(parseNote(bytes).text).origin;
    if (namedOrigin !== origin) throw new Error(`it is of ${namedOrigin}`);
    return openCheckpoint(nativePrimitives, bytes, keys).checkpoint;
  } catch (error) {
    throw new Failure(
      `the checkpoint in ${sourceName} is not one of ${origin}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function recoverIn(
  tx: Transaction,
  { contents }: LogContext,
  logs: Logs,
  missing: readonly MissingLeaves[],
): Promise<RecoveredLogs> {
  for (const name of IN_ORDER) {
    const log = logs[name];
    for (const { entries, size, root } of missing.filter((copy) => copy.name === name)) {
      const content = logContentOf(contents, name);
      for (const entry of entries) await content.recoverIn(tx, log, entry);
      await requireRoot(tx, log, size, root);
      await requireNewestCheckpoint(tx, log);
    }
  }
  const report = async (name: LogName) => ({
    tree_size: await sizeOf(tx, logs[name]),
    recovered: missing.find((copy) => copy.name === name)?.entries.length ?? 0,
  });
  return {
    receipts: await report('receipts'),
    keys: await report('keys'),
    revocations: await report('revocations'),
  };
}

/** @throws Failure unless the first `size` leaves are those of the copy. */
async function requireRoot(snapshot: Snapshot, log: LogRow, size: number, root: Uint8Array): Promise<void> {
  if (equalBytes(await rootOf(snapshot, log, size), root)) return;
  throw new Failure(
    `the database's leaves of ${log.origin} are not the beginning of the copy's`,
    'countersign log restart ends this log and begins another',
  );
}

/** @throws Failure unless the leaves begin with the tree of the newest checkpoint that the database has. */
async function requireNewestCheckpoint(snapshot: Snapshot, log: LogRow): Promise<void> {
  const newest = await newestCheckpoint(snapshot, log);
  if (newest === null) return;
  const { tree_size: size } = newest.response;
  if (equalBytes(await rootOf(snapshot, log, size), newest.rootHash)) return;
  throw new Failure(
    `the copy of ${log.origin} does not begin with the checkpoint of ${size} leaves that the database has published`,
    'countersign fsck says what is wrong with the database',
  );
}

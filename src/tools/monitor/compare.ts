import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { jsonLine, writeOut } from '../../platform/terminal/output.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { type LogSource, logSource } from '../../platform/tlog/source.ts';
import { TileTree } from '../../platform/tlog/tile-tree.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { AHEAD_MS } from '../../proof/encoding/timestamp.ts';
import { CheckpointError, parseCheckpoint } from '../../proof/log/checkpoint.ts';
import type { PublishedClosedLog } from '../../proof/log/log-chain.ts';
import { KEYS_FIRST, LATER_LOGS, type LogName } from '../../proof/log/log-names.ts';
import { NoteError, parseNote } from '../../proof/log/note.ts';
import { openCheckpoint } from '../../proof/log/note-signature.ts';
import { messageOf } from '../../proof/log/problem.ts';
import { EquivocationError, type SignedTree } from './equivocation.ts';
import { storeEquivocation } from './equivocation-evidence.ts';
import { momentOf, statedSeconds } from './keys/freshness.ts';
import { type LogKey, verifiersOf } from './keys/log-keys.ts';
import { keysOfCopy } from './keys/pinned-keys.ts';
import { note, say } from './notes.ts';
import { closedLogsOf, successionOf } from './succession.ts';

/** The result for one log. */
interface ComparedLog {
  /** The origin. */
  log: string;
  tree_size: number;
  /** The number of entries of the other copy. */
  other_tree_size: number;
  /**
   * `not_compared`: one of the copies does not have this log; `lost`: the other copy is of the log that
   * continues this one, and does not have all of its entries.
   */
  result: 'ok' | 'forked' | 'lost' | 'not_compared';
  /** The origin of the log that continues this one, of which the other copy is. */
  continued_as?: string;
}

/** What two copies of a log show. */
interface Comparison {
  /** Null if neither copy has the log. */
  row: ComparedLog | null;
  fork: EquivocationError | null;
  /** What was lost, in a sentence. */
  loss?: string;
}

/**
 * Compares the logs in a monitor's directory with another copy of them, by their checkpoints and the tiles
 * that lead to the two roots; it reads no entry. The other copy can be of the logs that continue these after
 * a restart: then it reads the log of keys. Writes a line of JSON.
 *
 * @param state the monitor's directory, whose keys must have signed the checkpoints of both copies
 * @param location a directory or a URL
 * @param logKey further trusted keys
 * @throws Failure with exit code 2 for a fork, after storing both checkpoints in the directory
 * @throws Failure for copies of different logs, and for one that cannot be read or trusted
 */
export async function compareCopies(
  state: string,
  location: string,
  logKey: readonly string[],
): Promise<void> {
  const { keys } = await keysOfCopy(state, logKey);
  const [own, other] = [logSource(state), logSource(location)];
  const logs: ComparedLog[] = [];
  const losses: string[] = [];
  for await (const { row, fork, loss } of compareLogs(own, other, keys)) {
    if (row !== null) logs.push(row);
    if (loss !== undefined) losses.push(loss);
    if (fork === null) continue;
    await writeOut(jsonLine({ ok: false, logs }));
    const at = timestampOf(systemClock.now());
    throw storeEquivocation(state, fork, at, other.location, keys);
  }
  const lacking = logs.filter(({ result }) => result === 'not_compared');
  const isOk = lacking.length + losses.length === 0;
  await writeOut(jsonLine({ ok: isOk, logs }));
  for (const { log } of lacking) note(`${log} was not compared: one of the copies does not have it`);
  for (const loss of losses) note(loss);
  if (!isOk) process.exitCode = 1;
  else say('note', `no fork: ${own.location} and ${other.location} have the same logs, as far as both go`);
}

/**
 * Compares the logs of two copies, in the order of their keys. The other copy can be of the logs that
 * continue those of the first.
 * @throws Failure
 */
export async function* compareLogs(
  own: LogSource,
  other: LogSource,
  keys: readonly LogKey[],
): AsyncGenerator<Comparison> {
  const ours = await openIn(own, 'keys', keys);
  const theirs = await openIn(other, 'keys', keys);
  if (ours === null || theirs === null || ours.checkpoint.origin === theirs.checkpoint.origin) {
    for (const name of KEYS_FIRST) yield await compareLog(name, own, other, keys);
    return;
  }
  const closedLogs = await closedLogsOf(other, theirs.checkpoint);
  const { origin } = ours.checkpoint;
  if (!closedLogs.some((closed) => closed.origin === origin))
    throw new Failure(
      `${other.location}/keys is of ${theirs.checkpoint.origin}, and does not say that it continues ${origin}`,
      'compare copies of one installation, the older one first',
    );
  for (const name of KEYS_FIRST) yield await compareWithNext(name, own, other, { keys, closedLogs });
}

/**
 * Describes how logs with another name continue those of a copy.
 * @returns why nothing can be said, for logs that do not continue it
 * @throws EquivocationError for logs that contradict it
 */
export async function describeNext(
  own: LogSource,
  other: LogSource,
  keys: readonly LogKey[],
): Promise<string> {
  const losses: string[] = [];
  try {
    for await (const { fork, loss } of compareLogs(own, other, keys)) {
      if (fork !== null) throw fork;
      if (loss !== undefined) losses.push(loss);
    }
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return losses.length === 0 ? 'it continues the copy, with all of its entries' : losses.join('; ');
}

/** Compares one log with the one that continues it. @throws Failure */
async function compareWithNext(
  name: LogName,
  own: LogSource,
  other: LogSource,
  { keys, closedLogs }: { keys: readonly LogKey[]; closedLogs: readonly PublishedClosedLog[] },
): Promise<Comparison> {
  const ours = await openIn(own, name, keys);
  const theirs = await openIn(other, name, keys);
  if (ours === null || theirs === null) return { row: unlike(ours, theirs), fork: null };
  const closed = closedLogs.find(({ origin }) => origin === ours.checkpoint.origin);
  const row = { ...rowOf(ours, theirs, 'not_compared'), continued_as: theirs.checkpoint.origin };
  if (closed === undefined) return { row, fork: null };
  const found = await successionOf(other, name, ours.checkpoint, closed, theirs.checkpoint);
  const { result } = found;
  return {
    row: { ...row, result },
    fork: result === 'forked' ? new EquivocationError(name, ours, theirs, found.reason) : null,
    ...(result === 'lost' && { loss: found.reason }),
  };
}

/** A checkpoint that a trusted key signed, and where it is from. */
interface CopiedTree extends SignedTree {
  source: LogSource;
}

/** Compares one log. The row is null if neither copy has it. @throws Failure */
async function compareLog(
  name: LogName,
  own: LogSource,
  other: LogSource,
  keys: readonly LogKey[],
): Promise<Comparison> {
  const ours = await openIn(own, name, keys);
  const theirs = await openIn(other, name, keys, ours?.checkpoint.origin);
  if (ours === null || theirs === null) return { row: unlike(ours, theirs), fork: null };
  const [smaller, larger] = ours.checkpoint.size <= theirs.checkpoint.size ? [ours, theirs] : [theirs, ours];
  const fork = await forkOf(name, smaller, larger);
  return { row: rowOf(ours, theirs, fork === null ? 'ok' : 'forked'), fork };
}

/** Returns the row of a log that at least one of the copies lacks; null if both do. */
function unlike(ours: SignedTree | null, theirs: SignedTree | null): ComparedLog | null {
  const either = ours ?? theirs;
  if (either === null) return null;
  return {
    log: either.checkpoint.origin,
    tree_size: ours?.checkpoint.size ?? 0,
    other_tree_size: theirs?.checkpoint.size ?? 0,
    result: 'not_compared',
  };
}

function rowOf(ours: SignedTree, theirs: SignedTree, result: ComparedLog['result']): ComparedLog {
  return {
    log: ours.checkpoint.origin,
    tree_size: ours.checkpoint.size,
    other_tree_size: theirs.checkpoint.size,
    result,
  };
}

/** Returns how a larger tree contradicts a smaller one; null if it extends it. @throws Failure */
async function forkOf(
  name: LogName,
  smaller: CopiedTree,
  larger: CopiedTree,
): Promise<EquivocationError | null> {
  const { size, root } = smaller.checkpoint;
  const { source, checkpoint } = larger;
  if (size === checkpoint.size) {
    if (equalBytes(root, checkpoint.root)) return null;
    return new EquivocationError(name, smaller, larger, `two trees of ${size} leaves have different roots`);
  }
  const { prefix, whole } = await new TileTree(source, name, checkpoint.size).rootsAt(size);
  if (!equalBytes(whole, checkpoint.root))
    throw new Failure(
      `the tiles in ${source.location}/${name} do not hash to the root of its checkpoint`,
      'nothing is proven about the log: use another copy, this one is damaged or was changed',
    );
  if (!equalBytes(prefix, root)) {
    const reason = `the tree of ${checkpoint.size} leaves does not extend the tree of ${size}: its first ${size} leaves have the root ${bytesToHex(prefix)}`;
    return new EquivocationError(name, smaller, larger, reason);
  }
  if (smaller.seconds === null || larger.seconds === null) return null;
  // The clock of an honest service may have been set back by a minute between the two.
  if (smaller.seconds - larger.seconds <= AHEAD_MS / 1000) return null;
  const reason = `the log was rolled back: a tree of ${size} leaves was signed at ${momentOf(smaller.seconds)}, after one of ${checkpoint.size} leaves at ${momentOf(larger.seconds)}`;
  return new EquivocationError(name, larger, smaller, reason);
}

/**
 * Opens the checkpoint of a copy; null for a log that installations of earlier versions do not have.
 * @param expected the only origin that is accepted
 * @throws Failure
 */
async function openIn(
  source: LogSource,
  name: LogName,
  keys: readonly LogKey[],
  expected?: string,
): Promise<CopiedTree | null> {
  let bytes: Uint8Array;
  try {
    bytes = await source.read(`${name}/checkpoint`);
  } catch (error) {
    if (!LATER_LOGS.includes(name)) throw error;
    note(messageOf(error));
    return null;
  }
  try {
    const { origin } = parseCheckpoint(parseNote(bytes).text);
    if (expected !== undefined && origin !== expected)
      throw new Failure(
        `${source.location}/${name} is of ${origin}, but the first copy is of ${expected}`,
        'compare copies of the same installation',
      );
    const { checkpoint, checks } = openCheckpoint(nativePrimitives, bytes, verifiersOf(keys, origin));
    return { note: Buffer.from(bytes).toString(), checkpoint, seconds: statedSeconds(checks), source };
  } catch (error) {
    if (!(error instanceof NoteError || error instanceof CheckpointError)) throw error;
    throw new Failure(
      `the checkpoint in ${source.location}/${name} is not trusted: ${error.message}`,
      'update the first copy with countersign monitor --once, in case the keys of the log have changed',
    );
  }
}

import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { entriesFrom, type LogSource } from '../../../platform/tlog/source.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import type { ClosedLog } from '../../../proof/log/closed-log.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import { readAnyRevocationEntry } from '../../../proof/log/log-entry.ts';
import {
  checkpointProblem,
  type LogKey,
  type LogVerdict,
  ofOpenLogs,
  openTrusted,
  signedTree,
  type TrustedCheckpoint,
} from '../../../proof/log/log-keys.ts';
import { isOriginOf } from '../../../proof/log/log-names.ts';
import { Frontier, leafHash } from '../../../proof/log/merkle.ts';
import { NoteError, parseNote } from '../../../proof/log/note.ts';
import {
  describeUnread,
  type InstallationLogs,
  Predecessors,
  predecessorsOf,
} from '../../../proof/log/predecessors.ts';
import type { Revocations } from '../../../proof/receipt/revocations.ts';
import { groupDigits } from '../../../proof/words/group-digits.ts';
import { checkpointIn, closedLogOf, requireEntries } from './closed-copy.ts';

/** The directory of the revocations log, in services and in copies. */
const NAME = 'revocations';

/**
 * The maximum size of the log. The size in a checkpoint is unproven until all entries are read, and reading
 * this many takes hours and gigabytes.
 */
const MAX_ENTRIES = 100_000_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the whole revocations log, and the revocations of receipts in it. Entries of agents only count for
 * the root. One of `keys` must have signed its checkpoint, and the entries must hash to its root. Another log
 * of the same keys than the one that is meant is not read.
 *
 * @param installation which closed logs the log continues
 * @param copies of closed logs, which are read as well
 * @param progress is called with the number of entries read and their share, 0 to 1
 * @throws Failure for a log that is missing, has more than 100 million entries, is not signed by one of
 * `keys`, or has another root
 */
export async function revocationsFrom(
  source: LogSource,
  keys: readonly LogKey[],
  progress: (count: number, share: number) => void,
  installation: InstallationLogs = { keyLog: null, closedLogs: [] },
  copies: readonly LogSource[] = [],
): Promise<Revocations> {
  const checkpoint = await source.read(`${NAME}/checkpoint`);
  const { trusted, other } = opened(checkpoint, source.location, keys);
  const { size, root, time } = trusted;
  const tree = signedTree(trusted);
  if (other !== null) return { revoked: new Set(), time, tree, other };
  if (size > MAX_ENTRIES) {
    throw new Failure(
      `the checkpoint in ${source.location}/${NAME} says that there are ${groupDigits(size)} entries, and at most ${groupDigits(MAX_ENTRIES)} are read`,
      'check the status of the receipt itself with --status',
    );
  }
  const { origin } = trusted;
  const closedLogs = predecessorsOf({ log: origin, name: NAME }, installation);
  const revoked = new Set<string>();
  const read: ClosedLog[] = [];
  for (const copy of copies) read.push(await readClosed(copy, { origin, closedLogs }, revoked));
  const predecessors = new Predecessors(closedLogs, read);
  // Shows the progress bar before the first bundle arrives.
  progress(0, 0);
  await readEntries(source, { size, root }, revoked, {
    entry: (frontier) => predecessors.at(frontier.size, () => frontier.root()),
    bundle: ({ size: read }) => progress(read, read / size),
  });
  const unread = predecessors.unread.map((closed) => describeUnread(closed, origin));
  return { revoked, time, checkpoint, tree, unread };
}

/**
 * Reads a copy of a closed log as far as it was published by the list of keys, whoever signed its checkpoint.
 * @returns the closed log
 * @throws Failure for a copy of another log, or with other entries
 */
async function readClosed(
  copy: LogSource,
  { origin, closedLogs }: { origin: string; closedLogs: readonly ClosedLog[] },
  revoked: Set<string>,
): Promise<ClosedLog> {
  const where = `${copy.location}/${NAME}`;
  const stated = checkpointIn(await copy.read(`${NAME}/checkpoint`), `${where}/checkpoint`);
  const closed = closedLogOf(stated, where, { log: origin, closedLogs });
  const { tree_size: size, root_hash } = closed;
  requireEntries(where, closed, { stored: stated.size, size });
  await readEntries(copy, { size, root: hexToBytes(root_hash), stored: stated.size }, revoked);
  return closed;
}

/** Is called after each entry and after each bundle. */
interface EntriesListener {
  entry(frontier: Frontier): void;
  bundle(frontier: Frontier): void;
}

const NO_LISTENER: EntriesListener = { entry: () => undefined, bundle: () => undefined };

/** Adds the revoked receipts in a log. @throws Failure unless the first `size` entries have the root */
async function readEntries(
  source: LogSource,
  { size, root, stored = size }: { size: number; root: Uint8Array; stored?: number },
  revoked: Set<string>,
  listener = NO_LISTENER,
): Promise<void> {
  const frontier = new Frontier(nativePrimitives);
  for await (const bundle of entriesFrom(source, NAME, 0, stored)) {
    for (const entry of bundle.slice(0, size - frontier.size)) {
      frontier.append(leafHash(nativePrimitives, entry));
      const id = receiptIn(entry, source.location);
      if (id !== null) revoked.add(id);
      listener.entry(frontier);
    }
    listener.bundle(frontier);
    if (frontier.size === size) break;
  }
  if (equalBytes(frontier.root(), root)) return;
  throw new Failure(
    `the entries in ${source.location}/${NAME} do not hash to the root of its checkpoint`,
    'use another copy: this one is damaged or was changed',
  );
}

function opened(
  bytes: Uint8Array,
  location: string,
  keys: readonly LogKey[],
): { trusted: TrustedCheckpoint; other: LogVerdict | null } {
  try {
    const { origin } = parseCheckpoint(parseNote(bytes).text);
    // The same keys also sign the other logs of the installation.
    if (!isOriginOf(origin, NAME))
      throw new NoteError(`it belongs to ${origin}, which is not a revocations log`);
    // What was revoked since is not in a closed log.
    return { trusted: openTrusted(nativePrimitives, bytes, ofOpenLogs(keys)), other: null };
  } catch (error) {
    const problem = checkpointProblem(error);
    if (problem === null) throw error;
    const { check, checkpoint, message } = problem;
    if (check !== 'bad' && checkpoint !== null) return { trusted: checkpoint, other: check };
    throw new Failure(
      `the checkpoint in ${location}/${NAME} cannot be trusted: ${message}`,
      'check the address of the logs, and that --keys, --log-key or the log lines of --policy have the keys of this log',
    );
  }
}

/** Returns the id of the revoked receipt; null for the entry of an agent. */
function receiptIn(entry: Uint8Array, location: string): string | null {
  try {
    const revoked = readAnyRevocationEntry(textOf(entry));
    return 'receipt' in revoked ? revoked.receipt.receipt_id : null;
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    throw new Failure(
      `${location}/${NAME} has an entry that is not a revocation: ${error.message}`,
      'use another copy of the log',
    );
  }
}

function textOf(entry: Uint8Array): string {
  try {
    return utf8.decode(entry);
  } catch {
    throw new LogEntryError('the entry is not UTF-8');
  }
}

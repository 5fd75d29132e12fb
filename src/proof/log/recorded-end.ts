import { equalBytes } from '../encoding/equal-bytes.ts';
import { hexToBytes } from '../encoding/hex.ts';
import type { Primitives } from '../primitives.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { readKeyLogEntries } from './key-log-entries.ts';
import { closedLogsIn, logChainProblems } from './log-chain.ts';
import { checkpointProblem, type LogKey, ofOpenLogs, openTrusted } from './log-keys.ts';
import { commonOf, isOriginOf } from './log-names.ts';
import type { LogPolicy } from './log-policy.ts';
import { Frontier, leafHash } from './merkle.ts';
import { parseNote } from './note.ts';
import { type Cosignatures, checkQuorum } from './quorum.ts';

/** A copy of a log of keys, and the keys that are trusted for it. It is not verified yet. */
export interface KeyLogToTrust {
  checkpoint: Uint8Array;
  entries: readonly Uint8Array[];
  logKeys: readonly LogKey[];
}

/**
 * Returns the closed logs whose ends a log of keys records that the quorum cosigned.
 *
 * Whoever operates a log can close a fork of it that no witness saw. A list of keys can name that as a closed
 * log to one reader only: nothing signs its rows. An entry of a cosigned log of keys is what everyone sees. A
 * fork that it records is found out by each monitor and each cosigned checkpoint of the closed log, and the
 * entry proves it. Of an end that is not certain, the log can have had more, so that it is no final size.
 *
 * @returns their origins with the checkpoints at their ends; empty for a log of keys that does not count
 */
function recordedEnds(
  primitives: Primitives,
  { checkpoint, entries, logKeys }: KeyLogToTrust,
  isCosigned: (note: Uint8Array) => boolean,
) {
  try {
    const { origin, size, root } = openTrusted(primitives, checkpoint, ofOpenLogs(logKeys));
    if (!isOriginOf(origin, 'keys') || !isCosigned(checkpoint)) return [];
    const frontier = new Frontier(primitives);
    const own = entries.slice(0, size);
    for (const entry of own) frontier.append(leafHash(primitives, entry));
    if (frontier.size !== size || !equalBytes(frontier.root(), root)) return [];
    const { changes } = readKeyLogEntries(own);
    if (logChainProblems(changes, commonOf({ origin, name: 'keys' })).length > 0) return [];
    return closedLogsIn(changes).filter(({ certain }) => certain);
  } catch (error) {
    if (checkpointProblem(error) === null) throw error;
    return [];
  }
}

interface QuorumOptions {
  now: number;
  logKeys: readonly Uint8Array[];
  keyLog?: KeyLogToTrust | undefined;
}

/**
 * Checks the cosignatures of a checkpoint as `checkQuorum`. The end of a closed log counts without them, if a
 * cosigned log of keys records it: the newest checkpoints before `log restart` were often never cosigned.
 *
 * @param logKeys the raw public keys that sign the log
 * @param keyLog the log of keys; undefined for none
 * @throws NoteError, CheckpointError for bytes that are not a checkpoint
 */
export function checkQuorumOrEnd(
  primitives: Primitives,
  note: Uint8Array,
  policy: LogPolicy,
  { now, logKeys, keyLog }: QuorumOptions,
): Cosignatures {
  const found = checkQuorum(primitives, note, policy, { now, logKeys });
  if (found.check !== 'missing' || keyLog === undefined) return found;
  const { origin, size, root } = parseCheckpoint(parseNote(note).text);
  const ends = recordedEnds(
    primitives,
    keyLog,
    (other) => checkQuorum(primitives, other, policy, { now, logKeys }).check === 'ok',
  );
  const isRecorded = ends.some(
    (end) => end.origin === origin && end.tree_size === size && equalBytes(hexToBytes(end.root_hash), root),
  );
  return isRecorded ? { ...found, check: 'closed' } : found;
}

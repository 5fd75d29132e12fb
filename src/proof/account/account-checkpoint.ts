import { bytesToHex } from '../encoding/hex.ts';
import { AHEAD_MS } from '../encoding/timestamp.ts';
import { CheckpointError, parseCheckpoint } from '../log/checkpoint.ts';
import type { ClosedLog } from '../log/closed-log.ts';
import { checkpointProblem, type LogKey, openTrusted } from '../log/log-keys.ts';
import { commonOf, isOriginOf, originOf } from '../log/log-names.ts';
import type { LogPolicy } from '../log/log-policy.ts';
import { NoteError, parseNote } from '../log/note.ts';
import { attestedBy, type Cosignatures, checkQuorum, describeCosignatures } from '../log/quorum.ts';
import type { Primitives } from '../primitives.ts';
import type { KeptCheckpoint } from './kept-checkpoints.ts';

/**
 * Nothing is proven about the end of the list for a time after this age of the checkpoint, in milliseconds.
 */
const FRESH_MS = 15 * 60_000;

/** How checkpoints of a log of accounts are judged. */
export interface AccountsTrust {
  /**
   * The origin of the log. A service that restarted its logs, or two of one owner, have several under the
   * same keys. Null: any log.
   */
  log: string | null;
  logKeys: readonly LogKey[];
  policy: LogPolicy;
  /** The Unix time in milliseconds. */
  now: number;
}

/** The newest checkpoint of a log of accounts, which a quorum cosigned recently. */
export interface AccountsCheckpoint extends KeptCheckpoint {
  /** The origin of the log. */
  log: string;
  cosignatures: Cosignatures;
}

/**
 * Returns the origin of the log of accounts that is meant: the only one that log keys name, else that of the
 * service whose list of keys is trusted. If log keys name logs, it is one of these.
 *
 * @param keyLog `log.origin` in the list of keys; null if it has none
 * @returns null if nothing says it
 */
export function accountsLogOf(logKeys: readonly LogKey[], keyLog: string | null): string | null {
  const named = logKeys.flatMap(({ log }) => ('origin' in log ? [log.origin] : []));
  const [only, ...others] = new Set(named.filter((origin) => isOriginOf(origin, 'accounts')));
  if (only !== undefined && others.length === 0) return only;
  if (keyLog === null || !isOriginOf(keyLog, 'keys')) return null;
  const own = originOf(commonOf({ origin: keyLog, name: 'keys' }), 'accounts');
  return named.length === 0 || named.includes(own) ? own : null;
}

/**
 * Judges the newest checkpoint of a log of accounts: the quorum attests that it was the newest less than 15
 * minutes ago, and a key of the log signed it that had not ended by when the quorum had cosigned it. Never
 * throws.
 * @returns the reason why it does not count, in a sentence, and the origin of the log if it is another one
 */
export function judgeNewest(
  primitives: Primitives,
  note: Uint8Array,
  { log, logKeys, policy, now }: AccountsTrust,
): AccountsCheckpoint | NotCounted {
  try {
    const { origin, size, root } = openTrusted(primitives, note, logKeys);
    if (!isOriginOf(origin, 'accounts') || (log !== null && origin !== log)) return notOf(log, origin);
    const cosignatures = checkQuorum(primitives, note, policy, { now, logKeys: publicKeys(logKeys) });
    const times = timesOf(cosignatures, policy);
    if (times === null) return { problem: describeCosignatures(cosignatures) };
    // With `by`, one witness could make an old checkpoint the newest again. NaN from an invalid clock counts
    // as too old.
    if (!(now - times.at < FRESH_MS))
      return { problem: `the quorum cosigned it at ${cosignatures.attested_at}, at least 15 minutes ago` };
    // A signature of the log can be without a time, but the cosignatures tell by when it was made.
    const inUse = logKeys.filter(({ until }) => until === null || until >= times.by);
    if (inUse.length < logKeys.length) openTrusted(primitives, note, inUse);
    return { log: origin, size, root, ...times, cosignatures };
  } catch (error) {
    const found = checkpointProblem(error);
    if (found === null) throw error;
    const { check, checkpoint, message } = found;
    return check === 'wrong_log' && checkpoint !== null
      ? notOf(log, checkpoint.origin)
      : { problem: message };
  }
}

/** Why a checkpoint does not count. */
interface NotCounted {
  problem: string;
  /** The origin of its log, if the log is not the one that is meant. */
  wrongLog?: string;
}

/** Says that a checkpoint is of another log. @param log that is meant; null for any log of accounts */
function notOf(log: string | null, origin: string): NotCounted {
  if (log === null || !isOriginOf(origin, 'accounts'))
    return { problem: `it belongs to ${origin}, and not to ${log ?? 'a log of accounts'}` };
  return { problem: `wrong_log: ${origin} was read, and ${log} is meant`, wrongLog: origin };
}

/**
 * Reads an older checkpoint that was kept. Its tree is compared with the entries, so the cosignatures suffice
 * and the log's own signature, of a key that may have ended since, is not needed. Never throws.
 * @returns null for one that does not count: of another log, without quorum, or of a larger tree than the
 * newest, which the log has grown to meanwhile; the problem if the quorum had cosigned that larger tree
 * before
 */
export function keptCheckpoint(
  primitives: Primitives,
  note: Uint8Array,
  newest: AccountsCheckpoint,
  trust: AccountsTrust,
): KeptCheckpoint | { problem: string } | null {
  const kept = cosignedCheckpoint(primitives, note, newest.log, trust);
  if (kept === null || kept.size <= newest.size) return kept;
  // The clocks of witnesses differ.
  if (kept.by > newest.at - AHEAD_MS) return null;
  const by = new Date(kept.by).toISOString();
  return {
    problem: `the quorum had cosigned ${kept.size} entries by ${by}, more than the ${newest.size} of the checkpoint that is given as the newest`,
  };
}

/**
 * Reads a checkpoint of a closed log, which bounds the times of its leaves like `keptCheckpoint`. Never
 * throws.
 * @returns null for one that does not count: of another log, or without quorum; the problem if the quorum
 * cosigned more entries than the closed log is said to have had
 */
export function closedCheckpoint(
  primitives: Primitives,
  note: Uint8Array,
  { origin, tree_size, certain }: ClosedLog,
  trust: AccountsTrust,
): KeptCheckpoint | { problem: string } | null {
  const kept = cosignedCheckpoint(primitives, note, origin, trust);
  if (kept === null || kept.size <= tree_size || !certain) return kept;
  return {
    problem: `closed_size_contradicted: the quorum cosigned ${kept.size} entries of ${origin}, and the list of keys says that it was closed with ${tree_size}`,
  };
}

/** Reads a checkpoint of a log that the quorum cosigned; null for any other text. */
function cosignedCheckpoint(
  primitives: Primitives,
  note: Uint8Array,
  log: string,
  { logKeys, policy, now }: AccountsTrust,
): KeptCheckpoint | null {
  try {
    const { origin, size, root } = parseCheckpoint(parseNote(note).text);
    if (origin !== log) return null;
    const found = checkQuorum(primitives, note, policy, { now, logKeys: publicKeys(logKeys) });
    const times = timesOf(found, policy);
    return times === null ? null : { size, root, ...times };
  } catch (error) {
    if (error instanceof NoteError || error instanceof CheckpointError) return null;
    throw error;
  }
}

/** Returns the times of a checkpoint that the quorum cosigned; null for any other. */
function timesOf(cosignatures: Cosignatures, policy: LogPolicy): Pick<KeptCheckpoint, 'at' | 'by'> | null {
  const by = attestedBy(policy, cosignatures);
  const { attested_at } = cosignatures;
  return attested_at === null || by === null ? null : { at: Date.parse(attested_at), by };
}

/** Describes two roots of one size, which no log can have. */
export function forkAt({ size, root }: KeptCheckpoint): string {
  return `the quorum cosigned another tree of ${size} entries, with the root ${bytesToHex(root)}: the log has forked, or it was changed`;
}

function publicKeys(keys: readonly LogKey[]): Uint8Array[] {
  return keys.map(({ publicKey }) => publicKey);
}

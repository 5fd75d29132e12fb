import { equalBytes } from '../encoding/equal-bytes.ts';
import { hexToBytes } from '../encoding/hex.ts';
import { type IndexedEntry, type KeyLogEntries, keyLogProblems } from '../log/key-log.ts';
import { readKeyLogEntries } from '../log/key-log-entries.ts';
import { closedLogsIn, type IndexedChange, type PublishedClosedLog } from '../log/log-chain.ts';
import type { KeyEntry } from '../log/log-entry.ts';
import { Frontier, leafHash } from '../log/merkle.ts';
import type { Primitives } from '../primitives.ts';

/** A copy of a closed log of keys. */
export interface ClosedKeyLog {
  /** What its checkpoint states. Whoever signed it: the log that continues says what the log had. */
  origin: string;
  entries: readonly Uint8Array[];
}

/** A log of keys that continues others. */
interface ContinuingLog extends KeyLogEntries {
  origin: string;
  /** The exact entries. */
  entries: readonly Uint8Array[];
  /** The roots of the first 0, 1, 2, … entries. */
  roots: readonly Uint8Array[];
}

/** What a log of keys lacks of those that it continues. */
interface LostEvents {
  /** Why the end of a key, or of a log, may be lost; one sentence each. */
  problems: string[];
  /** What else is lost, or cannot be known; one sentence each. */
  notes: string[];
}

/** Nobody reads more of what was lost than the first entries. */
const MAX_NAMED = 10;

const fromUtf8 = new TextDecoder();

/** Returns the roots of the first 0, 1, 2, … entries. */
export function rootsOf(primitives: Primitives, entries: readonly Uint8Array[]): Uint8Array[] {
  const frontier = new Frontier(primitives);
  const roots = [frontier.root()];
  for (const entry of entries) {
    frontier.append(leafHash(primitives, entry));
    roots.push(frontier.root());
  }
  return roots;
}

/**
 * Compares the closed logs of keys with the log that continues them, which may lack entries after the restore
 * of a backup. Without a copy of a closed log nobody can tell such a loss from a lie: its end may have been
 * that of a stolen key. With a copy, only what ended counts: a key that an operator lets live again by a
 * restore stays noticed, and a key that was only added or activated is in no list, so that nothing of it can
 * be trusted.
 */
export function lostEvents(
  primitives: Primitives,
  log: ContinuingLog,
  copies: readonly ClosedKeyLog[],
): LostEvents {
  const found: LostEvents = { problems: [], notes: [] };
  for (const closed of closedLogsIn(log.changes)) {
    if (closed.log !== 'keys') continue;
    const { origin, tree_size, root_hash, certain } = closed;
    const isBeginning = hasRoot(log.roots, closed);
    const ofLog = copies.filter((copy) => copy.origin === origin);
    for (const { entries } of ofLog) {
      if (hasRoot(rootsOf(primitives, entries.slice(0, tree_size)), closed))
        compare(primitives, { closed, entries, log }, found);
      else
        found.problems.push(
          `the copy of ${origin} does not begin with the ${tree_size} entries of the root ${root_hash}, which ${log.origin} continues`,
        );
    }
    if (ofLog.length > 0) continue;
    if (!isBeginning)
      found.problems.push(
        `${log.origin} does not begin with the ${tree_size} entries of ${origin}, which it continues, and no --predecessor was read`,
      );
    else if (!certain)
      found.notes.push(
        `nothing says how many entries ${origin} had, which ${log.origin} continues: ends of keys may be lost that only a copy has (--predecessor)`,
      );
  }
  return found;
}

function hasRoot(
  roots: readonly Uint8Array[],
  { tree_size, root_hash }: Pick<PublishedClosedLog, 'tree_size' | 'root_hash'>,
): boolean {
  const root = roots[tree_size];
  return root !== undefined && equalBytes(root, hexToBytes(root_hash));
}

/** Compares a copy of a closed log, which begins with what was published, with the log that continues it. */
function compare(
  primitives: Primitives,
  {
    closed,
    entries,
    log,
  }: { closed: PublishedClosedLog; entries: readonly Uint8Array[]; log: ContinuingLog },
  { problems, notes }: LostEvents,
): void {
  const { origin, tree_size, certain } = closed;
  const { keys, changes } = readKeyLogEntries(entries);
  for (const problem of readKeyLogEntries(entries.slice(0, tree_size)).problems)
    problems.push(`${origin}: ${problem}`);
  const unsigned = new Set(keyLogProblems(primitives, keys).map(({ index }) => index));
  const texts = new Set(log.entries.map((entry) => fromUtf8.decode(entry)));
  const isLost = ({ index }: IndexedEntry): boolean => !texts.has(fromUtf8.decode(entries[index]));
  // No root says that entries beyond the end were published, but the keys concerned signed each event. One of
  // the log that continues could have been put there.
  const events = keys.filter((one) => one.index < tree_size || (!unsigned.has(one.index) && isLost(one)));
  const beyond = events.filter(({ index }) => index >= tree_size);
  if (certain && beyond.length > 0)
    problems.push(
      `${log.origin} says that ${origin} had ${tree_size} entries, but the copy has more that are signed: ${described(beyond)}`,
    );
  const ends: IndexedEntry[] = [];
  for (const one of events) {
    const last = newestWithoutEnd(one.entry, log.keys);
    if (last === null) continue;
    ends.push(one);
    const { kid, event, at, receipts_tree_size: size } = one.entry;
    problems.push(
      `entry ${one.index} of ${origin} is lost: the key ${kid} was ${event} at ${at}, with ${size} entries in the log of receipts; ${log.origin} says ${last.event} at ${last.at}, with ${last.receipts_tree_size} entries`,
    );
  }
  for (const change of changes)
    if (change.index < tree_size && !isRepeated(change, log.changes))
      problems.push(
        `entry ${change.index} of ${origin} is lost: ${change.change.event} of ${change.change.origin}`,
      );
  const others = events.filter((one) => isLost(one) && !ends.includes(one));
  if (others.length > 0)
    notes.push(
      `${log.origin} does not have ${others.length} of the entries of ${origin}, which it continues; no key can be used for longer by that: ${described(others)}`,
    );
}

/**
 * Returns the newest event of a key of which a log does not keep the end; null if the event is kept: all but
 * the end of a key may be lost, and the end of a key that the log does not know. An end must not be later,
 * and not leave more receipts of the key: else an operator could go on with a stolen key for a while, and
 * then report it anew.
 */
function newestWithoutEnd(end: KeyEntry, keys: readonly IndexedEntry[]): KeyEntry | null {
  if (end.event !== 'retired' && end.event !== 'compromised') return null;
  const own = keys.map(({ entry }) => entry).filter(({ kid }) => kid === end.kid);
  const isKept = own.some(
    ({ event, at, receipts_tree_size: size }) =>
      (event === 'compromised' || event === end.event) && at <= end.at && size <= end.receipts_tree_size,
  );
  return isKept ? null : (own.at(-1) ?? null);
}

/** Returns whether a log says the same of the closing or the continuation of a log. */
function isRepeated({ change }: IndexedChange, own: readonly IndexedChange[]): boolean {
  return own.some(({ change: other }) => {
    if (other.log !== change.log || other.origin !== change.origin) return false;
    if (change.event === 'log_continued')
      return other.event === 'log_continued' && other.predecessor === change.predecessor;
    return (
      other.event === 'log_closed' &&
      other.tree_size === change.tree_size &&
      other.root_hash === change.root_hash &&
      (other.certain || !change.certain)
    );
  });
}

function described(events: readonly IndexedEntry[]): string {
  const named = events
    .slice(0, MAX_NAMED)
    .map(({ entry, index }) => `entry ${index} (${entry.event} ${entry.purpose} ${entry.kid})`);
  return [...named, ...(events.length > MAX_NAMED ? ['…'] : [])].join(', ');
}

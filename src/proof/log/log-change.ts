import { canonicalJson } from '../encoding/canonical-json.ts';
import { canonical, check, fail, hash, membersOf, numberIn, textIn, timestamp } from './entry-members.ts';
import { type KeyEntry, readKeyEntry } from './log-entry.ts';
import { isOriginOf, LOG_NAMES, type LogName, originOf } from './log-names.ts';
import { isKeyName } from './note.ts';

/** A leaf of `<origin>/keys`: a log of the installation was closed, by a restart or by a renaming. */
export interface LogClosedEntry {
  event: 'log_closed';
  log: LogName;
  /** The name of the closed log. */
  origin: string;
  /** The largest published size, in leaves. */
  tree_size: number;
  /** The root of the tree of this size: 64 lower-case hexadecimal characters. */
  root_hash: string;
  /** False if the service lost what it knew of the published size: more may have been published. */
  certain: boolean;
  /** RFC 3339 in UTC with milliseconds: when the entry was made, maybe long after the log was closed. */
  at: string;
}

/** A leaf of `<origin>/keys`: a log continues a closed one, whose leaves it may lack. */
export interface LogContinuedEntry {
  event: 'log_continued';
  log: LogName;
  /** The name of the log that continues. */
  origin: string;
  /** The name of the closed log. */
  predecessor: string;
  /** RFC 3339 in UTC with milliseconds. */
  at: string;
}

/** A leaf of the key log that is not of a key. */
export type LogChange = LogClosedEntry | LogContinuedEntry;

/** The values of `event` in the leaves that are not of a key. */
const LOG_CHANGES: readonly string[] = ['log_closed', 'log_continued'];

/**
 * Formats the leaf of a closed log or of one that continues: canonical JSON (RFC 8785) with `v: 1`. The key
 * log's checkpoint signs it, and nothing else does. @throws LogEntryError
 */
export function logChangeText(entry: LogChange): string {
  const { event, log } = entry;
  const common = {
    v: 1,
    event,
    log,
    origin: originIn('origin', entry.origin, log),
    at: timestamp('at', entry.at),
  };
  if (entry.event === 'log_continued') {
    if (entry.predecessor === entry.origin) return fail('predecessor is origin');
    return canonicalJson({ ...common, predecessor: originIn('predecessor', entry.predecessor, log) });
  }
  const { tree_size, certain } = entry;
  if (!Number.isSafeInteger(tree_size) || tree_size < 0)
    return fail('tree_size is not a whole number from 0 to 2^53 − 1');
  return canonicalJson({ ...common, tree_size, root_hash: hash('root_hash', entry.root_hash), certain });
}

/** Parses what `logChangeText` formats. The text must be canonical. @throws LogEntryError */
export function readLogChange(text: string): LogChange {
  const members = membersOf(text);
  const base = {
    log: LOG_NAMES.find((name) => name === members.log) ?? fail(`log is not one of ${LOG_NAMES.join(', ')}`),
    origin: textIn(members, 'origin'),
    at: textIn(members, 'at'),
  };
  if (members.event === 'log_continued') {
    const entry = { ...base, event: members.event, predecessor: textIn(members, 'predecessor') } as const;
    return canonical(text, logChangeText(entry), entry);
  }
  if (members.event !== 'log_closed') return fail(`event is not one of ${LOG_CHANGES.join(', ')}`);
  const { certain } = members;
  if (typeof certain !== 'boolean') return fail('certain is not true or false');
  const entry = {
    ...base,
    event: members.event,
    tree_size: numberIn(members, 'tree_size'),
    root_hash: textIn(members, 'root_hash'),
    certain,
  } as const;
  return canonical(text, logChangeText(entry), entry);
}

/** A leaf of the key log, by what it is about. */
export type AnyKeyLogEntry = { key: KeyEntry } | { change: LogChange };

/** Parses a leaf of the key log. @throws LogEntryError */
export function readKeyLogEntry(text: string): AnyKeyLogEntry {
  const { event } = membersOf(text);
  return typeof event === 'string' && LOG_CHANGES.includes(event)
    ? { change: readLogChange(text) }
    : { key: readKeyEntry(text) };
}

/** Checks an origin: the name of a note's key, which ends in the log's name. */
function originIn(member: string, text: string, log: LogName): string {
  return check(
    member,
    text,
    (origin) => isKeyName(origin) && isOriginOf(origin, log) && origin !== originOf('', log),
  );
}

import type { LogChange, LogClosedEntry } from './log-change.ts';
import { LOG_NAMES, type LogName, originOf } from './log-names.ts';

/** A leaf of the key log that is not of a key, with its index. */
export interface IndexedChange {
  change: LogChange;
  index: number;
}

/** The state of the logs of one name: which were closed, and which continues. */
interface Chain {
  closed: Set<string>;
  /** Those of them that a later entry continues. */
  continued: Set<string>;
  /** The log that the newest entry says to be continued under; null before the first. */
  open: string | null;
}

/**
 * Returns the problems of the entries about closed logs as a whole. Those of each name are one chain from its
 * first log to the one that is read: each log is closed once, then continued by the one that is closed next.
 *
 * @param common the part of the origins of the logs that are read before their names; null if unknown
 */
export function logChainProblems(
  changes: readonly IndexedChange[],
  common: string | null,
): { index: number; what: string }[] {
  const problems: { index: number; what: string }[] = [];
  const chains = new Map<LogName, Chain>(
    LOG_NAMES.map((name) => [name, { closed: new Set(), continued: new Set(), open: null }]),
  );
  for (const { change, index } of changes) {
    const chain = chains.get(change.log);
    const what = chain === undefined ? null : follow(chain, change);
    if (what !== null) problems.push({ index, what });
  }
  const last = changes.at(-1)?.index ?? 0;
  for (const [name, { closed, continued, open }] of chains) {
    const read = common === null ? null : originOf(common, name);
    for (const origin of closed) {
      if (origin === read) problems.push({ index: last, what: `${read} is closed, and still continued` });
      else if (!continued.has(origin))
        problems.push({ index: last, what: `${origin} is closed, and no entry says which log continues it` });
    }
    if (read !== null && open !== null && open !== read && !closed.has(open))
      problems.push({ index: last, what: `the log that continues is ${open}, not ${read}` });
  }
  return problems;
}

/** Appends an entry to the chain of its log. @returns what is wrong with it; null for nothing */
function follow(chain: Chain, change: LogChange): string | null {
  const { closed, open } = chain;
  const { origin } = change;
  if (change.event === 'log_closed') {
    const before = closed.has(origin);
    closed.add(origin);
    if (before) return `it closes ${origin}, which an earlier entry closed`;
    if (open !== null && open !== origin) return `it closes ${origin}, but the log that continues is ${open}`;
    return null;
  }
  const { predecessor } = change;
  const isKnown = closed.has(origin);
  chain.open = origin;
  chain.continued.add(predecessor);
  if (!closed.has(predecessor)) return `it continues ${predecessor}, which no earlier entry closes`;
  if (isKnown) return `it continues ${predecessor} under ${origin}, the name of a closed log`;
  if (open !== null && open !== predecessor)
    return `it continues ${predecessor}, but the log that continues is ${open}`;
  return null;
}

/**
 * Returns the logs of receipts in which a key is known to have ended at a size of the log; for leaves of
 * other logs the size says nothing. The open log has all leaves that the size counts. A closed log has them
 * if the key ended before it was closed. All leaves of a log that was closed before count too if there are no
 * more than the size says.
 *
 * @param end of the key: the index of the event in the key log, and the size that it states
 * @param open the origin of the open log of receipts
 * @returns their origins, oldest first
 */
export function receiptsLogsOf(
  end: { index: number; size: number },
  closedLogs: readonly PublishedClosedLog[],
  open: string,
): string[] {
  const closed = closedLogs.filter(({ log, log_index, tree_size, certain }) => {
    if (log !== 'receipts') return false;
    const endedBefore = end.index < log_index && end.size <= tree_size;
    return endedBefore || (certain && tree_size <= end.size);
  });
  return [...closed.map(({ origin }) => origin), open];
}

/** A closed log, as a list of keys names it: the entry of the key log with its index. */
export type PublishedClosedLog = Omit<LogClosedEntry, 'event'> & { log_index: number };

/**
 * Returns the closed logs that the first entries of a key log name, in their order.
 * @param size how many entries count; all by default
 */
export function closedLogsIn(
  changes: readonly IndexedChange[],
  size = Number.POSITIVE_INFINITY,
): PublishedClosedLog[] {
  return changes.flatMap(({ change, index }) => {
    if (change.event !== 'log_closed' || index >= size) return [];
    const { event, ...closed } = change;
    return [{ ...closed, log_index: index }];
  });
}

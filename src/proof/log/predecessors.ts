import { equalBytes } from '../encoding/equal-bytes.ts';
import { hexToBytes } from '../encoding/hex.ts';
import type { ClosedLog } from './closed-log.ts';
import { commonOf, type LogName, originOf } from './log-names.ts';

/** What a list of trusted keys says of the logs of its installation. */
export interface InstallationLogs {
  /** `log.origin`, the origin of the log of keys; null if the list has none. */
  keyLog: string | null;
  closedLogs: readonly ClosedLog[];
}

/**
 * Returns the closed logs that a log continues, without those that are known to have been empty.
 * @param log the origin of the log
 */
export function predecessorsOf(
  { log, name }: { log: string; name: LogName },
  { keyLog, closedLogs }: InstallationLogs,
): ClosedLog[] {
  if (keyLog === null) return [];
  const own = originOf(commonOf({ origin: keyLog, name: 'keys' }), name);
  if (own !== log) return [];
  return closedLogs.filter(
    (closed, index) =>
      closed.log === name &&
      closed.origin !== log &&
      (closed.tree_size > 0 || !closed.certain) &&
      // Of several rows of one origin, the first counts.
      closedLogs.findIndex(({ origin }) => origin === closed.origin) === index,
  );
}

/**
 * Finds out of which closed logs all entries were read: from a copy of the closed log, or because the log
 * that continues it begins with them, as after a restart without loss.
 */
export class Predecessors {
  readonly #unread: Set<ClosedLog>;

  constructor(closed: readonly ClosedLog[], read: readonly ClosedLog[] = []) {
    // Of a log with an uncertain end, more may have been published.
    this.#unread = new Set(closed.filter((one) => !one.certain || !read.includes(one)));
  }

  /** Compares the log, which has so many entries so far, with the closed ones of this size. */
  at(size: number, root: () => Uint8Array): void {
    for (const closed of this.#unread)
      if (closed.certain && closed.tree_size === size && equalBytes(root(), hexToBytes(closed.root_hash)))
        this.#unread.delete(closed);
  }

  /** The closed logs of which entries may be unknown. */
  get unread(): ClosedLog[] {
    return [...this.#unread];
  }
}

/** Returns why entries of a closed log may be unknown. @param log the origin of the log that continues it */
export function describeUnread({ origin, tree_size, certain }: ClosedLog, log: string): string {
  return certain
    ? `${log} does not begin with the ${tree_size} entries of ${origin}, which it continues, and no --predecessor was read`
    : `nothing says how many entries ${origin} had, which ${log} continues`;
}

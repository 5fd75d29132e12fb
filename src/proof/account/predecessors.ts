import { equalBytes } from '../encoding/equal-bytes.ts';
import { hexToBytes } from '../encoding/hex.ts';
import type { ClosedLog } from '../log/closed-log.ts';
import { commonOf, originOf } from '../log/log-names.ts';
import type { AccountProblem } from './problems.ts';

/**
 * Returns the closed logs of accounts that a log continues, by the list of keys of its installation, without
 * those that are known to have been empty.
 * @param keyLog `log.origin` of the list; null if it has none
 */
export function predecessorsOf(
  log: string,
  { keyLog, closedLogs }: { keyLog: string | null; closedLogs: readonly ClosedLog[] },
): ClosedLog[] {
  if (keyLog === null) return [];
  const own = originOf(commonOf({ origin: keyLog, name: 'keys' }), 'accounts');
  if (own !== log) return [];
  return closedLogs.filter(
    (closed, index) =>
      closed.log === 'accounts' &&
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
  readonly #waiting: Set<ClosedLog>;
  /** The closed logs of which a copy was read. */
  readonly #read: ReadonlySet<ClosedLog>;

  constructor(closed: readonly ClosedLog[], read: readonly ClosedLog[] = []) {
    this.#read = new Set(read);
    // Of a log with an uncertain end, more may have been published.
    this.#waiting = new Set(closed.filter((one) => !one.certain || !this.#read.has(one)));
  }

  /** Compares the log, which has so many entries so far, with the closed ones of this size. */
  at(size: number, root: () => Uint8Array): void {
    for (const closed of this.#waiting)
      if (closed.certain && closed.tree_size === size && equalBytes(root(), hexToBytes(closed.root_hash)))
        this.#waiting.delete(closed);
  }

  /** Returns the closed logs of which entries may be unknown, as problems. */
  problems(log: string): AccountProblem[] {
    return [...this.#waiting].map((closed) => ({
      problem: 'predecessor',
      receipt_id: null,
      line: null,
      sequence: null,
      detail: `${this.#reasonOf(closed, log)}: receipts that only that log has are not seen`,
    }));
  }

  #reasonOf(closed: ClosedLog, log: string): string {
    const { origin, tree_size, certain } = closed;
    if (certain)
      return `${log} does not begin with the ${tree_size} entries of ${origin}, which it continues, and no --predecessor was read`;
    return `nothing says how many entries ${origin} had, which ${log} continues`;
  }
}

import { equalBytes } from '../encoding/equal-bytes.ts';
import { hexToBytes } from '../encoding/hex.ts';
import type { ClosedLog } from '../log/closed-log.ts';
import { commonOf, originOf } from '../log/log-names.ts';
import type { AccountProblem } from './problems.ts';

/**
 * Returns the closed logs of accounts that a log continues, by the list of keys of its installation.
 * @param keyLog `log.origin` of the list; null if it has none
 */
export function predecessorsOf(
  log: string,
  { keyLog, closedLogs }: { keyLog: string | null; closedLogs: readonly ClosedLog[] },
): ClosedLog[] {
  if (keyLog === null) return [];
  const own = originOf(commonOf({ origin: keyLog, name: 'keys' }), 'accounts');
  return own === log ? closedLogs.filter((closed) => closed.log === 'accounts' && closed.origin !== log) : [];
}

/**
 * Finds out which closed logs a log begins with: what these had, the log has too. After a restart without
 * loss it begins with all of them.
 */
export class Predecessors {
  readonly #waiting: Set<ClosedLog>;

  constructor(closed: readonly ClosedLog[]) {
    // Of a log with an uncertain end, more may have been published.
    this.#waiting = new Set(closed.filter(({ tree_size, certain }) => tree_size > 0 || !certain));
  }

  /** Compares the log, which has so many entries so far, with the closed ones of this size. */
  at(size: number, root: () => Uint8Array): void {
    for (const closed of this.#waiting)
      if (closed.certain && closed.tree_size === size && equalBytes(root(), hexToBytes(closed.root_hash)))
        this.#waiting.delete(closed);
  }

  /** Returns the closed logs that the log does not begin with, as problems. */
  problems(log: string): AccountProblem[] {
    return [...this.#waiting].map(({ origin, tree_size, certain }) => ({
      problem: 'predecessor',
      receipt_id: null,
      line: null,
      sequence: null,
      detail: certain
        ? `${log} does not begin with the ${tree_size} entries of ${origin}, which it continues: receipts that only that log has are not seen`
        : `nothing says how many entries ${origin} had, which ${log} continues: receipts that only that log has are not seen`,
    }));
  }
}

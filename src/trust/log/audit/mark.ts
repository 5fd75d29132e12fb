import { Failure } from '../../../platform/failure.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { originOf } from '../../../proof/log/log-names.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater } from '../high-water.ts';
import type { LogRow } from '../logs.ts';
import { newestSize } from './store.ts';

/** The high-water mark, or the problem with reading it. */
export type ReadMark = { mark: HighWater | null } | { problem: Problem };

/** Reads the high-water mark of a data directory. */
export function markOf(directory: string): ReadMark {
  try {
    return { mark: readHighWater(directory) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { problem: { table: HIGH_WATER_FILE, row: {}, what: error.message } };
  }
}

/** Returns the mark's entry of a log; null if the mark belongs to another log. */
export function markOfLog(mark: HighWater | null, log: LogRow): HighWater['logs']['receipts'] | null {
  return mark !== null && isOf(mark, log) ? mark.logs[log.name] : null;
}

function isOf({ origin }: HighWater, log: LogRow): boolean {
  return originOf(origin, log.name) === log.origin;
}

/**
 * Verifies that the mark exists, belongs to the open logs, and is not older than their checkpoints.
 * @param logs with known names
 * @param reach the newest checkpoint that is audited
 */
export async function markProblems(
  snapshot: Snapshot,
  logs: readonly LogRow[],
  reach: number,
  mark: HighWater | null,
): Promise<Problem[]> {
  const file = { table: HIGH_WATER_FILE, row: {} };
  if (mark === null && reach === 0) return [];
  if (mark === null)
    return [{ ...file, what: 'it is missing: nothing says how much of the log was published' }];
  const open = logs.filter(({ closedSize }) => closedSize === null);
  const sizes = new Map<LogRow, number | null>();
  for (const log of open) sizes.set(log, await newestSize(snapshot, { logSeq: log.logSeq, reach }));
  const siblings = [...sizes.values()].some((size) => size !== null);
  return [...sizes].flatMap(([log, newest]) => {
    if (!isOf(mark, log)) {
      return [
        {
          ...file,
          log: log.origin,
          what: 'it is of another log',
          expected: log.origin,
          found: originOf(mark.origin, log.name),
        },
      ];
    }
    const published = mark.logs[log.name].tree_size;
    if (newest === null) return missing(log, published, siblings);
    if (newest <= published) return [];
    const values = { expected: `${newest} or more leaves`, found: `${published}` };
    return [{ ...file, log: log.origin, what: 'it is older than the newest checkpoint', ...values }];
  });
}

/** Returns the problem of a mark without a log. @param mark as it was before the database was read */
export function orphanedMarkProblems(mark: HighWater | null): Problem[] {
  if (mark === null) return [];
  const problem = 'it says that a log was published, and the database has none';
  return [{ table: HIGH_WATER_FILE, row: {}, what: problem }];
}

/**
 * Returns the problem of an open log without a checkpoint. A newest checkpoint below the mark may be that of
 * a backup, whose missing leaves were recovered from a copy. But logs that are opened together publish their
 * first checkpoints together, of any size.
 */
function missing(log: LogRow, published: number, haveSiblings: boolean): Problem[] {
  if (published === 0 && !haveSiblings) return [];
  const expected = `one of up to ${published} leaves, or more`;
  const problem = 'the log has no checkpoint, and was published';
  return [{ table: 'checkpoint', row: {}, log: log.origin, what: problem, expected, found: 'none' }];
}

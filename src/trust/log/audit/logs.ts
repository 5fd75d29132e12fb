import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';
import { parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import { commonOf, isOriginOf, LATER_LOGS, LOG_NAMES, originOf } from '../../../proof/log/log-names.ts';
import { parseNote } from '../../../proof/log/note.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { futureDateProblem } from '../checkpoints/future-date.ts';
import type { LogRow } from '../logs.ts';
import type { CheckpointRow } from './store.ts';

/** Times within one transaction differ by at most this. */
const SAME_TRANSACTION_MS = 5000;

/** A log's row with its first and last checkpoint. */
export interface LogCheckpoints {
  log: LogRow;
  first: CheckpointRow | null;
  last: CheckpointRow | null;
}

/** Verifies the rows of logs: against their checkpoints, the logs opened with them, and those before. */
export function logProblems(ends: readonly LogCheckpoints[], clock: Clock): Problem[] {
  const logs = ends.map(({ log }) => log);
  const generations = generationsOf(logs);
  const problems: Problem[] = [];
  for (const [at, { log, first, last }] of ends.entries()) {
    const compare = (what: string, expected: string, actual: string): void => {
      if (expected !== actual) problems.push({ ...logLocation(log), what, expected, found: actual });
    };
    const generation = generations[at];
    const siblings = logs.filter((_, other) => generations[other] === generation);
    const earlier = logs.filter((_, other) => (generations[other] ?? 0) < (generation ?? 0));
    const previous = earlier.findLast(({ name }) => name === log.name);
    if (!LOG_NAMES.includes(log.name))
      compare('name is not the name of a log', LOG_NAMES.join(', '), log.name);
    compare('origin does not end in its name', originOf(commonIn(log), log.name), log.origin);
    compare('origin differs from the origin in its checkpoints', originIn(first) ?? log.origin, log.origin);
    if (siblings.some((other) => other !== log && other.name === log.name))
      compare('name is the same as the name of another log opened with it', 'another', log.name);
    if (previous !== undefined) problems.push(...timeProblems(log, 'opened_at', [previous.closedAt]));
    const isNewest = generation === generations.at(-1);
    if (isNewest !== (log.closedSize === null))
      compare(
        'it is closed unless it is of the last that were opened',
        isNewest ? 'open' : 'closed',
        log.closedSize === null ? 'open' : 'closed',
      );
    if (log.closedSize !== null)
      compare(
        'closed_size is not the size of its last checkpoint',
        String(last?.treeSize ?? 0),
        String(log.closedSize),
      );
    // A closed log has ended, so its date does not matter.
    const future =
      log.closedSize !== null || last === null ? null : futureDateProblem(last.issuedAt, clock.now());
    if (future !== null) problems.push({ ...logLocation(log), what: `its newest checkpoint ${future}` });
    // A log that a later version introduced may have been opened long after the others.
    if (!isLater(log))
      problems.push(
        ...timeProblems(
          log,
          'opened_at',
          siblings.filter((other) => !isLater(other)).map(({ openedAt }) => openedAt),
        ),
      );
    if (log.closedSize !== null)
      problems.push(
        ...timeProblems(
          log,
          'closed_at',
          siblings.map(({ closedAt }) => closedAt),
        ),
      );
  }
  return problems;
}

/**
 * Returns for each log how many names of the logs were given up before it was opened. Logs are opened in the
 * order of LOG_NAMES, and those that a version introduced after the others. So the logs of LATER_LOGS belong
 * to the others before them.
 */
function generationsOf(logs: readonly LogRow[]): number[] {
  let count = 0;
  return logs.map((log) => {
    if (!isLater(log)) count++;
    return Math.floor(Math.max(count - 1, 0) / (LOG_NAMES.length - LATER_LOGS.length));
  });
}

function isLater({ name }: LogRow): boolean {
  return LATER_LOGS.includes(name);
}

/** Returns the table and row of a log. */
function logLocation({ logSeq, origin }: LogRow) {
  return { table: 'log', row: { log_seq: logSeq }, log: origin };
}

/** Verifies that the times of one transaction are nearly equal: the median is taken as right. */
function timeProblems(
  log: LogRow,
  member: 'opened_at' | 'closed_at',
  texts: readonly (string | null)[],
): Problem[] {
  const text = (member === 'opened_at' ? log.openedAt : log.closedAt) ?? '';
  const time = parseTimestamp(text);
  if (time === null) return [{ ...logLocation(log), what: `${member} is no time`, found: text }];
  const times = texts
    .map((one) => parseTimestamp(one ?? ''))
    .filter((one) => one !== null)
    .sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)];
  if (middle === undefined || Math.abs(middle - time) <= SAME_TRANSACTION_MS) return [];
  const problem = `${member} is not when that was done`;
  return [{ ...logLocation(log), what: problem, expected: timestampOf(middle), found: text }];
}

function commonIn(log: LogRow): string {
  const { origin, name } = log;
  return isOriginOf(origin, name) ? commonOf(log) : origin.slice(0, origin.lastIndexOf('/'));
}

function originIn(checkpoint: CheckpointRow | null): string | null {
  if (checkpoint === null) return null;
  try {
    return parseCheckpoint(parseNote(Buffer.from(checkpoint.note)).text).origin;
  } catch {
    // The audit of the checkpoint reports that.
    return null;
  }
}

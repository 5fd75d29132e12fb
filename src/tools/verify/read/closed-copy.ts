import { Failure } from '../../../platform/failure.ts';
import { type Checkpoint, parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import type { ClosedLog } from '../../../proof/log/closed-log.ts';
import { parseNote } from '../../../proof/log/note.ts';
import { messageOf } from '../../../proof/log/problem.ts';

/** Returns what a checkpoint says, whoever signed it. @param where it is, for messages @throws Failure */
export function checkpointIn(note: Uint8Array, where: string): Checkpoint {
  try {
    return parseCheckpoint(parseNote(note).text);
  } catch (error) {
    throw new Failure(`${where} is not a checkpoint: ${messageOf(error)}`, 'use another copy of the log');
  }
}

/**
 * Returns the closed log of which a copy is.
 * @param where the copy is, for messages
 * @param log the origin of the log that continues the closed ones
 * @throws Failure for a copy of another log
 */
export function closedLogOf(
  { origin }: Checkpoint,
  where: string,
  { log, closedLogs }: { log: string; closedLogs: readonly ClosedLog[] },
): ClosedLog {
  const closed = closedLogs.find((one) => one.origin === origin);
  if (closed !== undefined) return closed;
  throw new Failure(
    `${where} is a copy of ${origin}, and the list of keys names no closed log of this name that ${log} continues`,
    'check --predecessor, and get the list of keys again',
  );
}

/** Checks that a copy has as many entries as are read of the closed log. @throws Failure */
export function requireEntries(
  where: string,
  { origin }: ClosedLog,
  { stored, size }: { stored: number; size: number },
): void {
  if (stored >= size) return;
  throw new Failure(
    `the copy of ${origin} in ${where} has ${stored} of its ${size} entries`,
    'use a copy that was made after the last one',
  );
}

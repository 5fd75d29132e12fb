import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../platform/failure.ts';
import { LOG_NAMES, originOf } from '../../../proof/log/log-names.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater, syncDirectory } from '../recovery/high-water.ts';
import type { LogRow } from '../store.ts';

/** Leaves that logs of receipts had published when they were closed, by origin, where that is known. */
export type ClosedLogSizes = ReadonlyMap<string, number>;

/** A mark that a restart or a renaming put aside, as `log.high-water.<number>`. */
export interface ArchivedMark {
  number: number;
  /** Null where the file is damaged. */
  mark: HighWater | null;
}

/** Reads the marks that were put aside, in no particular order. */
export function archivedMarks(directory: string): ArchivedMark[] {
  return readdirSync(directory).flatMap((file) => {
    const digits = file.startsWith(`${HIGH_WATER_FILE}.`) ? file.slice(HIGH_WATER_FILE.length + 1) : '';
    return /^\d{1,9}$/.test(digits) ? [{ number: Number(digits), mark: readable(directory, file) }] : [];
  });
}

/** Returns the mark that was put aside of the logs of this name, the largest where there are several; null where there is none. */
export function archivedMarkOf(directory: string, origin: string): HighWater | null {
  const leaves = ({ logs }: HighWater): number =>
    LOG_NAMES.reduce((sum, name) => sum + logs[name].tree_size, 0);
  const marks = archivedMarks(directory).flatMap(({ mark }) => (mark?.origin === origin ? [mark] : []));
  return marks.sort((one, other) => leaves(other) - leaves(one))[0] ?? null;
}

/**
 * Copies `log.high-water` durably to a `log.high-water.<number>` that does not exist yet, so that what was published of the log stays
 * known. Does nothing where there is no mark, or the same copy exists.
 *
 * @param number of the log that is closed; the first is 1. Where a file has it, the next above every file is taken
 */
export async function archiveMark(directory: string, number: number): Promise<void> {
  if (readHighWater(directory) === null) return;
  const bytes = readFileSync(join(directory, HIGH_WATER_FILE));
  const taken = archivedMarks(directory).map((archived) => archived.number);
  const fileOf = (ordinal: number): string => join(directory, `${HIGH_WATER_FILE}.${ordinal}`);
  if (taken.some((ordinal) => readFileSync(fileOf(ordinal)).equals(bytes))) return;
  const free = taken.includes(number) ? Math.max(...taken) + 1 : number;
  const file = await open(fileOf(free), 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(directory);
}

/**
 * How much of each closed log of receipts was published: what the database knows of it may be less, since that is mostly why a log
 * is closed. The marks that restarts put aside tell; where one is gone or cannot be read, nobody knows.
 *
 * @param logs every log that there ever was
 */
export function closedLogSizes(logs: readonly LogRow[], directory: string): ClosedLogSizes {
  const sizes = new Map<string, number>();
  const closed = logs.filter(({ name, closedSize }) => name === 'receipts' && closedSize !== null);
  if (closed.length === 0) return sizes;
  for (const { mark } of archivedMarks(directory)) {
    if (mark === null) continue;
    const origin = originOf(mark.origin, 'receipts');
    if (!closed.some((log) => log.origin === origin)) continue;
    sizes.set(origin, Math.max(sizes.get(origin) ?? 0, mark.logs.receipts.tree_size));
  }
  return sizes;
}

function readable(directory: string, name: string) {
  try {
    return readHighWater(directory, name);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * The logs of receipts of which it is known that a key's time ended at this size in them: for a leaf of any other that size says
 * nothing. The open log has the leaves that the size was counted in. A closed one had them as far as its last checkpoint, if the
 * key ended while it was open; one that was closed before has no later leaf at all, so that the size is right where it had
 * published no more.
 *
 * @param logs every log that there ever was
 * @param at when the key's time ended; one that is too late only leaves out more
 * @returns their origins, oldest first
 */
export function originsWhereKeyEnded(
  logs: readonly LogRow[],
  archived: ClosedLogSizes,
  { size, at }: { size: number; at: string },
): string[] {
  return logs
    .filter(({ name, origin, closedSize, closedAt }) => {
      if (name !== 'receipts') return false;
      if (closedSize === null || closedAt === null) return true;
      const endedBefore = Date.parse(at) <= Date.parse(closedAt) && size <= closedSize;
      return endedBefore || (archived.get(origin) ?? Number.POSITIVE_INFINITY) <= size;
    })
    .map(({ origin }) => origin);
}

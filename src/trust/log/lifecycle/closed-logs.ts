import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../platform/failure.ts';
import { LOG_NAMES, originOf } from '../../../proof/log/log-names.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater, syncDirectory } from '../high-water.ts';
import type { LogRow } from '../store.ts';

/** The published tree size of each closed log of receipts, by origin, where it is known. */
export type ClosedLogSizes = ReadonlyMap<string, number>;

/** A high-water mark that a restart or a renaming archived as `log.high-water.<number>`. */
export interface ArchivedMark {
  number: number;
  /** Null if the file is damaged. */
  mark: HighWater | null;
}

/** Reads the archived marks, in no particular order. */
export function archivedMarks(directory: string): ArchivedMark[] {
  return readdirSync(directory).flatMap((file) => {
    const digits = file.startsWith(`${HIGH_WATER_FILE}.`) ? file.slice(HIGH_WATER_FILE.length + 1) : '';
    return /^\d{1,9}$/.test(digits) ? [{ number: Number(digits), mark: readable(directory, file) }] : [];
  });
}

/** Returns the largest archived mark of the logs with this name; null if there is none. */
export function archivedMarkOf(directory: string, origin: string): HighWater | null {
  const leaves = ({ logs }: HighWater): number =>
    LOG_NAMES.reduce((sum, name) => sum + logs[name].tree_size, 0);
  const marks = archivedMarks(directory).flatMap(({ mark }) => (mark?.origin === origin ? [mark] : []));
  return marks.sort((one, other) => leaves(other) - leaves(one))[0] ?? null;
}

/**
 * Copies `log.high-water` durably to a new file `log.high-water.<number>`, so that it stays known how much of
 * the log was published. Does nothing if there is no mark, or an equal copy exists.
 *
 * @param number of the log that is closed; the first is 1. If a file has this number, the copy gets the next
 * number above all files
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
 * Returns how much of each closed log of receipts was published, from the archived marks. The database may
 * know of less, which is often why a log was closed. If a mark is missing or damaged, the size is unknown.
 *
 * @param logs every log, including closed ones
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
 * Returns the logs of receipts in which a key is known to end at this size; for leaves of other logs the size
 * says nothing. The open log has all leaves that the size counts. A closed log has them up to its last
 * checkpoint if the key ended while it was open. A log that was closed earlier has no later leaf, so the size
 * is correct there if it had published no more.
 *
 * @param logs every log, including closed ones
 * @param at when the key ended; a time that is too late only leaves out more logs
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

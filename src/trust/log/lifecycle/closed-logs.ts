import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../platform/failure.ts';
import { LOG_NAMES } from '../../../proof/log/log-names.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater, syncDirectory } from '../high-water.ts';

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

function readable(directory: string, name: string) {
  try {
    return readHighWater(directory, name);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

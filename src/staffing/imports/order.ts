import { Failure } from '../../platform/failure.ts';
import { periodOf } from '../nppes/reading/names.ts';
import { sourceOf } from '../nppes/reading/source.ts';

/**
 * Sorts files by the last day of their data, which their names state: a weekly file is refused after a newer
 * one. If one of the files has no such name or cannot be read, all stay in the given order; the import
 * reports what is wrong.
 */
export async function inOrderOfDates(paths: readonly string[]): Promise<string[]> {
  const dated: { path: string; day: string }[] = [];
  for (const path of paths) {
    const day = await lastDayOf(path);
    if (day === null) return [...paths];
    dated.push({ path, day });
  }
  return dated
    .sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))
    .map(({ path }) => path);
}

async function lastDayOf(path: string): Promise<string | null> {
  try {
    return periodOf((await sourceOf(path)).name).asOf;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

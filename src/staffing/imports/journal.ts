import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readText } from '../../platform/files/read.ts';
import { writeSecretFile } from '../../platform/files/write.ts';
import { nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import { currentRegistry, formerRegistry, isRegistryName } from '../registry/current.ts';
import { KINDS } from './report.ts';
import { completeReplacement } from './swap.ts';

/**
 * The file that exists while an import runs. It says what the next start has to remove if the process ends.
 */
const FILE = 'import.json';

const Journal = strictObject({
  kind: oneOf(KINDS),
  /** RFC 3339. */
  started_at: Type.String(),
  /** The file that is imported; null for a rollback. */
  file: nullable(Type.String()),
  /** Registry files to remove unless they are the current or the former one. */
  removable: Type.Array(Type.String()),
  /** What `current` and `former` will name; null before that is known, and where there was no registry. */
  pending: nullable(strictObject({ current: Type.String(), former: Type.String() })),
});
export type Journal = Static<typeof Journal>;

/** What an interrupted import left, and `recover` removed. */
export interface Recovered {
  journal: Journal | null;
  /** The names of the removed files. */
  removed: string[];
}

/** The temporary files of builders, of `current` and of the other small files. */
const TEMPORARY = [
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9a-z]+\.db\.scratch/,
  /^(?:current|former|import\.json|last-import\.json|[0-9a-z-]+\.db\.report\.json)\.[0-9a-f]{12}\.new$/,
];

/** Writes what is to be removed if the process ends. @throws Failure */
export function writeJournal(directory: string, journal: Journal): void {
  writeSecretFile(join(directory, FILE), `${JSON.stringify(journal)}\n`);
}

/** Removes the file of an import that ended. */
export function removeJournal(directory: string): void {
  rmSync(join(directory, FILE), { force: true });
}

/**
 * Removes what an import left when its process ended: temporary files and registry files that its journal
 * names. Never removes the current or the former registry, or any other file. The caller has locked the data
 * directory.
 */
export function recover(directory: string): Recovered {
  const removed: string[] = [];
  if (!existsSync(directory)) return { journal: null, removed };
  const journal = readJournal(directory);
  if (journal !== null && journal.pending !== null) completeReplacement(directory, journal.pending);
  for (const name of journal?.removable ?? []) {
    if (isRegistryName(name) && removeRegistry(directory, name)) removed.push(name);
  }
  for (const name of readdirSync(directory)) {
    if (!TEMPORARY.some((pattern) => pattern.test(name))) continue;
    rmSync(join(directory, name), { force: true });
    removed.push(name);
  }
  removeJournal(directory);
  return { journal, removed };
}

/** Removes the temporary files of a builder that did not finish. */
export function removeScratch(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (TEMPORARY.some((pattern) => pattern.test(name))) rmSync(join(directory, name), { force: true });
  }
}

/**
 * Removes a registry file with its report, unless it is the current or the former one. @returns whether the
 * file existed and was removed
 */
export function removeRegistry(directory: string, name: string): boolean {
  if (name === currentRegistry(directory) || name === formerRegistry(directory)) return false;
  const path = join(directory, name);
  const existed = existsSync(path);
  for (const end of ['', '-wal', '-shm', '.report.json']) rmSync(`${path}${end}`, { force: true });
  return existed;
}

/** Returns the journal of a running or interrupted import; null when there is none, or it is incomplete. */
export function readJournal(directory: string): Journal | null {
  const file = join(directory, FILE);
  if (!existsSync(file)) return null;
  try {
    const journal: unknown = JSON.parse(readText(file));
    return Value.Check(Journal, journal) ? journal : null;
  } catch {
    return null;
  }
}

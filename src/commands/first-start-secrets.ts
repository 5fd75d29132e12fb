import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readText } from '../platform/files/read.ts';
import { matchOwner, writeSecretFile } from '../platform/files/write.ts';
import { FIRST_START_FILE, type MadeSecrets } from '../platform/service-definition.ts';

/** What decides where the secrets of a start are shown. */
export interface Surroundings {
  /** The data directory; `isTemporary` is true for `:memory:`. */
  directory: string;
  isTemporary: boolean;
  readyFile: string | null;
  /** Whether `--print-secrets` is set. */
  print: boolean;
  isTerminal: boolean;
}

/**
 * Returns the lines of the start-up output about the secrets that a start made. On a terminal they are
 * printed. In any other case stdout is often stored in a log that others read, so they are written to a file.
 * @throws Failure that names the file
 */
export function announcedSecrets(made: MadeSecrets, surroundings: Surroundings): readonly string[] {
  const { about, lines, values, names } = made;
  if (Object.keys(values).length === 0) return [...about, ...lines];
  if (isPrinted(made, surroundings))
    return ['Store these now. They are not shown again:', '', ...about, ...lines];
  const path = join(surroundings.directory, FIRST_START_FILE);
  // An earlier start may have made other secrets, which nobody may have read yet.
  const known = existsSync(path) ? knownIn(path) : {};
  writeSecretFile(path, `${JSON.stringify({ ...known, ...names, ...values }, null, 2)}\n`);
  matchOwner(surroundings.directory, [path]);
  return [
    `The secrets of this start are in ${path}`,
    'Store them elsewhere, then remove this file. Only its owner can read it.',
    ...(about.length === 0 ? [] : ['', ...about]),
  ];
}

function isPrinted(
  { isConfigured }: MadeSecrets,
  { isTemporary, readyFile, print, isTerminal }: Surroundings,
): boolean {
  if (print) return true;
  if (readyFile !== null) return false;
  // A temporary directory is gone with the process, and nobody would look for a file in it.
  return isTerminal || (isTemporary && !isConfigured);
}

const Known = Type.Record(Type.String(), Type.Unknown());

function knownIn(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readText(path));
    return Value.Check(Known, value) ? value : {};
  } catch {
    // A file that nobody can parse has no secrets to keep.
    return {};
  }
}

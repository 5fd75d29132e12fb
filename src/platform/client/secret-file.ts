import { statSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { readText } from '../files/read.ts';

/** More than any file of a context or a key has. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads a file that nobody but its owner may read.
 * @param what the file in messages, such as `key file`
 * @throws Failure for a missing file, one that others can read, and what is no file
 */
export function readPrivateText(path: string, what: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Failure(`the ${what} ${path} does not exist`, 'check its path', 2);
  if (stats.isFile() && (stats.mode & 0o077) !== 0)
    throw new Failure(`other users can read the ${what} ${path}`, `chmod 600 ${path}`, 2);
  return readText(path, { maxBytes: MAX_BYTES });
}

/**
 * Reads the key in a file: visible characters without spaces.
 * @throws Failure, which does not quote the file
 */
export function keyInFile(path: string): string {
  return asKey(readPrivateText(path, 'key file'), path);
}

/** Returns a key without white space around it. @param place where it is from @throws Failure */
export function asKey(text: string, place: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{8,512}$/.test(key)) return key;
  throw new Failure(`${place} contains no API key`, 'it must contain the key and nothing else', 2);
}

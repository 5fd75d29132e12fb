import { statSync } from 'node:fs';
import { Failure } from '../../../platform/failure.ts';

/**
 * The SHA-256 of files in lower-case hexadecimal, by the names that the command line has; null for what is no
 * file that can be read.
 */
export type FileDigests = Record<string, string | null>;

/**
 * Returns the digests of the files that a command reads. @throws Failure (exit code 2) for one that cannot be
 * read
 */
export async function inputDigests(files: readonly string[]): Promise<FileDigests> {
  const digests = noDigests();
  for (const file of files) {
    const digest = await digestOf(file);
    if (digest === null)
      throw new Failure(`the input ${file} is no file that can be read`, 'check its path', 2);
    digests[file] = digest;
  }
  return digests;
}

/** Returns the digests of the files that a command has written. */
export async function outputDigests(files: readonly string[]): Promise<FileDigests> {
  const digests = noDigests();
  for (const file of files) digests[file] = await digestOf(file);
  return digests;
}

/** A file can have any name, such as `__proto__`. */
const noDigests = (): FileDigests => Object.create(null);

/** Returns the digest of a file, which is read in parts; null for what is no file, or cannot be read. */
async function digestOf(file: string): Promise<string | null> {
  try {
    // A pipe or a device would be read forever, or lose what is read.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const hash = new Bun.CryptoHasher('sha256');
    for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

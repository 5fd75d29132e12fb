import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';
import { readFile, unreadable } from '../../platform/files/read.ts';
import { replaceFile } from '../../platform/files/write.ts';

/** More than any configuration. That of Claude Code contains histories of projects. */
const MAX_BYTES = 64 * 2 ** 20;

/** A configuration file as it was read. */
export interface ConfigFile {
  /** The path that was named, which may be a symbolic link. */
  path: string;
  /** The path of the file itself. */
  target: string;
  bytes: Uint8Array;
}

/**
 * Reads a configuration file that can be changed.
 * @throws Failure for a missing file, a file of another user, and one with several names
 */
export function readConfigFile(path: string, hint: string): ConfigFile {
  const target = targetOf(path, hint);
  requireOwn(path, statSync(target));
  const bytes = readFile(target, { maxBytes: MAX_BYTES });
  return { path, target, bytes };
}

/** Returns the text of a file, and the byte order mark before it. @throws Failure for what is no UTF-8 */
export function decoded({ path, bytes }: Pick<ConfigFile, 'path' | 'bytes'>): { mark: string; text: string } {
  try {
    const all = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const text = all.replace(/^\uFEFF/, '');
    return { mark: all.slice(0, all.length - text.length), text };
  } catch {
    throw new Failure(`${path} is not UTF-8 text`, 'check that it is the right file');
  }
}

/**
 * Replaces a configuration file by new bytes, keeps its mode, and follows a symbolic link.
 * @throws Failure if it is not as it was read
 */
export function writeConfigFile({ path, target, bytes: before }: ConfigFile, bytes: Uint8Array): void {
  replaceFile(target, bytes, () => {
    const isSame = targetOf(path, '') === target && readFile(target, { maxBytes: MAX_BYTES }).equals(before);
    if (!isSame)
      throw new Failure(
        `${path} changed meanwhile; nothing was written`,
        'close the client, and run the command again',
        5,
      );
  });
}

/** Returns the SHA-256 of bytes in hexadecimal. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function targetOf(path: string, hint: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
    throw new Failure(`${path} does not exist`, hint, 2);
  try {
    return realpathSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function requireOwn(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Failure(`${path} is not a regular file`, 'specify a file', 2);
  if (stats.uid !== (process.getuid?.() ?? stats.uid))
    throw new Failure(`${path} is the file of another user`, 'run the command as its owner');
  if (stats.nlink > 1)
    throw new Failure(
      `${path} has ${stats.nlink} names (hard links), and would lose all but one`,
      'replace the other names by symbolic links',
    );
}

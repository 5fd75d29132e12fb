import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';

/**
 * Writes a file that only its owner may read, completely or not at all. Writes and syncs a new file in the
 * same directory, renames it, and syncs the directory, so that a power cut cannot undo the write.
 *
 * @throws Failure that names the file
 */
export function writeSecretFile(path: string, text: string | Uint8Array): void {
  requireWritable(path);
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeSynced(fresh, text);
    renameSync(fresh, path);
    syncPath(dirname(path));
  } catch (error) {
    discard(fresh);
    throw cannotWrite(path, error);
  }
}

/**
 * Replaces a regular file of this user, completely or not at all, and keeps its mode and its group.
 *
 * @param before is called after the new file is synced and just before the rename
 * @throws Failure that names the file, and any error of `before`
 */
export function replaceFile(path: string, bytes: Uint8Array, before: () => void): void {
  requireWritable(path);
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const { mode, uid, gid } = statSync(path);
    writeSynced(fresh, bytes);
    const { gid: ownGroup } = statSync(fresh);
    if (gid !== ownGroup) chownSync(fresh, uid, gid);
    chmodSync(fresh, mode & 0o7777);
    before();
    renameSync(fresh, path);
    syncPath(dirname(path));
  } catch (error) {
    discard(fresh);
    throw error instanceof Failure ? error : cannotWrite(path, error);
  }
}

/**
 * Checks that a file can be written at `path`, and that no link, device or directory is there, which a rename
 * would replace.
 * @throws Failure
 */
export function requireWritable(path: string): void {
  if (path === '') throw new Failure('the name of the file is empty', 'specify a file', 2);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) {
    throw new Failure(`${path} exists and is not a regular file`, 'specify another path');
  }
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Gives files that root created to the owner of the directory, so that the service can read what a command of
 * root wrote. Does nothing for other users.
 */
export function matchOwner(directory: string, paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  for (const path of paths) if (existsSync(path)) chownSync(path, uid, gid);
}

/** Syncs a file's bytes, or a directory's entries, to disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function writeSynced(path: string, text: string | Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The first error is the one to report.
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const hint =
    'check that its directory exists, that this user may write to it, and that the disk has free space';
  return new Failure(`${path} cannot be written (${code})`, hint);
}

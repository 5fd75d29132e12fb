import { randomBytes } from 'node:crypto';
import {
  accessSync,
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
 * Writes a file that only its owner may read, all of it or none: a new file beside it, synced, then renamed over it,
 * then the directory synced, so that a power cut cannot take it back.
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
 * That a file can be written where `path` says, and that nothing stands there but a file: a rename would put it in the
 * place of a link or a device. @throws Failure
 */
export function requireWritable(path: string): void {
  if (path === '') throw new Failure('the name of the file is empty', 'name a file', 2);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) {
    throw new Failure(`${path} is there and no regular file`, 'name another');
  }
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Gives what root made to whom its directory belongs: a command that root runs must not leave files that the service cannot
 * read. Nothing for anybody else.
 */
export function matchOwner(directory: string, paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  for (const path of paths) if (existsSync(path)) chownSync(path, uid, gid);
}

/** Makes a file's bytes durable, or a directory's entries. */
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
    // What could not be made cannot be removed; the reason why it could not is the one to tell.
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const hint =
    'check that its directory exists, that this user may write to it, and that the disk has free space';
  return new Failure(`${path} cannot be written (${code})`, hint);
}

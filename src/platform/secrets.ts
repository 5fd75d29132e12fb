import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner may read, all of it or none: a new file beside it, synced, then renamed over it,
 * then the directory synced, so that a power cut cannot take it back.
 */
export function writeSecretFile(path: string, text: string): void {
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = openSync(fresh, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

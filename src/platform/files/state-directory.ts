import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Returns the directory for what this program keeps for a user and no other program reads (XDG Base Directory
 * Specification: state). It need not exist.
 */
export function stateDirectory({ XDG_STATE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv = process.env): string {
  const base =
    XDG_STATE_HOME || (process.platform === 'win32' && LOCALAPPDATA) || join(homedir(), '.local', 'state');
  return resolve(base, 'countersign');
}

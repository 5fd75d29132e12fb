import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { Failure } from '../failure.ts';

const OTHERS_WRITE = 0o022;

/**
 * Creates a directory that only this user can write in. One that exists must be that already: whoever else
 * writes in it decides what is sent, and with which key. A link to it must be one of this user, too.
 * @throws Failure; Error of the system if it cannot be made
 */
export function makeOwnDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const user = process.getuid?.();
  const { uid, mode } = statSync(path);
  // Without users, as on Windows, the system's own rights count.
  if (user === undefined) return;
  if (uid !== user || lstatSync(path).uid !== user)
    throw new Failure(`${path} belongs to another user`, 'use a directory of this user', 2);
  if ((mode & OTHERS_WRITE) !== 0)
    throw new Failure(`other users can write in ${path}`, `take that from them: chmod go-w ${path}`, 2);
}

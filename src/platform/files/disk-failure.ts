import { Failure } from '../failure.ts';

const FULL = /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_(?:SHMSIZE|WRITE))/;
const FAILING = /^(?:EIO|EROFS|SQLITE_(?:IOERR|READONLY|CANTOPEN))/;

/** Returns what to do about an error code of the disk; null for other codes. */
export function diskHint(code: string): string | null {
  if (FULL.test(code)) {
    return 'the disk or the quota of this user is full: free some space and start again; no stored data is lost';
  }
  return FAILING.test(code) ? 'check that this user owns it and that the disk works, then start again' : null;
}

/**
 * Returns a disk error of a start as a Failure with the file and a hint; any other error unchanged. The
 * runtime's message names no file for SQLite's errors, and no solution.
 *
 * @param directory the data directory, for errors that name no file
 */
export function asDiskFailure(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const cause = 'code' in error ? error : error.cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const hint = diskHint(code);
  if (hint === null) return error;
  const path = cause instanceof Error && 'path' in cause ? String(cause.path) : directory;
  return new Failure(`${path} cannot be written (${code})`, hint);
}

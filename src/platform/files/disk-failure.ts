import { Failure } from '../failure.ts';

const FULL = /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_(?:SHMSIZE|WRITE))/;
const FAILING = /^(?:EIO|EROFS|SQLITE_(?:IOERR|READONLY|CANTOPEN))/;

/** What to do about what a disk refused with this code; null for a code that is not about the disk. */
export function diskHint(code: string): string | null {
  if (FULL.test(code)) {
    return 'the disk or the quota of this user is full: free some space and start again; no stored data is lost';
  }
  return FAILING.test(code) ? 'check that this user owns it and that the disk works, then start again' : null;
}

/**
 * Says of what a disk refused during a start which file it was and what to do; any other error stays what it is. The runtime's own
 * words name no file where SQLite writes, and no way out.
 *
 * @param directory the data directory, for what names no file
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

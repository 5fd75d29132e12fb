import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Failure } from '../failure.ts';

/** Limits for reading a file that a user named. */
export interface ReadLimits {
  /** The maximum size in bytes. Default: 16 MiB. */
  maxBytes?: number;
  /** The timeout for data from a pipe, in milliseconds. Default: 10,000. */
  idleMs?: number;
}

const MAX_BYTES = 16 * 2 ** 20;
const IDLE_MS = 10_000;
/** The wait before an empty pipe is read again, in milliseconds. */
const POLL_MS = 2;
const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a complete file: a regular one, or a pipe until its end (such as `<(command)` in a shell). Refuses
 * directories and devices except /dev/null, because reading them may never end.
 *
 * @throws Failure that names the path, for a refused, too large or idle file; the system's error for a file
 * that does not exist or may not be read
 */
export function readFile(path: string, { maxBytes = MAX_BYTES, idleMs = IDLE_MS }: ReadLimits = {}): Buffer {
  const { file, isPipe } = openForReading(path);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const isOverdue = idleTimer(path, idleMs);
  try {
    for (const piece of piecesOf(file, isPipe)) {
      isOverdue(piece);
      if (piece === null) {
        Bun.sleepSync(POLL_MS);
        continue;
      }
      size += piece.length;
      if (size > maxBytes) throw tooLarge(path, maxBytes);
      pieces.push(piece);
    }
  } finally {
    closeSync(file);
  }
  return Buffer.concat(pieces);
}

/** Reads a file like `readFile`, as UTF-8. @throws Failure */
export function readText(path: string, limits: ReadLimits = {}): string {
  return readFile(path, limits).toString('utf8');
}

/**
 * Yields the bytes of a file, or of standard input for `-`, as they arrive. Refuses the same files as
 * `readFile`.
 * @throws Failure that names the file
 */
export async function* bytesOf(
  path: string,
  { idleMs = IDLE_MS }: Pick<ReadLimits, 'idleMs'> = {},
): AsyncGenerator<Uint8Array> {
  try {
    if (path === '-') yield* Bun.stdin.stream();
    else if (refuseUnreadable(path, statSync(path)).isFile()) yield* Bun.file(path).stream();
    else yield* bytesAvailable(path, idleMs);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreadable(path, error);
  }
}

/** Checks that a file exists before the command asks for anything else. @throws Failure (exit code 2) */
export function requireFile(path: string): void {
  if (path === '-') return;
  try {
    statSync(path);
  } catch (error) {
    const { message, hint } = unreadable(path, error);
    throw new Failure(message, hint, 2);
  }
}

/** Returns the error for a file that the system did not let us read. */
export function unreadable(path: string, error: unknown): Failure {
  const code = codeOf(error);
  const from = isAbsolute(path) ? '' : `; a relative path starts at ${process.cwd()}`;
  const hint = code === 'ENOENT' || code === 'ENOTDIR' ? `check the path${from}` : null;
  return new Failure(`${path} cannot be read: ${unreadableReason(error)}`, hint);
}

/** Returns the reason of a system error as text. */
export function unreadableReason(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'ENOTDIR') return 'a part of its path is a file, not a directory';
  if (code === 'EACCES') return 'this user has no permission to read it';
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Returns the number of bytes that `bytesOf` will yield; 0 when it is unknown. */
export function sizeOf(path: string): number {
  const stats = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : 0;
}

/** Returns all bytes of a stream. @throws Failure as soon as there are more than `max` bytes */
export async function gathered(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  max: number,
  hint?: string,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > max) throw tooLarge(name, max, hint);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * Returns `stats` of a file that may be read. @throws Failure for anything but a regular file, a pipe or
 * /dev/null
 */
function refuseUnreadable(path: string, stats: Stats): Stats {
  if (stats.isFile() || stats.isFIFO()) return stats;
  if (stats.isDirectory()) throw new Failure(`${path} is a directory`, 'specify a file');
  if (stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev) return stats;
  const what = stats.isSocket() ? 'a socket' : 'a device';
  throw new Failure(`${path} is ${what}`, 'specify a regular file or a pipe');
}

async function* bytesAvailable(path: string, idleMs: number): AsyncGenerator<Uint8Array> {
  const { file, isPipe } = openForReading(path);
  const isOverdue = idleTimer(path, idleMs);
  try {
    for (const piece of piecesOf(file, isPipe)) {
      isOverdue(piece);
      if (piece === null) await Bun.sleep(POLL_MS);
      else yield piece;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a file without waiting for a pipe's writer. Checks its type again after opening, since another file
 * may be at the path by then.
 */
function openForReading(path: string): { file: number; isPipe: boolean } {
  // Opening some devices has side effects.
  refuseUnreadable(path, statSync(path));
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    return { file, isPipe: refuseUnreadable(path, fstatSync(file)).isFIFO() };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Yields the pieces of a file to its end; null when a pipe has no data yet. */
function* piecesOf(file: number, isPipe: boolean): Generator<Uint8Array | null> {
  let isBegun = false;
  while (true) {
    const piece = new Uint8Array(CHUNK_BYTES);
    const size = readAvailable(file, piece);
    // Until its first writer comes, a pipe looks like one that has ended.
    if (size === null || (size === 0 && isPipe && !isBegun)) yield null;
    else if (size === 0) return;
    else {
      isBegun = true;
      yield piece.subarray(0, size);
    }
  }
}

/** Returns the number of bytes that were read, 0 at the end; null when there is no data yet. */
function readAvailable(file: number, into: Uint8Array): number | null {
  try {
    return readSync(file, into);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return null;
    throw error;
  }
}

/**
 * Returns a function that takes each piece, null for none, and throws a Failure `idleMs` milliseconds after
 * the last one.
 */
function idleTimer(path: string, idleMs: number): (piece: Uint8Array | null) => void {
  let since = performance.now();
  return (piece) => {
    const now = performance.now();
    if (piece !== null) since = now;
    else if (now - since > idleMs) {
      throw new Failure(
        `${path} is a pipe that gave no data for ${idleMs / 1000} seconds`,
        'see that a program writes into it, or specify a regular file',
      );
    }
  };
}

function tooLarge(name: string, max: number, hint = 'check that it is the right file'): Failure {
  return new Failure(`${name} is larger than ${shownSize(max)}`, hint);
}

function shownSize(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
}

import { closeSync, fstatSync, readdirSync } from 'node:fs';

/** Where Linux lists the files that this process has open. */
const OPEN_FILES = '/proc/self/fd';
const STANDARD = [0, 1, 2];

/**
 * Closes standard input (0) or output (1), so that the process at its other end notices it. The runtime keeps
 * duplicates of standard output; they are closed too where the system lists them. Elsewhere they end with
 * this process.
 */
export function closeStandardFile(descriptor: 0 | 1): void {
  const same = duplicatesOf(descriptor);
  for (const open of [descriptor, ...same]) {
    try {
      closeSync(open);
    } catch {
      // The runtime has closed it.
    }
  }
}

function duplicatesOf(descriptor: number): number[] {
  try {
    const { dev, ino } = fstatSync(descriptor);
    const open = readdirSync(OPEN_FILES).map(Number);
    return open.filter((other) => !STANDARD.includes(other) && isSame(other, dev, ino));
  } catch {
    return [];
  }
}

function isSame(descriptor: number, dev: number, ino: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.dev === dev && stat.ino === ino;
  } catch {
    return false;
  }
}

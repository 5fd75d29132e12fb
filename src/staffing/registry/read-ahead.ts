import { open } from 'node:fs/promises';

const BUFFER = 1024 * 1024;

/**
 * Reads a file from beginning to end on the thread pool, so that the system has it in memory, until
 * `isWanted` returns false.
 * @returns whether it was read to its end. @throws the system's error for a file that cannot be read
 */
export async function readAhead(path: string, isWanted: () => boolean): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(BUFFER);
    while (isWanted()) {
      const { bytesRead } = await file.read(buffer, 0, BUFFER, null);
      if (bytesRead === 0) return true;
    }
    return false;
  } finally {
    await file.close();
  }
}

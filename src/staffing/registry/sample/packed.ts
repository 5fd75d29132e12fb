import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../../../platform/files/write.ts';
import { makeCurrent, newRegistryName } from '../current.ts';
import { SAMPLE } from './extent.ts';

/** The begin of the name under which the executable contains the whole sample, compressed by zstd. */
const PACKED = 'sample-registry';

/** Returns the compressed sample of the executable; null when the program runs from source. */
export function packedSample(): Blob | null {
  return Bun.embeddedFiles.find((file) => 'name' in file && String(file.name).startsWith(PACKED)) ?? null;
}

/** Decompresses the sample, in another thread. */
export async function unpackedSample(packed: Blob): Promise<Uint8Array> {
  return Bun.zstdDecompress(await packed.bytes());
}

/**
 * Writes the bytes of a registry file of the sample as the current registry of `directory`. The file appears
 * only when it is complete and durable.
 * @throws Error with the code of a system error
 */
export function writeUnpacked(directory: string, bytes: Uint8Array): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = newRegistryName(SAMPLE.asOf);
  const scratch = join(directory, `${name}.scratch`);
  try {
    writeFileSync(scratch, bytes);
    syncPath(scratch);
    renameSync(scratch, join(directory, name));
    syncPath(directory);
  } finally {
    rmSync(scratch, { force: true });
  }
  makeCurrent(directory, name);
}

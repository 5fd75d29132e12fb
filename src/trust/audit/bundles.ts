import { Failure } from '../../platform/failure.ts';
import { decodeEntries, TILE_WIDTH, tilePath } from '../../proof/tiles.ts';
import type { LogName } from '../log/logs.ts';
import type { LogSource } from '../log/source.ts';

/** Up to 256 entries of a log side by side, with their bytes as they came. */
export interface Bundle {
  /** The index of the first entry. */
  start: number;
  /** `tile/entries/…`, below the log. */
  path: string;
  bytes: Uint8Array;
  entries: Uint8Array[];
}

/**
 * The bundles of a log's first `size` entries, from that which holds `from` on; the last may be partial. Each has as many entries
 * as its place has, and no byte more. @throws Failure for one that is missing or has not
 */
export async function* bundlesOf(
  source: LogSource,
  name: LogName,
  from: number,
  size: number,
): AsyncGenerator<Bundle> {
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    const start = index * TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, size - start);
    const path = tilePath('entries', index, width);
    const place = `${source.place}/${name}/${path}`;
    const bytes = await source.read(`${name}/${path}`);
    let entries: Uint8Array[];
    try {
      entries = decodeEntries(bytes);
    } catch (error) {
      throw new Failure(`${place} is damaged: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (entries.length !== width)
      throw new Failure(`${place} has ${entries.length} entries, and its place has ${width}`);
    yield { start, path, bytes, entries };
  }
}

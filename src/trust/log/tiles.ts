import type { Store } from '../../platform/store/store.ts';
import { encodeEntries, parseTilePath } from '../../proof/tiles.ts';
import { entriesOf } from './entries.ts';
import type { LogRow } from './store.ts';
import { neighbours, TILE_WIDTH } from './tree.ts';

const utf8 = new TextEncoder();

/**
 * A tile, or a bundle of entries, by its path (C2SP tlog-tiles): `tile/0/x001/234.p/17`. Null for a path that is none, and for
 * one that reaches beyond `size`, the tree that was published last: nobody learns a hash that no checkpoint covers.
 */
export async function tileAt(
  store: Store,
  log: LogRow,
  size: number,
  path: string,
): Promise<{ bytes: Uint8Array; isEntries: boolean } | null> {
  const place = parseTilePath(path);
  if (place === null) return null;
  const { level, index, width } = place;
  const isEntries = level === 'entries';
  const from = index * TILE_WIDTH;
  const to = from + width;
  const leaves = to * TILE_WIDTH ** (isEntries ? 0 : level);
  if (!(leaves <= size)) return null;
  return store.read((snapshot) => ({
    isEntries,
    bytes: isEntries
      ? encodeEntries(entriesOf(snapshot, log, from, to).map(({ entry }) => utf8.encode(entry)))
      : Buffer.concat(neighbours(snapshot, log, level, from, to)),
  }));
}

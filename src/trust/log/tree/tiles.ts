import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Store } from '../../../platform/store/store.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { leafHash } from '../../../proof/log/merkle.ts';
import { encodeEntries, parseTilePath, TILE_WIDTH } from '../../../proof/log/tiles.ts';
import type { LogContent } from '../contents.ts';
import { LogDamage } from '../damage.ts';
import type { LogRow } from '../store.ts';
import { hashesOfRanges, tileRoot } from './tree.ts';

const utf8 = new TextEncoder();

/**
 * Reads a tile, or a bundle of entries, by its path (C2SP tlog-tiles), such as `tile/0/x001/234.p/17`.
 * Returns null for an invalid path, and for one beyond `size`, the newest published tree: no hash is served
 * that no checkpoint covers.
 */
export async function tileAt(
  store: Store,
  log: LogRow,
  { leavesOf }: LogContent,
  size: number,
  path: string,
): Promise<{ bytes: Uint8Array; isEntries: boolean } | null> {
  const position = parseTilePath(path);
  if (position === null) return null;
  const { level, index, width } = position;
  const isEntries = level === 'entries';
  const from = index * TILE_WIDTH;
  const to = from + width;
  const leaves = to * TILE_WIDTH ** (isEntries ? 0 : level);
  if (!(leaves <= size)) return null;
  const tileLevel = isEntries ? 0 : level;
  return store.read(async (snapshot) => {
    const entries = isEntries
      ? (await leavesOf(snapshot, from, to)).map(({ entry }) => utf8.encode(entry))
      : [];
    const isFull = width === TILE_WIDTH;
    const ranges = [
      ...(isFull ? [{ tileLevel: tileLevel + 1, from: index, to: index + 1 }] : []),
      ...(isFull && isEntries ? [] : [{ tileLevel, from, to }]),
    ];
    const hashRanges = await hashesOfRanges(snapshot, log, ranges);
    const [root = null] = isFull ? (hashRanges[0] ?? []) : [];
    const hashes = isEntries
      ? entries.map((entry) => leafHash(nativePrimitives, entry))
      : (hashRanges.at(-1) ?? []);
    if (root !== null) requireTileRoot(log, tileLevel, index, hashes, root);
    else if (isEntries) requireLeaves(log, from, hashes, hashRanges.at(-1) ?? []);
    return { isEntries, bytes: isEntries ? encodeEntries(entries) : Buffer.concat(hashes) };
  });
}

/**
 * Verifies the hashes of entries against the leaves of the tree, as long as no tile covers them.
 * @throws LogDamage if one differs
 */
function requireLeaves(
  log: LogRow,
  from: number,
  hashes: readonly Uint8Array[],
  leaves: readonly Uint8Array[],
): void {
  for (const [at, leaf] of leaves.entries()) {
    const hash = hashes[at];
    if (hash !== undefined && equalBytes(hash, leaf)) continue;
    throw new LogDamage(log.name, `entry ${from + at} of ${log.origin} is not what was published`);
  }
}

/** Verifies a full tile against its root: caches keep a tile for ever. @throws LogDamage if it differs */
function requireTileRoot(
  log: LogRow,
  level: number,
  index: number,
  hashes: Uint8Array[],
  root: Uint8Array,
): void {
  if (hashes.length === TILE_WIDTH && equalBytes(tileRoot(hashes), root)) return;
  throw new LogDamage(log.name, `tile ${level}/${index} of ${log.origin} is not what was published`);
}

import { GrowingTree } from '../../src/platform/tlog/growing-tree.ts';
import { TILE_WIDTH, tilePath } from '../../src/proof/log/tiles.ts';

/** Returns the tiles of a tree of leaf hashes by their paths below the prefix of the log, without entries. */
export function tilesOfLeaves(leaves: Iterable<Uint8Array>): Map<string, Uint8Array> {
  const tree = GrowingTree.empty();
  const files = new Map<string, Uint8Array>();
  for (const leaf of leaves)
    for (const { level, index, hashes } of tree.append(leaf))
      files.set(tilePath(level, index), Buffer.concat(hashes));
  for (const [level, hashes] of tree.edge().entries()) {
    const index = Math.floor(tree.size / TILE_WIDTH ** (level + 1));
    if (hashes.length > 0) files.set(tilePath(level, index, hashes.length), Buffer.concat(hashes));
  }
  return files;
}

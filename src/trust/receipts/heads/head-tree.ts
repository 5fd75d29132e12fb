import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { HASH_BYTES, nodeHash, treeRoot } from '../../../proof/log/merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH } from '../../../proof/log/tiles.ts';

/** A row of hashes of a tree: up to 256. Only the last of a level has fewer. */
export interface HashTile {
  /** Level 0 has the leaves, and each level above the roots of the full tiles below. */
  level: number;
  tileIndex: number;
  /** 32 bytes each. */
  hashes: Uint8Array;
}

/** The right edge of a tree, from which it grows. */
export interface TreeEdge {
  size: number;
  /** By level: the hashes of the tile that is not full, 32 bytes each. */
  open: Uint8Array[];
}

/** A Merkle tree (RFC 6962) that grows by leaves. It keeps the tiles that are not full. */
export class HeadTree {
  private count: number;
  /** By level: the hashes of the tile that is not full. */
  private readonly open: Uint8Array[][];

  constructor({ size, open }: TreeEdge = { size: 0, open: [] }) {
    this.count = size;
    this.open = open.map(hashesIn);
  }

  /** The number of leaves. */
  get size(): number {
    return this.count;
  }

  /** Appends a leaf. @returns the tiles that it completes */
  append(leaf: Uint8Array): HashTile[] {
    this.count++;
    const full: HashTile[] = [];
    let hash = leaf;
    for (let level = 0; ; level++) {
      const row = this.open[level] ?? [];
      this.open[level] = row;
      row.push(hash);
      if (row.length < TILE_WIDTH) return full;
      const tileIndex = this.count / TILE_WIDTH ** (level + 1) - 1;
      full.push({ level, tileIndex, hashes: Buffer.concat(row) });
      hash = perfectRoot(row);
      this.open[level] = [];
    }
  }

  /** Returns the edge, from which another tree continues. */
  edge(): TreeEdge {
    return { size: this.count, open: this.open.map((row) => Buffer.concat(row)) };
  }

  /** Returns the tiles that are not full. */
  openTiles(): HashTile[] {
    return this.open.flatMap((row, level) =>
      row.length === 0
        ? []
        : {
            level,
            tileIndex: Math.floor(this.count / TILE_WIDTH ** (level + 1)),
            hashes: Buffer.concat(row),
          },
    );
  }

  /** Returns the root. All nodes that it needs lie in tiles that are not full. */
  root(): Uint8Array {
    return treeRoot(nativePrimitives, this.count, (level, index) => {
      const { tileLevel, from, width } = hashesOfNode(level, index);
      const row = this.open[tileLevel] ?? [];
      const start = from % TILE_WIDTH;
      return perfectRoot(row.slice(start, start + width));
    });
  }
}

/** Returns where the hashes are that a node is computed from: `width` of them in one tile. */
export function hashesOfNode(
  level: number,
  index: number,
): { tileLevel: number; from: number; width: number } {
  const width = 2 ** (level % TILE_HEIGHT);
  return { tileLevel: Math.floor(level / TILE_HEIGHT), from: index * width, width };
}

/** Returns the hashes in a row of them. */
export function hashesIn(row: Uint8Array): Uint8Array[] {
  return Array.from({ length: row.length / HASH_BYTES }, (_, at) =>
    row.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** Returns the root of a perfect tree over hashes, whose number is a power of two. */
export function perfectRoot(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at + 1 < row.length; at += 2)
      above.push(nodeHash(nativePrimitives, row[at] ?? NONE, row[at + 1] ?? NONE));
    row = above;
  }
  const [root] = row;
  if (root === undefined) throw new RangeError('a tree of no hashes has no perfect root');
  return root;
}

const NONE = new Uint8Array();

import { emptyRoot, HASH_BYTES, nodeHash } from '../../proof/log/merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH } from '../../proof/log/tiles.ts';
import { nativePrimitives } from '../crypto/crypto.ts';

/** A full tile. */
export interface FullTile {
  level: number;
  index: number;
  /** Its 256 hashes. */
  hashes: readonly Uint8Array[];
  /** The hashes above them, row by row, with the root last. */
  above: readonly (readonly Uint8Array[])[];
}

/** The rows of an incomplete tile. Each has the nodes that the row below completes. */
type Rows = Uint8Array[][];

/**
 * A tree that grows by leaf hashes and returns its tiles as they become full. It computes every node once,
 * and holds only the last tile of each level: memory grows with the logarithm of the size.
 */
export class GrowingTree {
  private constructor(
    private readonly tiles: Rows[],
    private leaves: number,
  ) {}

  static empty(): GrowingTree {
    return new GrowingTree([], 0);
  }

  /**
   * Returns a tree of a size from the hashes of its incomplete tiles, level by level.
   * @throws RangeError when the numbers of hashes do not match the size
   */
  static from(size: number, partial: readonly (readonly Uint8Array[])[]): GrowingTree {
    let hashes = size;
    const tiles = partial.map((own) => {
      const isWhole = own.every(({ length }) => length === HASH_BYTES);
      if (own.length !== hashes % TILE_WIDTH || !isWhole) {
        throw new RangeError(`a tree of size ${size} has other tiles at its edge`);
      }
      hashes = Math.floor(hashes / TILE_WIDTH);
      const rows = noRows();
      for (const hash of own) push(rows, hash);
      return rows;
    });
    if (hashes > 0) throw new RangeError(`a tree of size ${size} has more levels of tiles`);
    return new GrowingTree(tiles, size);
  }

  get size(): number {
    return this.leaves;
  }

  /** Returns the root of the tree, from the nodes without a sibling at the ends of the rows. */
  root(): Uint8Array {
    let root: Uint8Array | null = null;
    for (const row of this.tiles.flat()) {
      const peak = row.length % 2 === 1 ? row.at(-1) : undefined;
      if (peak !== undefined) root = root === null ? peak : nodeHash(nativePrimitives, peak, root);
    }
    return root ?? emptyRoot(nativePrimitives);
  }

  /** Returns an independent copy. */
  clone(): GrowingTree {
    return new GrowingTree(
      this.tiles.map((rows) => rows.map((row) => [...row])),
      this.leaves,
    );
  }

  /** Appends a leaf. @returns the tiles that it completes, level by level */
  append(leaf: Uint8Array): readonly FullTile[] {
    let index = ++this.leaves;
    const first = this.rowsOf(0);
    let root = push(first, leaf);
    if (root === null) return NONE;
    const full: FullTile[] = [];
    for (let level = 0; root !== null; level++) {
      const [hashes = [], ...above] = this.rowsOf(level);
      index /= TILE_WIDTH;
      full.push({ level, index: index - 1, hashes, above });
      this.tiles[level] = noRows();
      root = push(this.rowsOf(level + 1), root);
    }
    return full;
  }

  /** Returns the hashes of the incomplete tiles, level by level; a level may have none. */
  edge(): readonly (readonly Uint8Array[])[] {
    return this.tiles.map(([hashes = []]) => hashes);
  }

  private rowsOf(level: number): Rows {
    const rows = this.tiles[level] ?? noRows();
    this.tiles[level] = rows;
    return rows;
  }
}

const NONE: readonly FullTile[] = [];

function noRows(): Rows {
  return Array.from({ length: TILE_HEIGHT + 1 }, () => []);
}

/**
 * Appends a hash to a tile, with the nodes that it completes. @returns the root of the tile if it is now full
 */
function push(rows: Rows, hash: Uint8Array): Uint8Array | null {
  let node = hash;
  for (let height = 0; height <= TILE_HEIGHT; height++) {
    const row = rows[height];
    if (row === undefined) break;
    const left = row.at(-1);
    row.push(node);
    if (row.length % 2 === 1 || left === undefined) return height === TILE_HEIGHT ? node : null;
    node = nodeHash(nativePrimitives, left, node);
  }
  return null;
}

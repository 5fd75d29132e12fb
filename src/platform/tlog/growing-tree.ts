import { emptyRoot, HASH_BYTES, nodeHash } from '../../proof/log/merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH } from '../../proof/log/tiles.ts';
import { nativePrimitives } from '../crypto/crypto.ts';

/** A tile that became full. */
export interface FullTile {
  level: number;
  index: number;
  /** Its 256 hashes. */
  hashes: readonly Uint8Array[];
  /** What lies above them, row by row, the root last. */
  above: readonly (readonly Uint8Array[])[];
}

/** The rows of a tile that is not full, each as far as the one below goes. */
type Rows = Uint8Array[][];

/**
 * A tree that grows by leaf hashes and gives its tiles as they become full. It makes every node once, and holds the last tile of
 * each level alone, so that memory grows with the logarithm of the size.
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
   * The tree of a size from its last tiles, level by level, each with as many hashes as it has.
   * @throws RangeError for as many as no such tree has
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

  /** The root of the tree so far, from what stands alone at the end of a row. */
  root(): Uint8Array {
    let root: Uint8Array | null = null;
    for (const row of this.tiles.flat()) {
      const peak = row.length % 2 === 1 ? row.at(-1) : undefined;
      if (peak !== undefined) root = root === null ? peak : nodeHash(nativePrimitives, peak, root);
    }
    return root ?? emptyRoot(nativePrimitives);
  }

  /** A tree that grows on by itself. */
  clone(): GrowingTree {
    return new GrowingTree(
      this.tiles.map((rows) => rows.map((row) => [...row])),
      this.leaves,
    );
  }

  /** Adds a leaf. @returns the tiles that it made full, level by level */
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

  /** The last tiles that are not full, level by level; a level may have none. */
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

/** Adds a hash to a tile, and the nodes that it completes. @returns the root of a tile that is full now */
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
